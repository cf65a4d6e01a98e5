"""The Textual app: themes, keys, palette, signals, and the way from one screen to the next."""

import asyncio
import os
import signal
import traceback
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar

import platformdirs
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, SearchIcon
from textual.screen import Screen

from tui.config.settings import Settings
from tui.scene.cells import ASCII, UNICODE, Glyphs


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

    def _handle_exception(self, error: Exception) -> None:
        """A fault of the program: one sentence for the player, the story in a file; tests get the fault itself."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self.failed = crash_words(error, self.farewell)
        self.exit(return_code=1)

    def bell(self) -> None:
        """Ring, unless the player wants it quiet."""
        if self.settings.bell:
            super().bell()

    def get_system_commands(self, screen: Screen) -> Iterable[SystemCommand]:
        """What can be looked up anywhere, and what the screen offers (the table: everything that can be done)."""
        for words, hint, call in getattr(screen, "commands", tuple)():
            yield SystemCommand(words, hint, call)
        for name, hint in BOOKS.items():
            yield SystemCommand(f"Look up: {name}", hint, partial(self.action_book, name))
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave kickdoor", self.action_quit)

    def action_command_palette(self) -> None:
        """Every command by name, with plain signs if the player wants no others."""
        if not self.settings.ascii:
            super().action_command_palette()
        elif self.use_command_palette and not isinstance(self.screen, CommandPalette):
            self.push_screen(PlainPalette())

    def action_book(self, name: str) -> None:
        """Open something to look things up in: cards, rules, learn."""
        self.push_screen(self.book(name))

    def book(self, name: str) -> Screen[None]:
        """The screen of a book: cards (of the table one sits at, or the built-in ones), rules, learn."""
        from tui.screens import browse

        if name == "rules":
            return browse.BrowseScreen("Rules", browse.rule_items(), self.glyphs)
        if name == "learn":
            return browse.BrowseScreen("Learn", browse.PAGES, self.glyphs)
        session = getattr(self.screen, "session", None)
        items = browse.card_items(session.catalog if session is not None else browse.built_in())
        return browse.BrowseScreen("Cards", items, self.glyphs)

    def say(self, text: str) -> None:
        """A sentence while something takes a moment; where nothing waits there is nothing to say."""


class PlainPalette(CommandPalette):
    """Textual's palette without the signs that a plain terminal has not got."""

    DEFAULT_CSS = """
    PlainPalette #--input, PlainPalette #--input.--list-visible { border: none; border-top: ascii $foreground; }
    PlainPalette CommandList { border: none; border-bottom: ascii $foreground; scrollbar-size: 0 0; }
    """

    def __init__(self) -> None:
        super().__init__(placeholder="Search for commands...", id="--command-palette")

    def on_mount(self) -> None:
        """A slash, as in the lists, instead of a picture."""
        for icon in self.query(SearchIcon):
            icon.icon = "/"


def crash_words(error: Exception, farewell: str) -> str:
    """What a player reads after a fault of the program; the traceback is kept beside the saved seats."""
    where = Path(platformdirs.user_data_dir("kickdoor")) / "crash.txt"
    story = "".join(traceback.format_exception(error))
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(story, "utf-8")
        kept = f"the story is in {where}, please report it"
    except OSError as problem:
        kept = f"{where} cannot be written ({problem.strerror}), the fault was {type(error).__name__}: {error}"
    return f"kickdoor has a fault and had to stop; {kept}. {farewell}".rstrip()


BOOKS = {
    "cards": "Every card with its text and what it does",
    "rules": "Every clause, with a search",
    "learn": "What the game is about, in short pages",
}
"""What can be looked up at any time, and what for."""
