"""The pictures of the manual, drawn by the app: `python -m tests.tui.pictures docs/pictures [NAME..]`."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from core.state.model import State
from core.state.views import View
from core.view import view
from netcode.protocol import wire
from tests.tui import bot_games, moving_picture, samples, three_terminals
from tests.tui.app_pilot import TablePilot, settled
from tests.tui.fake_client import FakeClient
from tests.tui.svg import Row, cells_of, picture
from tests.tui.sweep.stages import Size, opened
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen

FOLDER = Path(__file__).resolve().parents[2] / "docs/pictures"
NAMES = ("Ada", "Bo", "Cid", "Dee", "Eve")
SEATS = len(NAMES)
SEEDS = range(40)
MOST_BYTES = 150_000
"""Larger pictures are too large for a page (bytes)."""


def worth_showing(state: State) -> bool:
    """Return whether this is a window in a fight with a helper and an enhanced monster, with Levels far apart."""
    fight = state.fight
    levels = sorted(seat.level for seat in state.seats)
    return (
        fight is not None and fight.stage == "fight" and fight.helper >= 0 and bool(fight.cards) and levels[-1] >= 6
        and levels[-1] - levels[0] >= 3 and state.stack[-1].__class__.__name__ == "Window"
    )  # fmt: skip


def find() -> tuple[int, View, list[wire.NumberedEvent]]:
    """Return a seat outside such a fight that can play something, its view, and its latest events.

    Raise LookupError if no game has such a moment.
    """
    for seed in SEEDS:
        told: list[wire.NumberedEvent] = []
        count = 0
        for state, events in bot_games.moments(seed, SEATS):
            count += len(events)
            told += [wire.NumberedEvent(count + at, event) for at, event in enumerate(events)]
            if worth_showing(state) and state.fight is not None:
                for seat in range(SEATS):
                    seen = view(samples.catalog(), state, seat)
                    if seat not in (state.fight.seat, state.fight.helper) and seen.you and len(seen.you.legal) > 3:
                        return seat, seen, bot_games.events_for([one.event for one in told[-80:]], seat, 1)
    raise LookupError("no game has such a moment")


@asynccontextmanager
async def combat(size: Size) -> AsyncIterator[TablePilot]:
    """Show a fight of a game between bots, as seen by a seat that can play something."""
    seat, seen, told = find()
    info = wire.TableInfo("PUB", [wire.SeatInfo(name, "here", True) for name in NAMES], "playing", 0)
    app = KickdoorApp(Settings(bell=False, motion="never"))
    async with app.run_test(size=size) as textual:
        client = FakeClient(seen, info, seat)
        client.events.extend(told)
        client.timers = wire.Timers(window=1600, window_full=2600)
        screen = TableScreen(TableSession(client, samples.catalog(), app.glyphs))
        await app.push_screen(screen)
        await settled(textual)
        yield TablePilot(app, screen, textual, client)


PICTURES: dict[str, tuple[str, str, Size]] = {
    "menu": ("The menu", "menu", (120, 36)),
    "table-80x24": ("Your turn, in a window of 80 by 24", "your-turn", (80, 24)),
    "table-120x40": ("Your turn, in a window of 120 by 40", "your-turn", (120, 40)),
    "table-200x60": ("Everything at once, in a window of 200 by 60", "crowded", (200, 60)),
    "combat": ("A fight between bots, and what one could play", "combat", (120, 40)),
    "door": ("A monster behind the door", "moment-door", (120, 40)),
    "die": ("Running away: the die with its bill", "moment-die", (120, 40)),
    "match-point": ("A fight for the game", "match-point", (120, 40)),
    "end": ("The end of a game", "end", (120, 40)),
    "learn": ("The first scene of the first game", "learn", (120, 40)),
    "waiting-room": ("The waiting room", "before", (120, 40)),
    "gallery": ("A part of the gallery", "book-gallery", (120, 40)),
    "three-terminals": ("Three terminals at one table, two of them by ssh", "three-terminals", (80, 24)),
}
"""The name of each picture, with its title, the state that it shows and the size of the window."""


async def match_point(size: Size) -> Sequence[Row]:
    """Return the first moment of the README's fight that shows that the fight is for the game."""
    for rows, _ in await moving_picture.frames(moving_picture.best_of(moving_picture.SEED), size):
        text = "".join(cell.sign for row in rows for cell in row)
        if "MATCH POINT" in text and "THE DOOR OPENS" not in text and "claims the kill" not in text:
            return rows
    raise LookupError("nobody fights for the game in it")


async def draw(name: str) -> str:
    """Return one of the pictures as SVG."""
    title, state, size = PICTURES[name]
    if state == "match-point":
        return picture(await match_point(size), title)
    if state == "three-terminals":
        return picture(await asyncio.to_thread(three_terminals.draw), title)
    async with combat(size) if state == "combat" else opened(state, size) as pilot:
        await pilot.settle()
        return picture(cells_of(pilot.app), title)


async def write(folder: Path, names: list[str]) -> None:
    """Write these pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.svg").write_text(await draw(name), "utf-8")


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, sys.argv[2:] or list(PICTURES)))
