"""The way through the app: menu, table, lobby, game, and back. One worker walks it; screens only end with a word."""

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult
from textual.screen import Screen

from core import catalog as catalogs
from netcode.client import Client, ClientError
from netcode.machine import Role
from netcode.packs import PackError, load_packs, user_packs
from tui import browse, learn
from tui.app import KickdoorApp
from tui.asides import farewell
from tui.forms import FormScreen, Row, Values
from tui.lobby import LobbyScreen
from tui.menu import host_rows, join_rows, menu_rows, play_rows, settings_rows, with_values
from tui.panes import Pane
from tui.session import Session
from tui.settings import Settings, SettingsError, save
from tui.table import TableScreen
from tui.text import Glyphs, Line, clip, wrap

Start = tuple[str, str, dict[str, Any]]
DEFAULT_SETS = ("munchkins-and-mazes",)


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

    def _draw(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = [(), *(((f"  {text}", ""),) for text in wrap(self.text, width - 4, self.glyphs))]
        lines.append((("  Ctrl+Q leaves.", "dim"),))
        return [clip(line, width, self.glyphs) for line in (lines + [()] * height)[:height]]


@dataclass
class Table:
    """A table to sit down at: its string, as what, the join strings to show others, and whether it is for one."""

    string: str
    role: Role = "player"
    invitation: tuple[str, ...] = ()
    solo: bool = False


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
            role: Role = "watch" if kind == "watch" else "player"
            table = await self._solo(wishes) if kind == "play" else Table(string, role)
            self.farewell = await self._sit(table)
        except (ClientError, PackError, catalogs.PackError) as problem:
            self.failed = str(problem)
        self.exit(return_code=1 if self.failed else 0)

    # ----------------------------------------------------------------------------------------------------------- menu
    async def _menu(self) -> None:
        """The menu, until the player leaves it."""
        note, cursor = "", 0
        while True:
            screen = FormScreen("kickdoor", menu_rows(), self.glyphs, INTRO, note)
            screen.cursor, screen.LEAVE = cursor, "ESC quit"
            answer = await self.push_screen_wait(screen)
            if answer is None or answer[0] == "quit":
                return
            cursor = screen.cursor
            try:
                note = await self._chosen(answer[0])
            except (ClientError, PackError, catalogs.PackError, SettingsError) as problem:
                note = str(problem)

    async def _chosen(self, name: str) -> str:
        """Do what a row of the menu says; returns a remark for the menu."""
        if name == "play":
            return await self._play_form()
        if name == "host":
            return await self._host_form()
        if name == "join":
            return await self._join_form()
        if name == "settings":
            return await self._settings_form()
        await self._look_up(name)
        return ""

    async def _look_up(self, name: str) -> None:
        """Cards, rules, pages to learn from."""
        if name == "learn":
            screen = browse.BrowseScreen("Learn", learn.PAGES, self.glyphs)
        elif name == "rules":
            screen = browse.BrowseScreen("Rules", browse.rule_items(), self.glyphs)
        else:
            catalog = catalogs.load([pack.files for pack in load_packs(DEFAULT_SETS)])
            screen = browse.BrowseScreen("Cards", browse.card_items(catalog), self.glyphs)
        await self.push_screen_wait(screen)

    async def _form(self, title: str, rows: list[Row], intro: tuple[str, ...] = ()) -> Values | None:
        answer = await self.push_screen_wait(FormScreen(title, rows, self.glyphs, intro))
        return answer[1] if answer is not None else None

    async def _play_form(self) -> str:
        values = await self._form("Play against bots", play_rows(self.settings, known_sets()))
        if values is None:
            return ""
        self.settings.name = values["name"] or self.settings.name
        wishes = {
            "sets": (values["set"],), "bots": int(values["bots"]), "level": values["level"], "pace": values["pace"],
            "options": tuple(values["options"].split()),
        }  # fmt: skip
        return await self._sit(await self._solo(wishes))

    async def _host_form(self) -> str:
        values = await self._form("Host a table", host_rows(self.settings, known_sets()))
        if values is None:
            return ""
        self.settings.name = values["name"] or self.settings.name
        return await self._sit(await self._hosted(values))

    async def _join_form(self) -> str:
        values = await self._form("Join a table", join_rows(self.settings))
        if values is None or not values["string"]:
            return ""
        self.settings.name = values["name"] or self.settings.name
        return await self._sit(Table(values["string"], "watch" if values["as"] == "look on" else "player"))

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
    async def _solo(self, wishes: dict[str, Any]) -> Table:
        """A private host for one player. Raises ClientError."""
        await self.push_screen(WaitScreen("Laying out the table..", self.glyphs))
        wishes = {
            "sets": wishes.get("sets") or DEFAULT_SETS, "bots": int(wishes.get("bots") or self.settings.bots),
            "level": wishes.get("level") or self.settings.level, "pace": wishes.get("pace") or "book",
            "options": wishes.get("options") or (), "seed": wishes.get("seed"), "speed": self.settings.speed,
        }  # fmt: skip
        try:
            return Table(await asyncio.to_thread(solo_host, wishes), solo=True)
        finally:
            self.pop_screen()

    async def _hosted(self, values: Values) -> Table:
        """A host process for friends; it goes on when this app ends. Raises ClientError."""
        command = [
            sys.executable, "-m", "tui", "host", "--json", "--set", values["set"], "--seats", values["seats"],
            "--bots", values["bots"], "--pace", values["pace"], "--port", values["port"] or "7788",
            "--bind", "0.0.0.0" if values["reach"] == "everybody on the network" else "127.0.0.1",
        ]  # fmt: skip
        for option in values["options"].split():
            command += ["--option", option]
        await self.push_screen(WaitScreen("Opening the table..", self.glyphs))
        try:
            strings = await asyncio.to_thread(first_answer, command)
        finally:
            self.pop_screen()
        return Table(strings["owner"], invitation=tuple(strings["joins"][:3]))

    async def _sit(self, table: Table) -> str:
        """Sit down, play, get up; returns a line for the shell or the menu. Raises ClientError."""
        client = Client(table.string, self.settings.name, role=table.role)
        await self.push_screen(WaitScreen(f"Connecting to {client.target.host}:{client.target.port}..", self.glyphs))
        try:
            await client.join()
            catalog = catalogs.load(await client.packs())
        finally:
            self.pop_screen()
        session = Session(client, catalog, self.glyphs)
        if table.role == "player":
            client.set(speed=speed_of(self.settings), ready=True if table.solo else None)
        self.farewell = farewell("left", table.string, table.solo) if table.role == "player" else ""
        how = await self._at_table(session, table)
        reason = client.reason
        if how == "gone" and client.stage != "synced":
            how = "left"
        await (client.leave() if how == "gone" else client.close())
        session.stop()
        if how == "closed" and client.code not in ("ended", "left"):
            raise ClientError(client.code, f"The table is gone: {reason}")
        return farewell(how, table.string if table.role == "player" else "", table.solo)

    async def _at_table(self, session: Session, table: Table) -> str:
        """Lobby and game in turn, until the player leaves or the table is closed."""
        while True:
            screen: Screen[str] = TableScreen(session) if session.playing else LobbyScreen(session, table.invitation)
            how = await self.push_screen_wait(screen)
            if how not in ("table", "lobby"):
                return how or "left"


INTRO = ("Kick open the door, fight what is behind it, take its treasure. Unofficial, and made by fans.",)


def known_sets() -> tuple[str, ...]:
    """Ids of the built-in packs and of those in the player's own folder."""
    folder = user_packs()
    own = [entry.name for entry in folder.iterdir() if (entry / "pack.toml").is_file()] if folder.is_dir() else []
    return (*DEFAULT_SETS, *sorted(own))


def speed_of(settings: Settings) -> Any:
    """The speed of bots as the wire names it (settings hold no other)."""
    return settings.speed


def solo_host(wishes: dict[str, Any]) -> str:
    """Start a private host and return the string that leads to its table. Raises ClientError.

    The host's side is imported here, beside the first frame and not before it.
    """
    from netcode.serve import ConfigError, HostConfig, spawn_solo

    config = HostConfig(
        sets=tuple(wishes["sets"]), seats=wishes["bots"] + 1, bot_level=wishes["level"], pace=wishes["pace"],
        options=tuple(wishes["options"]), seed=wishes["seed"], speed=wishes["speed"],
    )  # fmt: skip
    try:
        return spawn_solo(config).join
    except ConfigError as problem:
        raise ClientError("host", str(problem)) from None


def first_answer(command: list[str]) -> dict[str, Any]:
    """Start a host and read its first line. Raises ClientError with what it had to say instead."""
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )  # fmt: skip
    assert child.stdout is not None and child.stderr is not None
    line = child.stdout.readline()
    try:
        answer: dict[str, Any] = json.loads(line)
    except ValueError:
        child.wait(10)
        text = child.stderr.read().decode(errors="replace").strip().removeprefix("kickdoor host: ")
        raise ClientError("host", text or "the host did not start") from None
    return answer
