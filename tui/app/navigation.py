"""The way through the app: menu, forms, lobby, table, and back. One worker walks it; each screen returns a result."""

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.screen import Screen

from netcode.host.saved_games import SavedGame, list_saved_games
from netcode.protocol.credentials import JoinError, parse_join
from netcode.protocol.wire import LOBBY
from tui.app.app import KickdoorApp
from tui.app.main_menu import (
    FIND_HOST,
    SPECTATOR,
    built_in_heads,
    host_rows,
    join_rows,
    menu_rows,
    options_in,
    play_rows,
    saved_rows,
    sets_in,
    settings_rows,
    unfinished_rows,
    with_values,
)
from tui.app.start_host import (
    TableAddress,
    TableError,
    keep_host,
    known_sets,
    locate,
    resume_saved,
    solo_request,
    start_for_friends,
    start_solo,
    unfinished_at,
)
from tui.config.settings import Settings, SettingsError, save
from tui.scene.cells import Glyphs, Line, clip, wrap
from tui.screens.forms import ChoiceScreen, FormScreen, Values
from tui.screens.main_menu import MainMenuScreen
from tui.widgets.bound import key_names
from tui.widgets.entry.fields import Row
from tui.widgets.pane import Pane

if TYPE_CHECKING:
    from tui.screens.end import EndScreen

Start = tuple[str, str, dict[str, Any]]
"""Where the app starts: menu, play, resume, replay, lobby, join or watch; a string or path; the request."""

STARTING = "Starting the table.."
SETTLED_S = 3.0
"""When garbage is looked for at last: after the start, which makes hardly any."""


