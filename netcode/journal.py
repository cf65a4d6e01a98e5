"""The journal: every accepted action on disk before anybody is told of it; tables are taken up again from here.

One sqlite file (WAL, synchronous=FULL) for all tables of one host, written by one thread in whole batches: a commit
takes 0.1 ms on a good disk and 20 ms on a bad one, and the loop must not wait for it. The file holds every hand: only
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
OURS = 0x6B646F72
"""How sqlite tells a journal of ours from every other file of its kind (application_id)."""
SNAP_EVERY = 50
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
_OF_A_TABLE = ("facts", "seats", "acts", "snaps")
_ROWS_FAULTS = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError, OverflowError)
"""What is the fault of the rows themselves, not of the file."""


class JournalError(RuntimeError):
    """The journal cannot be used; one line for people."""


@dataclass(frozen=True)
class FactRow:
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
    """The state of a game after `seq` actions. digest: of the state, as the journal has it."""

    game: int
    seq: int
    state: bytes
    digest: bytes = b""

    @property
    def sound(self) -> bool:
        """Whether the state is the one that was written."""
        return self.digest == _digest(self.state)


@dataclass(frozen=True)
class ForgetRow:
    """The table is closed: nothing of it needs to be kept."""


Row = FactRow | SeatRow | ActRow | SnapRow | ForgetRow


@dataclass(frozen=True)
class SavedTable:
    """What the journal knows of a table: facts, seats, the snapshots and actions of its game, and which actions (n) of
    each session it holds."""

    meta: dict[str, bytes]
    seats: dict[int, bytes]
    snaps: list[SnapRow]
    acts: list[ActRow]
    taken: dict[bytes, set[int]]


@dataclass(frozen=True)
class _Job:
    table: str
    rows: Sequence[Row]
    done: Callable[[], None]
    spoiled: Callable[[str], None] = field(default=lambda text: None)


class Journal:
    """One host's journal, locked as long as it is open."""

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
        self._path = path = folder / JOURNAL
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            with self._told_plainly():
                self._db = self._open(path)
        except JournalError:
            self._lock.close()
            raise
        self._fault = ""
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._gaps: set[str] = set()
        self.failed: Callable[[str], None] = lambda text: None
        """Called from the writing thread if a commit fails: nothing may be shown any more."""
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    def _open(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            fresh = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] == 0
            if not fresh and db.execute("PRAGMA application_id").fetchone()[0] != OURS:
                raise sqlite3.DatabaseError("it belongs to another program or to an older version")
            if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(found.splitlines()[-1])
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            if fresh:
                db.executescript(f"BEGIN; PRAGMA application_id={OURS}; PRAGMA user_version={SCHEMA}; {_TABLES} COMMIT")
            schema = db.execute("PRAGMA user_version").fetchone()[0]
            if schema != SCHEMA:
                age = "a newer" if schema > SCHEMA else "an older"
                raise sqlite3.DatabaseError(f"it was written by {age} version, schema {schema}, this one has {SCHEMA}")
        except BaseException:
            db.close()
            raise
        return db

    @contextlib.contextmanager
    def _told_plainly(self) -> Iterator[None]:
        """What sqlite finds wrong with the file, in one sentence for people."""
        try:
            yield
        except sqlite3.OperationalError as problem:
            raise JournalError(f"{self._path} cannot be used ({problem}): is the disk full?") from None
        except (sqlite3.Error, ValueError, TypeError) as problem:
            raise JournalError(f"{self._path} is damaged or no journal of ours ({problem}): move it away") from None

    # -------------------------------------------------------------------------------------------------- about the host
    def new_epoch(self) -> int:
        """Counts the starts of a host with this journal. Raises JournalError."""
        with self._told_plainly():
            epoch = int(self.fact("epoch") or b"0") + 1
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", (str(epoch).encode(),))
            return epoch

    def fact(self, name: str, first: bytes | None = None) -> bytes | None:
        """Something kept about the host itself; `first` is kept if there is nothing yet. Raises JournalError."""
        with self._told_plainly():
            if first is not None:
                self._db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (name, first))
            found = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
            return found[0] if found else None

    # --------------------------------------------------------------------------------------------------------- reading
    def unfinished(self) -> list[str]:
        """The tables that are not closed, the oldest first. Raises JournalError."""
        with self._told_plainly():
            return _unfinished(self._db)

    def load(self, table: str) -> SavedTable | None:
        """What is on disk of a table, None if it is not kept here. Raises JournalError if it cannot be read."""
        try:
            with contextlib.closing(sqlite3.connect(self._path)) as db:  # its own: the other one is busy writing
                return _load(db, table)
        except (sqlite3.Error, ValueError, TypeError) as problem:
            raise JournalError(f"the journal's rows of table {table} cannot be read ({problem})") from None

    # --------------------------------------------------------------------------------------------------------- writing
    def commit(
        self,
        table: str,
        rows: Sequence[Row],
        done: Callable[[], None],
        spoiled: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Write these rows of a table in one transaction; `done` is called from the writing thread when they are on
        disk, in the order of the calls. `spoiled`: instead, if these rows cannot be kept (a fault of the program); then
        nothing more of this table is kept, for it would leave a gap, until a commit without rows says that it has been
        taken up again. If the file cannot be written, `failed` is called instead, and at once for all that come after.
        """
        if self._fault:
            self.failed(self._fault)
        else:
            self._jobs.put(_Job(table, rows, done, spoiled))

    def settle(self) -> None:
        """Wait until everything committed before is on disk. Raises JournalError if it cannot be."""
        settled = threading.Event()
        self.commit("", [], settled.set)
        while not settled.wait(0.01):
            if self._fault:
                raise JournalError(self._fault)

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
                self._write_all([job for job in jobs if not self._after_a_gap(job)])
            except Exception as problem:  # no memory, for instance: whatever it is, nothing more is acknowledged
                what = str(problem) or type(problem).__name__
                self._fault = f"the journal cannot be written ({what}): is the disk full?"
                self.failed(self._fault)
                return

    def _after_a_gap(self, job: _Job) -> bool:
        if not job.rows:
            self._gaps.discard(job.table)
        if job.table in self._gaps:
            job.spoiled("rows before these could not be kept")
            return True
        return False

    def _write_all(self, jobs: list[_Job]) -> None:
        """All in one transaction; if the rows of one of them are at fault, each in its own."""
        try:
            self._transact(jobs)
        except _ROWS_FAULTS as problem:
            if len(jobs) == 1:
                self._gaps.add(jobs[0].table)
                jobs[0].spoiled(f"rows that cannot be kept: {problem}")
                return
            for job in jobs:
                if not self._after_a_gap(job):
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
            if self._db.in_transaction:  # sqlite takes a transaction back by itself when the disk is full
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
                for name in _OF_A_TABLE:
                    self._db.execute(f"DELETE FROM {name} WHERE tab = ?", (table,))
                self._db.execute("DELETE FROM tables WHERE id = ?", (table,))


def unfinished_in(folder: Path) -> list[str]:
    """The tables in the journal of this folder that are not closed; a host may be using it. Raises JournalError if it
    cannot be read."""
    try:
        with contextlib.closing(sqlite3.connect(f"{(folder / JOURNAL).as_uri()}?mode=rw", uri=True)) as db:
            return _unfinished(db)
    except sqlite3.Error as problem:
        raise JournalError(f"the journal in {folder} cannot be read ({problem})") from None


def _unfinished(db: sqlite3.Connection) -> list[str]:
    wanted = "SELECT id FROM tables WHERE id NOT IN (SELECT tab FROM facts WHERE name = 'stage' AND value = ?)"
    return [row[0] for row in db.execute(f"{wanted} ORDER BY no", (b"closed",))]


def _load(db: sqlite3.Connection, table: str) -> SavedTable | None:
    meta = dict(db.execute("SELECT name, value FROM facts WHERE tab = ?", (table,)))
    if "config" not in meta:
        return None
    seats = dict(db.execute("SELECT number, record FROM seats WHERE tab = ?", (table,)))
    game = int(meta.get("game", b"0"))
    wanted = "SELECT game, seq, state, digest FROM snaps WHERE tab = ? AND game = ? ORDER BY seq"
    snaps = db.execute(wanted, (table, game)).fetchall()
    columns = "game, seq, seat, action, s, n, stamp"
    acts = db.execute(f"SELECT {columns} FROM acts WHERE tab = ? AND game = ? ORDER BY seq", (table, game))
    taken: dict[bytes, set[int]] = {}
    rows = [ActRow(*row) for row in acts]
    for s, n in db.execute("SELECT s, n FROM acts WHERE tab = ? AND s IS NOT NULL", (table,)):
        taken.setdefault(s, set()).add(n)
    return SavedTable(meta, seats, [SnapRow(*row) for row in snaps], rows, taken)


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=16).digest()
