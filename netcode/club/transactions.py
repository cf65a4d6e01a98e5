"""The transactions in which a host writes commits: each checks that the host still has the tables, and none takes place
twice although its answer may be lost."""

from collections.abc import Callable, Sequence

from netcode.club import leases
from netcode.club.connections import WritingConnection
from netcode.club.database import Connection
from netcode.journal.batches import Job
from netcode.journal.rows import HOST, ForgetRow, JournalError, Row

TAKEN = "another host of this club has taken this table over: nothing that was confirmed is lost"
SUPERSEDED = "another process has started as this host of the club, and has its tables now"


class TablesLost(JournalError):
    """Another host has some of the tables. tables: their ids."""

    def __init__(self, tables: set[str]) -> None:
        super().__init__(TAKEN)
        self.tables = tables


class Transactions:
    """The transactions of one start of a host. They are numbered, and the database has the number of the last one."""

    def __init__(
        self, writer: WritingConnection, name: str, epoch: int, lease_s: float,
        put: Callable[[Connection, str, Row], None],
    ) -> None:  # fmt: skip
        """name, epoch: of this start of the host. lease_s: for new tables (s). put(db, table, row): writes a row."""
        self._writer, self._name, self._epoch, self._lease_s, self._put = writer, name, epoch, lease_s, put
        self._batch, self._draft = 0, dict[str, int]()

    def write(self, jobs: Sequence[Job], generations: dict[str, int]) -> dict[str, int]:
        """Write these jobs in one transaction. generations: the tables that the host has. Return those that it has
        afterwards. Raises TablesLost, JournalError, one of ROW_ERRORS."""
        self._writer.insist(lambda db: self._write_in(db, jobs, generations))
        self._batch += 1
        return self._draft

    def _write_in(self, db: Connection, jobs: Sequence[Job], generations: dict[str, int]) -> None:
        """Write these jobs in one transaction, unless the last try has written them and only its answer was lost."""
        if self._has_landed(db):
            return
        tables = {job.table for job in jobs if job.rows} - {HOST}
        known = {table: generation for table, generation in generations.items() if table in tables}
        draft = dict(generations)
        try:
            with db.pipeline(), db.transaction():
                leases.insist(db, self._name, self._epoch, self._batch + 1, known)
                for job in jobs:
                    for row in job.rows:
                        if job.table not in draft and job.table != HOST and not isinstance(row, ForgetRow):
                            leases.open_table(db, self._name, job.table, self._lease_s)
                            draft[job.table] = 1
                        self._put(db, job.table, row)
                        if isinstance(row, ForgetRow):
                            draft.pop(job.table, None)
                self._draft = draft
        except leases.NotHeld:
            self._check_held(db, known)
            raise

    def _check_held(self, db: Connection, known: dict[str, int]) -> None:
        """Say why a transaction was refused. Raises TablesLost, or JournalError if another process is this host."""
        with db.transaction():
            if not leases.confirm(db, self._name, self._epoch, self._batch):
                raise JournalError(SUPERSEDED)
            if lost := set(known) - leases.held(db, self._name, known):
                raise TablesLost(lost)

    def _has_landed(self, db: Connection) -> bool:
        """Whether the last try of this batch took place although its answer was lost. Raises JournalError if the
        database has less than it has confirmed (a standby that was behind), or another process is this host."""
        if not self._writer.unsure:
            return False
        self._writer.unsure = False
        batch = leases.last_batch(db, self._name, self._epoch)
        if batch is None:
            raise JournalError(SUPERSEDED)
        if batch < self._batch:
            raise JournalError("the club's database has lost what it had confirmed: an older copy has replaced it")
        return batch > self._batch
