"""Tables to choose a row from: the toolkit's DataTable, and one whose columns fill the width."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from rich.text import Text
from textual.binding import BindingType
from textual.events import Resize
from textual.widgets import DataTable

from tui.config.places import ROWS
from tui.scene.cells import Glyphs, Line, shorten
from tui.widgets.bound import bound
from tui.widgets.pane import style_of

GAP = 2
"""Blanks between two columns."""


class Column(Struct, frozen=True):
    """A column. width: its cells, 0: what is left; least: the width of the table from which on it is shown."""

    name: str
    width: int = 0
    least: int = 0


class RowTable(DataTable[Text]):
    """A table whose rows can be chosen. The toolkit may report a row under the cursor even while the table is empty;
    this one passes no such report on."""

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Pass no report of a row that is not there."""
        if event.cursor_row not in range(self.row_count):
            event.stop()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Pass no report of a row that is not there."""
        if event.cursor_row not in range(self.row_count):
            event.stop()


class Rows(RowTable):
    """Shows rows of styled texts. Letter keys move too; the screen may take left and right for itself."""

    BINDINGS: ClassVar[list[BindingType]] = bound(ROWS)

    def __init__(self, ident: str, columns: Sequence[Column], glyphs: Glyphs, header: bool = True) -> None:
        super().__init__(id=ident, cursor_type="row", cell_padding=0, show_header=header)
        self.glyphs = glyphs
        self._columns = tuple(columns)
        self._rows: tuple[Line, ...] = ()
        self._drawn_for = 0

    def fill(self, rows: Sequence[Line], at: int = 0) -> None:
        """Show these rows: a text and its style for each column. at: the row under the cursor."""
        self._rows = tuple(rows)
        self._draw(at)

    def on_resize(self, event: Resize) -> None:
        """Fit the columns into the new width."""
        if event.size.width != self._drawn_for:
            self._draw(self.cursor_row)

    def notify_style_update(self) -> None:
        """Draw the rows in the colours of another theme."""
        super().notify_style_update()
        if self._drawn_for:
            self._draw(self.cursor_row)

    def _draw(self, at: int) -> None:
        width = self._drawn_for = self.size.width
        if not width:
            return
        widths = self._widths(width - 1)  # a column for the scroll bar
        variables = self.app.theme_variables
        self.clear(columns=True)
        for column, cells in zip(self._columns, widths):
            if cells:
                self.add_column(shorten(column.name, cells, self.glyphs), width=cells + GAP)
        for row in self._rows:
            texts = [
                Text(shorten(text, cells, self.glyphs), style_of(style, variables), no_wrap=True, end="")
                for (text, style), cells in zip(row, widths) if cells
            ]  # fmt: skip
            self.add_row(*texts)
        if self._rows:
            self.move_cursor(row=min(at, len(self._rows) - 1), animate=False)

    def _widths(self, room: int) -> list[int]:
        """Return the cells of each column, 0 for those that are not shown; the one without a width takes the rest."""
        shown = [column for column in self._columns if column.least <= room]
        rest = room - sum(column.width for column in shown) - GAP * len(shown)
        return [(column.width or max(8, rest)) if column in shown else 0 for column in self._columns]
