"""The Textual app: theme, key map, command palette, signals, and what happens after an internal error."""

import asyncio
import io
import os
import signal
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console
from textual import events
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.command import CommandPalette, SearchIcon
from textual.driver import Driver
from textual.geometry import Size
from textual.messages import TerminalSupportsSynchronizedOutput
from textual.notifications import Notify, SeverityLevel
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.widgets import Input
from textual.worker import WorkerFailed

from netcode import VERSION
from netcode.client.connection import distrust_for
from netcode.protocol.credentials import data_folder, write_private
from netcode.reporting import describe_fault, fault_line
from tui.app.foreign_keys import ForeignKeys
from tui.app.job_control import can_stop, stop
from tui.app.key_queue import KeyQueue, Pressed
from tui.app.lost_terminal import watch_terminal
from tui.app.notes import NOTES, TALK, Notes
from tui.app.pasting import one_line, room_in
from tui.app.terminal_latency import Link, measured
from tui.app.terminal_words import TerminalWords
from tui.app.themes import own_themes, variables_of
from tui.app.toolkit import begin_with_theme, driver_of, drop_notes, mend_toolkit
from tui.config.keymap import APP, LEAVING, keys_now
from tui.config.places import APP_LEAVE
from tui.config.settings import Settings
from tui.config.surroundings import here
from tui.portraits.pixels import Look, look_for
from tui.scene.cells import ASCII, UNICODE, Glyphs
from tui.screens.opening import close
from tui.widgets.bound import bound, key_names
from tui.widgets.table.middle import cut_news

HOLD_S = 0.5
"""The longest time for which a new screen is not painted."""
NO_FIELD = "What you pasted was not used: no field for text is open."
NO_JOB_CONTROL = "Nothing here could bring kickdoor back: no shell with job control started it. {} leaves."


