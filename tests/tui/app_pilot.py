"""An app with the table of a hand-made view, its keys, and the words on its screen."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from core.language.catalog import Catalog
from core.view import View
from netcode.protocol.wire import TableInfo
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.scene import LogLine
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen


class Stage:
    """A table under test."""

    def __init__(self, app: KickdoorApp, screen: TableScreen, client: FakeClient, pilot) -> None:  # type: ignore[no-untyped-def]
        self.app, self.screen, self.client, self.pilot = app, screen, client, pilot

    async def keys(self, *names: str) -> None:
        """Press keys, one after the other."""
        for name in names:
            self.screen.dead_until = 0.0
            self.app.simulate_key(name)
            await self.settle()

    async def settle(self) -> None:
        """Let everything that was set off come to rest."""
        for _ in range(3):
            await self.pilot.pause(0)

    def lines(self) -> list[str]:
        """The words on the screen, line by line."""
        return screen_lines(self.app)

    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines())


def screen_lines(app: KickdoorApp) -> list[str]:
    """What the compositor would send to the terminal, as plain text."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


@asynccontextmanager
async def table(
    view: View, size: tuple[int, int] = (80, 24), *, ascii_only: bool = False, info: TableInfo | None = None,
    seat: int = samples.ME, theme: str = "textual-dark", catalog: Catalog | None = None,
    log: Sequence[LogLine] = samples.LOG,
) -> AsyncIterator[Stage]:  # fmt: skip
    """A running app that shows this view."""
    app = KickdoorApp(Settings(ascii=ascii_only, theme=theme, bell=False))
    async with app.run_test(size=size) as pilot:
        client = FakeClient(view, info, seat)
        session = TableSession(client, catalog or samples.catalog(), app.glyphs, clock=lambda: 0.0)
        session.log = list(log)
        screen = TableScreen(session)
        await app.push_screen(screen)
        stage = Stage(app, screen, client, pilot)
        await stage.settle()
        yield stage


def run(coroutine) -> None:  # type: ignore[no-untyped-def]
    """Run to the end, outside pytest."""
    asyncio.run(coroutine)
