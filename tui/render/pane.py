"""A pane: the widget that shows styled lines and repaints only the rows that have changed."""

from collections.abc import Callable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui.scene.cells import Line

STYLES = (
    "plain", "dim", "bold", "head", "you", "turn", "good", "bad", "warn", "key", "cursor", "talk", "urgent", "ok",
    "later", "no", "qr", "qr-dark",
)  # fmt: skip
Draw = Callable[[int, int], list[Line]]
UNFIT_VIEW_ERRORS = (LookupError, ValueError, TypeError, AttributeError)
"""What drawing raises if a view does not fit the catalog, as in a damaged recording."""


class Pane(Widget, can_focus=False):
    """Shows the lines that a function makes for a width and height; `show` sets the function."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"line--{style}" for style in STYLES}

    class Pressed(Message):
        """A span with a key was clicked. key: what follows the `|` in its style."""

        def __init__(self, key: str) -> None:
            self.key = key
            super().__init__()

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self.lines: list[Line] = []
        self._draw: Draw | None = None
        self.on_draw_error: Callable[[Exception], None] | None = None
        """Called with the error when drawing fails; None: the error is raised."""
        self._cached_styles: dict[str, Style] = {}

    def show(self, draw: Draw) -> None:
        """Draw with this function from now on."""
        self._draw = draw
        self.redraw()

    def redraw(self) -> None:
        """Draw again with the same function and repaint the rows that have changed."""
        width, height = self.size
        if self._draw is None or not width or not height:
            return
        try:
            lines = self._draw(width, height)
        except UNFIT_VIEW_ERRORS as problem:
            if self.on_draw_error is None:
                raise
            self.on_draw_error(problem)
            return
        old, self.lines = self.lines, lines
        changed = [y for y, line in enumerate(lines) if y >= len(old) or old[y] != line]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def on_resize(self, event: events.Resize) -> None:
        self.lines = []
        self.redraw()

    def notify_style_update(self) -> None:
        """Drop the cached styles of the old theme."""
        self._cached_styles.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Return one row."""
        if y >= len(self.lines):
            return Strip.blank(self.size.width, self.rich_style)
        segments = [Segment(text, self._style_of(style)) for text, style in self.lines[y]]
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def _style_of(self, style: str) -> Style:
        name = style.partition("|")[0] or "plain"
        found = self._cached_styles.get(name)
        if found is None:
            found = self._cached_styles[name] = self.get_component_rich_style(f"line--{name}")
        return found

    def on_click(self, event: events.Click) -> None:
        """Press the key of the clicked span, if it has one."""
        row = self.lines[event.y] if event.y < len(self.lines) else ()
        at = 0
        for text, style in row:
            at += Segment(text).cell_length
            if event.x < at:
                key = style.partition("|")[2]
                if key:
                    self.post_message(self.Pressed(key))
                return
