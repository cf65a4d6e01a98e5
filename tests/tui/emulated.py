"""A table in a running app whose output goes to an emulated terminal: what it really shows, region by region."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pyte
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Region

from core.language.catalog import Catalog
from core.state.views import View
from netcode.protocol.wire import TableInfo
from tests.tui.app_pilot import TablePilot
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.app.terminal_latency import measured
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen

TELLING = "#stage, #choices, #prompt, #history, #reader, #reading, #moment-page, #card-page, Toast"
"""The regions that can tell of events. Others show names and cards whatever happens."""
_DRAWN = re.compile(r"[^\w'’\-+:.,!?&()/ ]+")
"""Characters of pictures, borders and signs."""


def emulated(screen: pyte.Screen) -> type[Driver]:
    """Return a driver that writes to this screen of an emulated terminal."""
    stream = pyte.Stream(screen)

    class EmulatedDriver(HeadlessDriver):
        @property
        def is_headless(self) -> bool:
            """Return False: this driver paints."""
            return False

        def write(self, data: str) -> None:
            """Write to the emulated terminal."""
            stream.feed(data)

    return EmulatedDriver


class EmulatedApp(KickdoorApp):
    """The app in an emulated terminal."""

    def __init__(self, settings: Settings, terminal: pyte.Screen) -> None:
        self.terminal = terminal
        super().__init__(settings)

    def get_driver_class(self) -> type[Driver]:
        """Return the driver of the emulated terminal. It sends only cells that differ, as to a real one."""
        return measured(emulated(self.terminal), self.link)


class EmulatedPilot(TablePilot):
    """A table in an emulated terminal."""

    app: EmulatedApp

    def seen(self) -> list[str]:
        """Return what the terminal shows, region by region, each as one line of text without pictures and borders."""
        return [text for text in map(self.within, self._regions()) if text]

    def _regions(self) -> list[Region]:
        screens = [*self.app._background_screens, self.app.screen]
        found = [widget for screen in screens for widget in screen.query(TELLING)]
        return [widget.region for widget in found if widget.display and widget.region.area]

    def within(self, region: Region) -> str:
        """Return what the terminal shows in a region, as one line."""
        rows = self.app.terminal.display[region.y : region.bottom]
        texts = [_DRAWN.sub(" ", row[region.x : region.right]) for row in rows]
        return " ".join(" ".join(texts).split())


@asynccontextmanager
async def emulated_table(
    view: View, size: tuple[int, int], *, catalog: Catalog, info: TableInfo, seat: int, settings: Settings,
    log: Sequence[Any] = (),
) -> AsyncIterator[EmulatedPilot]:  # fmt: skip
    """Run an app that shows this view in an emulated terminal of this size."""
    app = EmulatedApp(settings, pyte.Screen(*size))
    async with app.run_test(headless=False, size=size, notifications=True) as textual:
        client = FakeClient(view, info, seat)
        session = TableSession(client, catalog, app.glyphs, clock=lambda: 0.0)
        session.log = list(log)
        screen = TableScreen(session)
        await app.push_screen(screen)
        pilot = EmulatedPilot(app, screen, textual, client)
        await pilot.settle()
        yield pilot
