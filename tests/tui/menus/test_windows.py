"""In which windows a player is asked: the rule, windows that the player opens again, and what the hint says there."""

import asyncio
import gc
from typing import Any

import pytest
from msgspec.structs import replace

from cards import BUILT_IN
from core.state import actions as a
from core.state.actions import Legal, Pass
from core.state.events import SteppedBack
from core.state.model import Ask, Bargain
from core.state.views import View, You
from netcode.bots.brain import Brain
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tests.tui.solo_games import SoloGame
from tui.lessons.adviser import Advice, Adviser
from tui.lessons.counsel import Counsel
from tui.menus import windows
from tui.menus.windows import KEPT, KEPT_NEXT, Windows, verdict
from tui.scene.scene import Scene
from tui.scene.table_session import TableSession

ALONE = samples.info(solo=True)


def helpless(view: View | None = None) -> View:
    """Return a window in which the player can only pass, hold, or do things that do not respond to it."""
    view = view or samples.interrupt()
    assert view.window is not None and view.you is not None
    rows = [Legal(action) for action in (a.Pass(view.window.id), a.Hold(view.window.id), a.Give((), 1))]
    view.you = You(samples.ME, view.you.hand, [], [], rows)
    return view


def scene(view: View, info: wire.TableInfo = ALONE, **more: Any) -> Scene:
    return replace(samples.scene(view), info=info, **more)


# ------------------------------------------------------------------------------------------------------------ the rule
@pytest.mark.parametrize(
    ("wanted", "with_cards", "without"),
    [("always", "asked", "asked"), ("playable", "asked", "passes"), ("useful", "weighed", "passes")],
)
def test_alone_with_bots_the_setting_says_when_one_is_asked(wanted: str, with_cards: str, without: str) -> None:
    assert verdict(scene(samples.interrupt()), wanted) == with_cards
    assert verdict(scene(helpless()), wanted) == without
    assert verdict(scene(samples.your_turn()), wanted) == ""


def test_while_anybody_else_plays_or_watches_nothing_is_passed() -> None:
    clocked = wire.Timers(window=5_000, window_full=8_000)
    for info in (samples.info(), samples.info(solo=True, watchers=1)):
        for timers in (wire.Timers(), clocked):
            assert verdict(scene(samples.interrupt(), info, timers=timers), "useful") == "asked"
        assert verdict(scene(helpless(), info), "useful") == "asked", "it would not end without an answer"
        assert verdict(scene(helpless(), info, timers=clocked), "useful") == "left", "it ends by itself"
        assert verdict(scene(helpless(), info, timers=clocked), "always") == "asked"


def test_what_one_has_not_read_or_answered_is_not_passed_over() -> None:
    assert verdict(scene(helpless(), timers=wire.Timers(waits=True)), "useful") == "asked"
    offered = helpless()
    offered.offers = [Bargain(3, 2, samples.ME, "help", 2, 3, False, [], [], [], 1)]
    assert verdict(scene(offered), "useful") == "asked"
    held = helpless()
    assert held.you is not None
    held.you.asks = [Ask(4, samples.ME, "hold", [], 1, 1)]
    assert verdict(scene(held), "useful") == "asked"


def test_nobody_loses_the_game_by_a_pass_of_the_screen_while_they_could_act() -> None:
    view = samples.interrupt()
    assert view.fight is not None and view.window is not None
    view.fight, view.window = replace(view.fight, match_point=True), replace(view.window, kind="claim")
    assert verdict(scene(view), "useful") == "asked"
    assert verdict(scene(helpless(view)), "useful") == "passes"


# --------------------------------------------------------------------------------------------- windows one goes back to
def following(view: View) -> tuple[Windows, FakeClient]:
    client = FakeClient(view, ALONE)
    session = TableSession(client, samples.catalog())
    return Windows(session, Counsel(session)), client


def numbered(number: int, view: View | None = None) -> View:
    """Return a helpless window of this number."""
    view = view or samples.interrupt()
    assert view.window is not None
    view.window = replace(view.window, id=number)
    return helpless(view)


def test_a_window_to_which_an_undo_leads_is_asked() -> None:
    following_, client = following(samples.interrupt())
    back = wire.NumberedEvent(1, SteppedBack(samples.ME, samples.ME, "pass", 30))
    assert following_.follow(scene(numbered(4)), "useful") == "passes"
    assert following_.follow(scene(samples.your_turn()), "useful") == ""
    client.tell(wire.Update(1, 2, numbered(7), [back]))  # numbers of windows only rise
    for _ in range(2):
        assert following_.follow(scene(numbered(7)), "useful") == ""
    assert following_.follow(scene(numbered(8)), "useful") == "passes"


