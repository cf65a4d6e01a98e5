"""The way through the app: menu, forms, lobby, table, and back. One worker follows it; each screen returns a result."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from textual import work
from textual.app import ComposeResult, SystemCommand
from textual.screen import Screen

from netcode.protocol.credentials import JoinError, parse_join
from netcode.protocol.wire import LOBBY
from tui.app.app import KickdoorApp
from tui.app.first_words import CONNECTING, FIRST, LOADING, STARTING
from tui.app.start_host import (
    TableAddress,
    TableError,
    games_to_resume,
    keep_host,
    resume_saved,
    solo_request,
    start_solo,
)
from tui.app.toolkit import fail
from tui.config.settings import Settings, SettingsError
from tui.scene.cells import Glyphs, Line, clip, wrap
from tui.screens.opening import close
from tui.widgets.bound import key_names
from tui.widgets.pane import Pane

if TYPE_CHECKING:
    from netcode.host.saved_games import SavedGame
    from tui.app.offered_tables import OfferedTable
    from tui.app.play_session import Joining  # after the first frame
    from tui.screens.end import EndScreen

Start = tuple[str, str, dict[str, Any]]
"""Where the app starts: menu, play, resume, replay, lobby, join or watch; a string or path; the request."""

SETTLED_S = 3.0
"""When (s) garbage collection begins at the latest: after the start, which makes hardly any garbage."""


class WaitScreen(Screen[None]):
    """Shows one sentence while the player has to wait."""

    AUTO_FOCUS = ""

    def __init__(self, text: str, glyphs: Glyphs, drawn: Callable[[], None]) -> None:
        """drawn: called when the sentence is there."""
        super().__init__()
        self.text, self.glyphs, self.drawn = text, glyphs, drawn

    def compose(self) -> ComposeResult:
        """One pane."""
        yield Pane("sentence")

    def on_mount(self) -> None:
        """Draw after the first layout; what was on the screen stays until then."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self.query_one("#sentence", Pane).show(self._draw)
        self.drawn()

    def say(self, text: str) -> None:
        """Show another sentence."""
        self.text = text
        self.query_one("#sentence", Pane).redraw()
        self.drawn()

    def _draw(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = [(), *(((f"  {row}", ""),) for row in wrap(self.text, width - 4, self.glyphs))]
        lines.append(((f"  {key_names(self.app)['app.leave']} leaves.", "dim"),))
        return [clip(line, width, self.glyphs) for line in (lines + [()] * height)[:height]]


class NavigationApp(KickdoorApp):
    """The app as a command starts it. `failed` is set if it ended with an error, which gives exit code 1."""

    def __init__(
        self, settings: Settings, start: Start, begun: Future[TableAddress] | None = None,
        menu: "Callable[[NavigationApp], Awaitable[None]] | None" = None,
        form: "Callable[[NavigationApp], Awaitable[str]] | None" = None,
    ) -> None:  # fmt: skip
        """begun: the table to go to, whose host is already starting. menu: shows the menu, or leads another way through
        the app, until the player quits; None: the app starts elsewhere. form: shows the settings for a player who
        has no menu, and returns a note."""
        super().__init__(settings)
        self._menu, self._form = menu, form
        self.start, self.begun = start, begun
        self.joining: Joining | None = None
        """The client that is joining the table to go to."""

    def get_default_screen(self) -> Screen[Any]:
        """Return the screen to begin with: the sentence about what the player waits for, if there is one."""
        if self.start[0] not in FIRST:
            return super().get_default_screen()
        self.hold()
        return WaitScreen(FIRST[self.start[0]], self.glyphs, self.release)

    def on_load(self) -> None:
        """Begin to join the table to go to, if its host is there already, so that this app gets ready while the host
        answers."""
        if self.begun is not None and self.begun.done() and self.begun.exception() is None:
            from tui.app.play_session import begin_to_join  # after the first frame

            with suppress(TableError):  # play_at reports it
                self.joining = begin_to_join(self.begun.result(), self.settings)

    def on_mount(self) -> None:
        """Start the worker that opens the screens."""
        super().on_mount()
        self.set_timer(SETTLED_S, collect_garbage)
        self.run_worker(self.walk(), group="navigation", exclusive=True, exit_on_error=True)

    def get_system_commands(self, screen: Screen) -> Iterable[SystemCommand]:
        """List the commands, and the settings where no menu has them."""
        yield from super().get_system_commands(screen)
        if self._form is not None:
            yield SystemCommand("Settings", "Colours, keys, portraits, the pace of bots", self.change_settings)

    @work(group="settings", exclusive=True)
    async def change_settings(self) -> None:
        """Show the settings over what is on the screen; colours and keys apply at once."""
        assert self._form is not None
        try:
            note = await self._form(self)
        except SettingsError as problem:
            note = str(problem)
        if note:
            self.notify(note, markup=False)

    async def walk(self) -> None:
        """Open what the command asks for, then exit the app."""
        kind, string, request = self.start
        try:
            if self._menu is not None:
                await self._menu(self)
            elif self.begun is not None:
                self.farewell = await self.visit(self.begun.result, STARTING)
            elif kind == "resume":
                self.farewell = await self.resume(games_to_resume()[:1])
            elif kind == "offered":
                self.farewell = await self.go_to(request["table"])
            elif kind == "replay":
                self.farewell = await self.show_replay(Path(string))
            elif kind == "lobby":
                self.farewell = await self.visit_lobby(string, request.get("wanted", ""))
            elif kind == "learn":
                self.farewell = await self.learn(int(request.get("scene") or 1))
            elif kind == "puzzle":
                self.farewell = await self.puzzles(string)
            else:
                role: Literal["player", "watch"] = "watch" if kind == "watch" else "player"
                address = TableAddress(string, role, code=request.get("code", b""))
                self.farewell = await self.visit(lambda: address, CONNECTING)
        except TableError as problem:
            self.failed = str(problem)
        finally:
            if self.joining is not None:
                self.joining.joined.cancel()
                await self.joining.client.close()
        self.exit(return_code=1 if self.failed else 0)

    async def learn(self, first: int = 1) -> str:
        """Play the scenes of the first game from this one on, then a whole game if the player wants; return a note."""
        learning = await asyncio.to_thread(_learning)
        word: str = await learning.play_lessons(self, first, self.play_solo)
        return word

    async def puzzles(self, name: str = "") -> str:
        """Show the puzzles until the player leaves them, beginning with the one of this name; return a note."""
        learning = await asyncio.to_thread(_learning)
        word: str = await learning.play_puzzles(self, name)
        return word

    async def show_replay(self, path: Path) -> str:
        """Show a recorded game; return what was wrong with it, or "". Raise TableError if it cannot be read."""
        from netcode.recording.recording import ReplayError  # a table needs none of this
        from tui.screens.replay import open_replay

        below = self.screen
        async with self.waiting(LOADING):
            try:
                screen = await asyncio.to_thread(open_replay, path, self.glyphs)
            except ReplayError as problem:
                raise TableError(str(problem)) from None
        if below not in self.screen_stack:
            return ""  # another game has begun
        return await self.push_screen_wait(screen) or ""

    def on_end_screen_watch_again(self, event: "EndScreen.WatchAgain") -> None:
        """Show the recording of a game over its end."""
        self._watch_again(event.path)

    @work(group="replay", exclusive=True)
    async def _watch_again(self, path: Path) -> None:
        try:
            problem = await self.show_replay(path)
        except TableError as error:
            problem = str(error)
        if problem:
            self.notify(problem, severity="error", markup=False)

    # ---------------------------------------------------------------------------------------------------------- tables
    async def play_solo(self, request: dict[str, Any]) -> str:
        """Play against bots. request: what the player asked for; the settings fill in the rest."""
        full = solo_request(request, self.settings)
        return await self.visit(lambda: start_solo(full, self.settings.name), STARTING)

    async def resume(self, saved: "list[SavedGame]") -> str:
        """Resume one of these solo games; ask which if there are several. Raise TableError if that fails."""
        at = 0
        if len(saved) > 1:
            from tui.app.menu_rows import saved_rows  # needed only for this question
            from tui.screens.forms import ChoiceScreen

            answer = await self.push_screen_wait(ChoiceScreen("Continue", saved_rows(saved), self.glyphs))
            if answer is None:
                return ""
            at = int(answer)
        return await self.visit(lambda: resume_saved(saved[at]), "Resuming the game..")

    async def go_to(self, table: "OfferedTable") -> str:
        """Go to a table that is known here. Raise TableError if that fails."""
        return await self.visit(lambda: table.address, CONNECTING)

    async def visit(self, find: Callable[[], TableAddress], text: str) -> str:
        """Find (or open) a table and stay at it; show the text until it is there. Raise TableError.

        The modules of a table are imported here, so that the first frame does not wait for them.
        """
        async with self.waiting(text):
            play_session = await asyncio.to_thread(_play_session)
            address = await asyncio.to_thread(find)
            watchdog = asyncio.create_task(keep_host(address, self._host_lost)) if address.solo else None
            if watchdog is not None:
                watchdog.add_done_callback(self._check_watchdog)
            joining, self.joining = self.joining, None
            try:
                word: str = await play_session.play_at(self, address, joining)
            finally:
                if watchdog is not None:
                    watchdog.cancel()
                address.release()
        return word

    def _check_watchdog(self, watchdog: "asyncio.Task[None]") -> None:
        """Handle an internal error of the watchdog: nobody waits for it."""
        error = None if watchdog.cancelled() else watchdog.exception()
        if isinstance(error, Exception):
            fail(self, error)

    def _host_lost(self, problem: str) -> None:
        leave = key_names(self)["app.quit"]
        self.notify(f"{problem} Leave with {leave}; the game is saved.", severity="error", timeout=60, markup=False)

    async def visit_lobby(self, string: str, wanted: str = "") -> str:
        """Show the lobby of a host, and again after each table. wanted: the table to go to first. Raise TableError."""
        async with self.waiting(CONNECTING):
            host_lobby = await asyncio.to_thread(_host_lobby)
            word: str = await host_lobby.visit_lobby(self, string, wanted)
        return word

    @asynccontextmanager
    async def waiting(self, text: str) -> AsyncIterator[None]:
        """Show this sentence at once, without an empty screen before it, beneath the screens that follow. The app may
        already show it."""
        if isinstance(self.screen, WaitScreen):
            self.say(text)
            yield
            return
        self.hold()
        screen = WaitScreen(text, self.glyphs, self.release)
        await self.push_screen(screen)
        try:
            yield
        except TableError:
            close(screen)
            raise
        close(screen)

    def say(self, text: str) -> None:
        """Show another sentence on the waiting screen, if it is open."""
        if isinstance(self.screen, WaitScreen) and self.screen.text != text:
            self.screen.say(text)


# The modules that lead to a table are loaded in a thread, so that the first frame does not wait for them.
def _play_session() -> ModuleType:
    from tui.app import play_session  # in a thread, after the first frame

    return play_session


def _learning() -> ModuleType:
    from tui.app import learning  # in a thread, after the first frame

    return learning


def _host_lobby() -> ModuleType:
    from tui.app import host_lobby  # in a thread, after the first frame

    return host_lobby


def collect_garbage() -> None:
    """Collect garbage from now on, but not in what has been loaded: that stays, and scanning it would delay keys."""
    gc.freeze()
    gc.enable()


def leads_to_lobby(string: str) -> bool:
    """Whether a string leads to the lobby of a host and not to one of its tables."""
    try:
        return parse_join(string).table == LOBBY
    except JoinError:
        return False  # joining reports what is wrong with it
