"""The journal: writes every accepted action to disk before anybody is told of it; tables are restored from here.

One sqlite file (WAL, synchronous=FULL) holds all tables of one host. One thread writes it in batches: a commit takes
0.1 ms on a good disk and 20 ms on a bad one, and the loop must not wait for it. The file contains every hand, so only
its owner may read it.
"""

import contextlib
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import IO

from netcode.protocol.credentials import lock_file

SCHEMA = 3
APPLICATION_ID = 0x6B646F72
"""Marks a sqlite file as a journal of kickdoor (`kdor` in ASCII)."""
SNAP_EVERY = 50
"""Actions between two snapshots."""
BATCH = 64
"""Commits that are written in one transaction at most."""
JOURNAL = "table.sqlite"
"""The file's name in its folder."""

_TABLES = """
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
_TABLES_OF_A_TABLE = ("facts", "seats", "acts", "snaps")
_ROW_ERRORS = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError, OverflowError)
"""Errors that come from the rows themselves, not from the file."""


class JournalError(RuntimeError):
    """The journal cannot be used. The text is one line for people."""


class JournalInUse(JournalError):
    """Another host is using the journal; it may end."""


@dataclass(frozen=True)
class FactRow:
    """A named fact about a table: its config, the current game (number and seed), its stage, ..."""

    name: str
    value: bytes


@dataclass(frozen=True)
class SeatRow:
    """Who sits at a seat, with the hashes of their tokens."""

    number: int
    record: bytes


@dataclass(frozen=True)
class ActRow:
    """One accepted action (seat -1: the host's). s, n: its session and number, in case it is sent again; stamp: ns."""

    game: int
    seq: int
    seat: int
    action: bytes
    s: bytes | None
    n: int
    stamp: int


@dataclass(frozen=True)
class SnapRow:
    """The state of a game after `seq` actions. digest: of the state, as the journal has it."""

    game: int
    seq: int
    state: bytes
    digest: bytes = b""

    @property
    def is_intact(self) -> bool:
        """Whether the state is the one that was written."""
        return self.digest == _digest(self.state)


@dataclass(frozen=True)
class ForgetRow:
    """Removes everything about a table that is closed."""


Row = FactRow | SeatRow | ActRow | SnapRow | ForgetRow


@dataclass(frozen=True)
class SavedTable:
    """Everything the journal has of a table. snaps, acts: of its current game; taken: the numbers (n) of each session's
    actions."""

    facts: dict[str, bytes]
    seats: dict[int, bytes]
    snaps: list[SnapRow]
    acts: list[ActRow]
    taken: dict[bytes, set[int]]


@dataclass(frozen=True)
class _Job:
    table: str
    rows: Sequence[Row]
    done: Callable[[], None]
    rejected: Callable[[str], None] = field(default=lambda text: None)


class Journal:
    """The journal of one host, locked while it is open."""

    def __init__(self, folder: Path) -> None:
        """Raises JournalError if the folder cannot be used or another host is using it."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = lock_file(folder / "host.lock")
        except OSError as problem:
            raise JournalError(f"the data folder {folder} cannot be used: {problem.strerror}") from None
        if lock is None:
            text = f"another host is using the data folder {folder}"
            raise JournalInUse(f"{text}: stop it or choose another with --port or --data")
        self._lock: IO[bytes] = lock
        self._path = path = folder / JOURNAL
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            with self._plain_errors():
                self._db = self._open(path)
        except JournalError:
            self._lock.close()
            raise
        self._failure = ""
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._broken: set[str] = set()
        self.failed: Callable[[str], None] = lambda text: None
        """Called from the writing thread if a commit fails: from then on nothing may be told to anybody."""
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    def _open(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            fresh = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] == 0
            if not fresh and db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise sqlite3.DatabaseError("it belongs to another program or to an older version")
            if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(found.splitlines()[-1])
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            if fresh:
                marks = f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA};"
                db.executescript(f"BEGIN; {marks} {_TABLES} COMMIT")
            schema = db.execute("PRAGMA user_version").fetchone()[0]
            if schema != SCHEMA:
                age = "a newer" if schema > SCHEMA else "an older"
                raise sqlite3.DatabaseError(f"it was written by {age} version, schema {schema}, this one has {SCHEMA}")
        except BaseException:
            db.close()
            raise
        return db

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        """Turn errors of sqlite into JournalError, one sentence for people."""
        try:
            yield
        except sqlite3.OperationalError as problem:
            raise JournalError(f"{self._path} cannot be used ({problem}): is the disk full?") from None
        except (sqlite3.Error, ValueError, TypeError) as problem:
            text = f"{self._path} is damaged or not a journal of kickdoor ({problem}): move it away"
            raise JournalError(text) from None

    # -------------------------------------------------------------------------------------------- facts about the host
    def new_epoch(self) -> int:
        """Count the starts of a host with this journal; return the new number. Raises JournalError."""
        with self._plain_errors():
            epoch = int(self.fact("epoch") or b"0") + 1
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", (str(epoch).encode(),))
            return epoch

    def fact(self, name: str, first: bytes | None = None) -> bytes | None:
        """Return a fact about the host itself; store `first` if there is none yet. Raises JournalError."""
        with self._plain_errors():
            if first is not None:
                self._db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (name, first))
            found = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
            return found[0] if found else None

    # --------------------------------------------------------------------------------------------------------- reading
    def unfinished(self) -> list[str]:
        """Return the ids of the tables that are not closed, the oldest first. Raises JournalError."""
        with self._plain_errors():
            return _unfinished(self._db)

    def load(self, table: str) -> SavedTable | None:
        """Return what is on disk of a table, None if there is nothing. Raises JournalError if it cannot be read."""
        try:
            with contextlib.closing(sqlite3.connect(self._path)) as db:  # the other connection is busy writing
                return _load(db, table)
        except (sqlite3.Error, ValueError, TypeError) as problem:
            raise JournalError(f"the journal's rows of table {table} cannot be read ({problem})") from None

    # --------------------------------------------------------------------------------------------------------- writing
    def commit(
        self,
        table: str,
        rows: Sequence[Row],
        done: Callable[[], None],
        rejected: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Write these rows of a table in one transaction. Callbacks come from the writing thread.

        done(): the rows are on disk; in the order of the calls. rejected(why): sqlite refuses the rows (an internal
        error). All later rows of this table are then rejected too, since they would leave a gap, until a commit without
        rows says that the table is restored. If the file cannot be written, `failed` is called instead of both, and at
        once for all later commits.
        """
        if self._failure:
            self.failed(self._failure)
        else:
            self._jobs.put(_Job(table, rows, done, rejected))

    @property
    def writes(self) -> bool:
        """Whether the thread that writes runs."""
        return self._thread.is_alive()

    def settle(self) -> None:
        """Wait until all earlier commits are on disk. Raises JournalError if they cannot be written."""
        settled = threading.Event()
        self.commit("", [], settled.set)
        while not settled.wait(0.01):
            if self._failure:
                raise JournalError(self._failure)

    def close(self) -> None:
        """Write what is queued, and close."""
        self._jobs.put(None)
        self._thread.join(10)
        self._db.close()
        self._lock.close()

    def _write(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs = [job]
            while len(jobs) < BATCH and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    self._jobs.put(None)
                    break
                jobs.append(more)
            try:
                self._write_all([job for job in jobs if not self._rejected_after_gap(job)])
            except Exception as problem:  # no memory, for instance; whatever it is, nothing more is confirmed
                what = str(problem) or type(problem).__name__
                self._failure = f"the journal cannot be written ({what}): is the disk full?"
                self.failed(self._failure)
                return

    def _rejected_after_gap(self, job: _Job) -> bool:
        if not job.rows:
            self._broken.discard(job.table)
        if job.table in self._broken:
            job.rejected("earlier rows could not be written")
            return True
        return False

    def _write_all(self, jobs: list[_Job]) -> None:
        """Write all jobs in one transaction; if sqlite refuses the rows of one, write each job in its own."""
        try:
            self._transact(jobs)
        except _ROW_ERRORS as problem:
            if len(jobs) == 1:
                self._broken.add(jobs[0].table)
                jobs[0].rejected(f"rows that cannot be written: {problem}")
                return
            for job in jobs:
                if not self._rejected_after_gap(job):
                    self._write_all([job])
            return
        for job in jobs:
            job.done()

    def _transact(self, jobs: list[_Job]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for job in jobs:
                for row in job.rows:
                    self._put(job.table, row)
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # sqlite rolls back by itself when the disk is full
                self._db.execute("ROLLBACK")
            raise

    def _put(self, table: str, row: Row) -> None:
        match row:
            case FactRow():
                if row.name == "config":
                    self._db.execute("INSERT OR IGNORE INTO tables (id) VALUES (?)", (table,))
                self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", (table, row.name, row.value))
            case SeatRow():
                self._db.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?)", (table, row.number, row.record))
            case ActRow():
                values = (table, row.game, row.seq, row.seat, row.action, row.s, row.n, row.stamp)
                self._db.execute("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            case SnapRow():
                self._db.execute("DELETE FROM snaps WHERE tab = ? AND game < ?", (table, row.game))
                state = (table, row.game, row.seq, row.state, _digest(row.state))
                self._db.execute("INSERT OR REPLACE INTO snaps VALUES (?, ?, ?, ?, ?)", state)
            case ForgetRow():
                for name in _TABLES_OF_A_TABLE:
                    self._db.execute(f"DELETE FROM {name} WHERE tab = ?", (table,))
                self._db.execute("DELETE FROM tables WHERE id = ?", (table,))


def unfinished_in(folder: Path) -> list[str]:
    """Return the ids of the tables in this folder's journal that are not closed. A host may be using the journal.
    Raises JournalError if it cannot be read."""
    try:
        with contextlib.closing(sqlite3.connect(f"{(folder / JOURNAL).as_uri()}?mode=rw", uri=True)) as db:
            return _unfinished(db)
    except sqlite3.Error as problem:
        raise JournalError(f"the journal in {folder} cannot be read ({problem})") from None


def playing_in(folder: Path) -> list[str]:
    """Return the ids of the tables in this folder's journal where a game is on. Raises JournalError as unfinished_in
    does."""
    try:
        with contextlib.closing(sqlite3.connect(f"{(folder / JOURNAL).as_uri()}?mode=rw", uri=True)) as db:
            wanted = "SELECT tab FROM facts WHERE name = 'stage' AND value IN (?, ?)"
            return [row[0] for row in db.execute(wanted, (b"playing", b"paused"))]
    except sqlite3.Error as problem:
        raise JournalError(f"the journal in {folder} cannot be read ({problem})") from None


def _unfinished(db: sqlite3.Connection) -> list[str]:
    wanted = "SELECT id FROM tables WHERE id NOT IN (SELECT tab FROM facts WHERE name = 'stage' AND value = ?)"
    return [row[0] for row in db.execute(f"{wanted} ORDER BY no", (b"closed",))]


def _load(db: sqlite3.Connection, table: str) -> SavedTable | None:
    facts = dict(db.execute("SELECT name, value FROM facts WHERE tab = ?", (table,)))
    if "config" not in facts:
        return None
    seats = dict(db.execute("SELECT number, record FROM seats WHERE tab = ?", (table,)))
    game = int(facts.get("game", b"0"))
    wanted = "SELECT game, seq, state, digest FROM snaps WHERE tab = ? AND game = ? ORDER BY seq"
    snaps = db.execute(wanted, (table, game)).fetchall()
    columns = "game, seq, seat, action, s, n, stamp"
    acts = db.execute(f"SELECT {columns} FROM acts WHERE tab = ? AND game = ? ORDER BY seq", (table, game))
    taken: dict[bytes, set[int]] = {}
    rows = [ActRow(*row) for row in acts]
    for s, n in db.execute("SELECT s, n FROM acts WHERE tab = ? AND s IS NOT NULL", (table,)):
        taken.setdefault(s, set()).add(n)
    return SavedTable(facts, seats, [SnapRow(*row) for row in snaps], rows, taken)


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=16).digest()
