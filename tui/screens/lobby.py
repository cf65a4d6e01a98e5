"""The lobby of a host: its tables, one of them selected, and what to do with it."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from netcode.client.lobby_client import LobbyClient
from netcode.protocol.table_options import options_text
from netcode.protocol.wire import TableRow
from tui.scene.cells import Glyphs, Line, clip, count, fit, rule, wrap
from tui.screens.live_screen import LiveScreen
from tui.widgets.pane import Pane

STAGES = {"lobby": "waiting", "playing": "playing", "paused": "paused", "over": "over"}
NARROW = (("Table", 13), ("Cards", 16), ("People", 6), ("Bots", 4), ("Free", 4), ("Stage", 8), ("Pace", 8))
WIDE = (("Table", 24), ("Cards", 40), ("People", 6), ("Bots", 4), ("Free", 4), ("Stage", 8), ("Pace", 9))
"""Columns and their widths in a narrow and in a wide window; the owner's name takes the rest."""
MARGIN = 7
Choice = tuple[str, str] | None


class LobbyScreen(LiveScreen[Choice]):
    """The tables of a host, kept up to date.

    Returns what to do (sit, watch, create, or closed if the host is gone) and the table; None: leave.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j,tab", "move(1)", "down", show=False),
        Binding("enter", "choose('sit')", "sit down", show=False),
        Binding("w", "choose('watch')", "spectate", show=False),
        Binding("c", "create", "open a table", show=False),
        Binding("escape,ctrl+q", "leave", "leave", show=False),
        *(Binding(str(n), f"digit({n})", f"table {n}", show=False) for n in range(1, 10)),
    ]
    AUTO_FOCUS = ""

    def __init__(self, client: LobbyClient, glyphs: Glyphs, note: str = "", table: str = "") -> None:
        """table: the one to select first, if it still exists."""
        super().__init__()
        self.client, self.glyphs, self.note, self.table = client, glyphs, note, table
        self._off = lambda: None

    def compose(self) -> ComposeResult:
        """The list with the description of the selected table, and the keys."""
        yield Pane("form")
        yield Pane("keys")

    def on_mount(self) -> None:
        """Subscribe to the lobby."""
        self._off = self.client.subscribe(self.look_soon)
        self.call_after_refresh(self.look_soon)

    def on_unmount(self) -> None:
        """Unsubscribe."""
        self._off()

    def look(self) -> None:
        """Redraw; leave if the host is gone."""
        if self.client.stage == "closed":
            self.dismiss(("closed", ""))
            return
        self.query_one("#form", Pane).show(self._draw)
        self.query_one("#keys", Pane).show(self._keys)

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

    def _draw(self, width: int, height: int) -> list[Line]:
        rows, room = self.client.rows, self.client.room
        more = f"{count(room, 'more table')} can be opened" if room else "no more tables can be opened"
        title = f"Tables of {self.client.machine or self.client.target.host}"
        below = self._below(width)
        lines: list[Line] = [rule(title, more, width, self.glyphs), self._head(width)]
        space = max(1, height - len(lines) - len(below))
        first = max(0, min(self.cursor - space // 2, len(rows) - space))
        lines += [self._row(at, rows[at], width) for at in range(first, min(first + space, len(rows)))]
        if not rows:
            lines.append((("       No table is open.", "dim"),))
        lines = lines[: height - len(below)]
        lines += [()] * (height - len(below) - len(lines)) + below
        return [clip(line, width, self.glyphs) for line in lines[:height]]

    def _head(self, width: int) -> Line:
        names = [name for name, _ in self._columns(width)]
        return ((" " * MARGIN + self._cells(names, width), "dim"),)

    def _columns(self, width: int) -> list[tuple[str, int]]:
        columns = NARROW if width < 110 else WIDE
        left = width - MARGIN - sum(cells + 1 for _, cells in columns) - 1
        return [*columns, ("Owner", max(4, min(left, 20)))]

    def _cells(self, texts: list[str], width: int) -> str:
        return " ".join(fit(text, cells, self.glyphs) for text, (_, cells) in zip(texts, self._columns(width)))

    def _row(self, at: int, row: TableRow, width: int) -> Line:
        here = at == self.cursor
        texts = [
            row.title or row.table, " + ".join(row.sets), f"{row.taken} of {row.seats}", str(row.bots or "-"),
            str(row.free or "-"), STAGES.get(row.stage, row.stage), row.pace, row.owner or "-",
        ]  # fmt: skip
        digit = f"[{at + 1}]" if at < 9 else "   "
        text = f" {'>' if here else ' '} {digit} {self._cells(texts, width)}"
        style = "cursor" if here else ("dim" if not row.free else "")
        return ((text, f"{style}|{at + 1}" if at < 9 else style),)

    def _below(self, width: int) -> list[Line]:
        """The description of the selected table, then what went wrong."""
        row, lines = self.row, [rule("", "", width, self.glyphs)]
        if row is not None:
            lines += [((f"   {line}", ""),) for line in wrap(words_of(row), width - 6, self.glyphs)]
        if self.client.stage != "synced":
            lines.append(((f"!! No connection: {self.client.reason or 'trying again'}", "urgent"),))
        lines += [((f"   {line}", "warn"),) for line in wrap(self.note, width - 6, self.glyphs)]
        return lines

    def _keys(self, width: int, height: int) -> list[Line]:
        row = self.row
        choose = "ENTER sit down  w spectate  " if row is not None else ""
        create = "c open a table  " if self.client.room else ""
        return [clip(((f" up/down move  {choose}{create}ESC leave  ^P commands", "dim"),), width, self.glyphs)]

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_move(self, by: int) -> None:
        """Move up or down, around the ends."""
        if self.client.rows:
            self.table = self.client.rows[(self.cursor + by) % len(self.client.rows)].table
        self.note = ""
        self.look()

    def action_digit(self, number: int) -> None:
        """Select a table by its digit."""
        if number <= len(self.client.rows):
            self.table = self.client.rows[number - 1].table
            self.look()

    def action_choose(self, what: str) -> None:
        """Take a seat at the chosen table, or spectate it."""
        if self.row is not None:
            self.dismiss((what, self.row.table))

    def action_create(self) -> None:
        """Create a table, if the host takes one more."""
        if self.client.room:
            self.dismiss(("create", self.table))
            return
        self.note = "This host takes no more tables: choose one of these."
        self.look()

    def action_leave(self) -> None:
        """Leave the lobby."""
        self.dismiss(None)

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """A click on a table."""
        if event.key.isdigit():
            self.action_digit(int(event.key))


ENTRY = {
    "knock": "Newcomers knock: its owner lets them in.",
    "string": "Its owner gives the join string out: ask for it.",
    "closed": "It admits no new players.",
}
"""How newcomers come in, if not freely."""


def words_of(row: TableRow) -> str:
    """Return everything the list says about a table, as sentences."""
    name = f"{row.title} ({row.table})" if row.title else f"Table {row.table}"
    people = f"{count(row.taken, 'person', 'people')}, {count(row.bots, 'bot')}, {count(row.free, 'free seat')}"
    parts = [f"{name}: {' + '.join(row.sets)}. {people} of {row.seats}; {STAGES.get(row.stage, row.stage)}, "
             f"pace {row.pace}."]  # fmt: skip
    parts += [f"Agreed: {options_text(row.options)}."] if row.options else []
    parts += [f"{row.owner} owns it."] if row.owner else []
    parts += [ENTRY[row.entry]] if row.entry in ENTRY else []
    parts += [f"{count(row.watchers, 'spectator')}."] if row.watchers else []
    return " ".join(parts)
