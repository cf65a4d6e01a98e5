"""Salvage a damaged journal: for each table, the longest undamaged beginning of its game.

This works on copies. A row counts if its checksum is right. One wrong byte in a row is corrected, because the checksum
shows which value was there. Where sqlite stops at a damaged page, rows are read from both ends. """

import re
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from netcode.journal.checksums import CHECKSUM_BYTES, act_link, fact_checksum, first_link, seat_checksum, snap_checksum
from netcode.journal.rows import ActRow, SnapRow
from netcode.journal.schema import ACT_COLUMNS, JOURNAL, WAL, Act, TableRows, create
from netcode.journal.watermark import Watermark
from netcode.protocol import limits

_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""The errors of sqlite for a damaged database; the second is for messages that quote damaged text."""
SCRATCH = "checking-"
"""The prefix of the folders, inside the data folder, in which copies are examined."""
MENDED_ROWS = 20
"""How many rows may be corrected."""
MEND_TRIES = 300_000
"""How many values are tried to correct one row: about a second."""
_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{limits.TABLE_CHARS}}}")
"""The form of a table's id; a damaged id is not shown to anybody."""
_SHOWN = 5
"""Tables that one sentence names."""
_PAGE_BYTES = 4096
_SIZE_AT, _FREE_AT = slice(28, 32), slice(32, 40)
"""Where the header of a sqlite file has its number of pages, and its free pages."""


class SalvagedTable(Struct):
    """What is left of a table. rows: the undamaged ones; written: how many actions it had, as far as is known."""

    rows: TableRows
    written: int

    @property
    def left(self) -> int:
        """How many actions are left."""
        return len(self.rows.acts)

    @property
    def is_table(self) -> bool:
        """Whether enough is left to open it again."""
        return "config" in self.rows.facts

    @property
    def worth(self) -> tuple[bool, bool, int, int]:
        """A measure of how much is left, for comparison."""
        return self.is_table, bool(self.rows.snaps), self.left, len(self.rows.facts) + len(self.rows.seats)

    @property
    def text(self) -> str:
        """What is left, for people."""
        if not self.is_table:
            return "nothing is left that could be restored"
        if not self.written:
            return "its players are left"
        if not self.rows.snaps:
            return f"its players are left, but not its game of {self.written} actions"
        return f"{self.left} of {self.written} actions are left"


