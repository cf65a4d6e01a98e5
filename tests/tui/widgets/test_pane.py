"""Panes: a pane that comes back after it was hidden shows what was drawn meanwhile."""

import copy

import pytest

from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import table
from tests.tui.widgets.table.stage_rows import CLOCK
from tui.scene.cells import plain
from tui.widgets.pane import Pane
from tui.widgets.table import stage

SIZES = ((80, 24), (120, 40))


@pytest.mark.parametrize("size", SIZES)
async def test_a_pane_that_was_hidden_shows_what_was_drawn_last(size: tuple[int, int]) -> None:
    info = samples.info()
    info.seats[5].state = "here"  # nobody is offline, so no clock redraws the prompt
    async with table(samples.idle(), size, info=info) as pilot:
        pane = pilot.screen.query_one("#prompt", Pane)
        for word in ("BEFORE", "AFTER"):
            pane.show(lambda width, height, word=word: [((word, ""),)])
            await pilot.settle()
            pane.display = False
            await pilot.settle()
            pane.show(lambda width, height, word=word: [((f"{word} THAT", ""),)])
            pane.display = True
            for _ in range(100):  # a timer lays the screen out: later on a busy machine
                await pilot.textual.pause(0.02)
                if f"{word} THAT" in pilot.text():
                    break
            assert f"{word} THAT" in pilot.text()


@pytest.mark.parametrize("size", SIZES)
async def test_a_second_fight_shows_nothing_of_the_first(size: tuple[int, int]) -> None:
    first, calm = samples.own_combat(), samples.idle()
    second = copy.deepcopy(first)
    assert second.fight is not None
    second.fight.heroes += 31
    async with table(first, size) as pilot:
        for seq, view in enumerate((calm, second), 2):
            pilot.client.tell(wire.Update(1, seq, view))
            await pilot.settle()
        box = pilot.screen.query_one(stage.Stage).region
        wanted = [plain(line) for line in stage.draw(pilot.model.now, CLOCK, *box.size)]
        found = [line[box.x : box.right] for line in pilot.lines()[box.y : box.bottom]]
        assert found[:-2] == wanted[:-2], "all but the clock"


@pytest.mark.parametrize("size", SIZES)
async def test_the_stage_shows_what_happened_while_a_list_of_choices_hid_it(size: tuple[int, int]) -> None:
    view = samples.your_turn()
    async with table(view, size) as pilot:
        shown = pilot.screen.query_one(stage.Stage)
        shown.display = False
        await pilot.settle()
        richer = copy.deepcopy(view)
        richer.seats[samples.ME].strength += 31
        richer.seats[samples.ME].level += 1
        pilot.client.tell(wire.Update(1, 2, richer))
        await pilot.settle()
        shown.display = True
        await pilot.settle()
        wanted = [plain(line) for line in stage.draw(pilot.model.now, CLOCK, *shown.size)]
        box = shown.region
        found = [line[box.x : box.right] for line in pilot.lines()[box.y : box.bottom]]
        assert found[:-2] == wanted[:-2], "all but the clock"
