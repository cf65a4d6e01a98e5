"""Faults of the toolkit that are mended here: what closed widgets have drawn stays in memory, a list without room fails
when it is paged through, a screen that is closed twice closes the one below it too, and control characters in a text
reach the terminal."""

from functools import lru_cache
from typing import Any, Literal

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from textual._styles_cache import StylesCache
from textual.await_complete import AwaitComplete
from textual.color import Color
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widgets import OptionList

from netcode.processes.streams import dangerous

_move_page = OptionList._move_page
_dismiss = Screen.dismiss
_render = Strip.render


def mend_toolkit() -> None:
    """Put in what is mended here; twice does no harm."""
    StylesCache.get_inner_outer = staticmethod(_grounds)  # type: ignore[method-assign,assignment]
    OptionList._move_page = _move_in_lines  # type: ignore[method-assign,assignment]
    Screen.dismiss = _dismiss_once  # type: ignore[method-assign,assignment]
    Strip.render = _render_harmless  # type: ignore[method-assign,assignment]


def _move_in_lines(options: OptionList, direction: Literal[-1, 1]) -> None:
    """Move by a page in a list that has lines. It has none while it has no room: hidden, in a tiny window, or opened
    just now; the toolkit looks for the line of the cursor all the same."""
    if options.scrollable_content_region:
        _move_page(options, direction)


def _dismiss_once(screen: Screen[Any], result: Any = None) -> AwaitComplete:
    """Close a screen that is in front, as soon as it is there. The toolkit closes whatever is in front, so a choice
    that arrives twice would also close the screen below, and a screen that has not made its widgets yet fails then."""
    if screen.app.screen is not screen:
        return AwaitComplete.nothing()
    if not screen._is_mounted:
        screen.call_later(_close_now, screen, result)
        return AwaitComplete.nothing()
    return _dismiss(screen, result)


def _close_now(screen: Screen[Any], result: Any) -> None:
    screen.dismiss(result)  # not awaited: the screen cannot wait for its own end


def _render_harmless(strip: Strip, console: Console) -> str:
    """Return a piece of a line for the terminal: the last door for what strangers wrote, whatever widget shows it. (Our
    own lines are clean: tui/scene/cells.py. Nothing of ours is a link of the terminal's.)"""
    if strip._render_cache is None and not all(map(_is_harmless, strip._segments)):
        strip._segments = [_made_harmless(*segment) for segment in strip._segments]
    return _render(strip, console)


def _is_harmless(segment: Segment) -> bool:
    return segment.text.isprintable() and (segment.style is None or not segment.style.link)


def _made_harmless(text: str, style: Any, control: Any) -> Segment:
    """Return a segment of as many cells without such characters and without a link."""
    shown = "".join("\ufffd" * cell_len(sign) if sign == "\n" or dangerous(sign) else sign for sign in text)
    return Segment(shown, style.update_link(None) if style is not None else None, control)


@lru_cache(maxsize=1024)
def _grounds(base: Color, background: Color) -> tuple[Style, Style]:
    """Return the ground inside of a border, and outside of it: looked up by the colours alone.

    The toolkit's own cache of them also has the rows of the widget in its key, so that the rows of the last 1,024
    widgets are never freed: half a MiB for each card that was opened.
    """
    return Style(background=base + background), Style(background=base)