class WaitScreen(Screen[None]):
    """One sentence while the player has to wait."""

    AUTO_FOCUS = ""

    def __init__(self, text: str, glyphs: Glyphs, drawn: Callable[[], None]) -> None:
        """drawn: called when the sentence is there."""
        super().__init__()
        self.text, self.glyphs, self.drawn = text, glyphs, drawn

    def compose(self) -> ComposeResult:
        """One pane."""
        yield Pane("form")

    def on_mount(self) -> None:
        """Draw after the first layout; what was on the screen stays until then."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self.query_one("#form", Pane).show(self._draw)
        self.drawn()

    def say(self, text: str) -> None:
        """Show another sentence."""
        self.text = text
        self.query_one("#form", Pane).redraw()

    def _draw(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = [(), *(((f"  {text}", ""),) for text in wrap(self.text, width - 4, self.glyphs))]
        lines.append(((f"  {key_names(self.app)['app.leave']} leaves.", "dim"),))
        return [clip(line, width, self.glyphs) for line in (lines + [()] * height)[:height]]


class NavigationApp(KickdoorApp):
    """The app as a command starts it. `failed` is set if it ended with an error, which gives exit code 1."""

    def __init__(
        self, settings: Settings, start: Start, begun: Future[TableAddress] | None = None
    ) -> None:
        """begun: the table to go to, whose host is being started already."""
        super().__init__(settings)
        self.start, self.begun = start, begun

    def on_mount(self) -> None:
        """Start the worker that opens the screens."""
        super().on_mount()
        self.set_timer(SETTLED_S, collect_garbage)
        self.run_worker(self.walk(), group="navigation", exclusive=True, exit_on_error=True)

    async def walk(self) -> None:
        """Open what the command asks for, then exit the app."""
        kind, string, request = self.start
        if kind == "menu":
            await self._menu()
            self.exit()
            return
        try:
            if self.begun is not None:
                self.farewell = await self._visit(self.begun.result, STARTING)
            elif kind == "resume":
                self.farewell = await self._resume(list_saved_games()[:1])
            elif kind == "replay":
                self.farewell = await self._show_replay(Path(string))
            elif kind == "lobby":
                self.farewell = await self._visit_lobby(string)
            elif kind == "learn":
                self.farewell = await self._learn(int(request.get("scene") or 1))
            elif kind == "puzzle":
                self.farewell = await self._puzzles(string)
            else:
                address = TableAddress(string, "watch" if kind == "watch" else "player")
                self.farewell = await self._visit(lambda: address, "Connecting..")
        except TableError as problem:
            self.failed = str(problem)
        self.exit(return_code=1 if self.failed else 0)

    # ----------------------------------------------------------------------------------------------------------- menu
    async def _menu(self) -> None:
        """Show the menu until the player quits; a new player is offered the first game once."""
        offered = await self._offer_first_game()
        note, cursor = offered, 0
        while True:
            rows = menu_rows(self.settings, list_saved_games())
            screen = MainMenuScreen(rows, built_in_heads(), self.glyphs, note, cursor)
            answer = await self.push_screen_wait(screen)
            if answer is None or answer == "quit":
                return
            cursor = screen.at
            try:
                note = await self._open(answer)
            except (TableError, SettingsError) as problem:
                note = str(problem)

    async def _open(self, name: str) -> str:
        """Open a row of the menu; return a note for the menu."""
        if name == "play":
            return await self.play_solo({})
        if name == "new":
            return await self._play_form()
        if name == "resume":
            return await self._resume(list_saved_games())
        if name == "host":
            return await self._host_form()
        if name == "join":
            return await self._join_form()
        if name == "settings":
            return await self._settings_form()
        if name == "replays":
            return await self._list_replays()
        if name == "career":
            from tui.screens.career import CareerScreen

            await self.push_screen_wait(CareerScreen(self.glyphs))
            return ""
        if name == "learn":
            return await self._learn()
        if name == "puzzles":
            return await self._puzzles()
        await self.push_screen_wait(self.book(name))
        return ""

    async def _offer_first_game(self) -> str:
        """Ask a new player once whether to learn the game; return a note for the menu."""
        from tui.lessons import progress

        if not progress.is_new_player():
            return ""
        progress.note_offer()
        from tui.screens.first_start import FirstStartScreen

        if not await self.push_screen_wait(FirstStartScreen(self.glyphs)):
            return ""
        try:
            return await self._learn()
        except TableError as problem:
            return str(problem)

    async def _learn(self, first: int = 1) -> str:
        """Play the scenes of the first game from this one on, then a whole game if the player wants; return a note."""
        learning = await asyncio.to_thread(import_module, "tui.app.learning")
        word: str = await learning.play_lessons(self, first)
        return word

    async def _puzzles(self, name: str = "") -> str:
        """Show the puzzles until the player leaves them, beginning with the one of this name; return a note."""
        learning = await asyncio.to_thread(import_module, "tui.app.learning")
        word: str = await learning.play_puzzles(self, name)
        return word

    async def _list_replays(self) -> str:
        """Show the list of recorded games until the player leaves it; return what was wrong with a recording, or ""."""
        from tui.screens.replay_list import ReplayListScreen

        chosen, problem = None, ""
        while not problem:
            chosen = await self.push_screen_wait(ReplayListScreen(self.glyphs, at=chosen))
            if chosen is None:
                return ""
            problem = await self._show_replay(chosen)
        return problem

    async def _show_replay(self, path: Path) -> str:
        """Show a recorded game; return what was wrong with it, or "". Raise TableError if it cannot be read."""
        from netcode.recording.recording import ReplayError
        from tui.screens.replay import open_replay

        await self._wait("Loading the recording..")
        try:
            screen = await asyncio.to_thread(open_replay, path, self.glyphs)
        except ReplayError as problem:
            raise TableError(str(problem)) from None
        finally:
            self.pop_screen()
        return await self.push_screen_wait(screen) or ""

    def on_end_screen_watch_again(self, event: "EndScreen.WatchAgain") -> None:
        """Show the recording of a game over its end."""
        self.run_worker(self._watch_again(event.path), group="replay", exclusive=True)

    async def _watch_again(self, path: Path) -> None:
        try:
            problem = await self._show_replay(path)
        except TableError as error:
            problem = str(error)
        if problem:
            self.notify(problem, severity="error")

    async def _form(self, title: str, rows: list[Row]) -> Values | None:
        """Show a form; return its values, or None if the player left it."""
        answer = await self.push_screen_wait(FormScreen(title, rows, self.glyphs))
        return answer[1] if answer is not None else None

    async def _play_form(self) -> str:
        values = await self._form("Play against bots", play_rows(self.settings, known_sets()))
        if values is None:
            return ""
        self.settings.name = values["name"] or self.settings.name
        request = {
            "sets": sets_in(values), "bots": int(values["bots"]), "level": values["level"], "pace": values["pace"],
            "options": options_in(values),
        }  # fmt: skip
        return await self.play_solo(request)

    async def _host_form(self) -> str:
        values = await self._form("Host a table", host_rows(self.settings, known_sets()))
        if values is None:
            return ""
        self.settings.name = values["name"] or self.settings.name
        restore = False
        if await asyncio.to_thread(unfinished_at, values):
            answer = await self.push_screen_wait(ChoiceScreen("Host a table", unfinished_rows(), self.glyphs))
            if answer is None:
                return ""
            restore = answer == "restore"
        find = partial(start_for_friends, values, sets_in(values), options_in(values), restore)
        return await self._visit(find, "Opening the table..")

    async def _join_form(self) -> str:
        values = await self._form("Join a table", join_rows(self.settings))
        if values is None or not values["string"]:
            return ""
        self.settings.name = values["name"] or self.settings.name
        string = values["string"]
        if values["lan"] == FIND_HOST:
            await self._wait("Looking for the host on this network..")
            try:
                string = await asyncio.to_thread(locate, string)
            finally:
                self.pop_screen()
        if leads_to_lobby(string):
            return await self._visit_lobby(string)
        address = TableAddress(string, "watch" if values["as"] == SPECTATOR else "player")
        return await self._visit(lambda: address, "Connecting..")

    async def _settings_form(self) -> str:
        from tui.screens.settings import SettingsScreen

        screen = SettingsScreen("Settings", settings_rows(self.settings), self.glyphs, self.settings)
        answer = await self.push_screen_wait(screen)
        if answer is None:
            return ""
        self.settings = replace(with_values(self.settings, answer[1]), keys=screen.keys)
        save(self.settings)
        self.apply_settings()
        return "Settings are saved."

    # ---------------------------------------------------------------------------------------------------------- tables
    async def play_solo(self, request: dict[str, Any]) -> str:
        """Play against bots. request: what the player asked for; the settings fill in the rest."""
        full = solo_request(request, self.settings)
        return await self._visit(lambda: start_solo(full, self.settings.name), STARTING)

    async def _resume(self, saved: list[SavedGame]) -> str:
        """Resume one of these solo games; ask which if there are several. Raise TableError if there is none."""
        if not saved:
            raise TableError("There is no game to resume: start one with kickdoor play.")
        at = 0
        if len(saved) > 1:
            answer = await self.push_screen_wait(ChoiceScreen("Continue", saved_rows(saved), self.glyphs))
            if answer is None:
                return ""
            at = int(answer)
        return await self._visit(lambda: resume_saved(saved[at]), "Resuming the game..")

    async def _visit(self, find: Callable[[], TableAddress], text: str) -> str:
        """Find (or open) a table and stay at it; show the text until it is there. Raise TableError.

        The modules of a table are imported here, so that the first frame does not wait for them.
        """
        await self._wait(text)
        try:
            play_session = await asyncio.to_thread(import_module, "tui.app.play_session")
            address = await asyncio.to_thread(find)
            watchdog = asyncio.create_task(keep_host(address, self._host_lost)) if address.solo else None
            if watchdog is not None:
                watchdog.add_done_callback(self._check_watchdog)
            try:
                word: str = await play_session.play_at(self, address)
            finally:
                if watchdog is not None:
                    watchdog.cancel()
        except TableError:
            self.pop_screen()
            raise
        self.pop_screen()
        return word

    def _check_watchdog(self, watchdog: "asyncio.Task[None]") -> None:
        """Handle an internal error of the watchdog: nobody waits for it."""
        error = None if watchdog.cancelled() else watchdog.exception()
        if isinstance(error, Exception):
            self._handle_exception(error)

    def _host_lost(self, problem: str) -> None:
        leave = key_names(self)["app.quit"]
        self.notify(f"{problem} Leave with {leave}; the game is saved.", severity="error", timeout=60)

    async def _visit_lobby(self, string: str) -> str:
        """Show the lobby of a host, and again after each table. Raise TableError."""
        await self._wait("Connecting..")
        try:
            host_lobby = await asyncio.to_thread(import_module, "tui.app.host_lobby")
            word: str = await host_lobby.visit_lobby(self, string)
        except TableError:
            self.pop_screen()
            raise
        self.pop_screen()
        return word

    async def _wait(self, text: str) -> None:
        """Show this sentence, painted at once: no empty screen comes before it."""
        self.hold()
        await self.push_screen(WaitScreen(text, self.glyphs, self.release))

    def say(self, text: str) -> None:
        """Show another sentence on the waiting screen, if it is open."""
        if isinstance(self.screen, WaitScreen):
            self.screen.say(text)


def collect_garbage() -> None:
    """Look for garbage from now on, but not in what has been loaded: that stays, and visiting it delays keys."""
    gc.freeze()
    gc.enable()


def leads_to_lobby(string: str) -> bool:
    """Whether a string leads to the lobby of a host and not to one of its tables."""
    try:
        return parse_join(string).table == LOBBY
    except JoinError:
        return False  # joining with it says what is wrong with it
