"""The README's screenshot, drawn from a game between bots: `python -m tests.tui.screenshot docs/screenshot.svg`."""

import asyncio
import sys
from pathlib import Path

from core.state.model import State
from core.view import View, view
from netcode.protocol import wire
from tests.tui import bot_games, samples
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen

SIZE = (120, 40)
SEATS = 5
SEEDS = range(40)


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


async def draw(to: Path) -> None:
    """Write the screenshot to this SVG file."""
    seat, seen, told = find()
    names = ("Ada", "Bo", "Cid", "Dee", "Eve")
    info = wire.TableInfo("PUB", [wire.SeatInfo(name, "here", True) for name in names], "playing", 0)
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=SIZE) as pilot:
        client = FakeClient(seen, info, seat)
        client.events.extend(told)
        client.timers = wire.Timers(window=1600, window_full=2600)
        await app.push_screen(TableScreen(TableSession(client, samples.catalog(), app.glyphs)))
        for _ in range(3):
            await pilot.pause(0)
        to.write_text(app.export_screenshot(title="kickdoor"), "utf-8")


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/screenshot.svg")))
