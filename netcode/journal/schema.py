"""The journal as a sqlite file: its tables, writing and reading rows, and checking rows against their checksums."""

import sqlite3
from collections.abc import Iterable
from functools import cache

from msgspec import Struct, field

from netcode.journal.checksums import (
    CLOSED,
    Head,
    JournalChecksums,
    TableChecksums,
    fact_checksum,
    seat_checksum,
    snap_checksum,
)
from netcode.journal.rows import (
    HOST,
    ActRow,
    FactRow,
    ForgetRow,
    HostFactRow,
    JournalDamaged,
    Row,
    SavedTable,
    SeatRow,
    SnapRow,
)

SCHEMA = 4
SCHEMA_WITHOUT_CHECKSUMS = 3
"""The schema before rows had checksums; it is migrated when it is opened."""
APPLICATION_ID = 0x6B646F72
"""Marks a sqlite file as a journal of kickdoor (`kdor` in ASCII)."""
JOURNAL = "table.sqlite"
"""The file's name in its folder."""
WAL = f"{JOURNAL}-wal"
"""The name of its write-ahead log."""

TABLES = """
CREATE TABLE heads (tab TEXT PRIMARY KEY, no INTEGER, acts INTEGER, chain BLOB, records BLOB) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB, seal BLOB);
CREATE TABLE facts (tab TEXT, name TEXT, value BLOB, seal BLOB, PRIMARY KEY (tab, name)) WITHOUT ROWID;
CREATE TABLE seats (tab TEXT, number INTEGER, record BLOB, seal BLOB, PRIMARY KEY (tab, number)) WITHOUT ROWID;
CREATE TABLE acts (tab TEXT, game INTEGER, seq INTEGER, seat INTEGER, action BLOB, s BLOB, n INTEGER,
                                 stamp INTEGER, seal BLOB, PRIMARY KEY (tab, game, seq));
CREATE UNIQUE INDEX once ON acts (tab, s, n) WHERE s IS NOT NULL;
CREATE TABLE snaps (tab TEXT, game INTEGER, seq INTEGER, state BLOB, seal BLOB,
                    PRIMARY KEY (tab, game, seq));
"""
MARKS = f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA};"
_TABLES_OF_A_TABLE = ("heads", "facts", "seats", "acts", "snaps")
ACT_COLUMNS = "game, seq, seat, action, s, n, stamp, seal"


@cache
def objects() -> frozenset[tuple[str, ...]]:
    """Return the tables and indexes of a sound journal, as sqlite lists them."""
    db = sqlite3.connect(":memory:")
    db.executescript(TABLES)
    found = objects_of(db)
    db.close()
    return found


def objects_of(db: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    """Return the tables and indexes of this database. Raises sqlite3.Error."""
    return frozenset(db.execute("SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master"))


def create(db: sqlite3.Connection) -> None:
    """Make an empty database a journal, in one transaction. Raises sqlite3.Error."""
    db.executescript(f"BEGIN; {MARKS} {TABLES} COMMIT")


# ------------------------------------------------------------------------------------------------------------- writing
def put(db: sqlite3.Connection, checksums: JournalChecksums, table: str, row: Row) -> None:
    """Put one row into the database and its checksum into `checksums`. Raises sqlite3.Error."""
    match row:
        case ActRow():  # by far the most frequent
            values = (row.game, row.seq, row.seat, row.action, row.s, row.n, row.stamp)
            digest = checksums.table(table).add_act(*values)
            db.execute("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (table, *values, digest))
        case HostFactRow():
            checksums.host[row.name] = digest = fact_checksum(row.name, row.value)
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (row.name, row.value, digest))
        case FactRow():
            digest = fact_checksum(row.name, row.value)
            of_table = checksums.table(table)
            of_table.records["fact", row.name, 0] = digest
            of_table.stage = row.value.decode() if row.name == "stage" else of_table.stage
            db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", (table, row.name, row.value, digest))
        case SeatRow():
            digest = checksums.table(table).records["seat", row.number, 0] = seat_checksum(row.number, row.record)
            db.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?)", (table, row.number, row.record, digest))
        case SnapRow():
            of_table = checksums.table(table)
            of_table.drop_snaps(before=row.game)
            db.execute("DELETE FROM snaps WHERE tab = ? AND game < ?", (table, row.game))
            digest = of_table.records["snap", row.game, row.seq] = snap_checksum(row.game, row.seq, row.state)
            state = (table, row.game, row.seq, row.state, digest)
            db.execute("INSERT OR REPLACE INTO snaps VALUES (?, ?, ?, ?, ?)", state)
        case ForgetRow():
            checksums.forget(table)
            for name in _TABLES_OF_A_TABLE:
                db.execute(f"DELETE FROM {name} WHERE tab = ?", (table,))


