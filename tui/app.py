"""The Textual app: themes, keys, palette, signals, and the way from one screen to the next."""

import asyncio
import os
import signal
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

import cards
from core import catalog as catalogs
from tui import browse, learn
from tui.keys import TABLE
from tui.settings import Settings
from tui.table_keys import TableKeys, here_entries
from tui.text import ASCII, UNICODE, Glyphs


class KickdoorApp(App[str]):
    """One app for the menu and for tables; what it returns is a line for the shell."""

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "kickdoor"
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "leave", show=False, id="app.leave")]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.animation_level = "none"
        self.farewell = ""
        self.failed = ""

    @property
    def glyphs(self) -> Glyphs:
        """The signs to draw with."""
        return ASCII if self.settings.ascii else UNICODE

    def on_mount(self) -> None:
        """Theme, keys, and an orderly end when the terminal goes away."""
        if self.settings.theme in self.available_themes:
            self.theme = self.settings.theme
        self.set_keymap(self.settings.keymap())
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and os.name == "posix":
                loop.add_signal_handler(number, self._end)

    def _end(self) -> None:
        """Told to stop from outside: leave the terminal as it was found."""
        self.exit(self.farewell)

    def bell(self) -> None:
        """Ring, unless the player wants it quiet."""
        if self.settings.bell:
            super().bell()

    def get_system_commands(self, screen: Screen) -> Iterable[SystemCommand]:
        """Every action of the table is also a command."""
        if isinstance(screen, TableKeys):
            yield from table_commands(screen)
        yield SystemCommand("Look up cards", "Every card with its text", self.action_cards)
        yield SystemCommand("Look up rules", "Every clause, with a search", self.action_rules)
        yield SystemCommand("Learn", "What the game is about, in short pages", self.action_learn)
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave kickdoor", self.action_quit)


    def action_cards(self) -> None:
        """Cards of the table one sits at, or of the built-in set."""
        screen = self.screen
        if isinstance(screen, TableKeys):
            catalog = screen.session.catalog
        else:
            catalog = catalogs.load([cards.pack_files(set_id) for set_id in cards.BUILT_IN])
        self.push_screen(browse.BrowseScreen("Cards", browse.card_items(catalog), self.glyphs))

    def action_rules(self) -> None:
        """The rules catalogue."""
        self.push_screen(browse.BrowseScreen("Rules", browse.rule_items(), self.glyphs))

    def action_learn(self) -> None:
        """Pages for the first evening."""
        self.push_screen(browse.BrowseScreen("Learn", learn.PAGES, self.glyphs))


def table_commands(screen: TableKeys) -> Iterable[SystemCommand]:
    """What can be done at the table now: the entries of the open menu, then every key with its words."""
    for at, entry in enumerate(here_entries(screen.here)):
        yield SystemCommand(entry.label, "at the table, now", partial(screen.choose_entry, at))
    for key in TABLE:
        if key.show and not key.action.startswith("app.") and "(" not in key.action:
            yield SystemCommand(key.words, f"key {key.show}", getattr(screen, f"action_{key.action}"))

