"""Alone with bots on the screen: undo at once, the key that lets bots go on, and the setting of when they wait."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state.events import LevelChanged, SteppedBack
from core.state.views import WindowView
from netcode.protocol import wire
from tests.patience import PATIENCE_S
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.config import settings
from tui.lessons.adviser import Adviser
from tui.menus import windows
from tui.menus.entries import Menu
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.scene.situation import awaited
from tui.screens.parts import auto_pass


async def test_undo_is_asked_of_nobody_and_a_key_held_down_goes_no_faster_than_one_can_read() -> None:
    async with table(samples.own_combat(), info=samples.info(solo=True)) as pilot:
        await pilot.keys("u", "u", "u")
        assert pilot.client.votes == [(0, True)]
        pilot.screen.parts.requests.stepped_at = -60.0
        await pilot.keys("u")
        assert len(pilot.client.votes) == 2
        assert "All players must agree" not in pilot.text()


async def test_undo_works_when_the_game_is_over() -> None:
    view = samples.view(winners=[samples.ME])
    async with table(view, info=samples.info(solo=True, stage="over")) as pilot:
        await pilot.keys("u")
        assert pilot.client.votes == [(0, True)]


async def test_a_sentence_says_what_was_taken_back() -> None:
    async with table(samples.own_combat(), info=samples.info(solo=True)) as pilot:
        back = wire.NumberedEvent(1, SteppedBack(samples.ME, samples.ME, "claim", 30, learnt=True))
        pilot.client.tell(wire.Update(1, 2, samples.own_combat(), [back]))
        await pilot.settle()
        said = 'You took back "claim the kill"; you know what it has shown, so your career leaves this game out'
        assert pilot.screen.session.remark == f"{said}. You are back in turn 7, yours."
        assert any(line.text == said for line in pilot.screen.session.log)


async def test_space_goes_on_where_bots_wait_and_says_so() -> None:
    async with table(samples.view(), info=samples.info(solo=True)) as pilot:
        assert "the bots go on" not in pilot.text()
        pilot.client.timers = wire.Timers(waits=True)
        pilot.client.tell(wire.Ticked(pilot.client.timers))
        await pilot.settle()
        assert "SPACE" in pilot.text() and "the bots go on" in pilot.text()
        await pilot.keys("space")
        assert {"skip": True} in pilot.client.sets


async def test_what_has_struck_and_was_released_is_not_told_again() -> None:
    """Formerly, a death and the thefts from the body were told again at the next prompt, and hid what had happened
    since."""
    view = samples.idle()
    async with table(view, (120, 40), info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        events = [LevelChanged(2, 1, 7, "a sale"), LevelChanged(samples.ME, -1, 5, "a card")]
        told = [wire.NumberedEvent(number, event) for number, event in enumerate(events, 1)]
        pilot.client.tell(wire.Update(2, 3, view, told))
        await pilot.settle()
        await pilot.app.screen.dismiss()  # the moment of the lost Level
        await pilot.keys("space")
        pilot.client.tell(wire.Update(3, 4, view, [wire.NumberedEvent(3, LevelChanged(1, 1, 6, "a kill"))]))
        said = [line.text for line in pilot.screen.session.scene().since]
        assert said == ["Bo is at Level 6 now (+1: a kill)", "Cid is at Level 7 now (+1: a sale)"]


async def test_who_is_waited_for_is_said_when_bots_wait() -> None:
    view = samples.idle()
    async with table(view, (120, 40), info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        took = wire.NumberedEvent(1, LevelChanged(samples.ME, 1, 5, "a card"))
        pilot.client.tell(wire.Update(1, 2, view, [took]))
        await pilot.settle()
        scene = pilot.screen.session.scene()
        asked = prompt_for(scene, MenuState(), Menu("", ()))
        assert asked.question == "The bots wait for you." and asked.reason.startswith("You gain 1 level")
        assert awaited(scene) == [samples.ME]


async def test_the_act_for_which_bots_wait_is_the_newest_one() -> None:
    """Formerly, the prompt named a Level gained earlier in the turn as the act for which they wait."""
    view = samples.idle()
    async with table(view, (120, 40), info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        for number, event in enumerate((LevelChanged(samples.ME, 1, 5, "a card"), LevelChanged(2, 1, 7, "a sale")), 1):
            pilot.client.tell(wire.Update(number, number + 1, view, [wire.NumberedEvent(number, event)]))
        asked = prompt_for(pilot.screen.session.scene(), MenuState(), Menu("", ()))
        assert asked.reason.startswith("Cid is at Level 7") or asked.reason.startswith("Cid gains 1 level")


async def test_bots_that_wait_after_an_answer_to_a_window_wait_for_the_player() -> None:
    """Formerly, the prompt said that the player waits for the others, while the others waited for the player's key."""
    view = samples.own_combat()
    view.window = WindowView(6, "claim", samples.ME, -1, True, 2)
    assert view.you is not None
    view.deciding, view.you.asks, view.offers = [], [], []
    async with table(view, info=samples.info(solo=True)) as pilot:
        assert "WAITING FOR THE OTHERS" in pilot.text()
        pilot.client.timers = wire.Timers(waits=True)
        pilot.client.tell(wire.Ticked(pilot.client.timers))
        await pilot.settle()
        assert "THE BOTS WAIT FOR YOU" in pilot.text() and "the bots go on" in pilot.text()
        assert awaited(pilot.screen.session.scene()) == [samples.ME]