def put_heads(db: sqlite3.Connection, checksums: JournalChecksums) -> None:
    """Write the heads of everything that has changed, as the last step of a transaction. Raises sqlite3.Error."""
    heads = checksums.changed_heads()
    heads[HOST] = checksums.host_head()
    values = [(table, head.no, head.acts, head.chain, head.records) for table, head in heads.items()]
    db.executemany("INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?)", values)


# ------------------------------------------------------------------------------------------------------------- reading
class Act(Struct, frozen=True):
    """An action and its checksum, as the journal has them."""

    row: ActRow
    checksum: bytes

    @property
    def fields(self) -> tuple[int, int, int, bytes, bytes | None, int, int]:
        """The fields that its checksum covers, besides the previous action's checksum."""
        row = self.row
        return row.game, row.seq, row.seat, row.action, row.s, row.n, row.stamp


class TableRows(Struct):
    """All rows of one table, in their order, checked or not. facts, seats: value and checksum."""

    facts: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    seats: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    snaps: list[SnapRow] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)

    def checksums(self) -> tuple[TableChecksums, list[bytes]]:
        """Return the checksums of a table with these rows, and the checksums that its actions should have. Records
        contribute their stored checksums."""
        of_table = TableChecksums(0)
        if "stage" in self.facts:
            of_table.stage = self.facts["stage"][0].decode()
        of_table.records.update({("fact", name, 0): stored for name, (_, stored) in self.facts.items()})
        of_table.records.update({("seat", number, 0): stored for number, (_, stored) in self.seats.items()})
        of_table.records.update({("snap", snap.game, snap.seq): snap.digest for snap in self.snaps})
        return of_table, [of_table.add_act(*act.fields) for act in self.acts]

    def in_order(self) -> list[Row]:
        """Return the rows as they can be written to another journal."""
        facts = [FactRow(name, value) for name, (value, _) in self.facts.items()]
        seats = [SeatRow(number, record) for number, (record, _) in self.seats.items()]
        return [*facts, *seats, *self.snaps, *(act.row for act in self.acts)]

    def saved(self) -> SavedTable | None:
        """Return the rows that the host needs, None if these do not make a table."""
        facts = {name: value for name, (value, _) in self.facts.items()}
        if "config" not in facts:
            return None
        game = int(facts.get("game", b"0"))
        taken: dict[bytes, set[int]] = {}
        for act in self.acts:
            if act.row.s is not None:
                taken.setdefault(act.row.s, set()).add(act.row.n)
        return SavedTable(
            facts, {number: record for number, (record, _) in self.seats.items()},
            [snap for snap in self.snaps if snap.game == game], [act.row for act in self.acts if act.row.game == game],
            taken,
        )  # fmt: skip


def read_rows(db: sqlite3.Connection, table: str) -> TableRows:
    """Return all rows of a table. Raises sqlite3.Error."""
    facts = db.execute("SELECT name, value, seal FROM facts WHERE tab = ?", (table,))
    seats = db.execute("SELECT number, record, seal FROM seats WHERE tab = ?", (table,))
    snaps = db.execute("SELECT game, seq, state, seal FROM snaps WHERE tab = ? ORDER BY game, seq", (table,))
    acts = db.execute(f"SELECT {ACT_COLUMNS} FROM acts WHERE tab = ? ORDER BY game, seq", (table,))
    return TableRows(
        {name: (value, stored) for name, value, stored in facts},
        {number: (record, stored) for number, record, stored in seats},
        [SnapRow(*snap) for snap in snaps],
        [Act(ActRow(*act[:-1]), act[-1]) for act in acts],
    )


