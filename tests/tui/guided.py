"""Lessons and puzzles in a running app, the words of their coach, and the moments over their table."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.tui.app_pilot import TablePilot, settled
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.lessons import library
from tui.lessons.guided_client import GuidedClient
from tui.lessons.library import Told
from tui.scene.table_session import TableSession
from tui.screens.moment import MomentScreen
from tui.screens.parts.guided_coach import guided as coached_by
from tui.screens.table import TableScreen
from tui.widgets.coach import Coach


@asynccontextmanager
async def guided(
    told: Told, size: tuple[int, int] = (80, 24), ascii_only: bool = False
) -> AsyncIterator[tuple[TablePilot, list[str | None]]]:
    """Run an app that plays a lesson or a puzzle; give the pilot and the list of the screen's results."""
    app = KickdoorApp(Settings(ascii=ascii_only, bell=False))
    async with app.run_test(size=size) as textual:
        client = GuidedClient(library.lay_out(told), "Ada")
        session = TableSession(client, client.guide.game.catalog, app.glyphs)
        screen = TableScreen(session, coach=coached_by(client, told.name if told.scenario.puzzle else "Scene 1 of 5"))
        results: list[str | None] = []
        await app.push_screen(screen, results.append)
        pilot = TablePilot(app, screen, textual, client)
        await settled(textual)
        yield pilot, results


def scene(number: int) -> Told:
    """Return a lesson."""
    return library.lessons()[number - 1]


def puzzle(name: str = "Stop the Level 9") -> Told:
    """Return a puzzle."""
    return library.puzzle_named(name)


def said(pilot: TablePilot) -> str:
    """Return the words of the coach in one line, with single blanks."""
    rows = pilot.screen.query_one(Coach).lines
    return " ".join("".join(text for row in rows for text, _ in (*row, (" ", ""))).replace("▌", " ").split())


async def moments(pilot: TablePilot) -> list[str]:
    """Go on through every moment over the table; return their kinds."""
    found: list[str] = []
    while isinstance(pilot.app.screen, MomentScreen):
        found.append(pilot.app.screen.moment.kind)
        pilot.app.screen.dead_until = 0.0
        await pilot.keys("space")
    return found
