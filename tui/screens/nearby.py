"""The list of hosts on the local network, while they are being looked for."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Static

from netcode.client.found_host import FoundHost
from tui.config.places import NEARBY
from tui.scene.cells import Glyphs, Line, clean, count
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.rows import Column, Rows

COLUMNS = (Column("Machine", 40), Column("Table", 8), Column("Key", 10, 92), Column("Address"))
NONE_YET = (
    "Looking for hosts on this network. They need --announce, which reaches nobody through SSH, VPNs or most guest "
    "networks."
)
NO_PROOF = (
    "Anybody can claim to be any of these hosts. ENTER asks for the short words or the join string that the table's "
    "owner gave you."
)
Told = Callable[[list[FoundHost], str], None]
"""Takes the hosts that were found so far, and why there will be no others ("" if the search goes on)."""


class NearbyScreen(Screen[FoundHost | int | None]):
    """The player's own tables, then the hosts that are found, as they are found; returns the number of a table, from 0,
    or the host to join, None after ESC."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(NEARBY)

    def __init__(
        self, glyphs: Glyphs, search: Callable[[Told], Callable[[], None]], own: Sequence[tuple[str, str]] = ()
    ) -> None:
        """search(told): begins a search, which calls `told` in this screen's thread; returns what ends it. own: tables
        where the player has a seat, each with what it is and where."""
        super().__init__()
        self.glyphs, self._search, self._own = glyphs, search, own
        self.hosts: list[FoundHost] = []
        self._end: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        """The title, the list, what it means, the keys."""
        yield Static("", id="book-title", markup=False)
        yield Rows("nearby-rows", COLUMNS, self.glyphs)
        yield Static("", id="nearby-note", markup=False)
        yield KeyLine(self.glyphs, (("up down", "move"), ("enter", "join"), ("nearby.back", "back")))

    def on_mount(self) -> None:
        """Begin to search."""
        self.query_one(Rows).focus()
        self._show([], "")
        self._end = self._search(self._show)

    def on_unmount(self) -> None:
        """End the search."""
        self._end()

    def _show(self, hosts: list[FoundHost], problem: str) -> None:
        """Show these hosts. The cursor stays with its host, and those above it stay above: nobody joins another host
        because it was found just before the key."""
        fresh = {(one.key, one.port, one.addresses[0]): one for one in hosts}
        known = [(one.key, one.port, one.addresses[0]) for one in self.hosts]
        self.hosts = [fresh[one] for one in known if one in fresh] + [fresh[one] for one in fresh if one not in known]
        rows = self.query_one(Rows)
        own: list[Line] = [((title, ""), ("", ""), ("", ""), (where, "dim")) for title, where in self._own]
        rows.fill([*own, *(self._row(one) for one in self.hosts)], max(0, rows.cursor_row))
        self.query_one("#book-title", Static).update(f"This network: {count(len(self.hosts), 'host')}")
        note = problem or (NO_PROOF if self.hosts else NONE_YET)
        self.query_one("#nearby-note", Static).update(clean(note, self.glyphs))

    def _row(self, one: FoundHost) -> Line:
        return (one.machine or "-", ""), (one.table or "-", ""), (one.key, "dim"), (one.place, "dim")

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Go to the table, or join the host, under the cursor."""
        at = event.cursor_row - len(self._own)
        self.dismiss(self.hosts[at] if at >= 0 else event.cursor_row)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
