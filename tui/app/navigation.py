"""The way through the app: menu, table, lobby, game, and back. One worker walks it; screens only end with a word."""

import asyncio
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.screen import Screen

from netcode.host.saved_games import SavedGame, list_saved_games
from netcode.protocol.credentials import JoinError, parse_join
from netcode.protocol.wire import LOBBY
from tui.app.app import KickdoorApp
from tui.app.main_menu import (
    STATED,
    host_rows,
    join_rows,
    kept_rows,
    menu_rows,
    options_in,
    play_rows,
    sets_in,
    settings_rows,
    with_values,
)
from tui.app.start_host import DEFAULT_SETS, Table, Trouble, again, hosted, known_sets, located, solo
from tui.config.settings import Settings, SettingsError, save
from tui.render.pane import Pane
from tui.scene.cells import Glyphs, Line, clip, wrap
from tui.screens.forms import FormScreen, Row, Values

Start = tuple[str, str, dict[str, Any]]


class WaitScreen(Screen[None]):
    """One sentence while something takes a moment."""

    AUTO_FOCUS = ""

    def __init__(self, text: str, glyphs: Glyphs) -> None:
        super().__init__()
        self.text, self.glyphs = text, glyphs

    def compose(self) -> ComposeResult:
        """The sentence."""
        yield Pane("form")

    def on_mount(self) -> None:
        """Draw once there is room."""
        self.call_after_refresh(lambda: self.query_one("#form", Pane).show(self._draw))

    def say(self, text: str) -> None:
        """Another sentence."""
        self.text = text
        self.query_one("#form", Pane).redraw()

    def _draw(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = [(), *(((f"  {text}", ""),) for text in wrap(self.text, width - 4, self.glyphs))]
        lines.append((("  Ctrl+Q leaves.", "dim"),))
        return [clip(line, width, self.glyphs) for line in (lines + [()] * height)[:height]]


class FlowApp(KickdoorApp):
    """The app as it is started by a command. `failed` is set if it ended for a reason worth an exit code."""

    def __init__(self, settings: Settings, start: Start) -> None:
        super().__init__(settings)
        self.start = start

    def on_mount(self) -> None:
        """Begin where the command says."""
        super().on_mount()
        self.run_worker(self.walk(), group="flow", exclusive=True, exit_on_error=True)

    async def walk(self) -> None:
        """From the command to the end of the app."""
        kind, string, wishes = self.start
        if kind == "menu":
            await self._menu()
            self.exit()
            return
        try:
            if kind == "play":
                self.farewell = await self._solo(wishes)
            elif kind == "resume":
                self.farewell = await self._resume(list_saved_games()[:1])
            elif kind == "replay":
                self.farewell = await self._screen(Path(string))
            elif kind == "lobby":
                self.farewell = await self._lobby(string)
            else:
                table = Table(string, "watch" if kind == "watch" else "player")
                self.farewell = await self._visit(lambda: table, "Connecting..")
        except Trouble as problem:
            self.failed = str(problem)
        self.exit(return_code=1 if self.failed else 0)

    # ----------------------------------------------------------------------------------------------------------- menu
    async def _menu(self) -> None:
        """The menu, until the player leaves it."""
        note, cursor = "", 0
        while True:
            screen = FormScreen("kickdoor", menu_rows(list_saved_games()), self.glyphs, INTRO, note)
            screen.cursor, screen.LEAVE = cursor, "ESC quit"
            answer = await self.push_screen_wait(screen)
            if answer is None or answer[0] == "quit":
                return
            cursor = screen.cursor
            try:
                note = await self._chosen(answer[0])
            except (Trouble, SettingsError) as problem:
                note = str(problem)

    async def _chosen(self, name: str) -> str:
        """Do what a row of the menu says; returns a remark for the menu."""
        if name == "play":
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
            return await self._replays()
        await self._look_up(name)
        return ""

    async def _replays(self) -> str:
        """Recorded games, until the player has seen enough of them."""
        from tui.screens.replay_list import ReplaysScreen

        cursor, word = 0, ""
        while not word:
            found = ReplaysScreen(self.glyphs)
            found.cursor = min(cursor, len(found.shown) - 1)
            await self.push_screen_wait(found)
            if found.chosen is None:
                return ""
            cursor = found.cursor
            word = await self._screen(found.chosen)
        return word

    async def _screen(self, path: Path) -> str:
        """Show a recorded game; returns what was wrong with it, or "". Raises Trouble."""
        from netcode.recording.recording import ReplayError
        from tui.screens.replay_list import screening

        await self.push_screen(WaitScreen("Winding the film..", self.glyphs))
        try:
            screen = await asyncio.to_thread(screening, path, self.glyphs)
        except ReplayError as problem:
            raise Trouble(str(problem)) from None
        finally:
            self.pop_screen()
        return await self.push_screen_wait(screen) or ""

    async def _look_up(self, name: str) -> None:
        """Cards, rules, pages to learn from."""
        await self.push_screen_wait(self.book(name))

    async def _form(self, title: str, rows: list[Row], intro: tuple[str, ...] = ()) -> Values | None:
        answer = await self.push_screen_wait(FormScreen(title, rows, self.glyphs, intro))
        return answer[1] if answer is not None else None

    async def _play_form(self) -> str:
        values = await self._form("Play against bots", play_rows(self.settings, known_sets()))
        if values is None:
            return ""
        self.settings.name = values["name"] or self.settings.name
        wishes = {
            "sets": sets_in(values), "bots": int(values["bots"]), "level": values["level"], "pace": values["pace"],
            "options": options_in(values),
        }  # fmt: skip
        return await self._solo(wishes)

    async def _host_form(self) -> str:
        values = await self._form("Host a table", host_rows(self.settings, known_sets()))
        if values is None:
            return ""
        self.settings.name = values["name"] or self.settings.name
        find = partial(hosted, values, sets_in(values), options_in(values))
        return await self._visit(find, "Opening the table..")

    async def _join_form(self) -> str:
        values = await self._form("Join a table", join_rows(self.settings))
        if values is None or not values["string"]:
            return ""
        self.settings.name = values["name"] or self.settings.name
        string = values["string"]
        if values["lan"] != STATED:
            await self.push_screen(WaitScreen("Looking for it on this network..", self.glyphs))
            try:
                string = await asyncio.to_thread(located, string)
            finally:
                self.pop_screen()
        if leads_to_lobby(string):
            return await self._lobby(string)
        table = Table(string, "watch" if values["as"] == "look on" else "player")
        return await self._visit(lambda: table, "Connecting..")

    async def _settings_form(self) -> str:
        values = await self._form("Settings", settings_rows(self.settings))
        if values is None:
            return ""
        self.settings = with_values(self.settings, values)
        save(self.settings)
        self.theme = self.settings.theme if self.settings.theme in self.available_themes else self.theme
        self.set_keymap(self.settings.keymap())
        return "Settings are kept (the mouse from the next start on)."

    # ---------------------------------------------------------------------------------------------------------- tables
    async def _solo(self, wishes: dict[str, Any]) -> str:
        """A table against bots. wishes: what was asked for; the settings say the rest."""
        full = {
            "sets": wishes.get("sets") or DEFAULT_SETS, "bots": int(wishes.get("bots") or self.settings.bots),
            "level": wishes.get("level") or self.settings.level, "pace": wishes.get("pace") or "book",
            "options": wishes.get("options") or (), "seed": wishes.get("seed"), "speed": self.settings.speed,
        }  # fmt: skip
        return await self._visit(lambda: solo(full, self.settings.name), "Laying out the table..")

    async def _resume(self, kept: list[SavedGame]) -> str:
        """Go on with one of these games for one. Raises Trouble if there is none."""
        if not kept:
            raise Trouble("There is no game to go on with: kickdoor play begins one.")
        at = 0
        if len(kept) > 1:
            answer = await self.push_screen_wait(FormScreen("Go on with", kept_rows(kept), self.glyphs))
            if answer is None:
                return ""
            at = int(answer[0])
        return await self._visit(lambda: again(kept[at]), "Taking the table up again..")

    async def _visit(self, find: Callable[[], Table], text: str) -> str:
        """Find (or open) a table and sit down at it, with a sentence on the screen until it is there. Raises Trouble.

        What a table needs is imported here: the first frame does not wait for it.
        """
        await self.push_screen(WaitScreen(text, self.glyphs))
        try:
            sitting = await asyncio.to_thread(import_module, "tui.app.play_session")
            table = await asyncio.to_thread(find)
            minding = asyncio.create_task(self._mind(table)) if table.solo else None
            try:
                word: str = await sitting.sit(self, table)
            finally:
                if minding is not None:
                    minding.cancel()
        except Trouble:
            self.pop_screen()
            raise
        self.pop_screen()
        return word

    async def _mind(self, table: Table) -> None:
        """While a private table is played: if its host dies, another one takes the game up at the same address, where
        the client finds it by itself."""
        for _ in range(RESTARTS):
            while table.host is not None and not table.host.crashed:
                await asyncio.sleep(MIND_S)
            if table.host is not None:
                try:
                    table.host = (await asyncio.to_thread(again, table.host.kept)).host
                except Trouble as problem:
                    self.notify(f"{problem} Leave with Ctrl+Q; it is kept.", severity="error", timeout=60)
                    return

    async def _lobby(self, string: str) -> str:
        """The tables of a host, and back to them from each. Raises Trouble."""
        await self.push_screen(WaitScreen("Connecting..", self.glyphs))
        try:
            tables = await asyncio.to_thread(import_module, "tui.app.host_lobby")
            word: str = await tables.visit(self, string)
        except Trouble:
            self.pop_screen()
            raise
        self.pop_screen()
        return word

    def say(self, text: str) -> None:
        """Another sentence on the waiting screen."""
        if isinstance(self.screen, WaitScreen):
            self.screen.say(text)


def leads_to_lobby(string: str) -> bool:
    """Whether a string leads to a host's lobby and not to one of its tables."""
    try:
        return parse_join(string).table == LOBBY
    except JoinError:
        return False  # who sits down with it is told what is wrong with it


MIND_S = 0.5
RESTARTS = 5
"""How often the host of a private table is started again before we give it up."""
INTRO = ("Kick open the door, fight what is behind it, take its treasure. Unofficial, and made by fans.",)

