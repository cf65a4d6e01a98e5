"""The two connections of a journal in the database of a club: one that writes, however long the database is away, and
one that reads."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import psycopg

from netcode.club import lease_clock
from netcode.club.database import Connection, check_version, connect, may_pass, plain_errors, sentence
from netcode.club.lease_clock import LeaseClock
from netcode.journal.rows import JournalError

RETRY_S = 0.5
"""The pause between two tries to reach the database (s)."""
GONE_S = 600.0
"""How long the database may be away before the host ends (s)."""
HANGING_S = 10.0
"""How long a server may take for a transaction before the connection is given up (s); its own timeouts come first,
unless it is frozen or out of reach."""
ROW_ERRORS = (psycopg.IntegrityError, psycopg.DataError)
"""Errors of a transaction that come from its rows, not from the database."""
Answer = TypeVar("Answer")


class WritingConnection:
    """The connection of the thread that writes; see `insist`.

    unsure: whether a connection was lost before the answer to its last transaction came. Whoever finds out whether the
    transaction took place resets it."""

    def __init__(self, address: str, clock: LeaseClock, closing: threading.Event) -> None:
        """address: of the database. clock: is told when the database is away and when it is back. closing: set when
        nobody waits for the database any more."""
        self.unsure = False
        self._address, self._clock, self._closing = address, clock, closing
        self._db: Connection | None = None
        self._busy_since: float | None = None

    def insist(self, work: Callable[[Connection], Answer]) -> Answer:
        """Do this on the connection. If that is lost, try again on a new one until the database has been away for
        GONE_S. Raises JournalError, one of ROW_ERRORS."""
        gone_at, tries = 0.0, 0
        while True:
            try:
                with self._hurrying():
                    answer = work(self.connected())
                self._clock.back()
                return answer
            except ROW_ERRORS:
                raise
            except psycopg.Error as problem:
                why = sentence(problem)
                self.hang_up()
                if not may_pass(problem):
                    raise JournalError(why) from None
            self.unsure, tries = True, tries + 1
            if tries == 1:
                gone_at = lease_clock.steady()
                continue  # a lost connection alone is nothing that people need to hear of
            self._clock.away()
            if lease_clock.steady() - gone_at > GONE_S:
                raise JournalError(f"{why}, for {GONE_S / 60:.0f} minutes now")
            if self._closing.wait(RETRY_S):
                raise JournalError(why)

    def connected(self) -> Connection:
        """Return the connection; make it if there is none. Raises JournalError, psycopg.Error."""
        if self._db is None or self._db.closed:
            self._db = connect(self._address)
            check_version(self._db)
        return self._db

    def hang_up(self) -> None:
        """Close the connection."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(psycopg.Error):
                db.close()

    def cut_if_hanging(self) -> None:
        """Cut the connection if its server has not answered for HANGING_S. The thread that waits for it then makes a
        new one. Called from another thread."""
        since, db = self._busy_since, self._db
        if since is not None and db is not None and lease_clock.steady() - since > HANGING_S:
            with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(db.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def _hurrying(self) -> Iterator[None]:
        """Let `cut_if_hanging` cut the connection if this takes too long."""
        self._busy_since = lease_clock.steady()
        try:
            yield
        finally:
            self._busy_since = None


class ReadingConnection:
    """A connection that reads while the other one is busy writing. Safe from any thread."""

    def __init__(self, address: str) -> None:
        """address: of the database."""
        self._address = address
        self._db: Connection | None = None
        self._reading = threading.Lock()

    def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """Read in one transaction. A connection that was lost meanwhile is made again. Raises JournalError."""
        with self._reading, plain_errors():
            for again in (True, False):
                try:
                    if self._db is None:
                        self._db = connect(self._address)
                    with self._db.transaction():
                        self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                        return work(self._db)
                except (psycopg.OperationalError, psycopg.InterfaceError):
                    if self._db is not None:
                        self._db.close()
                    self._db = None
                    if not again:
                        raise
        raise AssertionError

    def close(self) -> None:
        """Close the connection."""
        with self._reading:
            if self._db is not None:
                self._db.close()
