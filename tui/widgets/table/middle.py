"""The middle of the table, over which news lie (the toolkit's toasts), and how a text is cut that has no room there."""

from typing import Any

from textual.app import App
from textual.containers import Container
from textual.screen import Screen

from tui.scene.cells import Glyphs, shorten, wrap

BESIDE, BROAD = 23, 37
"""The cells of a line of a text over the seats or the log, and from 200 columns on: app.tcss has the boxes."""
FRAME = 5
"""The cells of a row that the box of a text over one column takes."""
COLUMN, LISTING = 3, 2
"""The rows of a text where the table is one column, and where a list of choices stands there."""
FOOT = 5
"""The most rows of the foot where it has few: it may take them from the middle while a text is shown."""


class Middle(Container):
    """The stage and what is beside it. News end where it ends, however many rows the foot or a coach takes."""

    def on_resize(self) -> None:
        """Let news end above the hand. In one column their place is in the style sheet."""
        screen = self.screen
        if _one_column(screen):
            return
        border = 0 if screen.has_class("-narrow") else 1  # that of the log, whose key stays in sight
        for rack in screen.query("ToastRack"):
            rack.styles.margin = (0, border, screen.size.height - self.region.bottom + border, 0)


def _one_column(screen: Screen[Any]) -> bool:
    return screen.has_class("-column") or screen.has_class("-low")


def cut_news(app: App[Any], text: str, glyphs: Glyphs, key: str = "") -> str:
    """Return a text as it is shown over the table: if it does not fit there, cut, with a mark at its end and the key
    that shows all of it. key: how that key is written, if there is one."""
    middle = next((found for screen in reversed(app.screen_stack) for found in screen.query(Middle)), None)
    if middle is None or not middle.display or not middle.region.height:
        return text
    width, height = _room(middle.screen, middle)
    lines = [line for part in text.splitlines() for line in wrap(part, width, glyphs)]
    if len(lines) <= height:
        return text
    end = f" {key} all" if key else ""
    last = shorten(" ".join(lines[height - 1 :]), width - len(end), glyphs)
    return "\n".join([*lines[: height - 1], last + end])


def _room(screen: Screen[Any], middle: Middle) -> tuple[int, int]:
    """Return the cells of a line and the rows of a text that lies over the table, over the log for two."""
    if _one_column(screen):
        return screen.size.width - FRAME, LISTING if screen.has_class("listing") else COLUMN
    rows = middle.region.height - (FOOT - screen.query_one("#foot").region.height if screen.has_class("-short") else 0)
    if screen.has_class("-narrow"):
        return BESIDE, max(1, rows)
    return BROAD if screen.has_class("-broad") else BESIDE, max(1, rows // 2 - 1)