class Salvage(Struct):
    """What is left of a journal. host: the facts about the host."""

    tables: dict[str, SalvagedTable] = field(default_factory=dict)
    host: dict[str, bytes] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What is left, for people: the first few tables, and the number of further ones."""
        shown = [f"table {table}: {kept.text}" for table, kept in list(self.tables.items())[:_SHOWN]]
        more = [f"and {len(self.tables) - _SHOWN} more tables"] if len(self.tables) > _SHOWN else []
        return "; ".join(shown + more) or "nothing is left"


@contextmanager
def scratch_copy(folder: Path, room: Path) -> Iterator[Path]:
    """Copy the journal of `folder` into a new folder inside `room`, and remove it afterwards. Raises OSError."""
    for old in room.glob(f"{SCRATCH}*"):  # of a process that was killed
        shutil.rmtree(old, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=room))
    try:
        for name in (JOURNAL, WAL):
            if (folder / name).is_file():
                shutil.copyfile(folder / name, scratch / name)
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def salvage(folder: Path, room: Path, watermark: Watermark | None) -> Salvage:
    """Return what is left of the journal in `folder`, which stays as it is. room: where copies may be made. watermark:
    how far the journal was. Raises OSError."""
    best = Salvage()
    budget = [MENDED_ROWS]
    for prepare in (lambda _: None, lambda scratch: (scratch / WAL).unlink(missing_ok=True), _with_new_header):
        with scratch_copy(folder, room) as scratch:
            prepare(scratch)
            found = _salvaged(scratch / JOURNAL, budget, set(watermark.tables) if watermark is not None else set())
        best.host = {**found.host, **best.host}
        for table, kept in found.tables.items():
            if table not in best.tables or kept.worth > best.tables[table].worth:
                best.tables[table] = kept
    for table, marked in (watermark.tables if watermark is not None else {}).items():
        kept = best.tables.setdefault(table, SalvagedTable(TableRows(), marked.acts))
        kept.written = max(kept.written, marked.acts)
    return best


def _with_new_header(scratch: Path) -> None:
    """Replace the first page, which says where the tables begin, with that of a new journal."""
    path, new = scratch / JOURNAL, scratch / "new.sqlite"
    if not path.is_file() or path.stat().st_size < _PAGE_BYTES:
        return
    with closing(sqlite3.connect(new)) as db:
        create(db)
    first = bytearray(new.read_bytes()[:_PAGE_BYTES])
    first[_SIZE_AT] = (path.stat().st_size // _PAGE_BYTES).to_bytes(4, "big")
    first[_FREE_AT] = bytes(8)
    with open(path, "r+b") as file:
        file.write(first)


# ------------------------------------------------------------------------------------------------------------- reading
def _salvaged(path: Path, budget: list[int], marked: set[str]) -> Salvage:
    """Return what is left in this file. marked: the tables that the watermark names."""
    if not path.is_file():
        return Salvage()
    with closing(sqlite3.connect(path)) as db:
        with suppress(*_UNREADABLE):
            db.execute("PRAGMA synchronous=OFF")
        db.text_factory = lambda data: data.decode(errors="replace")
        facts = _all(db, "tab, name, value, seal", "facts", "tab {0}, name {0}")
        seats = _all(db, "tab, number, record, seal", "seats", "tab {0}, number {0}")
        snaps = _all(db, "tab, game, seq, state, seal", "snaps", "rowid {0}")
        acts = _all(db, f"tab, {ACT_COLUMNS}", "acts", "rowid {0}")
        heads = {row[0]: row[1] for row in _all(db, "tab, acts", "heads", "tab {0}")}
        meta = _all(db, "name, value, seal", "meta", "rowid {0}")
    mender = _Mender(budget)
    result = Salvage(host={row[0]: row[1] for row in mender.sound(meta, fact_checksum)})
    all_rows = (facts, seats, snaps, acts)
    owners = _owners([row[0] for rows in all_rows for row in rows], marked | {*heads})
    for table in sorted(set(owners.values())):
        own = [_own(rows, table, owners) for rows in all_rows]
        known = heads.get(table, 0)
        result.tables[table] = _table(own, mender, known if isinstance(known, int) else 0)
    return result


def _owners(ids: list[Any], known: set[Any]) -> dict[Any, str]:
    """Return which table each of these ids stands for. No checksum covers an id. An id that only one row has and
    nothing else names (known) is damaged: it stands for the only table whose id differs in one character, or for
    none."""
    counts = Counter(ids)
    tables = {table for table in known | {table for table, rows in counts.items() if rows > 1} if _is_id(table)}
    owners = {}
    for found in counts:
        near = [found] if found in tables else [table for table in tables if _differ_in_one(found, table)]
        if len(near) == 1:
            owners[found] = near[0]
    return owners


def _own(rows: list[tuple[Any, ...]], table: str, owners: dict[Any, str]) -> list[tuple[Any, ...]]:
    """Return the rows of a table without their ids. Those with the correct id come last, so that they take
    precedence."""
    own = [row for row in rows if owners.get(row[0]) == table]
    return [row[1:] for row in sorted(own, key=lambda row: row[0] == table)]


def _is_id(found: Any) -> bool:
    return isinstance(found, str) and _ID.fullmatch(found) is not None


def _differ_in_one(found: Any, table: str) -> bool:
    alike = isinstance(found, str) and len(found) == len(table)
    return alike and sum(left != right for left, right in zip(found, table)) == 1


def _all(db: sqlite3.Connection, columns: str, table: str, order: str) -> list[tuple[Any, ...]]:
    """Return all rows that sqlite can read, forwards from the first and backwards from the last."""
    found: dict[tuple[Any, ...], None] = {}
    for direction in ("ASC", "DESC"):
        with suppress(*_UNREADABLE):
            for row in db.execute(f"SELECT {columns} FROM {table} NOT INDEXED ORDER BY {order.format(direction)}"):
                found[row] = None
    return list(found)


def _table(own: list[list[tuple[Any, ...]]], mender: "_Mender", known: int) -> SalvagedTable:
    """Return what is left of a table. own: its facts, seats, snapshots and actions. known: its number of actions."""
    facts = {row[0]: row[1:] for row in mender.sound(own[0], fact_checksum)}
    seats = {row[0]: row[1:] for row in mender.sound(own[1], seat_checksum)}
    snaps = [SnapRow(*row) for row in mender.sound(own[2], snap_checksum)]
    acts: list[Act] = []
    for game in sorted({row[0] for row in own[3] if isinstance(row[0], int)}):
        acts += mender.chain(game, {row[1]: row for row in own[3] if row[0] == game})
    rows = TableRows(facts, seats, sorted(snaps, key=lambda snap: (snap.game, snap.seq)), acts)
    _fit_together(rows)
    return SalvagedTable(rows, max(known, len(own[3])))


def _fit_together(rows: TableRows) -> None:
    """Adapt the facts to the remaining rows: which game there is, if any."""
    ends = {act.row.game: act.row.seq for act in rows.acts}
    rows.snaps = [snap for snap in rows.snaps if snap.seq <= ends.get(snap.game, 0)]
    games = [snap.game for snap in rows.snaps]
    if games:
        game = str(max(games)).encode()
        rows.facts["game"] = (game, fact_checksum("game", game))
        if rows.facts.get("stage", (b"lobby",))[0] == b"lobby":
            rows.facts["stage"] = (b"playing", fact_checksum("stage", b"playing"))
    else:
        rows.acts = []
        for name in ("game", "seed", "stage", "deal", "dealt", "opened"):
            rows.facts.pop(name, None)


# ---------------------------------------------------------------------------------------------------------- correcting
class _Mender:
    """Separates undamaged rows from damaged ones, and corrects those with one wrong byte. budget: how many rows it may
    try."""

    def __init__(self, budget: list[int]) -> None:
        self._budget = budget

    def sound(self, rows: list[tuple[Any, ...]], checksum_of: Callable[..., bytes]) -> list[tuple[Any, ...]]:
        """Return the undamaged rows, each with its checksum as the last field."""
        found = []
        for *fields, stored in rows:
            right = self._right(tuple(fields), stored, checksum_of)
            if right is not None:
                found.append((*right, checksum_of(*right)))
        return found

    def chain(self, game: int, rows: dict[int, tuple[Any, ...]]) -> list[Act]:
        """Return the undamaged beginning of a game. rows: its actions by their number."""
        link, found = first_link(game), list[Act]()
        while (row := rows.get(len(found) + 1)) is not None:
            right = self._right(row[:-1], row[-1], partial(act_link, link))
            if right is None:
                break
            link = act_link(link, *right)
            found.append(Act(ActRow(*right), link))
        return found

    def _right(
        self, fields: tuple[Any, ...], stored: Any, checksum_of: Callable[..., bytes]
    ) -> tuple[Any, ...] | None:
        """Return the fields that have this checksum: as they are, or with one byte corrected."""
        if not isinstance(stored, bytes) or len(stored) != CHECKSUM_BYTES:
            return None
        if sum(left != right for left, right in zip(checksum_of(*fields), stored)) <= 1:  # the checksum may be wrong
            return fields
        if self._budget[0] <= 0:
            return None
        self._budget[0] -= 1
        for _, other in zip(range(MEND_TRIES), _neighbours(fields)):
            if checksum_of(*other) == stored:
                return other
        return None


def _neighbours(fields: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the fields with one byte changed: first each bit, then each byte."""
    for masks in ([1 << bit for bit in range(8)], range(1, 256)):
        for number, value in enumerate(fields):
            for other in _changed(value, masks):
                yield (*fields[:number], other, *fields[number + 1 :])


def _changed(value: Any, masks: Any) -> Iterator[Any]:
    if isinstance(value, bytes):
        data = bytearray(value)
        for at in range(len(data)):
            for mask in masks:
                data[at] ^= mask
                yield bytes(data)
                data[at] ^= mask
    elif isinstance(value, int):
        for shift in range(0, 63, 8):
            for mask in masks:
                if -(1 << 63) <= value ^ (mask << shift) < 1 << 63:
                    yield value ^ (mask << shift)
