"""A thread that writes commits in batches: what came together is one transaction, in the order of the calls.

Where a transaction goes is up to the subclass: a file (writer.py) or a database of a club (netcode/club).
"""

import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from netcode.journal.rows import JournalError, Row
from netcode.reporting import plain_text

BATCH = 64
"""The most commits that are written in one transaction."""


class Job(Struct, frozen=True):
    """A commit that is to be written; see BatchWriter.commit. anew: whoever commits from now on knows all rows of the
    table, so later rows are accepted although earlier ones were refused."""

    table: str
    rows: Sequence[Row]
    done: Callable[[], None]
    rejected: Callable[[str], None] = field(default=lambda text: None)
    anew: bool = False


class BatchWriter:
    """Writes what is passed to `commit`, in a thread that runs from `begin` to `end`.

    row_errors: the errors of a transaction that come from the rows themselves, not from where they are written."""

    row_errors: tuple[type[Exception], ...] = ()
    problem = "the journal cannot be written ({}): is the disk full?"
    """What is said if it cannot be written any more, with the reason."""

    def __init__(self) -> None:
        self._failure = ""
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._unwritten: deque[Job] = deque()
        """Commits that were passed to the thread and are not written yet."""
        self._broken: set[str] = set()
        self.failed: Callable[[str], None] = lambda text: None
        """Called from the writing thread if a commit fails; from then on nothing may be sent."""
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def commit(
        self,
        table: str,
        rows: Sequence[Row],
        done: Callable[[], None],
        rejected: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Write these rows of a table in one transaction. Callbacks come from the writing thread.

        done(): the rows are on disk; in the order of the calls. rejected(why): the rows are refused (an internal
        error). All later rows of this table are then rejected too, because they would leave a gap, until a commit
        without rows says that the table is restored. If nothing can be written any more, `failed` is called instead of
        both, and at once for all later commits.
        """
        if self._failure:
            self.failed(self._failure)
        else:
            self._queue(Job(table, rows, done, rejected))

    def _queue(self, job: Job) -> None:
        self._unwritten.append(job)
        self._jobs.put(job)

    @property
    def writes(self) -> bool:
        """Whether the writing thread runs."""
        return self._thread.is_alive()

    def settle(self) -> None:
        """Wait until all earlier commits are on disk. Raises JournalError if they cannot be written."""
        settled = threading.Event()
        self.commit("", [], settled.set)
        while not settled.wait(0.01):
            if self._failure:
                raise JournalError(self._failure)

    def end(self, within_s: float) -> None:
        """Write the queued rows, and end the thread."""
        self._jobs.put(None)
        self._thread.join(within_s)

    def _write(self) -> None:
        try:
            while (job := self._next_job()) is not None:
                jobs = [job]
                while len(jobs) < BATCH and not self._jobs.empty():
                    more = self._jobs.get()
                    if more is None:
                        self._jobs.put(None)
                        break
                    jobs.append(more)
                self._write_all([job for job in jobs if not self._rejected_after_gap(job)])
                for _ in jobs:
                    self._unwritten.popleft()
        except Exception as problem:
            self._fail(problem)

    def _next_job(self) -> Job | None:
        """Wait for the next commit; return None at the end."""
        return self._jobs.get()

    def _fail(self, problem: Exception) -> None:
        """Confirm nothing more after this problem, whatever it is (no memory, for instance)."""
        self._failure = self.problem.format(plain_text(problem) or type(problem).__name__)
        self.failed(self._failure)

    def _rejected_after_gap(self, job: Job) -> bool:
        if not job.rows:
            self._broken.discard(job.table)
        if job.table in self._broken:
            job.rejected("earlier rows could not be written")
            return True
        return False

    def _write_all(self, jobs: list[Job]) -> None:
        """Write all jobs in one transaction; if the rows of one are refused, write each job in a transaction of its
        own."""
        try:
            self._transact(jobs)
        except self.row_errors as problem:
            if len(jobs) == 1:
                self._broken.add(jobs[0].table)
                jobs[0].rejected(f"rows that cannot be written: {self._why(problem)}")
                return
            for job in jobs:
                if not self._rejected_after_gap(job):
                    self._write_all([job])
            return
        for job in jobs:
            job.done()
        self._written(jobs)

    def _why(self, problem: Exception) -> str:
        """Return why rows were refused, for the log."""
        return str(problem)

    def _transact(self, jobs: list[Job]) -> None:
        """Write the rows of these jobs in one transaction. Raises one of `row_errors` if it refuses them, or whatever
        else keeps it from writing."""
        raise NotImplementedError

    def _written(self, jobs: list[Job]) -> None:
        """Do what follows a transaction."""
