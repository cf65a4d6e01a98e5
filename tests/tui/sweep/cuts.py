"""Drawn but invisible text: texts that are cut, covered or left out without the mark that says so.

`watched()` watches canvases and panes while a screen draws; `unmarked(app)` looks at the toolkit's own widgets.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.content import Content
from textual.widget import Widget
from textual.widgets import DataTable, Input, Static

from tui.scene.cells import clean
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane

ALLOWED = "…~"
"""The marks."""


def _words(text: str) -> bool:
    """Whether a text has words; frames and rules have none."""
    return any(sign.isalnum() for sign in text)


def _where() -> str:
    """Return the file and line outside the canvas that draws."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.endswith(("canvas.py", "cuts.py")):
        frame = frame.f_back
    return f"{'/'.join(frame.f_code.co_filename.split('/')[-2:])}:{frame.f_lineno}"


def redrawn(app: App[Any], found: list[str]) -> None:
    """Draw every visible pane once more and keep only the findings of that, because a screen is also drawn in transient
    sizes."""
    found.clear()
    for pane in app.screen.query(Pane):
        if pane.is_on_screen:
            pane.lines = []
            pane.redraw()


@contextmanager
def watched() -> Iterator[list[str]]:
    """Watch every canvas and pane; yield the list of texts that they cut without a mark."""
    found: list[str] = []
    put, spans, redraw = Canvas.put, Canvas.spans, Pane.redraw

    def watched_put(self: Canvas, x: int, y: int, text: str, style: str = "", room: int = -1) -> int:
        whole = clean(text, self.glyphs).rstrip()
        space = self.width - x if room < 0 else min(room, self.width - x)
        if _words(whole) and (not 0 <= y < self.height or space <= 0 or x < 0):
            found.append(f"{_where()}: no place for {whole!r} at {x}, {y} of {self.width} by {self.height}")
        return put(self, x, y, text, style, room)

    def watched_spans(self: Canvas, x: int, y: int, parts: Iterable[tuple[str, str]], room: int = -1) -> int:
        line = [(clean(text, self.glyphs), style) for text, style in parts]
        end = self.width if room < 0 else min(self.width, x + room)
        left = end - x
        shown = ""
        for text, _ in line:
            if left <= 0 and _words(text) and shown[-1:] not in ALLOWED:
                found.append(f"{_where()}: {text!r} is left out after {shown!r}")
                break
            left -= cell_len(text)
            shown += text if left >= 0 else self.glyphs.mark
        return spans(self, x, y, line, room)

    def watched_redraw(self: Pane) -> None:
        redraw(self)
        width, height = self.size
        if not width or not height or not self.display:
            return
        for at, line in enumerate(self.lines):
            text = "".join(part for part, _ in line).rstrip()
            if _words(text) and at >= height:
                found.append(f"#{self.id}: line {at + 1} of {height} rows: {text!r}")
            elif cell_len(text) > width and _words(text[width - 1 :]):
                found.append(f"#{self.id}: {text!r} in {width} columns")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Canvas, "put", watched_put)
        patch.setattr(Canvas, "spans", watched_spans)
        patch.setattr(Pane, "redraw", watched_redraw)
        yield found


# ------------------------------------------------------------------------------------------------ the toolkit's widgets
def unmarked(app: App[Any]) -> list[str]:
    """Return the texts of visible toolkit widgets that are not wholly shown and do not end in a mark. A list of
    options wraps them."""
    found = []
    for widget in app.screen.walk_children(Widget):
        if isinstance(widget, Pane | Input) or not widget.region or not widget.is_on_screen:
            continue
        if isinstance(widget, DataTable):
            found += _of_table(widget)
        elif isinstance(widget, Static):
            found += _of_static(app, widget)
    return found


def _of_table(table: DataTable[Any]) -> list[str]:
    """A table may be scrolled to the side; a cell must not be cut in its column."""
    found = []
    for column in table.columns.values():
        width = column.get_render_width(table) - 2 * table.cell_padding
        cells = [column.label, *table.get_column(column.key)]
        found += [f"{name(table)}: {plain_text(cell)!r} in {width}" for cell in cells
                  if cell_len(plain_text(cell)) > width and plain_text(cell)[-1:] not in ALLOWED]  # fmt: skip
    return found


def _of_static(app: App[Any], widget: Static) -> list[str]:
    """Compare the words of a text with those at its place on the screen; text that can be scrolled to counts as
    shown."""
    text = plain_text(widget.render())
    region = widget.content_region
    if not text.strip() or any(parent.max_scroll_y > 0 for parent in widget.ancestors if isinstance(parent, Widget)):
        return []
    strips = app.screen._compositor.render_strips()
    there = [strip.crop(region.x, region.right) for strip in strips[region.y : region.bottom]]
    rows = ["".join(part.text for part in strip) for strip in there]
    shown = "".join("".join(rows).split())
    wanted = "".join(text.split())
    if wanted in shown or any(mark in shown for mark in ALLOWED):
        return []
    return [f"{name(widget)}: {text!r} shows {' '.join(rows)!r}"]


def plain_text(found: object) -> str:
    """Return the text that a widget shows."""
    if isinstance(found, Content):
        return found.plain
    return found if isinstance(found, str) else str(getattr(found, "plain", found))


def name(widget: Widget) -> str:
    """Return the name of a widget for a report."""
    return f"{type(widget).__name__}#{widget.id}" if widget.id else type(widget).__name__
