"""Moments of games at 80x24, for readers who have not seen the code: `python -m tests.tui.frozen FOLDER [SEED..]`.

For each seed, one moment of one game in which seat 0 is asked something is written as text: to FOLDER/SEED.txt. Whoever
reads it says whose turn it is, what is asked, which key is best, what SPACE does, and why the sums are what they are.
The sets come in turn; of each set, every other moment is drawn from a fight. The screen has the forecasts of a host.
"""

import asyncio
import random
import sys
from pathlib import Path

from msgspec.structs import replace

import cards
from core.knowledge.forecast import Forecaster
from core.language import catalog as catalogs
from core.state import actions as a
from core.state.views import View
from core.view import view
from netcode.protocol import wire
from tests.tui import bot_games, samples
from tests.tui.app_pilot import TablePilot, table
from tests.tui.fake_client import FakeClient
from tui.screens.table import TableScreen

SEEDS = range(1, 13)
SIZE = (80, 24)
NAMES = ("Kim", "Bea", "Cyd", "Dot")
AMONG = 60
"""The moment is drawn at random from the first AMONG moments that fit."""


def asked(now: View) -> bool:
    """Return whether the seat has a choice to make."""
    return now.you is not None and len(now.you.legal) > 1


def chosen(seed: int, set_id: str) -> int:
    """Return the number of decisions of this seed's game before its moment."""
    catalog = catalogs.load([cards.pack_files(set_id)])
    fights = bool((seed + seed // len(cards.BUILT_IN)) % 2)
    found = []
    for step, (state, _) in enumerate(bot_games.moments(seed, catalog=catalog)):
        now = view(catalog, state, 0)
        if asked(now) and (now.fight is not None) == fights:
            found.append(step)
        if len(found) == AMONG:
            break
    if not found:
        raise LookupError(f"seat 0 is never asked anything in the game of seed {seed}")
    return random.Random(seed).choice(found)


async def frozen(seed: int) -> str:
    """Return the screen of the moment of this seed, as text."""
    set_id = cards.BUILT_IN[seed % len(cards.BUILT_IN)]
    catalog = catalogs.load([cards.pack_files(set_id)])
    last = chosen(seed, set_id)
    decisions = bot_games.decisions(seed, catalog=catalog)
    _, state, _ = next(decisions)
    info = samples.info(len(NAMES))
    info.seats = [replace(seat, name=name) for seat, name in zip(info.seats, NAMES, strict=True)]
    number, forecaster = 0, Forecaster(catalog)
    async with table(view(catalog, state, 0), SIZE, catalog=catalog, info=info, log=()) as pilot:
        pilot.app.settings.motion = "never"  # a mark on its way hides others
        for step, (seat, state, events) in enumerate(decisions, 1):
            if seat == 0:  # whoever reads the screen has seen what was before
                pilot.screen.session.act(a.Pass(-1))
                await pilot.settle()
                pilot.screen.model.see_news()  # as the key of that act does
            told = bot_games.events_for(events, 0, number + 1)
            number += len(events)
            now = view(catalog, state, 0)
            client: FakeClient = pilot.client
            forecasts = forecaster.forecasts(state, 0, now.you.legal) if step == last and now.you is not None else []
            client.tell(wire.Update(0, now.rev, now, told, forecasts=forecasts))
            if step == last:
                break
        await uncovered(pilot)
        pilot.app.clear_notifications()
        await pilot.settle()
        return pilot.text()


async def uncovered(pilot: TablePilot) -> None:
    """Close whatever lies over the table for a while."""
    await pilot.settle()
    while not isinstance(pilot.app.screen, TableScreen):
        pilot.app.screen.dismiss()
        await pilot.settle()


async def main(folder: Path, seeds: list[int]) -> None:
    """Write the moments of these seeds to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        text = await frozen(seed)
        (folder / f"{seed}.txt").write_text(text + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 2 or not all(word.isdigit() for word in sys.argv[2:]):
        sys.exit(__doc__)
    asyncio.run(main(Path(sys.argv[1]), [int(word) for word in sys.argv[2:]] or list(SEEDS)))
