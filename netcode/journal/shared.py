"""What a host of a club needs of its journal, and of the club's directory. No database: netcode/club has that."""

from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct

from netcode.journal.home import JournalHome

GONE_S = 2.5
"""Nobody is sent to a host that has not renewed its leases for so long (s)."""


class ClubHost(Struct, frozen=True):
    """A host of the club. places: its addresses, as HOST:PORT. room: how many more tables it takes; busy: it opens
    none for now; draining: it hands its tables over and ends. tables: how many it has; age_s: how long ago it renewed
    its leases (s)."""

    name: str
    places: list[str]
    room: int
    busy: bool
    draining: bool
    tables: int
    age_s: float

    @property
    def alive(self) -> bool:
        """Whether somebody may be sent there."""
        return self.age_s < GONE_S and bool(self.places) and not self.draining


class ClubTable(Struct, frozen=True):
    """A table of the club that is not closed. host: the name of the one that has it; lapsed: its lease has lapsed.
    row: its public row in the list, packed; None: not published yet. number: of its short words, 0: none."""

    id: str
    host: str
    lapsed: bool
    row: bytes | None
    number: int = 0


class PublicTable(Struct, frozen=True):
    """What a host publishes about a table; see ClubTable."""

    row: bytes
    number: int


class ClubDirectory(Protocol):
    """What a host knows of its club. name: of this host; hosts: by name; tables: by id, the oldest first. The two are
    replaced as a whole, so the loop may read them at any time."""

    name: str
    hosts: dict[str, ClubHost]
    tables: dict[str, ClubTable]

    def tell(self, places: list[str], room: int, busy: bool, draining: bool, rows: Mapping[str, PublicTable]) -> None:
        """Publish this about the own host as soon as possible; see ClubHost. rows: those of its tables, by id."""


class SharedHome(JournalHome, Protocol):
    """The journal of a host of a club: tables come from other hosts, and go to them, while it runs."""

    @property
    def directory(self) -> ClubDirectory:
        """The directory of the club."""

    def take_over(self, taken: Callable[[str, int], None], limit: int) -> None:
        """From now on, take tables over while this host has fewer than `limit`; taken(table, generation), from any
        thread: this host has the table now."""

    def holds(self, table: str, generation: int) -> bool:
        """Return whether this host has this table in this generation, as far as it knows."""

    def take_up(self, table: str) -> None:
        """Say that this host reads a table that was taken: only what is committed from now on is written."""

    def leave(self, table: str) -> None:
        """Leave a table that this host cannot serve to another one."""

    def open_for(self, table: str, creator: str, origin: str, done: Callable[[str], None]) -> None:
        """Take a new id for a table that somebody wants, before its first commit. done(what), from any thread:
        "opened", "too many of theirs" or "too many from there" in the whole club, anything else: not now. creator:
        their client key; origin: where they come from, "" where many do."""

    def give(self, table: str, to: str, done: Callable[[bool], None]) -> None:
        """Hand a table over to the host of this name when all earlier commits are on disk; done(given), from any
        thread: whether this host still had it."""

    def numbers(self) -> set[int]:
        """Return the numbers of all short words in the club. Raises JournalError."""

    def claim(self, name: str, value: bytes) -> bytes:
        """Return a fact about the whole club, which is this one if there was none. Raises JournalError."""
