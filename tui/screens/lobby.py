"""The lobby of a host: its tables, one of them selected, and what to do with it."""

from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import DataTable

from netcode.client.lobby_client import LobbyClient
from netcode.protocol.wire import TableRow
from netcode.recording.set_names import set_names
from tui.config.places import LOBBY, LOBBY_LIST
from tui.scene.cells import Glyphs, Line, clean, clip, count, rule, shorten, wrap
from tui.scene.lobby_tables import STAGES, words_of
from tui.screens.opening import close
from tui.screens.updates import Updates
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.pane import Pane
from tui.widgets.rows import RowTable

COLUMNS = ("", "Table", "Cards", "People", "Bots", "Free", "Stage", "Pace", "Owner")
NARROW, WIDE = (13, 16), (24, 40)
"""The most cells of a table's name and of its cards in a narrow and in a wide window."""
Choice = tuple[str, str] | None


class TableList(RowTable):
    """The tables; the cursor goes around the ends, and marks its row with more than a colour."""

    BINDINGS: ClassVar[list[BindingType]] = bound(LOBBY_LIST)

    def render_line(self, y: int) -> Strip:
        """Return a line of the list; that of the cursor begins with a mark. (If the mark were a cell's text, each move
        of the cursor would render and paint all rows.)"""
        strip = super().render_line(y)
        across, down = self.scroll_offset
        row = y - self.header_height
        if across or row < 0 or row + down != self.cursor_row or not self.row_count or not strip.cell_length:
            return strip
        return Strip([Segment(">", next(iter(strip)).style), *strip.crop(1)])

    def action_cursor_up(self) -> None:
        """Move up, from the first to the last."""
        self.move_cursor(row=(self.cursor_row - 1) % max(1, self.row_count))

    def action_cursor_down(self) -> None:
        """Move down, from the last to the first."""
        self.move_cursor(row=(self.cursor_row + 1) % max(1, self.row_count))


class LobbyScreen(Screen[Choice]):
    """The tables of a host, kept up to date.

    Returns what to do (sit, watch, create, or closed if the host is gone) and the table; None: leave.
    """

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(LOBBY)

    def __init__(self, client: LobbyClient, glyphs: Glyphs, note: str = "", table: str = "") -> None:
        """table: the one to select first, if it still exists."""
        super().__init__()
        self.client, self.glyphs, self.note, self.table = client, glyphs, note, table
        self._off = lambda: None
        self._updates = Updates(self, self.look)

    def compose(self) -> ComposeResult:
        """The title, the list, the description of the selected table, the keys."""
        yield Pane("lobby-title")
        yield TableList(id="lobby-tables", cursor_type="row", cell_padding=0)
        yield Pane("lobby-below")
        yield KeyLine(self.glyphs)

    def on_mount(self) -> None:
        """Subscribe to the lobby."""
        self._off = self.client.subscribe(self._updates.soon)
        self.query_one(TableList).focus()
        self.call_after_refresh(self._updates.soon)

    def on_unmount(self) -> None:
        """Unsubscribe."""
        self._off()

    def on_resize(self) -> None:
        """Redraw in the new size."""
        self._updates.resized()

    def on_screen_resume(self) -> None:
        """Redraw after another screen has closed."""
        self._updates.resumed()

    def look(self) -> None:
        """Redraw; leave if the host is gone."""
        if self.client.stage == "closed":
            close(self, ("closed", ""))
            return
        self._fill()
        self.query_one("#lobby-title", Pane).show(self._title)
        self.query_one("#lobby-below", Pane).show(self._below)
        self.query_one(KeyLine).set_keys(self._keys())

    # -------------------------------------------------------------------------------------------------------- drawing
    @property
    def cursor(self) -> int:
        """The row of the selected table; the first row if that table has closed."""
        names = [row.table for row in self.client.rows]
        return names.index(self.table) if self.table in names else 0

    @property
    def row(self) -> TableRow | None:
        """The selected table, None if there is none."""
        return self.client.rows[self.cursor] if self.client.rows else None

    def _title(self, width: int, height: int) -> list[Line]:
        room = self.client.room
        more = f"{count(room, 'more table')} can be opened" if room else "no more tables can be opened"
        return [rule(f"Tables of {self.client.machine or self.client.target.host}", more, width, self.glyphs)]

    def _fill(self) -> None:
        """Put the tables into the list; the cursor stays with its table."""
        tables = self.query_one(TableList)
        most = NARROW if self.app.size.width < 110 else WIDE
        rows = [[Text(f"{text} ") for text in self._cells(at, row, most)] for at, row in enumerate(self.client.rows)]
        cursor = self.cursor
        with self.prevent(DataTable.RowHighlighted):
            tables.clear(columns=True)  # otherwise columns would never shrink
            for column in COLUMNS:
                tables.add_column(f"{column} ", key=column)
            for row, cells in zip(self.client.rows, rows):
                tables.add_row(*cells, key=row.table)
            tables.move_cursor(row=cursor)

    def _cells(self, at: int, row: TableRow, most: tuple[int, int]) -> list[str]:
        texts = [
            shorten(row.title or row.table, most[0], self.glyphs), shorten(set_names(row.sets), most[1], self.glyphs),
            f"{row.taken} of {row.seats}", str(row.bots or "-"), str(row.free or "-"),
            STAGES.get(row.stage, row.stage), row.pace, clean(row.owner or "-", self.glyphs),
        ]  # fmt: skip
        return [f"  [{at + 1}]" if at < 9 else "     ", *texts]

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Describe the table under the cursor."""
        before, self.table = self.cursor, str(event.row_key.value)
        if before != self.cursor:
            self.note = ""
        self.query_one("#lobby-below", Pane).redraw()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Sit down at the table under the cursor."""
        self.table = str(event.row_key.value)
        self.action_choose("sit")

    def _below(self, width: int, height: int) -> list[Line]:
        """The description of the selected table, then what went wrong."""
        row, lines = self.row, [rule("", "", width, self.glyphs)]
        text = words_of(row) if row is not None else "No table is open."
        lines += [((f"   {line}", ""),) for line in wrap(text, width - 6, self.glyphs)]
        if self.client.stage != "synced":
            text = f"!! No connection: {self.client.reason or 'trying again'}"
            lines += [((line, "urgent"),) for line in wrap(text, width - 3, self.glyphs)]
        lines += [((f"   {line}", "warn"),) for line in wrap(self.note, width - 6, self.glyphs)]
        return [clip(line, width, self.glyphs) for line in (lines + [()] * height)[:height]]

    def _keys(self) -> list[tuple[str, str]]:
        choose = [("enter", "sit down"), ("lobby.watch", "spectate")] if self.row is not None else []
        create = [("lobby.create", "open a table")] if self.client.room else []
        return [("up down", "move"), *choose, *create, ("lobby.leave", "leave"), ("ctrl+p", "commands")]

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_digit(self, number: int) -> None:
        """Select a table by its digit."""
        if number <= len(self.client.rows):
            self.query_one(TableList).move_cursor(row=number - 1)

    def action_choose(self, what: str) -> None:
        """Take a seat at the chosen table, or spectate it."""
        if self.row is not None:
            close(self, (what, self.row.table))

    def action_create(self) -> None:
        """Create a table, if the host takes one more."""
        if self.client.room:
            close(self, ("create", self.table))
            return
        self.note = "This host takes no more tables: choose one of these."
        self.look()

    def action_leave(self) -> None:
        """Leave the lobby."""
        close(self, None)
