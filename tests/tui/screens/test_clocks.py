"""The clocks on the screen: the rest of a question's time and of a time bank, and what players can do against a
wait."""

from typing import Any

import pytest

from core.state import events as ev
from core.state.views import Deciding
from netcode.protocol import wire
from netcode.protocol.wire import Timers
from tests.tui import samples
from tests.tui.app_pilot import table
from tui.menus.owner_menus import player_menu

ASKED = [Deciding(1, "fight", -1)]


def asked() -> Any:
    """Return a view in which the table waits for Bo."""
    return samples.view(deciding=ASKED)


@pytest.mark.long(3)
@pytest.mark.parametrize(
    ("timers", "words"),
    [
        (Timers(prompts={1: 41_000}, banks={1: 200_000}), "Bo has 0:41 of 3:20"),
        (Timers(prompts={1: 9_500}, banks={1: 9_500}), "Bo has 9.5 s "),
        (Timers(prompts={0: 41_000, 1: 30_000}, banks={0: 65_000, 1: 99_000}), "you have 0:41 of 1:05"),
        (Timers(banks={1: 500}), "waits for x Bo          "),
        (Timers(banks={1: 0}), "the time of Bo is over"),
        (Timers(banks={samples.ME: 0}), "your time is over"),
    ],
)
async def test_the_stage_shows_a_question_and_the_time_bank_behind_it(timers: Timers, words: str) -> None:
    async with table(asked(), (120, 30), ascii_only=True) as pilot:
        pilot.client.timers = timers
        pilot.screen.redraw()
        await pilot.settle()
        (row,) = [line for line in pilot.lines() if "waits for" in line and "| waits" in line]
        assert words in row


async def test_at_match_point_the_stage_shows_how_long_all_have_to_pass() -> None:
    view = samples.interrupt()
    async with table(view) as pilot:
        pilot.client.timers = Timers(banks={0: 125_000, 2: 170_000})
        pilot.screen.redraw()
        await pilot.settle()
        assert "all must pass: 2:05" in pilot.text()
        view.window.passed = True
        pilot.screen.redraw()
        await pilot.settle()
        assert "the others have 2:50" in pilot.text()


async def test_more_time_is_offered_only_where_time_runs() -> None:
    """Formerly, the key for more time stood below the words `no time limit`."""
    view = samples.interrupt()
    async with table(view, (200, 60)) as pilot:
        assert "no time limit" in pilot.text() and "more time" not in pilot.text()
        for timers in (Timers(window=1600, window_full=5000), Timers(banks={samples.ME: 125_000})):
            pilot.client.timers = timers
            pilot.screen.redraw()
            await pilot.settle()
            assert "no time limit" not in pilot.text() and "z more time" in pilot.text(), timers


async def test_every_player_can_resume_a_game_that_was_paused_for_long() -> None:
    async with table(samples.idle(), info=samples.info(stage="paused", owner=2)) as pilot:
        pilot.client.timers = Timers(pause=61_000)
        pilot.screen.redraw()
        await pilot.keys("a")
        assert "anybody can resume in 1:01" in pilot.text() and "Only the owner" in pilot.text()
        assert "Cid can resume it." in pilot.text()
        pilot.client.timers = Timers(pause=0)
        pilot.screen.redraw()
        await pilot.keys("a", "1")
        assert pilot.client.requests == [("resume", -1, "")]
        assert "Anybody can resume it." in pilot.text() and "a  resume" in pilot.text()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_pause_in_a_fight_says_when_anybody_can_resume_it(size: tuple[int, int]) -> None:
    view = samples.crowded()
    async with table(view, size, info=samples.info(stage="paused", owner=samples.BO)) as pilot:
        pilot.client.timers = Timers(pause=298_000)
        later = samples.crowded()
        assert later.fight is not None
        later.fight.foes += 5
        card = samples.public("Greater")
        played = ev.Moved(card, card, "hand", 2, "fight", -1, "played", 2)
        pilot.client.tell(wire.Update(0, 2, later, [wire.NumberedEvent(2, played)]))
        await pilot.settle()
        assert "anybody can resume in 4:58" in pilot.text() and "Bo can resume it." in pilot.text()


async def test_at_relaxed_pace_every_player_can_decide_for_whoever_has_used_up_their_time() -> None:
    async with table(asked(), info=samples.info(pace="relaxed", owner=2)) as pilot:
        pilot.client.timers = Timers(banks={1: 0})
        pilot.screen.redraw()
        await pilot.keys("a", "1")
        assert pilot.client.requests == [("default", 1, "")]


def test_at_a_pace_with_clocks_there_is_nothing_for_every_player_to_decide() -> None:
    scene = samples.scene(asked(), timers=Timers(banks={1: 0}), info=samples.info(pace="book", owner=2))
    assert player_menu(scene).entries == ()


async def test_the_table_ticks_only_while_a_time_runs() -> None:
    async with table(samples.own_combat(), info=samples.info(1)) as pilot:
        client, screen = pilot.client, pilot.screen
        for timers, runs in (
            (Timers(), False), (Timers(window=5000, window_full=9000), True), (Timers(waits=True), False),
            (Timers(prompts={1: 9000}), True), (Timers(), False), (Timers(banks={1: 9000}), True),
        ):  # fmt: skip
            client.timers = timers
            client.tell(wire.Ticked(timers))
            await pilot.settle()
            assert screen.timing.ticking == runs, timers
        client.timers = Timers()
        screen.timing.tick()
        assert not screen.timing.ticking, "it stops by itself"
