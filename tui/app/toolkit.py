"""Our repairs of the toolkit, and every private name of it that we use. docs/toolkit-reports.md describes each fault.
tests/tui/app/test_toolkit.py fails once the toolkit has repaired one: then remove its row in both places."""

import codecs
import sys
import time
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from textual import events
from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.color import Color
from textual.command import CommandList, CommandPalette
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget
from textual.widgets import OptionList

from netcode.processes.streams import dangerous
from tui.app.pasting import Pastes

VERSION = "8.2.8"
"""The last version of Textual that has these faults."""


class Mend(NamedTuple):
    """A part of the toolkit that we replace. owner: a class or a module; theirs: the toolkit's own; fault: what is
    wrong with it."""

    owner: Any
    name: str
    ours: Any
    fault: str
    theirs: Any = None

    def put(self, part: Any) -> None:
        """Let the toolkit use this part."""
        setattr(self.owner, self.name, part)




# ------------------------------------------------------------------------------------------------------------- memory
@lru_cache(maxsize=1024)
def _grounds(base: Color, background: Color) -> tuple[Style, Style]:
    """Return the background inside and outside a border, looked up by the colours alone."""
    return Style(background=base + background), Style(background=base)


# ------------------------------------------------------------------------------------------------------ lists, screens
def _move_in_lines(options: OptionList, direction: Literal[-1, 1]) -> None:
    """Move by a page in a list, if it has lines: it has none while it is hidden, in a tiny window, or just opened."""
    if options.scrollable_content_region:
        _THEIRS["_move_page"](options, direction)


def _height_in_a_column(options: OptionList, container: Size, viewport: Size, width: int) -> int:
    """Return the height of a list. It counts on one column at least, also in a window that has none for it."""
    padding = options.get_component_styles("option-list--option").padding.width
    height: int = _THEIRS["get_content_height"](options, container, viewport, max(width, padding + 1))
    return height


def _show_hits(palette: CommandPalette) -> None:
    """Show or hide the list of a palette, unless it is closing: a search that still runs has found something."""
    if palette.query(CommandList):
        _THEIRS["_watch__list_visible"](palette)


async def _show_search(palette: CommandPalette) -> None:
    """The same for the sign that a search runs."""
    if palette.query(CommandList):
        await _THEIRS["_watch__show_busy"](palette)


def _dismiss_once(screen: Screen[Any], result: Any = None) -> AwaitComplete:
    """Close a screen that is in front, once it is mounted."""
    if screen.app.screen is not screen:
        return AwaitComplete.nothing()
    if not screen.is_mounted:
        screen.call_later(_close_now, screen, result)
        return AwaitComplete.nothing()
    closed: AwaitComplete = _THEIRS["dismiss"](screen, result)
    return closed


def _close_now(screen: Screen[Any], result: Any) -> None:
    screen.dismiss(result)  # not awaited: the screen cannot wait for its own end


def _resume(screen: Screen[Any], event: events.ScreenResume) -> None:
    """Style a screen when another one has closed, but not when it opens, since it has just been styled. (A dialog draws
    what lies below it; here and below, it keeps the toolkit's behaviour.)"""
    if not screen.is_modal:
        event.refresh_styles = screen.stack_updates > 0
    _THEIRS["_on_screen_resume"](screen, event)


def _refresh(screen: Screen[Any]) -> None:
    """Render a screen, but paint nothing while painting is held back: the whole screen is painted afterwards. Nor is a
    screen painted that the one in front hides: it is painted whole once it is in front again."""
    front = screen.app.screen
    if screen is not front and front.styles.background.a == 1:
        screen._dirty_widgets.clear()
        screen._compositor._dirty_regions.clear()
        return
    if screen.is_modal or not getattr(screen.app, "holding", False):
        _THEIRS["_compositor_refresh"](screen)


def _focused_without_repaint() -> Reactive[Widget | None]:
    """Return the attribute of a screen that names the widget with the focus. A change repaints no more than the widgets
    that look otherwise."""
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    focused.__set_name__(Screen, "focused")
    return focused


