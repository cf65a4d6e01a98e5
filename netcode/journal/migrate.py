"""Create the file of a new journal, and migrate a file of the previous schema."""

import os
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from netcode.journal.checksums import JournalChecksums
from netcode.journal.rows import HOST, ActRow, FactRow, HostFactRow, Row, SeatRow, SnapRow
from netcode.journal.schema import MARKS, TABLES, create, put, put_heads


def create_file(path: Path) -> None:
    """Make an empty journal, whole or not at all, readable by its owner only. Raises sqlite3.Error, OSError."""
    draft = path.with_name(f"{path.name}.new")
    for leftover in (draft, *(draft.with_name(draft.name + end) for end in ("-journal", "-wal", "-shm"))):
        leftover.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(draft, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=OFF")
        create(db)
        db.execute("BEGIN")
        put_heads(db, JournalChecksums())
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode=WAL")  # here, because none of its changes are synced yet
    with open(draft, "rb+") as file:
        os.fsync(file.fileno())
    os.replace(draft, path)


def migrate(db: sqlite3.Connection) -> JournalChecksums:
    """Give all rows of a journal of the previous schema their checksums, in one transaction. Damaged snapshots are left
    out, because the actions lead to the same game. Return the checksums. Raises sqlite3.Error; nothing has changed
    then."""
    rows = _rows(db)
    old = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    checksums = JournalChecksums().draft()
    db.execute("BEGIN IMMEDIATE")
    try:
        for name in old:
            db.execute(f"DROP TABLE {name}")
        for statement in f"{MARKS} {TABLES}".split(";"):
            db.execute(statement)
        for table, row in rows:
            put(db, checksums, table, row)
        put_heads(db, checksums)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return checksums


def _rows(db: sqlite3.Connection) -> list[tuple[str, Row]]:
    """Return all rows of a journal of the previous schema, the oldest table first."""
    found: list[tuple[str, Row]] = [(HOST, HostFactRow(*row)) for row in db.execute("SELECT name, value FROM meta")]
    for (table,) in db.execute("SELECT id FROM tables ORDER BY no").fetchall():
        own = (table,)
        facts = db.execute("SELECT name, value FROM facts WHERE tab = ? ORDER BY name", own)
        seats = db.execute("SELECT number, record FROM seats WHERE tab = ? ORDER BY number", own)
        snaps = db.execute("SELECT game, seq, state, digest FROM snaps WHERE tab = ? ORDER BY game, seq", own)
        columns = "game, seq, seat, action, s, n, stamp"
        acts = db.execute(f"SELECT {columns} FROM acts WHERE tab = ? ORDER BY game, seq", own)
        found += [(table, FactRow(*row)) for row in facts] + [(table, SeatRow(*row)) for row in seats]
        found += [(table, SnapRow(*row[:3])) for row in snaps if row[3] == blake2b(row[2], digest_size=16).digest()]
        found += [(table, ActRow(*row)) for row in acts]
    return found
