"""Checksums: digests of the journal's rows that reveal damage to its files. Pure: no files.

Each record (fact, seat, snapshot) is stored with its checksum. The actions of a game form a chain: the checksum of each
covers the one before. A table's *head* sums up all its checksums; the host's head sums up all other heads and the
number of commits. So every difference from the committed data is noticed.

The digests have no key: they protect against failing disks and truncated files, not against forgery.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Self

import msgspec
from msgspec import Struct, field

CHECKSUM_BYTES = 16
CLOSED = "closed"
"""The stage of a table that has ended."""
RecordKey = tuple[str, str | int, int]
"""The kind of a record and its key in its table (0 if there is no second part)."""


def checksum(*fields: str | int | bytes | None) -> bytes:
    """Return the digest of some fields."""
    return blake2b(msgspec.msgpack.encode(fields), digest_size=CHECKSUM_BYTES).digest()


def fact_checksum(name: str, value: bytes) -> bytes:
    """Return the checksum of a fact about a table or the host."""
    return checksum("fact", name, value)


def seat_checksum(number: int, record: bytes) -> bytes:
    """Return the checksum of a seat."""
    return checksum("seat", number, record)


def snap_checksum(game: int, seq: int, state: bytes) -> bytes:
    """Return the checksum of a snapshot."""
    return checksum("snap", game, seq, state)


def first_link(game: int) -> bytes:
    """Return the link that the first action of a game follows."""
    return checksum("game", game)


def act_link(
    before: bytes, game: int, seq: int, seat: int, action: bytes, s: bytes | None, n: int, stamp: int
) -> bytes:
    """Return the checksum of an action. before: the checksum of the action before it."""
    return checksum(before, game, seq, seat, action, s, n, stamp)


class Head(Struct, frozen=True):
    """The sum of the checksums of a table. no: its place among the tables of the host; acts: how many actions it has.

    For the host itself: no is 0, and acts is the number of commits so far.
    """

    no: int
    acts: int
    chain: bytes
    records: bytes


class TableChecksums(Struct):
    """The checksums of all rows of a table on disk. stage: its fact of this name, the waiting room at first."""

    no: int
    acts: int = 0
    stage: str = "lobby"
    records: dict[RecordKey, bytes] = field(default_factory=dict)
    _past: bytes = b""
    _game: int = -1
    _chain: bytes = b""

    def copy(self) -> Self:
        """Return an independent copy."""
        return type(self)(
            self.no, self.acts, self.stage, dict(self.records), self._past, self._game, self._chain
        )  # fmt: skip

    def add_act(self, game: int, seq: int, seat: int, action: bytes, s: bytes | None, n: int, stamp: int) -> bytes:
        """Add the table's next action; return its checksum."""
        if game != self._game:
            self._past, self._game, self._chain = self._folded(), game, first_link(game)
        self._chain = act_link(self._chain, game, seq, seat, action, s, n, stamp)
        self.acts += 1
        return self._chain

    def _folded(self) -> bytes:
        return checksum(self._past, self._game, self._chain)

    def drop_snaps(self, before: int) -> None:
        """Drop the snapshots of the games before this one."""
        for key in [key for key in self.records if key[0] == "snap" and int(key[1]) < before]:
            del self.records[key]

    def head(self) -> Head:
        """Return the table's head."""
        return Head(self.no, self.acts, self._folded(), xor(self.records.values()))


class JournalChecksums(Struct):
    """The checksums of a whole journal. commits: how many there were; tables: of each sound table; host: of the facts
    about the host; heads: of all tables, the damaged ones included."""

    commits: int = 0
    tables: dict[str, TableChecksums] = field(default_factory=dict)
    host: dict[str, bytes] = field(default_factory=dict)
    heads: dict[str, Head] = field(default_factory=dict)
    _digests: dict[str, bytes] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)

    def draft(self) -> Self:
        """Return a copy for the next commit, which may fail."""
        return type(self)(
            self.commits + 1, dict(self.tables), dict(self.host), dict(self.heads), dict(self._digests)
        )  # fmt: skip

    def table(self, table: str) -> TableChecksums:
        """Return the checksums of a table for changing; new ones if it has none."""
        if table not in self._changed:
            self._changed.add(table)
            known = self.tables.get(table)
            if known is not None:
                self.tables[table] = known.copy()
            else:
                last = max((head.no for head in self.heads.values()), default=0)
                self.tables[table] = TableChecksums(last + 1)
                self.set_head(table, self.tables[table].head())
        return self.tables[table]

    def forget(self, table: str) -> None:
        """Forget a table."""
        for known in (self.tables, self.heads, self._digests):
            known.pop(table, None)
        self._changed.discard(table)

    def set_head(self, table: str, head: Head) -> None:
        """Note the head of a table."""
        self.heads[table] = head
        self._digests[table] = checksum(table, head.no, head.acts, head.chain, head.records)

    def changed_heads(self) -> dict[str, Head]:
        """Return the heads of the tables that were changed since the draft."""
        changed = {table: self.tables[table].head() for table in sorted(self._changed)}
        for table, head in changed.items():
            self.set_head(table, head)
        self._changed.clear()
        return changed

    def host_head(self) -> Head:
        """Return the head of the host. Call `changed_heads` first."""
        records = xor(self.host.values())
        return Head(0, self.commits, checksum("host", self.commits, xor(self._digests.values()), records), records)


def xor(checksums: Iterable[bytes]) -> bytes:
    """Return the exclusive or of some checksums, which does not depend on their order."""
    total = 0
    for one in checksums:
        total ^= int.from_bytes(one, "big")
    return total.to_bytes(CHECKSUM_BYTES, "big")
