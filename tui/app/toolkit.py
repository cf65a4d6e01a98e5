"""Faults of the toolkit that are mended here: what closed widgets have drawn stays in memory, a list without room fails
when it is paged through, and a screen that is closed twice closes the one below it too."""

from functools import lru_cache
from typing import Any, Literal

from textual._styles_cache import StylesCache
from textual.await_complete import AwaitComplete
from textual.color import Color
from textual.screen import Screen
from textual.style import Style
from textual.widgets import OptionList

_move_page = OptionList._move_page
_dismiss = Screen.dismiss


def mend_toolkit() -> None:
    """Put in what is mended here; twice does no harm."""
    StylesCache.get_inner_outer = staticmethod(_grounds)  # type: ignore[method-assign,assignment]
    OptionList._move_page = _move_in_lines  # type: ignore[method-assign,assignment]
    Screen.dismiss = _dismiss_once  # type: ignore[method-assign,assignment]


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


@lru_cache(maxsize=1024)
def _grounds(base: Color, background: Color) -> tuple[Style, Style]:
    """Return the ground inside of a border, and outside of it: looked up by the colours alone.

    The toolkit's own cache of them also has the rows of the widget in its key, so that the rows of the last 1,024
    widgets are never freed: half a MiB for each card that was opened.
    """
    return Style(background=base + background), Style(background=base)