def test_whoever_has_begun_to_answer_is_asked_to_the_end() -> None:
    following_, _ = following(samples.interrupt())
    assert following_.follow(scene(numbered(4)), "useful") == "passes"
    assert following_.follow(scene(numbered(4)), "useful", busy=True) == ""
    assert following_.follow(scene(numbered(4)), "useful") == "", "the menu was closed without an answer"
    assert following_.follow(scene(numbered(5)), "useful") == "passes"


def test_a_key_keeps_the_window_open_or_the_next_one() -> None:
    following_, _ = following(samples.interrupt())
    first = scene(numbered(4), unasked="passes")
    assert following_.follow(first, "useful") == "passes"
    assert following_.keep(first) == KEPT and following_.follow(first, "useful") == ""
    assert following_.follow(scene(numbered(5)), "useful") == "passes"
    assert following_.keep(scene(samples.idle())) == KEPT_NEXT
    assert following_.follow(scene(samples.idle()), "useful") == ""
    assert following_.follow(scene(numbered(6)), "useful") == ""
    assert following_.follow(scene(numbered(7)), "useful") == "passes"
    assert following_.keep(scene(numbered(7), samples.info())) == "", "it is the table that is held there"


# ------------------------------------------------------------------------------------------------------------ the hint
async def decided(following_: Windows, moment: Scene) -> str:
    """Return what becomes of a window once the hint has decided."""
    assert following_.follow(moment, "useful") == "weighed"
    for _ in range(500):
        found = following_.follow(moment, "useful")
        if found != "weighed":
            return found
        await asyncio.sleep(0.01)
    raise AssertionError("it never decides")


@pytest.mark.parametrize("passes", [True, False])
async def test_the_hint_decides_beside_the_loop_and_the_table_is_looked_at_again(
    passes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Adviser, "passes", lambda self, *known: passes)
    view, told = samples.interrupt(), []
    client = FakeClient(view, ALONE)
    session = TableSession(client, samples.catalog())
    session.listen(lambda: told.append(True))
    following_ = Windows(session, Counsel(session))
    assert await decided(following_, scene(view)) == ("passes" if passes else "")
    assert told == [True]
    assert following_.follow(scene(replace(view, rev=view.rev + 1)), "useful") == "weighed", "something has changed"
    following_.stop()


async def test_a_hint_that_fails_leaves_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Adviser, *known: object) -> bool:
        raise KeyError("a card that is not there")

    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    monkeypatch.setattr(Adviser, "passes", fails)
    following_, _ = following(samples.interrupt())
    assert await decided(following_, scene(samples.interrupt())) == ""
    del following_
    gc.collect()
    assert [type(context["exception"]) for context in told][:1] == [KeyError], "an internal error is not hidden"


async def test_a_hint_that_takes_too_long_leaves_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "WEIGHED_S", 0.02)
    client = FakeClient(samples.interrupt(), ALONE)
    session = TableSession(client, samples.catalog())

    async def never() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(client, "knowledge", never)
    assert await decided(Windows(session, Counsel(session)), scene(samples.interrupt())) == ""


@pytest.mark.parametrize(
    ("normal", "hint", "passes"),
    [
        (Pass(9), Pass(9), True), (Pass(9), a.Unequip(samples.public("Wombat Boots")), True),
        (Pass(9), a.Play(samples.held("Pickle Spear")), True), (Pass(9), a.Play(samples.held("Bad Hat Day"), 1), False),
        (Pass(9), None, False), (a.Play(samples.held("Pickle Spear")), Pass(9), False), (None, Pass(9), False),
    ],
)  # fmt: skip
def test_a_window_is_worth_a_question_unless_both_would_pass_or_can_wait(
    normal: a.Action | None, hint: a.Action | None, passes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Brain, "decide", lambda self, *known: normal)
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(hint))
    assert Adviser(samples.catalog()).passes(samples.interrupt()) is passes
    fighting = samples.own_combat()
    if isinstance(hint, a.Play):
        assert not Adviser(samples.catalog()).passes(fighting), "an Item counts in one's own fight"


# ------------------------------------------------------------------------------------------------------- in whole games
@pytest.mark.long(4)
@pytest.mark.parametrize("number", range(1, 5))
def test_nothing_is_skipped_in_whole_games_that_a_normal_bot_would_have_played(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(Pass(0)))  # whatever else the hint may say
    found = [moment for moment in SoloGame(number, (BUILT_IN[number % 4],)).moments() if moment.kind == "window"]
    for moment in found:
        assert moment.asked or isinstance(moment.action, Pass), moment.action
    assert len(found) > 15 and any(moment.found == "weighed" for moment in found)
