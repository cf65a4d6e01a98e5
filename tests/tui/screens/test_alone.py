"""Alone with bots on the screen: undo at once, the key that lets bots go on, and the setting of when they wait."""

from pathlib import Path

import pytest

from core.state.events import LevelChanged, SteppedBack
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import table
from tui.config import settings
from tui.menus.entries import Menu
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.scene.situation import awaited


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
        said = 'You took back "claim the kill"; what it has shown is known, so no statistics count this game'
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
