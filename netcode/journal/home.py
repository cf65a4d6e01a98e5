"""What a host needs of its journal, wherever that is: in a file of its own (writer.py) or in the database of a club
(netcode/club/journal.py)."""

from collections.abc import Callable, Sequence
from typing import Protocol

from netcode.journal.rows import Row, SavedTable


class JournalHome(Protocol):
    """The journal of one host. warnings: sentences for the host's log.

    Its callbacks come from any thread. failed(text): a commit has failed, and from then on nothing may be sent.
    stands(text): the tables stand still for this reason, and nothing is confirmed; "": they may be restored and go on.
    lost(table, text): another host has this table now, so that this one has to let go of it. A file calls only
    `failed`."""

    warnings: list[str]
    failed: Callable[[str], None]
    stands: Callable[[str], None]
    lost: Callable[[str, str], None]

    @property
    def standing(self) -> str:
        """Why the tables stand still at this moment; "" if they do not."""

    @property
    def writes(self) -> bool:
        """Whether the writing thread runs."""

    def new_epoch(self) -> int:
        """Return the number of this start of a host, which is higher than those before. Raises JournalError."""

    def fact(self, name: str, first: bytes | None = None) -> bytes | None:
        """Return a fact about the host itself; store `first` if there is none yet, as `set_fact` does. Raises
        JournalError."""

    def set_fact(self, name: str, value: bytes) -> None:
        """Write a fact about the host itself. It is on disk when `settle` has returned."""

    def unfinished(self) -> list[str]:
        """Return the ids of this host's tables that are not closed, the oldest first. Raises JournalError."""

    def load(self, table: str) -> SavedTable | None:
        """Return what is on disk of a table, None if nothing is. Raises JournalError."""

    def commit(
        self,
        table: str,
        rows: Sequence[Row],
        done: Callable[[], None],
        rejected: Callable[[str], None] = ...,
    ) -> None:
        """Write these rows of a table in one transaction; see BatchWriter.commit."""

    def write_now(self, table: str, rows: Sequence[Row]) -> bool:
        """Write these rows in the calling thread if that is fast; return whether they are on disk. If not, `commit`
        them."""

    def settle(self) -> None:
        """Wait until all earlier commits are on disk. Raises JournalError if they cannot be written."""

    def close(self) -> None:
        """Write the queued rows, and close."""
