"""The journal: writes every accepted action to disk before anybody is told of it; tables are restored from here.

One sqlite file (WAL, synchronous=FULL) holds all tables of one host. A thread writes it in batches: a commit takes
0.1 ms on a good disk and 20 ms on a bad one, and a busy loop must not wait for it. An idle loop writes by itself on a
quick disk (`write_now`), because switching threads takes longer than the write. The file contains every hand, so only
its owner may read it.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from netcode.journal.batches import BatchWriter, Job
from netcode.journal.check import check, repair_hint
from netcode.journal.checksums import JournalChecksums
from netcode.journal.migrate import create_file, migrate
from netcode.journal.rows import (
    HOST,
    FactRow,
    ForgetRow,
    HostFactRow,
    JournalDamaged,
    JournalError,
    JournalInUse,
    Row,
    SavedTable,
    SnapRow,
)
from netcode.journal.schema import (
    JOURNAL,
    SCHEMA_WITHOUT_CHECKSUMS,
    TableRows,
    damage_of,
    put,
    put_heads,
    read_heads,
    read_rows,
    unfinished,
)
from netcode.journal.watermark import WatermarkFile
from netcode.protocol.credentials import lock_folder

SNAP_EVERY = 50
"""Actions between two snapshots."""
QUICK_S = 0.003
"""A disk is quick if a transaction usually takes less than this."""
_ROW_ERRORS = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError, OverflowError)
"""Errors that come from the rows themselves, not from the file."""


class Journal(BatchWriter):
    """The journal of one host, locked while it is open. warnings: sentences for the host's log."""

    row_errors = _ROW_ERRORS
    standing = ""

    def __init__(self, folder: Path) -> None:
        """Raises JournalError if the folder cannot be used, JournalInUse if another host is using it, JournalDamaged
        if something is missing; the files are as they were then."""
        self._folder, self._path = folder, folder / JOURNAL
        with self._plain_errors():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = lock_folder(folder)
        if lock is None:
            text = f"another host is using the data folder {folder}"
            raise JournalInUse(f"{text}: stop it or choose another with --port or --data")
        self._lock = lock
        try:
            with self._plain_errors():
                self._open()
        except JournalError:
            self._lock.close()
            raise
        super().__init__()
        self.stands: Callable[[str], None] = lambda text: None
        self.lost: Callable[[str, str], None] = lambda table, text: None
        self._facts: dict[str, bytes] = {}
        """Facts about the host that were written since it was opened."""
        self._usual_s = 0.0
        """How long a transaction has taken lately."""
        self.begin()

    def _open(self) -> None:
        """Check the journal, create or migrate it if needed, and open it for writing."""
        checked = check(self._folder)
        self.warnings = checked.warnings
        self._checksums, self._wrong = checked.checksums, checked.wrong
        if not checked.schema:
            create_file(self._path)
        self._db = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        try:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            if checked.schema == SCHEMA_WITHOUT_CHECKSUMS:
                self._checksums = migrate(self._db)
            self._watermark = WatermarkFile(self._folder)
            self._watermark.write(self._checksums)
            self._checkpoint()
        except BaseException:
            self._db.close()
            raise

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        """Turn errors of sqlite and of the system into JournalError, one sentence for people."""
        try:
            yield
        except OSError as problem:
            raise JournalError(f"the data folder {self._folder} cannot be used: {problem.strerror}") from None
        except sqlite3.OperationalError as problem:
            raise JournalError(f"{self._path} cannot be used ({problem}): is the disk full?") from None
        except (sqlite3.Error, ValueError, TypeError) as problem:
            text = f"{self._path} is damaged or not a journal of kickdoor ({problem}): move it away"
            raise JournalError(text) from None

    # -------------------------------------------------------------------------------------------- facts about the host
    def new_epoch(self) -> int:
        """Count the starts of a host with this journal; return the new number, which is on disk after `settle`. Raises
        JournalError."""
        epoch = int(self.fact("epoch") or b"0") + 1
        self.set_fact("epoch", str(epoch).encode())
        return epoch

    def fact(self, name: str, first: bytes | None = None) -> bytes | None:
        """Return a fact about the host itself; store `first` if there is none yet, as `set_fact` does. Raises
        JournalError."""
        found = self._fact(name)
        if found is None and first is not None:
            self.set_fact(name, first)
            return first
        return found

    def _fact(self, name: str) -> bytes | None:
        if name in self._facts:
            return self._facts[name]
        with self._plain_errors(), contextlib.closing(sqlite3.connect(self._path)) as db:
            found = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
            return found[0] if found else None

    def set_fact(self, name: str, value: bytes) -> None:
        """Write a fact about the host itself. It is on disk when `settle` has returned, so that the facts of a start
        cost one sync and not one each."""
        self._facts[name] = value
        self.commit(HOST, [HostFactRow(name, value)], lambda: None)

    # --------------------------------------------------------------------------------------------------------- reading
    def unfinished(self) -> list[str]:
        """Return the ids of the tables that are not closed, the oldest first, also of those that cannot be read. Raises
        JournalError."""
        with self._plain_errors(), contextlib.closing(sqlite3.connect(self._path)) as db:
            return unfinished(db, self._wrong)

    def load(self, table: str) -> SavedTable | None:
        """Return what is on disk of a table, None if nothing is. Raises JournalDamaged, with what is left, if it
        differs from the written rows."""
        return self._read(table)[1]

    def rows(self, table: str) -> TableRows:
        """Return all rows of a table that are on disk. Raises JournalDamaged as `load` does."""
        return self._read(table)[0]

    def _read(self, table: str) -> tuple[TableRows, SavedTable | None]:
        if table in self._wrong:
            raise JournalDamaged(self._wrong[table])
        try:
            with contextlib.closing(sqlite3.connect(self._path)) as db:  # the other connection is busy writing
                db.execute("BEGIN")
                head, rows = read_heads(db).get(table), read_rows(db, table)
                problem = damage_of(rows, head) if head is not None else ""
                saved = rows.saved() if not problem else None
        except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
            problem = f"its rows cannot be read: {error}"
        if problem:
            raise JournalDamaged(f"{problem}; it stays as it is: stop the host, then {repair_hint(self._folder)}")
        return rows, saved

    # --------------------------------------------------------------------------------------------------------- writing
    def write_now(self, table: str, rows: Sequence[Row]) -> bool:
        """Write these rows in the calling thread if that is fast: the disk is quick, nothing is queued for the writing
        thread, and no checkpoint follows. Return whether they are on disk; if not, `commit` them. Only the thread that
        calls `commit` may call it."""
        if self._unwritten or self._usual_s > QUICK_S or self._failure or table in self._broken:
            return False
        if any(map(_makes_checkpoint, rows)):
            return False
        try:
            self._transact([Job(table, rows, _nothing)])
        except _ROW_ERRORS:
            return False  # `commit` meets the same problem and reports it
        except Exception as problem:
            self._fail(problem)
            return False
        return True

    def close(self) -> None:
        """Write the queued rows, and close."""
        self.end(10)
        self._db.close()
        self._watermark.close()
        self._lock.close()

    def _transact(self, jobs: list[Job]) -> None:
        if not any(job.rows for job in jobs):
            return
        began = time.monotonic()
        checksums = self._checksums.draft()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for job in jobs:
                for row in job.rows:
                    self._put(checksums, job.table, row)
            put_heads(self._db, checksums)
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # sqlite rolls back by itself when the disk is full
                self._db.execute("ROLLBACK")
            raise
        self._checksums = checksums
        self._watermark.write(checksums)
        self._usual_s += (time.monotonic() - began - self._usual_s) / 8

    def _written(self, jobs: list[Job]) -> None:
        if any(_makes_checkpoint(row) for job in jobs for row in job.rows):
            self._checkpoint()

    def _put(self, checksums: JournalChecksums, table: str, row: Row) -> None:
        put(self._db, checksums, table, row)

    def _checkpoint(self) -> None:
        """Copy the write-ahead log into the database, so that losing the log costs only the newest actions."""
        self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._watermark.force()


def _nothing() -> None:
    """Tell nobody."""


def _makes_checkpoint(row: Row) -> bool:
    """Whether a row is worth a checkpoint: a table was opened or closed, or its game saved."""
    return isinstance(row, (SnapRow, ForgetRow)) or (isinstance(row, FactRow) and row.name == "config")
