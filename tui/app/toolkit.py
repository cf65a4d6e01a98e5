"""Faults of the toolkit that are mended here: what closed widgets have drawn stays in memory, and a list without room
fails when it is paged through."""

from functools import lru_cache
from typing import Literal

from textual._styles_cache import StylesCache
from textual.color import Color
from textual.style import Style
from textual.widgets import OptionList

_move_page = OptionList._move_page


def mend_toolkit() -> None:
    """Put in what is mended here; twice does no harm."""
    StylesCache.get_inner_outer = staticmethod(_grounds)  # type: ignore[method-assign,assignment]
    OptionList._move_page = _move_in_lines  # type: ignore[method-assign,assignment]


def _move_in_lines(options: OptionList, direction: Literal[-1, 1]) -> None:
    """Move by a page in a list that has lines. It has none while it has no room: hidden, in a tiny window, or opened
    just now; the toolkit looks for the line of the cursor all the same."""
    if options.scrollable_content_region:
        _move_page(options, direction)


@lru_cache(maxsize=1024)
def _grounds(base: Color, background: Color) -> tuple[Style, Style]:
    """Return the ground inside of a border, and outside of it: looked up by the colours alone.

    The toolkit's own cache of them also has the rows of the widget in its key, so that the rows of the last 1,024
    widgets are never freed: half a MiB for each card that was opened.
    """
    return Style(background=base + background), Style(background=base)
