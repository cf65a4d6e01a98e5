"""The journal of a host of a club: in PostgreSQL, where the host has a lease on each of its tables.

An action is in the database before anybody hears of it. A thread writes what came together as one transaction, which
also checks that the host still has the tables (leases.py); between two transactions it renews the leases. If the
database is away, the thread tries again for ten minutes; meanwhile nothing is confirmed, and the tables stand still. So
they do when the host's own clock says that its leases are about to lapse.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty

import psycopg

from netcode import VERSION
from netcode.club import lease_clock, leases
from netcode.club.connections import HANGING_S, ROW_ERRORS, ReadingConnection, WritingConnection
from netcode.club.database import Connection, connect, plain_errors
from netcode.club.directory import Directory
from netcode.club.folder import claim_folder, host_name
from netcode.club.lease_clock import LeaseClock
from netcode.club.schema import claim_fact, numbers, put, read_fact, read_rows, unfinished
from netcode.club.transactions import SUPERSEDED, TAKEN, TablesLost, Transactions
from netcode.journal.batches import BatchWriter, Job
from netcode.journal.rows import HOST, HostFactRow, JournalError, Row, SavedTable
from netcode.journal.schema import TableRows
from netcode.journal.shared import ClubTable

LOOK_S = 0.25
"""How often the watching thread looks at the clock (s)."""
CLUB_WIDE = ("lobby",)
"""Facts that all hosts of a club share: there is one lobby."""
_LOOK = Job(HOST, [], lambda: None)
"""Wakes the writing thread."""


class _Gift(Job, frozen=True, kw_only=True):
    """A table that is handed over; see ClubJournal.give."""

    to: str
    given: Callable[[bool], None]


class _Opening(Job, frozen=True, kw_only=True):
    """A table that is about to be opened; see ClubJournal.open_for."""

    creator: str
    origin: str
    opened: Callable[[str], None]


class ClubJournal(BatchWriter):
    """The journal of one host of a club. name: of the host in the club; generations: its tables. warnings: sentences
    for the host's log. See JournalHome."""

    row_errors = (*ROW_ERRORS, TablesLost)
    problem = "the journal cannot be written ({})"

    def __init__(
        self, address: str, folder: Path, *, lease_s: float = leases.LEASE_S, lapsed_s: float = 0.0
    ) -> None:  # fmt: skip
        """address: of the database, as libpq takes it. folder: of this host, with its name in the club and its key.
        lapsed_s: a table of another host is taken over this long (s) after its lease has lapsed (`take_over`).

        Raises JournalInUse if another host uses the folder or the database is away, JournalError."""
        super().__init__()
        self._address, self._lease_s, self._lapsed_s = address, lease_s, lapsed_s
        self.warnings: list[str] = []
        self.stands: Callable[[str], None] = lambda text: None
        self.lost: Callable[[str, str], None] = lambda table, text: None
        self._facts: dict[str, bytes] = {}
        self._lost: set[str] = set()
        self._taken: Callable[[str, int], None] | None = None
        self._limit = 0
        self._left: set[str] = set()
        """Tables that this host cannot serve, and leaves to others."""
        self._looks = threading.Event()
        """Set when there may be tables to take over."""
        self._closing = threading.Event()
        self._lock = claim_folder(folder)
        self._clock = LeaseClock(lease_s, lambda why: self.stands(why))
        self._writer = WritingConnection(address, self._clock, self._closing)
        self._reader = ReadingConnection(address)
        try:
            with plain_errors():
                self.name = host_name(folder)
                self._begin_to_hold()
        except BaseException:
            self._writer.hang_up()
            self._lock.close()
            raise
        self.directory = Directory(address, self.name, self._look)
        self._watching = threading.Thread(target=self._watch, name="leases", daemon=True)
        self._watching.start()
        self.begin()

    def _begin_to_hold(self) -> None:
        """Connect, and take the tables of this host."""
        began = lease_clock.steady()
        db = self._writer.connected()
        with db.transaction():
            self.epoch = leases.register(db, self.name, VERSION)
            self.generations = leases.take_own(db, self.name, self._lease_s)
        self._transactions = Transactions(
            self._writer, self.name, self.epoch, self._lease_s, lambda db, table, row: self._put(db, table, row)
        )
        self._clock.holds_since(began)

    # ---------------------------------------------------------------------------------------------------- what is held
    @property
    def standing(self) -> str:
        """Why the tables stand still at this moment; "" if they do not."""
        return self._clock.standing

    def _watch(self) -> None:
        """Tell the host when its leases are about to lapse; cut the connection to a server that does not answer."""
        while not self._closing.wait(LOOK_S):
            self._clock.tell()
            self._writer.cut_if_hanging()

    # -------------------------------------------------------------------------------------------- facts about the host
    def new_epoch(self) -> int:
        """Return the number of this start of a host, which no other start in the club has."""
        return self.epoch

    def fact(self, name: str, first: bytes | None = None) -> bytes | None:
        """Return a fact about the host itself; store `first` if there is none yet. Raises JournalError."""
        if name not in self._facts:
            found = self._reader.read(lambda db: read_fact(db, self.name, name))
            if found is None and first is None:
                return None
            if found is None:
                assert first is not None
                if name in CLUB_WIDE:
                    self._facts[name] = self.claim(name, first)
                else:
                    self.set_fact(name, first)
            else:
                self._facts[name] = found
        return self._facts[name]

    def claim(self, name: str, value: bytes) -> bytes:
        """Return a fact about the whole club, which is this one if nobody has stored it before. Raises JournalError."""
        with plain_errors(), connect(self._address) as db:
            return claim_fact(db, name, value)

    def numbers(self) -> set[int]:
        """Return the numbers of all short words in the club. Raises JournalError."""
        return self._reader.read(numbers)

    def set_fact(self, name: str, value: bytes) -> None:
        """Write a fact about the host itself. It is in the database when `settle` has returned."""
        self._facts[name] = value
        self.commit(HOST, [HostFactRow(name, value)], lambda: None)

    # ------------------------------------------------------------------------------------------------ taking and giving
    def take_over(self, taken: Callable[[str, int], None], limit: int) -> None:
        """From now on, take over tables whose leases have lapsed, while this host has fewer tables than `limit`. Accept
        tables that are handed over to this host.

        taken(table, generation): this host has the table now; whoever serves it calls `take_up` before reading it.
        Called from the writing thread."""
        self._taken, self._limit = taken, limit
        self.directory.begin()
        self._look()

    def _look(self, table: ClubTable | None = None) -> None:
        """Look for tables to take over at once, not only at the next renewal of leases. table: one that may be free
        now, None if this is not known. Safe from any thread."""
        own = table is not None and table.host == self.name and table.id in self.generations
        left = table is not None and table.id in self._left
        if not own and not left and not self._looks.is_set() and not self._failure:
            self._looks.set()
            self._queue(_LOOK)

    def holds(self, table: str, generation: int) -> bool:
        """Return whether this host has this table in this generation, as far as it knows."""
        return self.generations.get(table) == generation

    def take_up(self, table: str) -> None:
        """Refuse rows that were queued for this table before now, and write those that follow: whoever serves it
        begins from what the database has."""
        self._queue(Job(table, [], lambda: None, anew=True))

    def leave(self, table: str) -> None:
        """Leave a table that this host cannot serve to another one."""
        self._left.add(table)
        self.give(table, "", lambda given: None)

    def open_for(self, table: str, creator: str, origin: str, done: Callable[[str], None]) -> None:
        """Reserve a new id for a table that somebody wants, unless they have too many tables in the club.

        done(what): see leases.Opened. Called from the writing thread."""
        self._queue(_Opening(table, [], lambda: None, done, creator=creator, origin=origin, opened=done))

    def give(self, table: str, to: str, done: Callable[[bool], None]) -> None:
        """Hand a table over to the host of this name ("": to whoever takes it first) when all earlier commits of it are
        written. done(given): whether this host still had it. Called from the writing thread."""
        self._queue(_Gift(table, [], lambda: None, lambda text: done(False), to=to, given=done))

    # --------------------------------------------------------------------------------------------------------- reading
    def unfinished(self) -> list[str]:
        """Return the ids of this host's tables that are not closed, the oldest first. Raises JournalError."""
        return self._reader.read(lambda db: unfinished(db, self.name))

    def load(self, table: str) -> SavedTable | None:
        """Return what is in the database of a table, None if nothing is. Raises JournalError."""
        return self.rows(table).saved()

    def rows(self, table: str) -> TableRows:
        """Return all rows of a table. Raises JournalError."""
        return self._reader.read(lambda db: read_rows(db, table))

    # --------------------------------------------------------------------------------------------------------- writing
    def write_now(self, table: str, rows: Sequence[Row]) -> bool:
        """Return False: a loop never waits for a network."""
        return False

    def close(self) -> None:
        """Write the queued rows, if the database is there, and close."""
        self._closing.set()
        self.directory.close()
        self.end(HANGING_S)
        self._watching.join(HANGING_S)
        self._writer.hang_up()
        self._reader.close()
        self._lock.close()

    def _next_job(self) -> Job | None:
        """Wait for the next commit, and renew the leases in time."""
        while True:
            left = self._clock.due_s
            if left <= 0 or self._looks.is_set():
                self._renew()
                continue
            with suppress(Empty):
                return self._jobs.get(timeout=left)

    def _renew(self) -> None:
        """Renew the leases; let go of tables that another host has taken; take those that have no host any more."""
        self._looks.clear()
        began = 0.0

        def renewing(db: Connection) -> tuple[set[str], dict[str, int]]:
            nonlocal began
            began = lease_clock.steady()
            with db.transaction():
                if not leases.seen(db, self.name, self.epoch):
                    raise JournalError(SUPERSEDED)
                lost = leases.renew(db, self.name, self.generations, self._lease_s)
                return lost, self._more(db, lost)

        lost, more = self._writer.insist(renewing)
        self._let_go(lost)
        self._take_in(more)
        self._clock.holds_since(began)
        self._clock.tell()

    def _more(self, db: Connection, lost: set[str]) -> dict[str, int]:
        """Return the tables that come to this host now, with their generations: all that were handed over to it, and
        some of those whose leases have lapsed."""
        if self._taken is None:
            return {}
        more = leases.given(db, self.name, self.generations.keys() - lost | self._left)
        room = self._limit - len(self.generations.keys() - lost) - len(more)
        most = max(0, min(leases.SHARE, room))
        lapsed = leases.take_over(db, self.name, self._lapsed_s, self._lease_s, most, self._left) if most else {}
        if lapsed and len(lapsed) == most:
            self._looks.set()
        if lapsed:
            leases.tell(db)
        return more | lapsed

    def _take_in(self, tables: dict[str, int]) -> None:
        """Note that this host has these tables. Nothing is written to them before `take_up`, since rows may still be
        queued by somebody who knew an older state."""
        for table, generation in sorted(tables.items()):
            self.generations[table] = generation
            self._lost.add(table)
            if self._taken is not None:
                self._taken(table, generation)

    def _let_go(self, tables: set[str]) -> None:
        for table in sorted(tables):
            self.generations.pop(table, None)
            self._lost.add(table)
            self._broken.add(table)
            self.lost(table, TAKEN)

    def _rejected_after_gap(self, job: Job) -> bool:
        """Reject all later commits of a table that another host has, even those without rows."""
        if job.anew:
            self._lost.discard(job.table)
        if job.table in self._lost:
            job.rejected(TAKEN)
            return True
        return super()._rejected_after_gap(job)

    def _write_all(self, jobs: list[Job]) -> None:
        """Write all jobs. A gift is made when the jobs before it are written."""
        before: list[Job] = []
        for job in jobs:
            if isinstance(job, _Gift | _Opening):
                self._write_all(before)
                before = []
                self._hand_over(job) if isinstance(job, _Gift) else self._open(job)
            elif not self._rejected_after_gap(job):
                before.append(job)
        if before:
            super()._write_all(before)

    def _hand_over(self, gift: "_Gift") -> None:
        generation = self.generations.get(gift.table)
        if generation is None:
            gift.given(False)
            return

        def giving(db: Connection) -> bool:
            with db.transaction():
                had = leases.give(db, self.name, gift.table, generation, gift.to, self._lease_s)
                leases.tell(db)
                return had or leases.was_given(db, gift.table, generation, gift.to)

        given = self._writer.insist(giving)
        self.generations.pop(gift.table, None)
        self._lost.add(gift.table)
        gift.given(given)

    def _open(self, wanted: "_Opening") -> None:
        found = self._writer.insist(
            lambda db: leases.open_for(db, self.name, wanted.table, wanted.creator, wanted.origin, self._lease_s)
        )
        if found == "opened":
            self.generations[wanted.table] = 1
        wanted.opened(found)

    def _transact(self, jobs: list[Job]) -> None:
        if not any(job.rows for job in jobs):
            return
        try:
            self.generations = self._transactions.write(jobs, self.generations)
        except TablesLost as problem:
            self._let_go(problem.tables)
            raise

    def _why(self, problem: Exception) -> str:
        """Return why rows were refused; not the rows, which PostgreSQL adds to its messages."""
        return problem.diag.message_primary or "" if isinstance(problem, psycopg.Error) else str(problem)

    def _put(self, db: Connection, table: str, row: Row) -> None:
        put(db, self.name, table, row)
