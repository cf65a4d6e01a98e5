"""A fault of the toolkit that is mended here: what closed widgets have drawn stays in memory."""

from functools import lru_cache

from textual._styles_cache import StylesCache
from textual.color import Color
from textual.style import Style


def free_closed_widgets() -> None:
    """Look the grounds of widgets up by their colours alone.

    The toolkit's own cache of them also has the rows of the widget in its key, so that the rows of the last 1,024
    widgets are never freed: half a MiB for each card that was opened.
    """
    StylesCache.get_inner_outer = staticmethod(_grounds)  # type: ignore[method-assign,assignment]


@lru_cache(maxsize=1024)
def _grounds(base: Color, background: Color) -> tuple[Style, Style]:
    """Return the ground inside of a border, and outside of it."""
    return Style(background=base + background), Style(background=base)
