"""The lobby of a host: its tables, one of them selected, and what to do with it."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from netcode.client.lobby_client import LobbyClient
from netcode.protocol.table_options import options_text
from netcode.protocol.wire import TableRow
from tui.render.pane import Pane
from tui.scene.cells import Glyphs, Line, clip, count, fit, rule, wrap
from tui.screens.live_screen import LiveScreen

STAGES = {"lobby": "waiting", "playing": "playing", "paused": "paused", "over": "over"}
NARROW = (("Table", 13), ("Cards", 16), ("People", 6), ("Bots", 4), ("Free", 4), ("Stage", 8), ("Pace", 8))
WIDE = (("Table", 24), ("Cards", 40), ("People", 6), ("Bots", 4), ("Free", 4), ("Stage", 8), ("Pace", 9))
"""Columns and their cells where there are few and where there are many; the owner's name takes what is left."""
MARGIN = 7
Choice = tuple[str, str] | None


class LobbyScreen(LiveScreen[Choice]):
    """The tables of a host, kept up to date. Ends with what to do (sit, watch, create) and at which table; with
    `closed` if the host is gone; or with None: leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j,tab", "move(1)", "down", show=False),
        Binding("enter", "choose('sit')", "sit down", show=False),
        Binding("w", "choose('watch')", "look on", show=False),
        Binding("c", "create", "open a table", show=False),
        Binding("escape,ctrl+q", "leave", "leave", show=False),
        *(Binding(str(n), f"digit({n})", f"table {n}", show=False) for n in range(1, 10)),
    ]
    AUTO_FOCUS = ""

    def __init__(self, client: LobbyClient, glyphs: Glyphs, note: str = "", table: str = "") -> None:
        """table: the one to begin at, if it is still there."""
        super().__init__()
        self.client, self.glyphs, self.note, self.table = client, glyphs, note, table
        self._off = lambda: None

    def compose(self) -> ComposeResult:
        """The list, what is to be said of the chosen table, the keys."""
        yield Pane("form")
        yield Pane("keys")

    def on_mount(self) -> None:
        """Listen to the lobby."""
        self._off = self.client.subscribe(self.look_soon)
        self.call_after_refresh(self.look_soon)

    def on_unmount(self) -> None:
        """Listen no longer."""
        self._off()

    def look(self) -> None:
        """Draw what differs; go if the host is gone."""
        if self.client.stage == "closed":
            self.dismiss(("closed", ""))
            return
        self.query_one("#form", Pane).show(self._draw)
        self.query_one("#keys", Pane).show(self._keys)

    # -------------------------------------------------------------------------------------------------------- drawing
    @property
    def cursor(self) -> int:
        """The row of the chosen table; where it stood if that has closed."""
        names = [row.table for row in self.client.rows]
        return names.index(self.table) if self.table in names else 0

    @property
    def row(self) -> TableRow | None:
        """The chosen table, None if there is none."""
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
        """What is to be said of the chosen table, then what went wrong."""
        row, lines = self.row, [rule("", "", width, self.glyphs)]
        if row is not None:
            lines += [((f"   {line}", ""),) for line in wrap(words_of(row), width - 6, self.glyphs)]
        if self.client.stage != "synced":
            lines.append(((f"!! No connection: {self.client.reason or 'trying again'}", "urgent"),))
        lines += [((f"   {line}", "warn"),) for line in wrap(self.note, width - 6, self.glyphs)]
        return lines

    def _keys(self, width: int, height: int) -> list[Line]:
        row = self.row
        choose = "ENTER sit down  w look on  " if row is not None else ""
        create = "c open a table  " if self.client.room else ""
        return [clip(((f" up/down move  {choose}{create}ESC leave  ^P commands", "dim"),), width, self.glyphs)]

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_move(self, by: int) -> None:
        """Up or down, round the end."""
        if self.client.rows:
            self.table = self.client.rows[(self.cursor + by) % len(self.client.rows)].table
        self.note = ""
        self.look()

    def action_digit(self, number: int) -> None:
        """Go to a table."""
        if number <= len(self.client.rows):
            self.table = self.client.rows[number - 1].table
            self.look()

    def action_choose(self, what: str) -> None:
        """Sit down or look on at the chosen table."""
        if self.row is not None:
            self.dismiss((what, self.row.table))

    def action_create(self) -> None:
        """Open a table of one's own, if the host takes one more."""
        if self.client.room:
            self.dismiss(("create", self.table))
            return
        self.note = "This host takes no more tables: sit down at one of these."
        self.look()

    def action_leave(self) -> None:
        """Away from the lobby."""
        self.dismiss(None)

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """A click on a table."""
        if event.key.isdigit():
            self.action_digit(int(event.key))


def words_of(row: TableRow) -> str:
    """Everything the list says of a table, in words."""
    name = f"{row.title} ({row.table})" if row.title else f"Table {row.table}"
    people = f"{count(row.taken, 'person', 'people')}, {count(row.bots, 'bot')}, {count(row.free, 'free seat')}"
    parts = [f"{name}: {' + '.join(row.sets)}. {people} of {row.seats}; {STAGES.get(row.stage, row.stage)}, "
             f"pace {row.pace}."]  # fmt: skip
    parts += [f"Agreed: {options_text(row.options)}."] if row.options else []
    parts += [f"{row.owner} owns it."] if row.owner else []
    parts += [f"{row.watchers} looking on."] if row.watchers else []
    return " ".join(parts)
