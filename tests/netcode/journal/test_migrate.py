"""Journals of the previous schema, whose rows have no checksums, are opened and migrated."""

import sqlite3
from hashlib import blake2b
from pathlib import Path

import pytest

from netcode.journal import FactRow, Journal, JournalError, unfinished_in
from netcode.journal.schema import APPLICATION_ID
from tests.netcode.journal.journal_files import journal_files

OLD = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB);
CREATE TABLE tables (no INTEGER PRIMARY KEY, id TEXT UNIQUE);
CREATE TABLE facts (tab TEXT, name TEXT, value BLOB, PRIMARY KEY (tab, name)) WITHOUT ROWID;
CREATE TABLE seats (tab TEXT, number INTEGER, record BLOB, PRIMARY KEY (tab, number)) WITHOUT ROWID;
CREATE TABLE acts (tab TEXT, game INTEGER, seq INTEGER, seat INTEGER, action BLOB, s BLOB, n INTEGER,
                                 stamp INTEGER, PRIMARY KEY (tab, game, seq));
CREATE UNIQUE INDEX once ON acts (tab, s, n) WHERE s IS NOT NULL;
CREATE TABLE snaps (tab TEXT, game INTEGER, seq INTEGER, state BLOB, digest BLOB,
                    PRIMARY KEY (tab, game, seq));
"""


def old_journal(folder: Path) -> Path:
    """Write the journal of a game as the previous version did; return its folder."""
    files = journal_files(folder, killed=False)
    old = folder / "old"
    old.mkdir()
    with sqlite3.connect(old / "table.sqlite") as db:
        db.executescript(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version=3; {OLD}")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("INSERT INTO meta VALUES ('epoch', x'37')")
        db.execute("INSERT INTO tables (id) VALUES ('t')")
        db.executemany("INSERT INTO facts VALUES ('t', ?, ?)", files.saved.facts.items())
        db.executemany("INSERT INTO seats VALUES ('t', ?, ?)", files.saved.seats.items())
        for act in files.saved.acts:
            values = (act.game, act.seq, act.seat, act.action, act.s, act.n, act.stamp)
            db.execute("INSERT INTO acts VALUES ('t', ?, ?, ?, ?, ?, ?, ?)", values)
        for snap in files.saved.snaps:
            digest = blake2b(snap.state, digest_size=16).digest()
            db.execute("INSERT INTO snaps VALUES ('t', ?, ?, ?, ?)", (snap.game, snap.seq, snap.state, digest))
    db.close()
    return old


def test_an_older_journal_is_opened_and_has_seals_then(tmp_path: Path) -> None:
    old = old_journal(tmp_path)
    whole = Journal(tmp_path / "closed")
    expected = whole.load("t")
    whole.close()
    assert unfinished_in(old) == ["t"]
    for _ in range(2):
        journal = Journal(old)
        assert (journal.load("t"), journal.fact("epoch"), journal.unfinished()) == (expected, b"7", ["t"])
        journal.close()
    journal = Journal(old)
    journal.commit("t", [FactRow("stage", b"closed")], lambda: None)
    journal.close()
    assert unfinished_in(old) == []


def test_a_damaged_older_journal_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = old_journal(tmp_path) / "table.sqlite"
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 3 + 64] = bytes(64)
    path.write_bytes(data)
    with pytest.raises(JournalError) as told:
        Journal(path.parent)
    assert "\n" not in str(told.value) and path.read_bytes() == bytes(data)
