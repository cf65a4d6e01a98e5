"""Lines that may be longer than the screen: drawn for the width, scrolled by the toolkit."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from tui.scene.cells import Line
from tui.widgets.pane import Pane


class LineScroll(VerticalScroll):
    """Scrolls the lines that a function makes for a width: by wheel, arrows, PgUp, PgDn, Home and End.

    The column of the scroll bar is always left free, since the bar appears after the lines and would cover their ends.
    """

    DEFAULT_CSS = "LineScroll { scrollbar-gutter: stable; }"

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self._write: Callable[[int], list[Line]] = lambda width: []

    def compose(self) -> ComposeResult:
        """The lines."""
        yield Pane()

    def show(self, write: Callable[[int], list[Line]]) -> None:
        """Show the lines of this function from now on."""
        self._write = write
        self._fill()

    def on_resize(self, event: events.Resize) -> None:
        """Make the lines again for the new width."""
        self._fill()

    def _fill(self) -> None:
        width, panes = self.scrollable_content_region.width, self.query(Pane)
        if not width or not panes:  # not laid out yet, or being closed
            return
        lines, pane = self._write(width), panes.first()
        pane.styles.height = max(1, len(lines))
        pane.show(lambda width, height: lines)
