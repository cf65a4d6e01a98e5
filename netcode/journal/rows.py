"""The rows of the journal, and the types that are read back from them."""

from msgspec import Struct

from netcode.journal.checksums import snap_checksum


class JournalError(RuntimeError):
    """The journal cannot be used. The text is one line for people, and names nothing of a game."""

    is_plain = True


class JournalInUse(JournalError):
    """Another host is using the journal; it may end."""


class JournalDamaged(JournalError):
    """Something that was written to the journal is missing or changed. The text says what is left."""


class HostFactRow(Struct, frozen=True):
    """A named fact about the host itself: how often it was started, its lobby's token."""

    name: str
    value: bytes


class FactRow(Struct, frozen=True):
    """A named fact about a table: its config, the current game (number and seed), its stage, ..."""

    name: str
    value: bytes


class SeatRow(Struct, frozen=True):
    """Who sits at a seat, with the hashes of their tokens."""

    number: int
    record: bytes


class ActRow(Struct, frozen=True):
    """One accepted action (seat -1: the host's). s, n: its session and number, in case it is sent again; stamp: ns."""

    game: int
    seq: int
    seat: int
    action: bytes
    s: bytes | None
    n: int
    stamp: int


class SnapRow(Struct, frozen=True):
    """The state of a game after `seq` actions. digest: its checksum, as the journal has it."""

    game: int
    seq: int
    state: bytes
    digest: bytes = b""

    @property
    def is_intact(self) -> bool:
        """Whether the state equals the written one."""
        return self.digest == snap_checksum(self.game, self.seq, self.state)


class ForgetRow(Struct, frozen=True):
    """Removes everything about a table that is closed."""


Row = HostFactRow | FactRow | SeatRow | ActRow | SnapRow | ForgetRow
HOST = ""
"""The table of rows about the host itself."""


class SavedTable(Struct, frozen=True):
    """All rows of a table in the journal. snaps, acts: of its current game; taken: the numbers (n) of each session's
    actions."""

    facts: dict[str, bytes]
    seats: dict[int, bytes]
    snaps: list[SnapRow]
    acts: list[ActRow]
    taken: dict[bytes, set[int]]