async def test_space_that_lets_bots_go_on_beside_an_offer_is_no_wrong_key() -> None:
    view = samples.own_combat()
    assert view.you is not None
    view.deciding, view.you.asks = [], []
    async with table(view, info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        pilot.client.tell(wire.Ticked(pilot.client.timers))
        await pilot.settle()
        assert "ACCEPT?" in pilot.text() and "the bots go on" in pilot.text()
        await pilot.keys("space")
        assert {"skip": True} in pilot.client.sets and "does nothing here" not in pilot.text()


async def test_bots_wait_while_the_table_is_covered_or_something_is_read() -> None:
    """Formerly, a bot played a whole turn while the player read the log."""
    for key, back in (("l", "escape"), ("r", "escape"), ("v", "v"), ("g", "escape")):
        async with table(samples.your_turn(), info=samples.info(solo=True)) as pilot:
            await pilot.keys(key)
            assert pilot.client.sets == [{"waits": "each"}], key
            await pilot.keys(back)
            assert pilot.client.sets == [{"waits": "each"}, {"waits": "touching"}], key


@pytest.mark.parametrize(("solo", "waits"), [(False, "on me"), (True, "never")])
async def test_nobody_waits_for_a_reader_among_people_or_who_never_wants_it(solo: bool, waits: str) -> None:
    async with table(samples.idle(), info=samples.info(solo=solo)) as pilot:
        pilot.app.settings.waits = waits
        await pilot.keys("l", "escape", "v", "v")
        assert pilot.client.sets == []


async def test_an_answer_comes_before_the_bots_that_wait() -> None:
    view = samples.your_turn()
    async with table(view, info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        pilot.client.tell(wire.Ticked(pilot.client.timers))
        await pilot.settle()
        assert "the bots go on" not in pilot.text() and "bots wait" not in pilot.text()


async def test_when_bots_wait_is_changed_with_a_key_and_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_CONFIG", str(tmp_path / "settings.toml"))
    async with table(samples.view(), info=samples.info(solo=True)) as pilot:
        for wanted, words in (("never", "never wait"), ("each", "each act"), ("on me", "what they do to you")):
            await pilot.keys("W")
            sent = "touching" if wanted == "on me" else wanted
            assert pilot.client.sets[-1] == {"waits": sent} and settings.load().waits == wanted
            assert words in pilot.screen.session.remark


def test_a_setting_that_is_none_is_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = tmp_path / "settings.toml"
    monkeypatch.setenv("KICKDOOR_CONFIG", str(where))
    where.write_text('waits = "always"\n')
    with pytest.raises(settings.SettingsError, match="waits is one of each, on me, never"):
        settings.load()


async def test_where_the_hint_would_pass_nobody_is_asked_and_a_key_keeps_the_window_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decided = threading.Event()
    monkeypatch.setattr(Adviser, "passes", lambda self, *known: decided.wait(5))
    monkeypatch.setattr(auto_pass, "AUTO_PASS_S", 0.1)
    monkeypatch.setattr(windows, "WEIGHED_S", 30.0)
    async with table(samples.idle(), info=samples.info(solo=True)) as pilot:
        first, second = samples.interrupt(), samples.interrupt()
        pilot.client.tell(wire.Update(1, 2, first))
        await pilot.settle()
        assert "BO GIVES THE FIGHT UP" in pilot.text() and "ANYTHING TO PLAY?" not in pilot.text()
        decided.set()
        await until(pilot, lambda: bool(pilot.client.acts))
        assert pilot.client.acts == [a.Pass(9)]
        assert "Nothing of yours is worth playing. You pass." in pilot.model.current.text
        monkeypatch.setattr(auto_pass, "AUTO_PASS_S", 60.0)
        assert second.window is not None
        second.window = replace(second.window, id=10)
        pilot.client.tell(wire.Update(1, 3, second))
        await until(pilot, lambda: pilot.screen.session.unasked == "passes")
        await pilot.keys("z")
        assert "You answer yourself here." in pilot.text() and "ANYTHING TO PLAY?" in pilot.text()
        assert pilot.client.acts == [a.Pass(9)], "the table is not held: nobody else is here"


async def until(pilot: TablePilot, done: Callable[[], bool]) -> None:
    """Wait until this holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not done():
            await asyncio.sleep(0.01)
            await pilot.settle()