class KickdoorApp(App[str]):
    """The base of the app. `farewell` is a line for the shell, `failed` an error for it."""

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "kickdoor"
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [*bound(APP_LEAVE), *bound(APP, priority=True)]

    def __init__(self, settings: Settings) -> None:
        mend_toolkit()
        self.link = Link()
        super().__init__()
        if self.console.color_system == "256":
            self.link.coarse = True
            self.console = _true_colours()
        for theme in own_themes():
            self.register_theme(theme)
        self.settings = settings
        if settings.theme in self.available_themes:
            begin_with_theme(self, settings.theme)
        self._animated = self.animation_level != "none"  # as TEXTUAL_ANIMATIONS says
        self.animation_level = "none"
        self.farewell = ""
        self.failed = ""
        self.trusts = True
        """Whether what is shown comes from this program, not from somebody else's host."""
        self._sized: Size | None = None  # the first size is no change
        self._holding: Timer | None = None
        self._notes = Notes()
        self.keys = KeyQueue(self, self._key)
        self._foreign = ForeignKeys(self)
        self._words = TerminalWords(self._tell_terminal, here().terminal)
        self.link.titled = self._words.able
        self._in_front: bool | None = None
        """Whether the window of the terminal has the focus; None: the terminal has not said."""

    def get_driver_class(self) -> type[Driver]:
        """Return the driver of this platform, changed to measure the times of its frames."""
        return measured(super().get_driver_class(), self.link)

    def on_terminal_supports_synchronized_output(self, message: TerminalSupportsSynchronizedOutput) -> None:
        """Take in an answer of the terminal; on a slow link, draw emblems from now on."""
        before = self.portrait_look
        self.link.answered(message.time)
        if self.portrait_look != before:
            self.notify("The link to this terminal is slow: emblems take the place of portraits.")
            for screen in self.screen_stack:
                getattr(screen, "take_look", bool)()

    @property
    def portrait_look(self) -> Look:
        """How portraits are drawn here."""
        colours = None if self.no_color else "truecolor" if self.is_headless else self.console.color_system
        return look_for(colours, self.settings.portraits and not self.link.slow)

    @property
    def moves(self) -> bool:
        """Whether things on the screen move here."""
        remote = here().remote and self.settings.motion != "always"
        return self._animated and self.settings.motion != "never" and not remote and not self.link.slow

    @property
    def glyphs(self) -> Glyphs:
        """The characters to draw with."""
        return ASCII if self.settings.ascii or here().lacks_characters else UNICODE

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return our colours for a theme of the toolkit; our own themes have them."""
        return variables_of(self.current_theme)

    def on_mount(self) -> None:
        """Set theme and keys, and handle the signals that end the program."""
        self.apply_settings()
        self.entitle()
        self.app_resume_signal.subscribe(self, self._resumed)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._handle_loop_error)
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and os.name == "posix":
                loop.add_signal_handler(number, self._end)
        if not self.is_headless:
            watch_terminal(partial(self.call_later, self._end))

    def apply_settings(self) -> None:
        """Use the colours, keys and characters of the settings."""
        if self.settings.theme in self.available_themes:
            self.theme = self.settings.theme
        self.set_keymap(self.settings.keymap())
        self.set_class(self.glyphs.ascii, "-ascii")

    def _end(self) -> None:
        """Handle SIGTERM and SIGHUP: exit in the regular way, which restores the terminal."""
        self.exit(self.farewell)

    def _handle_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an internal error outside of widgets and workers: the game goes on, and the player is told."""
        error = context.get("exception")
        if isinstance(error, BaseException) and not self.trusts:
            self._leave_host(error)
        elif isinstance(error, BaseException):
            self.notify(f"An internal error; {crash_details(error)}.", severity="error", timeout=20, markup=False)

    def handle_error(self, error: Exception) -> bool:
        """Handle an internal error: a sentence for the player, the traceback in a file. Return whether that was done:
        tests get the exception."""
        if self.is_headless:
            return False
        if not self.trusts:
            self._leave_host(error)
        else:
            self.failed = crash_words(error, self.farewell)
            self.exit(return_code=1)
        return True

    def _leave_host(self, error: BaseException) -> None:
        """End with one sentence, since a message of somebody else's host has caused an internal error."""
        inner = error.error if isinstance(error, WorkerFailed) else error
        self.failed = f"{distrust_for(inner)}. {self.farewell}".rstrip()
        self.exit(return_code=1)

    def notify(
        self, message: str, *, title: str = "", severity: SeverityLevel = "information", timeout: float | None = None,
        markup: bool = True,
    ) -> None:  # fmt: skip
        """Show a note for some seconds: news in place of the oldest of NOTES, others only if there are fewer. It is cut
        where the table has no room for all of it."""
        if self._notes.take(severity, self.NOTIFICATION_TIMEOUT if timeout is None else timeout):
            message = message if markup or title else cut_news(self, message, self.glyphs)
            super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    def on_notify(self, event: Notify) -> None:
        """Take away the oldest notes that have no room beside this one."""
        drop_notes(self, event.notification.severity, NOTES - 1)

    def overhear(self, text: str) -> None:
        """Show what somebody says at the table, unless NOTES of talk are shown or wait already."""
        if self._notes.take(TALK, self._notes.talk_waits_s() + self.NOTIFICATION_TIMEOUT):
            self._overhear(text)

    def _overhear(self, text: str) -> None:
        """Show what somebody says once all other notes have gone."""
        wait = self._notes.talk_waits_s()
        if wait:
            self.set_timer(wait, partial(self._overhear, text))
        else:
            super().notify(text, markup=False)

    def bell(self) -> None:
        """Ring, unless the player has turned the bell off. Notify the desktop, if the player has turned that on and the
        window does not have the focus."""
        if self.settings.bell:
            super().bell()
        if not self._in_front:
            self._words.call(self.settings.notify)

    def on_app_focus(self) -> None:
        """Note that the terminal has the focus."""
        self._in_front = True

    def on_app_blur(self) -> None:
        """Note that the terminal has lost the focus."""
        self._in_front = False

    def entitle(self, text: str = "") -> None:
        """Give the window of the terminal this title, followed by the name of the program."""
        between = " - " if self.glyphs.ascii else " · "
        self._words.entitle(f"{text}{between}{self.TITLE}" if text else str(self.TITLE))

    def _tell_terminal(self, data: str) -> None:
        driver = driver_of(self)
        if driver is not None:
            driver.write(data)

    def get_system_commands(self, screen: Screen) -> Iterable[SystemCommand]:
        """List the commands of the screen (the table: every action), then the books and the app's own commands."""
        for words, hint, call in getattr(screen, "commands", tuple)():
            yield SystemCommand(words, hint, call)
        for name, hint in BOOKS.items():
            yield SystemCommand(f"Look up: {name}", hint, partial(self.action_book, name))
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave kickdoor", self.action_quit)

    async def action_quit(self) -> None:
        """Leave; from a screen that lies over a table, as the table does, which asks first."""
        for table, over in zip(self.screen_stack[-2::-1], self.screen_stack[:0:-1]):
            asks = getattr(table, "ask_to_leave", None)
            if asks is not None:
                close(over)
                table.call_later(asks)
                return
        await super().action_quit()

    async def action_interrupt(self) -> None:
        """Ask to leave, as the leave key of this screen does; close every dialog first."""
        dialogs = [*takewhile(lambda screen: isinstance(screen, ModalScreen), reversed(self.screen_stack))]
        if dialogs:
            close(dialogs[-1])
        if isinstance(self.screen, ModalScreen):  # it has not opened yet: it closes as soon as it has
            self.screen.call_later(self.action_interrupt)
            return
        active = [found for found in self.screen.active_bindings.values() if found.binding.id in LEAVING]
        if active:
            await self.run_action(active[0].binding.action, active[0].node)
        else:
            await self.action_quit()

    def action_suspend_process(self) -> None:
        """Suspend the program until the shell continues it (fg)."""
        driver = driver_of(self)
        if driver is None or not driver.can_suspend or not can_stop():
            self.notify(NO_JOB_CONTROL.format(key_names(self)["app.leave"]), severity="warning", timeout=10)
            return
        self.app_suspend_signal.publish(self)
        stop()

    async def on_event(self, event: events.Event) -> None:
        """Take keys and pastes of the terminal one at a time. An event comes a second time if no widget has used the
        key. If another screen is in front by then, drop it, since it was not meant for that screen, unless it leaves
        the app from any screen."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self.keys.take(event)
        elif not isinstance(event, events.Key) or self.keys.front is self.screen:
            await super().on_event(event)
        elif event.key in keys_now(self.settings.keymap())["app.leave"]:
            await self.action_quit()

    async def _paste(self, event: events.Paste) -> None:
        """Put a pasted text into the field where the player types, in one line; elsewhere it does nothing."""
        field = self.focused
        if not isinstance(field, Input):
            self.notify(NO_FIELD, severity="warning", markup=False)
            return
        text, room = one_line(event.text), room_in(field)
        if len(text) > room:
            self.notify(f"Only {room} of the {len(text)} characters fit here.", severity="warning", markup=False)
        await super().on_event(events.Paste(text[:room]))

    async def _key(self, event: Pressed) -> None:
        """Handle a key. It first ends what moves on the screen. The key that leaves a screen closes every dialog over
        it first, as Ctrl+C does. A key of another layout counts as the key that it stands for."""
        if isinstance(event, events.Paste):
            await self._paste(event)
            return
        getattr(self.screen, "stand_still", bool)()
        event = self._foreign.understood(event)
        if self._leads_out(event.key):
            await self.action_interrupt()
        else:
            await super().on_event(event)

    def _leads_out(self, key: str) -> bool:
        """Return whether a key leaves the screen below a dialog, and the dialog has no other use for it."""
        screen = self.screen
        if not isinstance(screen, ModalScreen) or getattr(screen, "takes_every_key", False):
            return False
        if key in screen.active_bindings:
            return False
        keys = keys_now(self.settings.keymap())
        return any(key in keys[ident] for ident in ("app.quit", "app.leave"))

    @property
    def holding(self) -> bool:
        """Whether painting is held back."""
        return self.link.mirror.held

    def hold(self) -> None:
        """Paint nothing until `release`, or for HOLD_S, so that a new screen is painted once, when its layout has
        settled."""
        self.link.mirror.held = True
        if self._holding is not None:
            self._holding.stop()
        self._holding = self.set_timer(HOLD_S, self.release)

    def release(self) -> None:
        """Paint the screen as it is now, if painting has been held back."""
        if self._holding is not None:
            self._holding.stop()
            self._holding = None
            self.link.mirror.held = False
            self._refresh_screen()

    def _refresh_screen(self, layout: bool = False) -> None:
        if self.screen_stack:  # none while the app ends
            self.screen.refresh(layout=layout)

    def on_resize(self, event: events.Resize) -> None:
        """Draw everything again in a window that was resized, since the terminal may have moved its lines. The toolkit
        tells the first size twice."""
        before, self._sized = self._sized, event.size
        if before is not None and not (self.holding and event.size == before):
            self.link.mirror.forget()

    def _resumed(self, _: object = None) -> None:
        """Draw everything again, and set our title, after the shell had the terminal."""
        self._words.again()
        self.repaint()

    def repaint(self) -> None:
        """Draw everything again, since the terminal has lost what was on it."""
        self.link.mirror.forget()
        self.refresh(layout=True)
        self._refresh_screen(layout=True)

    def action_repaint(self) -> None:
        """Draw everything again: another program may have written on the terminal."""
        self.repaint()

    def action_command_palette(self) -> None:
        """Open the command palette, in ASCII if the player has asked for it."""
        if any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            return  # it is open already, perhaps below a newer screen
        if not self.glyphs.ascii:
            super().action_command_palette()
        elif self.use_command_palette:
            self.push_screen(PlainPalette())

    def action_book(self, name: str) -> None:
        """Open a book: cards, the gallery, rules or the short guide."""
        self.push_screen(self.book(name))

    def book(self, name: str) -> Screen[None]:
        """Return the screen of a book. At a table, `cards` and `gallery` show the cards in play, elsewhere the built-in
        ones."""
        if name in ("rules", "guide"):
            return self._text_book(name)
        from tui.scene import card_book  # opened from the palette: a table does not wait for it
        from tui.scene.faces import Faces
        from tui.screens.card_browser import CardBrowserScreen
        from tui.screens.gallery import GalleryScreen

        session = getattr(self.screen, "session", None)
        catalog = session.catalog if session is not None else card_book.built_in()
        if name == "gallery":
            return GalleryScreen(card_book.entries(catalog), Faces(catalog), self.glyphs)
        return CardBrowserScreen(catalog, self.glyphs)

    def _text_book(self, name: str) -> Screen[None]:
        from tui.scene import book  # opened from the palette: a table does not wait for it
        from tui.scene.short_guide import guide
        from tui.screens.book import BookScreen

        if name == "guide":
            return BookScreen("Short guide", guide(key_names(self)), self.glyphs)
        sets = [title for key, title in book.BOOKS.items() if key != "all"]
        return BookScreen("Rules", book.rule_chapters(), self.glyphs, sets)

    def say(self, text: str) -> None:
        """Show what the app is waiting for, if a waiting screen is open."""


class PlainPalette(CommandPalette):
    """The command palette of Textual, drawn in ASCII."""

    DEFAULT_CSS = """
    PlainPalette #--input, PlainPalette #--input.--list-visible { border: none; border-top: ascii $foreground; }
    PlainPalette CommandList { border: none; border-bottom: ascii $foreground; scrollbar-size: 0 0; }
    """

    def __init__(self) -> None:
        super().__init__(placeholder="Search for commands...", id="--command-palette")

    def on_mount(self) -> None:
        """Show a slash instead of the icon, as lists do."""
        for icon in self.query(SearchIcon):
            icon.icon = "/"


def _true_colours() -> Console:
    """Return the toolkit's console, with true colours. The nearest colours of the terminal are chosen when a frame is
    written; they come nearer to ours than the toolkit's choice."""
    return Console(
        color_system="truecolor", file=io.StringIO(), highlight=False, emoji=False, legacy_windows=False,
        force_terminal=True, safe_box=False,
    )  # fmt: skip


def crash_words(error: BaseException, farewell: str) -> str:
    """Write an internal error to the crash file; return the sentence for the player."""
    return f"kickdoor stopped because of an internal error; {crash_details(error)}. {farewell}".rstrip()


def crash_details(error: BaseException) -> str:
    """Write an internal error with its causes to the data folder, readable by its owner only. Return the path."""
    while isinstance(error, WorkerFailed):  # a worker of Textual's: its error is the cause
        error = error.error
    where = data_folder() / "crash.txt"
    told = f"details are in {where}, please report it"
    if not here().own_machine:
        told = "tell whoever runs this server, who finds the details there"
    head = f"kickdoor {VERSION}, {datetime.now().isoformat(' ', 'seconds')}"
    try:
        write_private(where, f"{head}\n{describe_fault(error)}\n")
    except OSError as problem:
        where_not = f"{where} cannot be written ({problem.strerror}), " if here().own_machine else ""
        return f"{where_not}the error is {fault_line(error)}"
    return told


BOOKS = {
    "cards": "Every card with its text and what it does",
    "gallery": "Every card as a picture, on one page",
    "rules": "Every clause, with a search",
    "guide": "The game and its keys on eight short pages",
}
"""The books that can be opened at any time, each with a hint."""
