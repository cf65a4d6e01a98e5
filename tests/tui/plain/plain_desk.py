"""A conversation about a table with a fake client: a test types lines, and reads what is printed."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from core.view import View
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.config.settings import Settings
from tui.plain.lines import Desk, Typed
from tui.plain.table import PlainTable
from tui.scene.table_session import TableSession


class PlainPilot:
    """client: the host's side. lines: all that was printed. It is the `Typing` of its conversation, too."""

    on_demand = False

    def __init__(self, view: View, info: wire.TableInfo | None) -> None:
        self.client = FakeClient(view, info)
        self.lines: list[str] = []
        self._typed: asyncio.Queue[Typed] = asyncio.Queue()
        self._under_way = False
        self._printed = asyncio.Event()
        self.table = PlainTable(TableSession(self.client, samples.catalog()), Desk(self._print, self), Settings())

    async def next(self) -> Typed:
        """Return the next line that the test types; the one before it has been handled."""
        if self._under_way:
            self._typed.task_done()
        self._under_way = True
        return await self._typed.get()

    def _print(self, line: str) -> None:
        self.lines.append(line)
        self._printed.set()

    async def until(self, words: str, times: int = 1) -> None:
        """Wait until so many lines have these words."""
        async with asyncio.timeout(10):
            while sum(words in line for line in self.lines) < times:
                self._printed.clear()
                await self._printed.wait()

    async def type(self, text: str) -> None:
        """Type a line, and wait until it has been handled."""
        self._typed.put_nowait(Typed(text, time.monotonic()))
        await self._typed.join()

    def show(self, view: View) -> None:
        """Let the host show the next view."""
        self.client.tell(wire.Update(1, 0, msgspec.structs.replace(view), [], self.client.timers))


@asynccontextmanager
async def plain(view: View, info: wire.TableInfo | None = None) -> AsyncIterator[PlainPilot]:
    """Converse about this view."""
    pilot = PlainPilot(view, info)
    task = asyncio.ensure_future(pilot.table.run())
    try:
        yield pilot
    finally:
        pilot.table.leave()
        assert await task == "left"
