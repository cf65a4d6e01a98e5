"""The journal: every accepted action on disk before anybody is told of it; a table is taken up again from here.

One sqlite file (WAL, synchronous=FULL) for one host, written by one thread in whole batches: a commit takes 0.1 ms on a
good disk and 20 ms on a bad one, and the loop must not wait for it. The file holds every hand: only its owner may
read it.
"""

import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from netcode.keys import lock_file

SCHEMA = 1
SNAP_EVERY = 50

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB);
CREATE TABLE IF NOT EXISTS seats (number INTEGER PRIMARY KEY, record BLOB);
CREATE TABLE IF NOT EXISTS acts (game INTEGER, seq INTEGER, seat INTEGER, action BLOB, s BLOB, n INTEGER, stamp INTEGER,
                                 PRIMARY KEY (game, seq));
CREATE UNIQUE INDEX IF NOT EXISTS once ON acts (game, s, n) WHERE s IS NOT NULL;
CREATE TABLE IF NOT EXISTS snaps (game INTEGER, seq INTEGER, state BLOB, PRIMARY KEY (game, seq));
"""


class JournalError(RuntimeError):
    """The journal cannot be used; one line for people."""


@dataclass(frozen=True)
class MetaRow:
    """A fact about the table: its config, the game now on (number and seed), its stage."""

    name: str
    value: bytes


@dataclass(frozen=True)
class SeatRow:
    """Who sits on a seat, with the hashes of their tokens."""

    number: int
    record: bytes


@dataclass(frozen=True)
class ActRow:
    """One accepted action (seat -1: the host's). s, n: whose it was, to know it again if it is sent twice."""

    game: int
    seq: int
    seat: int
    action: bytes
    s: bytes | None
    n: int
    stamp: int


@dataclass(frozen=True)
class SnapRow:
    """The state of a game after `seq` actions."""

    game: int
    seq: int
    state: bytes


Row = MetaRow | SeatRow | ActRow | SnapRow


@dataclass(frozen=True)
class Saved:
    """What the journal knows of a table: facts, seats, the newest snapshot of its game and the actions after it."""

    meta: dict[str, bytes]
    seats: dict[int, bytes]
    snap: SnapRow | None
    acts: list[ActRow]
    last_n: dict[bytes, int]


class Journal:
    """One table's journal, locked as long as it is open."""

    def __init__(self, folder: Path) -> None:
        """Raises JournalError if the folder cannot be used or another host is using it."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = lock_file(folder / "host.lock")
        except OSError as problem:
            raise JournalError(f"the data folder {folder} cannot be used: {problem.strerror}") from None
        if lock is None:
            raise JournalError(f"another host is using the data folder {folder}: stop it or name another with --data")
        self._lock: IO[bytes] = lock
        path = folder / "table.sqlite"
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            self._db = self._open(path)
        except sqlite3.Error as problem:
            self._lock.close()
            raise JournalError(f"{path} is damaged or no journal of ours ({problem}): move it away") from None
        self._jobs: queue.SimpleQueue[tuple[Sequence[Row], Callable[[], None]] | None] = queue.SimpleQueue()
        self.failed: Callable[[str], None] = lambda text: None
        """Called from the writing thread if a commit fails: nothing may be shown any more."""
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    def _open(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.executescript(_TABLES)
        schema = db.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        if schema is None:
            db.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA).encode(),))
        elif schema[0] != str(SCHEMA).encode():
            raise sqlite3.DatabaseError(f"written by another version (schema {schema[0].decode(errors='replace')})")
        return db

    def new_epoch(self) -> int:
        """Counts the starts of a host with this journal."""
        found = self._db.execute("SELECT value FROM meta WHERE name = 'epoch'").fetchone()
        epoch = (int(found[0]) if found else 0) + 1
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", (str(epoch).encode(),))
        return epoch

    def clear(self) -> None:
        """Forget a table that is closed; its epoch goes on counting."""
        for table in ("seats", "acts", "snaps"):
            self._db.execute(f"DELETE FROM {table}")
        self._db.execute("DELETE FROM meta WHERE name NOT IN ('schema', 'epoch')")

    def load(self) -> Saved | None:
        """The table kept here, None if there is none yet."""
        meta = dict(self._db.execute("SELECT name, value FROM meta"))
        if "config" not in meta:
            return None
        seats = dict(self._db.execute("SELECT number, record FROM seats"))
        game = int(meta.get("game", b"0"))
        snap = self._db.execute("SELECT * FROM snaps WHERE game = ? ORDER BY seq DESC LIMIT 1", (game,)).fetchone()
        after = snap[1] if snap else 0
        acts = self._db.execute("SELECT * FROM acts WHERE game = ? AND seq > ? ORDER BY seq", (game, after))
        last = self._db.execute("SELECT s, MAX(n) FROM acts WHERE s IS NOT NULL GROUP BY s")
        return Saved(meta, seats, SnapRow(*snap) if snap else None, [ActRow(*row) for row in acts], dict(last))

    def commit(self, rows: Sequence[Row], done: Callable[[], None]) -> None:
        """Write these rows in one transaction; `done` is called from the writing thread when they are on disk."""
        self._jobs.put((rows, done))

    def close(self) -> None:
        """Write what is left and close."""
        self._jobs.put(None)
        self._thread.join(10)
        self._db.close()
        self._lock.close()

    def _write(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs = [job]
            while len(jobs) < 64 and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    self._jobs.put(None)
                    break
                jobs.append(more)
            try:
                self._transact([row for rows, _ in jobs for row in rows])
            except sqlite3.Error as problem:
                self.failed(f"the journal cannot be written ({problem}): is the disk full?")
                return
            for _, done in jobs:
                done()

    def _transact(self, rows: Sequence[Row]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for row in rows:
                self._put(row)
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _put(self, row: Row) -> None:
        match row:
            case MetaRow():
                self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (row.name, row.value))
            case SeatRow():
                self._db.execute("INSERT OR REPLACE INTO seats VALUES (?, ?)", (row.number, row.record))
            case ActRow():
                values = (row.game, row.seq, row.seat, row.action, row.s, row.n, row.stamp)
                self._db.execute("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            case SnapRow():
                self._db.execute("DELETE FROM snaps WHERE game < ?", (row.game,))
                self._db.execute("INSERT OR REPLACE INTO snaps VALUES (?, ?, ?)", (row.game, row.seq, row.state))
