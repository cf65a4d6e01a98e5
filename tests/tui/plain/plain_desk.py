"""A conversation about a table with a fake client: a test types lines, and reads what is printed."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec

from core.language.catalog import Catalog
from core.state.forecasts import Forecast
from core.state.views import View
from netcode.protocol import wire
from tests.patience import PATIENCE_S
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.config.settings import Settings
from tui.plain.conversation import Conversation
from tui.plain.lines import Desk, Typed, spoken
from tui.plain.table import PlainTable
from tui.scene.table_session import TableSession

Talk = Callable[[TableSession, Desk, Settings], Conversation]


ASKED = "You are asked: "


def choices(text: str) -> list[str]:
    """Return the words of the choices among these lines."""
    return [line.partition(". ")[2] for line in text.splitlines() if line.partition(". ")[0].isdigit()]


class PlainPilot:
    """client: the host's side. lines: all that was printed. how: how it ended. It is the `Typing` of its conversation,
    too."""

    on_demand = False

    def __init__(self, client: FakeClient, catalog: Catalog, talk: Talk) -> None:
        self.client = client
        self.lines: list[str] = []
        self.how = ""
        self._typed: asyncio.Queue[Typed] = asyncio.Queue()
        self._taken = self._handled = 0
        self._printed = asyncio.Event()
        self.session = TableSession(self.client, catalog, spoken(True))
        self.table = talk(self.session, Desk(self._print, self), Settings())

    async def next(self) -> Typed:
        """Return the next line that the test types; the one before it has been handled."""
        self._handled = self._taken
        found = await self._typed.get()
        self._taken += 1
        return found

    def _print(self, line: str) -> None:
        self.lines.append(line)
        self._printed.set()

    async def until(self, words: str, times: int = 1) -> None:
        """Wait until this many lines have these words."""
        async with asyncio.timeout(PATIENCE_S):
            while sum(words in line for line in self.lines) < times:
                self._printed.clear()
                await self._printed.wait()

    async def type(self, *texts: str) -> str:
        """Type lines, one after the other, each when the one before it has been handled; return what was printed
        meanwhile, line by line."""
        before = len(self.lines)
        for text in texts:
            await self._hand_in(Typed(text, time.monotonic()))
        return "\n".join(self.lines[before:])

    async def type_of_before(self, text: str, seconds: float) -> str:
        """Type a line that was written this long ago; return the output."""
        before = len(self.lines)
        await self._hand_in(Typed(text, time.monotonic() - seconds))
        return "\n".join(self.lines[before:])

    async def _hand_in(self, typed: Typed) -> None:
        wanted = self._taken + 1
        self._typed.put_nowait(typed)
        async with asyncio.timeout(PATIENCE_S):
            while self._handled < wanted and not self.table.how:
                await asyncio.sleep(0.005)

    async def ended(self) -> str:
        """Wait until it is over; return how it ended."""
        async with asyncio.timeout(PATIENCE_S):
            while not self.table.how:
                await asyncio.sleep(0.005)
        return self.table.how

    async def end_input(self) -> None:
        """Close the input."""
        self._typed.put_nowait(Typed("", time.monotonic(), end=True))

    def show(self, view: View, info: wire.TableInfo | None = None) -> None:
        """Let the host show the next view."""
        if info is not None:
            self.client.tell(wire.Info(info))
        self.client.tell(wire.Update(1, 0, msgspec.structs.replace(view), [], self.client.timers))


@asynccontextmanager
async def plain(
    view: View | None, info: wire.TableInfo | None = None, *, seat: int = samples.ME, catalog: Catalog | None = None,
    timers: wire.Timers | None = None, forecasts: Sequence[Forecast] = (), talk: Talk = PlainTable,
) -> AsyncIterator[PlainPilot]:  # fmt: skip
    """Converse about this view; yield when the first question has been printed."""
    client = FakeClient(view, info, seat)
    client.timers, client.forecasts = timers or client.timers, list(forecasts)
    pilot = PlainPilot(client, catalog or samples.catalog(), talk)
    task = asyncio.ensure_future(pilot.table.run())
    await asyncio.sleep(0)
    try:
        yield pilot
    finally:
        if not pilot.table.how:
            pilot.table.leave()
        pilot.how = await task