def read_heads(db: sqlite3.Connection) -> dict[str, Head]:
    """Return the heads of all tables and of the host. Raises sqlite3.Error."""
    return {row[0]: Head(*row[1:]) for row in db.execute("SELECT tab, no, acts, chain, records FROM heads ORDER BY no")}


def damage_of(rows: TableRows, head: Head) -> str:
    """Return the fault of the rows of a table, "" if there is none."""
    return _checked(rows, head)[1]


def _checked(rows: TableRows, head: Head) -> tuple[TableChecksums, str]:
    """Return the checksums of a table, and how its rows differ from the written ones ("" if they do not). A damaged
    snapshot does not count if there is another one, because replaying skips it."""
    of_table, links = rows.checksums()
    of_table.no = head.no
    if [act.checksum for act in rows.acts] != links:
        return of_table, "its actions are damaged"
    if any(stored != fact_checksum(name, value) for name, (value, stored) in rows.facts.items()):
        return of_table, "its settings are damaged"
    if any(stored != seat_checksum(number, record) for number, (record, stored) in rows.seats.items()):
        return of_table, "its seats are damaged"
    if rows.snaps and not any(snap.is_intact for snap in rows.snaps):
        return of_table, "its game is damaged"
    return of_table, "" if of_table.head() == head else "some of its rows are missing"


def read_checksums(db: sqlite3.Connection) -> tuple[JournalChecksums, dict[str, str]]:
    """Check the whole journal. Return the checksums of the undamaged parts, and what is wrong with each damaged table.

    Raises JournalDamaged if the damage is not limited to single tables, sqlite3.Error if sqlite finds damage."""
    heads = read_heads(db)
    host = heads.pop(HOST, None)
    if host is None:
        raise JournalDamaged("the list of its tables is missing")
    checksums, wrong = JournalChecksums(host.acts), dict[str, str]()
    for name, value, stored in db.execute("SELECT name, value, seal FROM meta"):
        if stored != fact_checksum(name, value):
            raise JournalDamaged("what it says about the host is damaged")
        checksums.host[name] = stored
    for table, head in heads.items():
        checksums.set_head(table, head)
        of_table, problem = _checked(read_rows(db, table), head)
        if problem:
            wrong[table] = problem
        else:
            checksums.tables[table] = of_table
    if checksums.host_head() != host:
        raise JournalDamaged("the list of its tables is damaged")
    return checksums, wrong


def unfinished(db: sqlite3.Connection, wrong: Iterable[str] = ()) -> list[str]:
    """Return the ids of the tables that are not closed, the oldest first. wrong: damaged tables, which count as not
    closed. Raises sqlite3.Error."""
    opened = "SELECT tab FROM facts WHERE name = 'config'"
    ended = "SELECT tab FROM facts WHERE name = 'stage' AND value = ?"
    wanted = f"SELECT tab, tab IN ({opened}) AND tab NOT IN ({ended}) FROM heads WHERE tab != ? ORDER BY no"
    damaged = set(wrong)
    return [table for table, is_open in db.execute(wanted, (CLOSED.encode(), HOST)) if is_open or table in damaged]


def unfinished_without_checksums(db: sqlite3.Connection) -> list[str]:
    """Return the same for a journal of SCHEMA_WITHOUT_CHECKSUMS. Raises sqlite3.Error."""
    ended = "SELECT tab FROM facts WHERE name = 'stage' AND value = ?"
    return [row[0] for row in db.execute(f"SELECT id FROM tables WHERE id NOT IN ({ended})", (CLOSED.encode(),))]
