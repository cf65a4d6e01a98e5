"""The key for a hint: it shows one and plays nothing; among people it asks for everybody's consent first."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from core.state.actions import (
    Accept,
    Action,
    Answer,
    Claim,
    Counter,
    Decline,
    EndTurn,
    Flee,
    Legal,
    Offer,
    Play,
    Sell,
    Terms,
)
from core.state.events import LevelChanged
from core.state.model import Ask, Bargain
from core.state.views import View, You
from netcode.protocol import wire
from netcode.protocol.wire import SeatInfo, TableInfo
from tests.patience import PATIENCE_S
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.config.keymap import pressed
from tui.lessons.adviser import Advice, Adviser
from tui.screens.moment import MomentScreen
from tui.screens.parts import hints as hint_part
from tui.screens.table import TableScreen

OTHER = samples.ME + 1
"""The seat of the other person."""


def at(*people: int, hints: tuple[int, ...] = ()) -> TableInfo:
    """Return a table where these seats belong to people and bots have the others. hints: who agrees to hints."""
    names = ("Ann", "Bo", "Cid", "Dee", "Eve", "Fay")
    seats = [SeatInfo(name, "here" if seat in people else "bot") for seat, name in enumerate(names)]
    return TableInfo("t", seats, "playing", hints=list(hints), game=1)


ALONE = at(samples.ME)


async def told(pilot: TablePilot) -> str:
    """Return the remark once there is one."""
    for _ in range(200):
        await pilot.settle()
        if pilot.screen.session.remark:
            return str(pilot.screen.session.remark)
        await asyncio.sleep(0.05)
    raise AssertionError("no hint")


@pytest.mark.long(5)
@pytest.mark.parametrize("name", ["own-combat", "your-turn", "interrupt", "running", "charity"])
async def test_alone_a_hint_is_shown_and_nothing_is_sent(name: str) -> None:
    async with table(samples.SITUATIONS[name](), (120, 40), info=ALONE) as pilot:
        await pilot.keys("h")
        assert (await told(pilot)).startswith("A good player would ")
        assert "A GOOD PLAYER" in pilot.text() or "A good player would" in pilot.text()
        assert pilot.client.acts == [] and pilot.client.sets == [] and pilot.client.asked == []


async def test_where_it_is_asked_once_more_the_hint_names_the_key_that_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(Flee()))
    view = samples.own_combat()
    view.fight.winning, view.offers, view.you.legal = True, [], [Legal(Flee()), Legal(Claim())]
    async with table(view, (120, 40), info=ALONE) as pilot:
        await pilot.keys("h")
        assert (await told(pilot)).endswith("Key: f.")
        await pilot.keys("f")
        assert "GIVE THE FIGHT UP ALL THE SAME?" in pilot.text()
        await pilot.keys("h")
        assert (await told(pilot)).endswith("Key: ENTER.")
        await pilot.keys("enter")
        assert pilot.client.acts == [Flee()]


async def test_in_a_question_on_the_way_the_hint_names_the_key_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.your_turn()
    curse = next(card for card in view.you.hand if samples.scene(view).card(card).kind == "curse")
    targets = [Play(curse, seat) for seat in (samples.ME + 1, samples.ME + 2)]
    view.you.legal = [Legal(EndTurn()), *(Legal(target) for target in targets)]
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(targets[1]))
    async with table(view, (120, 40), info=ALONE) as pilot:
        await pilot.keys("h")
        key = (await told(pilot))[-2]
        await pilot.keys(key)
        assert "ON WHOM?" in pilot.text() and pilot.client.acts == []
        await pilot.keys("h")
        further = (await told(pilot)).partition("Key: ")[2].removesuffix(".")
        assert further.isdigit()
        await pilot.keys(further)
        assert [act.seat for act in pilot.client.acts] == [targets[1].seat]


async def test_in_an_open_set_the_hint_names_what_to_choose_and_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.your_turn()
    row = next(row for row in view.you.legal if isinstance(row.action, Sell))
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(Sell(row.pick.among)))
    async with table(view, (120, 40), info=ALONE) as pilot:
        await pilot.keys("h")
        assert (await told(pilot)).endswith("Key: s.")
        await pilot.keys("s", "h")
        hint = await told(pilot)
        assert "would sell" in hint and hint.endswith("Key: *."), "all are chosen"
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(Sell(row.pick.among[:3])))
    async with table(view, (120, 40), info=ALONE) as pilot:
        await pilot.keys("s", "h")
        assert (await told(pilot)).endswith("Key: 4."), "the first Item to be chosen"


async def test_asked_again_a_hint_to_wait_says_what_to_do_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.your_turn()
    view.you.legal = [Legal(EndTurn())]
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(None if known[-1] else EndTurn()))
    async with table(view, (120, 40), info=ALONE) as pilot:
        for _ in range(2):
            await pilot.keys("h")
            assert (await told(pilot)).startswith("A good player would wait. ")
            pilot.screen.session.remark = ""
            await pilot.keys("h")
            assert (await told(pilot)).startswith("A good player would end your turn. ")
            view = replace(view, rev=view.rev + 1)  # at the next view the first advice is to wait again
            pilot.screen.session.remark = ""
            pilot.client.tell(wire.Update(1, 1, view, [], pilot.client.timers))
            await pilot.settle()


async def test_the_key_in_a_moment_goes_on_and_gives_the_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(EndTurn()))
    view = samples.your_turn()
    view.you.legal = [Legal(EndTurn())]
    async with table(view, (120, 40), info=ALONE) as pilot:
        level = LevelChanged(samples.ME, 1, 4, "the sale")
        pilot.client.tell(wire.Update(1, 1, view, [wire.NumberedEvent(1, level)], pilot.client.timers))
        await pilot.settle()
        assert isinstance(pilot.app.screen, MomentScreen)
        assert "rules   h hint" in pilot.text()
        pilot.app.screen.dead_until = 0.0
        await pilot.keys("h")
        assert isinstance(pilot.app.screen, TableScreen)
        assert (await told(pilot)).endswith("Key: e.")
        assert pilot.client.acts == []


async def test_among_people_all_have_to_agree() -> None:
    async with table(samples.own_combat(), (120, 40), info=at(samples.ME, OTHER)) as pilot:
        assert "h hints" in pilot.text()
        await pilot.keys("h")
        assert "AGREE?" in pilot.text() and pilot.client.sets == []
        await pilot.keys("1")
        assert pilot.client.sets == [{"hints": True}] and pilot.client.acts == []
        pilot.client.info = at(samples.ME, OTHER, hints=(samples.ME,))
        pilot.client.tell(wire.Info(pilot.client.info))
        await pilot.keys("h")
        assert not pilot.screen.session.remark.startswith("A good player"), "the other one has not agreed"
        await pilot.keys("escape")
        pilot.client.info = at(samples.ME, OTHER, hints=(samples.ME, OTHER))
        pilot.client.tell(wire.Info(pilot.client.info))
        await pilot.settle()
        await pilot.keys("h")
        assert (await told(pilot)).startswith("A good player would ")
        await pilot.keys("h", "1")
        assert pilot.client.sets[-1] == {"hints": False}, "anybody can end it"


async def test_spectators_get_none() -> None:
    async with table(samples.watching(), info=ALONE, seat=-1) as pilot:
        await pilot.keys("h")
        assert "Hints are for players" in await told(pilot)


async def test_a_hint_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_part, "HINT_S", 0.05)
    goes_on = threading.Event()

    def advice(self: Adviser, *known: object) -> Advice:
        goes_on.wait(30)
        return Advice(None)

    monkeypatch.setattr(Adviser, "advice", advice)
    async with table(samples.own_combat(), (120, 40), info=ALONE) as pilot:
        await pilot.keys("h")
        assert await told(pilot) == hint_part.TOO_LONG
        goes_on.set()


async def moving_on(monkeypatch: pytest.MonkeyPatch, later: Callable[[], View], times: int) -> tuple[str, list[View]]:
    """Let the table move on this many times while a hint is computed. Return the remark of the hint, and the views for
    which the adviser was asked."""
    begun, goes_on, asked = threading.Semaphore(0), threading.Semaphore(0), []

    def advice(self: Adviser, view: View, *known: object) -> Advice:
        asked.append(view)
        begun.release()
        goes_on.acquire(timeout=PATIENCE_S)
        return Advice(None)

    monkeypatch.setattr(Adviser, "advice", advice)
    async with table(samples.own_combat(), (120, 40), info=ALONE) as pilot:
        await pilot.keys("h")
        for rev in range(99, 99 + times):
            assert await asyncio.to_thread(begun.acquire, True, 30)
            view = later()
            view.rev = rev
            pilot.client.tell(wire.Update(1, rev, view))
            await pilot.settle()
            goes_on.release()
        goes_on.release()
        await pilot.app.workers.wait_for_complete()
        return await told(pilot), asked


async def test_a_hint_is_worked_out_anew_if_the_table_moves_on(monkeypatch: pytest.MonkeyPatch) -> None:
    words, asked = await moving_on(monkeypatch, samples.looting, 1)
    assert words.startswith("A good player would wait.")
    assert [view.rev for view in asked][1:] == [99]


async def test_a_hint_is_worked_out_anew_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    words, asked = await moving_on(monkeypatch, samples.looting, hint_part.TRIES)
    assert words.startswith("No hint: the situation has changed") and len(asked) == hint_part.TRIES


async def test_a_hint_that_is_no_longer_wanted_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    words, asked = await moving_on(monkeypatch, samples.idle, 1)
    assert words.startswith("No hint: the situation has changed") and "(h)" in words and len(asked) == 1


async def test_a_hint_goes_when_the_situation_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(None))
    async with table(samples.own_combat(), (120, 40), info=ALONE) as pilot:
        await pilot.keys("h")
        assert "would wait" in await told(pilot)
        later = samples.looting()
        later.rev = 99
        pilot.client.tell(wire.Update(1, 99, later))
        await pilot.settle()
        assert not pilot.screen.session.remark and "A good player" not in pilot.text()


async def test_the_log_says_who_asks_and_when_hints_begin_and_end() -> None:
    both = (samples.ME, OTHER)
    async with table(samples.own_combat(), info=at(*both)) as pilot:
        for agreed, words in (
            ((samples.ME,), "You have agreed to hints."), ((), ""), ((OTHER,), "agrees to hints."),
            (both, "All agree to hints"), ((OTHER,), "no more hints here"),
        ):  # fmt: skip
            pilot.client.info = at(*both, hints=agreed)
            pilot.client.tell(wire.Info(pilot.client.info))
            assert words in pilot.screen.session.log[-1].text


def advise(monkeypatch: pytest.MonkeyPatch, action: Action | None) -> None:
    """Let every hint advise this."""
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(action))


async def next_key(pilot: TablePilot) -> str:
    """Ask for a hint and return the key that it names, with the remark; empty if it names none."""
    await pilot.keys("h")
    return (await told(pilot)).partition("Key: ")[2].removesuffix(".")


async def follow(pilot: TablePilot, most: int = 15) -> list[str]:
    """Press the keys that hints name, one at a time, until something is sent; return the hints."""
    said: list[str] = []
    while not pilot.client.acts and len(said) < most:
        said.append(await next_key(pilot))
        key = said[-1].partition(",")[0]
        await pilot.keys(pressed(key))
    return said


async def test_the_keys_of_hints_write_a_request_for_help_and_send_it(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.own_combat()
    item = samples.items_of(view.seats[samples.ME])[0]
    wanted = Offer(2, Terms("help", 2, 2, False, (item,)))
    view.you.legal = [Legal(Offer(seat, Terms("help", seat, 1))) for seat in (1, 2)]
    advise(monkeypatch, wanted)
    async with table(view, (120, 40), info=ALONE) as pilot:
        said = await follow(pilot)
        assert pilot.client.acts == [wanted]
        assert said[0] == "x" and said[-1] == "ENTER", said
        assert not any("until it is to" in one for one in said), "the offer begins with whom the hint has named"
        assert any("until it is 2 Treasures" in one for one in said), said


async def test_a_term_that_is_right_already_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.own_combat()
    view.you.legal = [Legal(Offer(seat, Terms("help", seat, 1))) for seat in (1, 2)]
    view.offers = []
    advise(monkeypatch, Offer(-1, Terms("help", -1, 1)))
    async with table(view, (120, 40), info=ALONE) as pilot:
        assert (await follow(pilot))[-1] == "ENTER" and pilot.client.acts == [Offer(-1, Terms("help", -1, 1))]


@pytest.mark.long(0)
async def test_the_keys_of_hints_write_a_trade(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.your_turn()
    mine, theirs = samples.items_of(view.seats[samples.ME]), samples.items_of(view.seats[2])
    wanted = Offer(2, Terms("trade", gives=tuple(mine[:2]), wants=tuple(theirs[:1])))
    view.you.legal = [Legal(wanted)]
    advise(monkeypatch, wanted)
    async with table(view, (120, 40), info=ALONE) as pilot:
        said = await follow(pilot)
        assert pilot.client.acts == [wanted], said
        assert not any("ESC" in one for one in said), said


async def test_the_keys_of_hints_write_a_counter_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.own_combat()
    view.offers = [Bargain(3, 2, samples.ME, "help", 2, 3, False, [], [], [], view.fight.no)]
    view.you.legal = [Legal(one) for one in (Accept(3), Decline(3), Offer(2, Terms("help", 2, 1)))]
    wanted = Counter(3, Terms("help", 2, 1))
    advise(monkeypatch, wanted)
    async with table(view, (120, 40), info=ALONE) as pilot:
        said = await follow(pilot)
        assert pilot.client.acts == [wanted], said


async def test_a_draft_of_another_kind_is_left_by_the_key_of_the_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.your_turn()
    advise(monkeypatch, EndTurn())
    view.you.legal = [Legal(EndTurn()), Legal(Offer(2, Terms("trade", gives=(1,))))]
    async with table(view, (120, 40), info=ALONE) as pilot:
        await pilot.keys("x")
        assert pilot.model.menus.draft is not None
        assert await next_key(pilot) == "e"


@pytest.mark.long(2)
@pytest.mark.parametrize("at", [0, 11])
async def test_a_question_at_the_root_has_its_digit_named(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    view = samples.idle()
    options = list(range(12))
    ask = Ask(5, samples.ME, "choose", options, 1, 1, texts=[f"way {no}" for no in options])
    view.you = You(samples.ME, view.you.hand if view.you else [], [], [ask], [Legal(Answer(5, (at,)))])
    wanted = Answer(5, (at,))
    advise(monkeypatch, wanted)
    async with table(view, (120, 40), info=ALONE) as pilot:
        keys = (await next_key(pilot)).split(", then ")
        assert keys == (["1"] if not at else ["0", "3"])
        await pilot.keys(*keys)
        assert pilot.client.acts == [wanted]


async def test_where_digits_are_answers_no_digit_of_the_hand_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    view = samples.your_turn()
    curse = next(card for card in view.you.hand if samples.scene(view).card(card).kind == "curse")
    ask = Ask(5, samples.ME, "choose", [0, 1], 1, 1, texts=["one", "two"])
    view.you = You(samples.ME, view.you.hand, [], [ask], [Legal(Answer(5, (0,))), Legal(Play(curse, 1))])
    advise(monkeypatch, Play(curse, 1))
    async with table(view, (120, 40), info=ALONE) as pilot:
        assert await next_key(pilot) == ""


async def test_waiting_names_the_key_that_lets_the_bots_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    advise(monkeypatch, None)
    async with table(samples.idle(), (120, 40), info=ALONE) as pilot:
        assert await next_key(pilot) == ""
        pilot.client.timers = wire.Timers(waits=True)
        pilot.screen.session.changed()
        await pilot.settle()
        assert await next_key(pilot) == "SPACE"
