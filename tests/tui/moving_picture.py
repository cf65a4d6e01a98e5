"""The README's moving picture: a fight of a game between bots, as the app shows it to one of the players.

`python -m tests.tui.moving_picture docs/fight.svg [SEED]`
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from core.state.events import AnyEvent
from core.state.views import View
from core.view import view
from netcode.protocol import wire
from tests.tui import bot_games, samples
from tests.tui.app_pilot import settled
from tests.tui.fake_client import FakeClient
from tests.tui.svg import Row, cells_of, moving
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.moment import MomentScreen
from tui.screens.table import TableScreen

FILE = Path(__file__).resolve().parents[2] / "docs/fight.svg"
SEED = 21
SIZE = (120, 40)
SEATS = 4
NAMES = ("Ada", "Bo", "Cid", "Dee")
MOST_FRAMES = 26
MOST_BYTES = 1_000_000
TOLD = 30
"""The number of events before the fight that the log shows."""
STEP_S, MOMENT_S, LAST_S = 1.3, 2.2, 3.0
"""How long to show a step of the fight, a moment over the table, and the last frame."""


@dataclass
class Step:
    """One update for a seat."""

    view: View
    events: list[wire.NumberedEvent]


@dataclass
class Fight:
    """A fight from the door to its end, as one seat sees it. before: the latest events before it."""

    seat: int
    before: list[wire.NumberedEvent] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    score: int = 0
    won: bool = False
    """Whether it won the game."""


def fights(seed: int) -> Iterator[Fight]:
    """Yield the fights of a game, each as its fighter sees it; score: how eventful it is."""
    told: list[AnyEvent] = []
    now: Fight | None = None
    first = 0
    for state, events in bot_games.moments(seed, SEATS):
        told += events
        if now is None and state.fight is not None:
            now, first = Fight(state.fight.seat), len(told) - len(events)
            now.before = bot_games.events_for(told[max(0, first - TOLD) : first], now.seat, max(0, first - TOLD) + 1)
        if now is None:
            continue
        if events and state.fight is not None:
            now.score += len(state.fight.cards) + 2 * (state.fight.helper >= 0)
        if events:
            seen = bot_games.events_for(events, now.seat, len(told) - len(events) + 1)
            now.steps.append(Step(view(samples.catalog(), state, now.seat), seen))
        if state.fight is None or state.winners:
            now.won = bool(state.winners)
            yield now
            now = None


def best_of(seed: int, most: int = MOST_FRAMES) -> Fight:
    """Return the winning fight of this game or, if it is too long, the most eventful one that is not."""
    found = [fight for fight in fights(seed) if 6 <= len(fight.steps) <= most]
    return max(found, key=lambda fight: (fight.won, fight.score))


async def frames(fight: Fight, size: tuple[int, int] = SIZE) -> list[tuple[Sequence[Row], float]]:
    """Play a fight in the app; return its frames with their durations."""
    people = [wire.SeatInfo(name, "bot", True, bot="hard") for name in NAMES]
    people[fight.seat] = wire.SeatInfo(NAMES[fight.seat], "here", True)
    info = wire.TableInfo("PUB", people, "playing", fight.seat, solo=True)
    app = KickdoorApp(Settings(bell=False, motion="never"))
    found: list[tuple[Sequence[Row], float]] = []
    async with app.run_test(size=size) as pilot:
        first = fight.steps[0]
        client = FakeClient(first.view, info, fight.seat)
        client.events.extend(fight.before)
        screen = TableScreen(TableSession(client, samples.catalog(), app.glyphs))
        await app.push_screen(screen)
        await settled(pilot)
        for number, step in enumerate(fight.steps):
            client.tell(wire.Update(1, number, msgspec.structs.replace(step.view), step.events, client.timers))
            await settled(pilot, 6)
            while isinstance(app.screen, MomentScreen):
                found.append((cells_of(app), MOMENT_S))
                app.screen.dead_until = 0.0
                app.simulate_key("space")
                await settled(pilot, 6)
            screen.model.keyed.revive()  # a key that is dead only for a moment must not be dim for a whole frame
            screen.redraw()
            await settled(pilot)
            rows = cells_of(app)
            if not found or rows != found[-1][0]:
                found.append((rows, STEP_S))
    return [*found[:-1], (found[-1][0], LAST_S)]


async def draw(seed: int = SEED) -> str:
    """Return the moving picture of a game's best fight."""
    return moving(await frames(best_of(seed)), "A fight at the table")


if __name__ == "__main__":
    to, seed = (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE), int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    text = asyncio.run(draw(seed))
    to.write_text(text, "utf-8")
