"""Nothing happens in silence: what others do to a fight is on the screen, in games of every set and at every size."""

import pytest
from msgspec.structs import replace

import cards
from core.language import catalog as catalogs
from core.state import events as ev
from core.view import view
from netcode.protocol import wire
from tests.tui import bot_games, samples
from tests.tui.app_pilot import TablePilot, table
from tui.screens.table import TableScreen

SIZES = ((60, 20), (80, 24), (120, 40), (200, 60))
NAMES = ("Kim", "Bea", "Cyd", "Dot")
GAMES = [("munchkins-and-mazes", size) for size in SIZES]
GAMES += [(name, (80, 24)) for name in ("axe-cop", "apocalypse", "warhammer-40k")]
ACTS = 8
"""The number of acts of others that change a sum, for each game."""


@pytest.mark.long(6)
@pytest.mark.parametrize(("set_id", "size"), GAMES, ids=str)
async def test_who_changes_a_sum_and_by_which_card_is_on_the_screen(set_id: str, size: tuple[int, int]) -> None:
    catalog = catalogs.load([cards.pack_files(set_id)])
    games = bot_games.moments(5, catalog=catalog)
    state, _ = next(games)
    info = samples.info(4)
    info.seats = [replace(seat, name=name) for seat, name in zip(info.seats, NAMES, strict=True)]
    number = looked_at = 0
    async with table(view(catalog, state, 0), size, catalog=catalog, info=info, log=()) as pilot:
        for state, events in games:
            told = bot_games.events_for(events, 0, number + 1)
            number += len(events)
            now = view(catalog, state, 0)
            pilot.client.tell(wire.Update(0, now.rev, now, told))
            act = next(iter(pilot.screen.session.acts.now[-1:]), None)
            if act is None or act.seat in (-1, 0) or act.before == act.after or not played(told):
                continue
            text = await uncovered(pilot)
            assert f"{act.after[0]}:{act.after[1]}" in text, f"nobody says why the sum changes: {act}\n{text}"
            assert f"{NAMES[act.seat]} " in text, f"nobody says who did it: {act}\n{text}"
            looked_at += 1
            if looked_at == ACTS:
                return
    assert looked_at, "nobody else did anything to a fight"


def played(told: list[wire.NumberedEvent]) -> bool:
    """Return whether somebody has played a card."""
    return any(isinstance(one.event, ev.Moved) and one.event.why == "played" for one in told)


async def uncovered(pilot: TablePilot) -> str:
    """Return the text of the table, after closing whatever lies over it for a while."""
    await pilot.settle()
    while not isinstance(pilot.app.screen, TableScreen):
        pilot.app.screen.dismiss()
        await pilot.settle()
    return pilot.text()
