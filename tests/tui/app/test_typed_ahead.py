"""A key that comes before its question could be read does nothing and says so; keys that only look work at once."""

import pytest
from textual import events

from core.state import actions as a
from core.state import events as ev
from core.state.views import View
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import HOUR_S, TablePilot, table
from tests.tui.guided import guided, puzzle, said
from tui.screens.moment import MomentScreen
from tui.screens.parts.model import NEW
from tui.screens.table import TableScreen


async def come(pilot: TablePilot, view: View, *told: ev.AnyEvent) -> None:
    """Let the host send another view."""
    view.rev = pilot.client.view.rev + 1
    numbered = [wire.NumberedEvent(at, event) for at, event in enumerate(told, 1)]
    pilot.client.tell(wire.Update(1, view.rev, view, numbered, pilot.client.timers))
    await pilot.settle()


async def press(pilot: TablePilot, *keys: str) -> None:
    """Press keys even when the table does not take them."""
    for key in keys:
        pilot.app.simulate_key(key)
        await pilot.settle()


def curse_selected() -> View:
    """Return the view after Ada's turn, in which she can still play the Curse under her cursor."""
    view = samples.interrupt()
    assert view.you is not None
    view.you.hand = [view.you.hand[1]]
    view.you.legal = [row for row in view.you.legal if getattr(row.action, "card", 0) in (0, *view.you.hand)]
    return view


@pytest.mark.long(4)
@pytest.mark.parametrize("key", ["enter", "1", "space", "e", "y", "u", "Z"])
async def test_a_key_typed_ahead_of_a_question_does_nothing_and_says_so(key: str) -> None:
    """This also holds for a key that would be right in the new question. Formerly, ENTER after the end of the turn
    opened a Curse."""
    before = curse_selected()
    before.window, before.deciding = None, samples.your_turn().deciding
    async with table(before, key_pause=HOUR_S) as pilot:
        await come(pilot, curse_selected())
        assert "ANYTHING TO PLAY?" in pilot.text()
        await press(pilot, key)
        assert NEW in " ".join(pilot.text().split()), pilot.text()
        assert not pilot.client.acts and not pilot.client.sets and not pilot.model.menus.nested
        await pilot.keys("enter")
        assert pilot.model.menus.nested and NEW not in pilot.text(), "in time it opens the Curse"


async def test_keys_that_only_look_work_at_once() -> None:
    async with table(samples.idle(), key_pause=HOUR_S) as pilot:
        await come(pilot, samples.interrupt())
        await press(pilot, "right", "right", "o")
        assert pilot.model.cursor == 2 and pilot.model.reading.kind == "seat"
        for key, kind in (("w", "why"), ("escape", "")):
            await press(pilot, key)
            assert pilot.model.reading.kind == kind, key
        assert "has just come" not in pilot.text()
        await press(pilot, "l")
        assert not isinstance(pilot.app.screen, TableScreen), "the log"


async def test_without_a_pause_keys_answer_at_once() -> None:
    async with table(samples.idle(), key_pause=0.0) as pilot:
        await come(pilot, samples.interrupt())
        await press(pilot, "space", "space")
        assert pilot.client.acts == [a.Pass(9), a.Pass(9)]


async def test_a_key_counts_from_when_it_was_typed_not_from_when_its_turn_came() -> None:
    async with table(samples.idle()) as pilot:
        late = events.Key("space", " ")  # typed now, and handled only after other keys
        await come(pilot, samples.interrupt())
        await pilot.textual.pause(0.5)
        pilot.app.post_message(late)
        await pilot.settle()
        assert NEW in pilot.text() and pilot.client.acts == []


async def test_a_question_that_came_beneath_a_moment_is_new_when_it_is_seen() -> None:
    async with table(samples.view(), info=samples.info(solo=True), key_pause=HOUR_S) as pilot:
        await come(pilot, samples.own_combat(), ev.LevelChanged(samples.ME, 1, 4, "the sale"))
        assert isinstance(pilot.app.screen, MomentScreen)
        pilot.app.screen.dead_until = 0.0
        await press(pilot, "space")
        await pilot.settle()
        assert isinstance(pilot.app.screen, TableScreen)
        await press(pilot, "f")
        assert pilot.client.acts == [] and NEW in " ".join(pilot.text().split())


async def test_the_key_of_the_coach_is_not_taken_for_the_question_beneath() -> None:
    """Formerly, the second of two quick presses at the words of the coach passed in a fight."""
    told = puzzle()
    async with guided(told, (120, 40)) as (pilot, _):
        pilot.model.keyed.set_pause(HOUR_S)
        pilot.screen.run("puzzle_solution")
        await pilot.settle()
        assert pilot.client.guide.word.kind == "shown"
        words = said(pilot)
        await press(pilot, "space")
        assert said(pilot) == words and NEW in " ".join(pilot.text().split()), "the words have just come"
        await pilot.keys("space")
        assert said(pilot) != words


async def test_a_command_of_the_palette_never_takes_what_has_come_in_the_place_of_its_choice() -> None:
    async with table(samples.your_turn()) as pilot:
        commands = {words: run for words, where, run in pilot.screen.commands() if where == "at the table, now"}
        await come(pilot, samples.own_combat())
        commands["kick open the door"]()
        await pilot.settle()
        assert pilot.client.acts == [] and "the situation has changed" in pilot.text()
        commands = {words: run for words, where, run in pilot.screen.commands() if where == "at the table, now"}
        commands["give up and run"]()
        assert pilot.client.acts == [a.Flee()]
