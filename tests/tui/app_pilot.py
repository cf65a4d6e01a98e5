"""Running apps in tests: the table of a hand-made view, or any single screen; their keys and the words they show."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import DataTable

from core.language.catalog import Catalog
from core.state.views import View
from netcode.protocol.wire import TableInfo, Update
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.scene import LogLine
from tui.scene.table_session import TableSession
from tui.screens.moment import MomentScreen
from tui.screens.parts.model import TableModel
from tui.screens.table import TableScreen

HOUR_S = 3600.0
"""A `key_pause` so long that even a busy machine presses the next key before it is over."""
Press = Callable[..., Awaitable[str]]
"""Presses keys by name and returns the text on the screen."""


class TablePilot:
    """A screen in a running app. client: the fake client of a table, if it is one. `keys` first makes the table take
    keys; to press a key too early, call `app.simulate_key`."""

    def __init__(self, app: KickdoorApp, screen: Any, textual: Pilot[str], client: Any = None) -> None:
        self.app, self.screen, self.textual, self.client = app, screen, textual, client

    @property
    def model(self) -> TableModel:
        """The model of the table, with the player's place in it."""
        model: TableModel = self.screen.model
        return model

    async def keys(self, *names: str) -> None:
        """Press keys, one after the other."""
        for name in names:
            if isinstance(self.screen, TableScreen):
                self.model.keyed.revive()
            self.app.simulate_key(name)
            await self.settle()

    async def keys_of_a_moment(self, *names: str) -> None:
        """Press keys after a moment has been in sight for long enough."""
        for name in names:
            if isinstance(self.app.screen, MomentScreen):
                self.app.screen.dead_until = 0.0
            self.app.simulate_key(name)
            await self.settle()
            await self.settle()  # the table comes back, and shows the next one

    async def update(self, view: View) -> None:
        """Let the host send a view."""
        self.client.tell(Update(1, 0, view, [], self.client.timers))
        await self.settle()

    async def settle(self) -> None:
        """Wait until the app has handled all its messages."""
        await settled(self.textual)

    def lines(self) -> list[str]:
        """Return the text on the screen, line by line."""
        return screen_lines(self.app)

    def text(self) -> str:
        """Return the text on the screen."""
        return "\n".join(self.lines())


ROUNDS = 3
"""How many times to wait for the effects of a refresh."""
STEPS = 500
"""The most steps of the event loop in a round, for an app that never comes to rest."""


async def settled(textual: Pilot[str], rounds: int = ROUNDS) -> None:
    """Wait until the app has handled all messages, and those that they caused, and has drawn all changes. This includes
    the visible screens beneath the front one, which the toolkit's pilot leaves to a timer."""
    for _ in range(rounds):
        await _at_rest()
        for screen in (*textual.app._background_screens, textual.app.screen):
            screen._on_timer_update()
    for beneath in textual.app._background_screens:
        await _handled(beneath)
    await textual.pause(0)
    await _at_rest()


async def _at_rest() -> None:
    """Wait until every task waits for a timer, another thread or the network. (The toolkit's pilot asks each widget
    whether it has handled its messages, which takes more time than handling them.)"""
    ready = getattr(asyncio.get_running_loop(), "_ready")  # noqa: B009 - asyncio has no public name for it
    for _ in range(STEPS):
        await asyncio.sleep(0)
        if not ready:
            return


async def _handled(screen: Screen[Any]) -> None:
    """Wait until a screen and its widgets have handled the messages that they have now. A widget that is being removed
    no longer answers."""
    answers = [(pump, asyncio.Event()) for pump in screen.walk_children(with_self=True)]
    waiting = [event.wait() for pump, event in answers if pump.call_later(event.set)]
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*waiting), 5)


async def still(textual: Pilot[str]) -> list[str]:
    """Wait until the layout has come to rest, and return what is on the screen. Lists compute their columns late."""
    before: list[str] = []
    for _ in range(100):
        await settled(textual)
        await textual.pause(0.02)
        lines = screen_lines(textual.app)
        late = any(found._require_update_dimensions for found in textual.app.screen.query(DataTable))
        if lines == before and not late:
            break
        before = lines
    return before


def screen_lines(app: App[Any]) -> list[str]:
    """Return what the compositor would send to the terminal, as plain text."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


@asynccontextmanager
async def table(
    view: View, size: tuple[int, int] = (80, 24), *, ascii_only: bool = False, info: TableInfo | None = None,
    seat: int = samples.ME, theme: str = "tavern", catalog: Catalog | None = None,
    log: Sequence[LogLine] = samples.LOG, key_pause: float = Settings().key_pause,
) -> AsyncIterator[TablePilot]:  # fmt: skip
    """Run an app that shows this view. key_pause: how long keys are dead after a change (s); see HOUR_S."""
    app = KickdoorApp(Settings(ascii=ascii_only, theme=theme, bell=False, key_pause=key_pause))
    async with app.run_test(size=size, notifications=True) as textual:
        client = FakeClient(view, info, seat)
        session = TableSession(client, catalog or samples.catalog(), app.glyphs, clock=lambda: 0.0)
        session.log = list(log)
        screen = TableScreen(session)
        await app.push_screen(screen)
        pilot = TablePilot(app, screen, textual, client)
        await pilot.settle()
        yield pilot


@asynccontextmanager
async def shown(screen: Screen[Any], size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[Press, list[Any]]]:
    """Run an app with this screen; give a function that presses keys, and the list of the screen's results."""
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=size) as textual:
        results: list[Any] = []
        await app.push_screen(screen, results.append)

        async def press(*names: str) -> str:
            for name in names:
                app.simulate_key(name)
                await settled(textual)
            await settled(textual)
            return "\n".join(screen_lines(app))

        await settled(textual)
        yield press, results