def _renders_within(compositor: Compositor, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
    """Render the widgets that are seen in a region, each with its place and what clips it. (Theirs renders all widgets
    of each container that the region touches.)"""
    for widget, (region, clip) in compositor.visible_widgets.items():
        seen = region.intersection(clip)
        if seen and (crop is None or crop.overlaps(seen)):
            yield region, clip, widget.render_lines(seen.translate(-region.offset))


def _load_css(app: App[Any], screen: Screen[Any]) -> None:
    """Read the style sheet that a screen names, unless an earlier screen has. It does not apply to open screens."""
    new = [path for path in screen.css_path if not app.stylesheet.has_source(str(path))]
    if new:
        app.stylesheet.read_all(new)
        app.stylesheet.parse()


def _handle_error(app: App[Any], error: Exception) -> None:
    """Let an app handle an internal error in its own way."""
    handle = getattr(app, "handle_error", None)
    if handle is None or not handle(error):
        _THEIRS["_handle_exception"](app, error)


# ------------------------------------------------------------------------------------------------- a closed window
def _write_until_gone(thread: WriterThread) -> None:
    """Write to the terminal until it is gone. From then on, drop what is to be written; otherwise the program would
    wait forever for room in the queue, and end neither itself nor the host of its game."""
    try:
        _THEIRS["run"](thread)
    except OSError:
        while thread._queue.get() is not None:
            pass


# ------------------------------------------------------------------------------------------- bytes that are no UTF-8
def _forgiving_decoder(encoding: str) -> Callable[..., codecs.IncrementalDecoder]:
    """Return a decoder that replaces what it cannot read: the thread that reads the terminal would end."""
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")


# --------------------------------------------------------------------------------------------- a signal to go on
def _continue(driver: Any, *_: object) -> None:
    """Begin again what Ctrl+Z has suspended. A program that runs, or was stopped from outside, is drawn anew; one that
    ends goes on ending: SIGCONT follows SIGHUP when the session of a terminal ends."""
    if driver._must_signal_resume:
        _THEIRS["_sigcont_application"](driver)
    elif driver._app.is_running:
        driver.send_message(Driver.SignalResume())


# ---------------------------------------------------------------------------------------------------------- pastes
_PASTES: WeakKeyDictionary[XTermParser, Pastes] = WeakKeyDictionary()


def _feed_with_pastes(parser: XTermParser, data: str) -> Iterable[Message]:
    """Read what the terminal sends; a paste that it does not mark is one all the same."""
    pastes = _PASTES.setdefault(parser, Pastes())
    found: Iterable[Message] = _THEIRS["feed"](parser, pastes.marked(data, time.monotonic()))
    return found


# ------------------------------------------------------------------------------------------------- control characters
def _render_harmless(strip: Strip, console: Console) -> str:
    """Return a piece of a line for the terminal: the last filter for text by strangers, whatever widget shows it. (Our
    own lines are clean already: tui/scene/cells.py. We use no links of the terminal.)"""
    if strip._render_cache is None and not all(map(_is_harmless, strip._segments)):
        strip._segments = [_made_harmless(*segment) for segment in strip._segments]
    shown: str = _THEIRS["render"](strip, console)
    return shown


def _is_harmless(segment: Segment) -> bool:
    return segment.text.isprintable() and (segment.style is None or not segment.style.link)


def _made_harmless(text: str, style: Any, control: Any) -> Segment:
    """Return a segment of the same width without such characters and without a link."""
    shown = "".join("\ufffd" * cell_len(sign) if sign == "\n" or dangerous(sign) else sign for sign in text)
    return Segment(shown, style.update_link(None) if style is not None else None, control)


_SEEN: tuple[Mend, ...] = (
    Mend(StylesCache, "get_inner_outer", staticmethod(_grounds), "what closed widgets have drawn stays in memory"),
    Mend(OptionList, "_move_page", _move_in_lines, "a list without room fails when it is paged through"),
    Mend(OptionList, "get_content_height", _height_in_a_column, "a list without a column fails when it is laid out"),
    Mend(CommandPalette, "_watch__list_visible", _show_hits, "a palette that closes while it searches fails"),
    Mend(CommandPalette, "_watch__show_busy", _show_search, "the same"),
    Mend(Screen, "dismiss", _dismiss_once, "a screen that is closed twice closes the one below it too"),
    Mend(Screen, "_on_screen_resume", _resume, "a screen that opens is styled twice"),
    Mend(
        Screen, "_compositor_refresh", _refresh,
        "painting cannot be held back until a layout has settled; a screen that is hidden has the front one repainted",
    ),
    Mend(Screen, "focused", _focused_without_repaint(), "a move of the focus repaints the whole screen"),
    Mend(Compositor, "_get_renders", _renders_within, "a change renders all that lies beside it in its container"),
    Mend(App, "_load_screen_css", _load_css, "the style sheet of a screen has everything parsed and styled again"),
    Mend(App, "_handle_exception", _handle_error, "an app cannot handle internal errors in its own way"),
    Mend(WriterThread, "run", _write_until_gone, "a program whose terminal is gone never ends"),
    Mend(XTermParser, "feed", _feed_with_pastes, "a paste comes as keys if the terminal does not mark it"),
    Mend(Strip, "render", _render_harmless, "control characters in a text reach the terminal"),
)
if sys.platform != "win32":
    from textual.drivers import linux_driver

    _SEEN = (
        *_SEEN,
        Mend(linux_driver, "getincrementaldecoder", _forgiving_decoder, "a byte that is no UTF-8 ends all input"),
        Mend(
            linux_driver.LinuxDriver, "_sigcont_application", _continue,
            "SIGCONT begins a program again that was not suspended, or that ends just now",
        ),
    )
MENDS = tuple(mend._replace(theirs=mend.owner.__dict__[mend.name]) for mend in _SEEN)
_THEIRS: dict[str, Callable[..., Any]] = {mend.name: mend.theirs for mend in MENDS}


def mend_toolkit() -> None:
    """Install the repairs; a second call does no harm."""
    for mend in MENDS:
        mend.put(mend.ours)


# --------------------------------------------------------------------------------- names without a public alternative
def driver_of(app: App[Any]) -> Driver | None:
    """Return the driver of an app."""
    return app._driver


def fail(app: App[Any], error: Exception) -> None:
    """Handle an internal error of a task that nobody waits for."""
    app._handle_exception(error)


def begin_with_theme(app: App[Any], name: str) -> None:
    """Set a theme before the style sheets are read: each later change makes the toolkit read all of them again."""
    app.set_reactive(App.theme, name)
    app._refresh_truecolor_filter(app.ansi_theme)
    app.stylesheet.set_variables(app.get_css_variables())


def drop_notes(app: App[Any], severity: str, most: int) -> None:
    """Take away the oldest notes of this severity, so that at most so many are left."""
    there = [note for note in app._notifications if note.severity == severity]
    for note in there[: max(0, len(there) - most)]:
        app._unnotify(note, refresh=False)
