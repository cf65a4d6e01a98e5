"""The tables of a lobby in words. Pure."""

from collections.abc import Sequence

from netcode.protocol.table_options import options_text
from netcode.protocol.wire import TableRow
from netcode.recording.set_names import set_names
from tui.scene.cells import count

STAGES = {"lobby": "waiting", "playing": "playing", "paused": "paused", "over": "over"}
ENTRY = {
    "knock": "Newcomers knock: its owner lets them in.",
    "string": "Its owner gives the join string out: ask for it.",
    "closed": "It admits no new players.",
}
"""How newcomers come in, unless anybody can."""


def words_of(row: TableRow) -> str:
    """Return everything the list says about a table, as sentences."""
    name = f"{row.title} ({row.table})" if row.title else f"Table {row.table}"
    people = f"{count(row.taken, 'person', 'people')}, {count(row.bots, 'bot')}, {count(row.free, 'free seat')}"
    parts = [f"{name}: {set_names(row.sets)}. {people} of {row.seats}; {STAGES.get(row.stage, row.stage)}, "
             f"pace {row.pace}."]  # fmt: skip
    parts += [f"Agreed: {options_text(row.options)}."] if row.options else []
    parts += [f"{row.owner} owns it."] if row.owner else []
    parts += [ENTRY[row.entry]] if row.entry in ENTRY else []
    parts += [f"{count(row.watchers, 'spectator')}."] if row.watchers else []
    return " ".join(parts)


def tables_named(rows: Sequence[TableRow], name: str) -> list[str]:
    """Return the ids of the tables with this name or id."""
    return [row.table for row in rows if name.casefold() in (row.title.casefold(), row.table.casefold())]
