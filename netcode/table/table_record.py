"""What the journal keeps of a table beside its actions: its settings and who sits where."""

import msgspec
from msgspec import Struct

from netcode.journal import FactRow, JournalError, SavedTable, SeatRow
from netcode.protocol import wire
from netcode.protocol.credentials import token_hash
from netcode.protocol.paces import Pace
from netcode.table.scenario_table import from_bytes, places
from netcode.table.seats import Seat, Seating, TableConfig
from netcode.table.session import Session


class TableRecord(Struct):
    """Everything needed to open the table again, its secrets too (the file is its owner's alone)."""

    table: str
    join: bytes
    watch: bytes
    owner: bytes
    seats: int
    bots: int
    bot_level: str
    pace: Pace
    speed: wire.Speed
    options: list[str]
    sets: list[str]
    packs: list[wire.PackInfo]
    solo: bool
    seed: int | None
    machine: str
    gone_ms: int
    scenario: bytes = b""
    title: str = ""
    idle_ms: int = 0
    creator: str = ""
    watch_delay: int = 0

    def config(self) -> TableConfig:
        """The table's settings."""
        return TableConfig(
            self.table, self.seats, token_hash(self.join), token_hash(self.watch), token_hash(self.owner),
            self.bots, self.bot_level, self.pace, self.speed, tuple(self.options), tuple(self.packs), self.solo,
            self.gone_ms, self.machine, self.seed is not None, self._places(), self.idle_ms,
            watch_delay=self.watch_delay, provable=self.seed is None and not self.scenario, openable=not self.scenario,
        )  # fmt: skip

    def _places(self) -> tuple[str, ...]:
        scenario = from_bytes(self.scenario)
        return places(scenario) if scenario is not None else ()

    def row(self) -> FactRow:
        """For the journal."""
        return FactRow("config", msgspec.msgpack.encode(self))


class _PlayerRecord(Struct):
    s: bytes
    role: str
    key: str
    token: bytes
    old_token: bytes
    owner: bool
    level: str


class _SeatRecord(Struct):
    name: str
    state: str
    ready: bool
    bot: str
    wins: int
    player: _PlayerRecord | None


def seat_row(number: int, seat: Seat) -> SeatRow:
    """A seat for the journal: tokens as hashes only."""
    one = seat.player
    player = None
    if one is not None:
        player = _PlayerRecord(one.s, one.role, one.key, one.token, one.old_token, one.owner, one.level)
    record = _SeatRecord(seat.name, seat.state, seat.ready, seat.bot, seat.wins, player)
    return SeatRow(number, msgspec.msgpack.encode(record))


def entry_rows(seating: Seating) -> list[FactRow]:
    """Who is not let in, and whether anybody new is."""
    return [
        FactRow("banned", msgspec.msgpack.encode(seating.banned)),
        FactRow("inviting", b"yes" if seating.inviting else b"no"),
    ]


def read_entry(saved: SavedTable, seating: Seating) -> None:
    """The same from the journal. Raises JournalError."""
    try:
        seating.banned = msgspec.msgpack.decode(saved.meta.get("banned", b"\x90"), type=list[str])
    except msgspec.MsgspecError as problem:
        raise JournalError(f"the journal's list of who is banned cannot be read ({problem})") from None
    seating.inviting = saved.meta.get("inviting") != b"no"


def read_record(saved: SavedTable) -> TableRecord:
    """The table's record. Raises JournalError."""
    try:
        return msgspec.msgpack.decode(saved.meta["config"], type=TableRecord)
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's table cannot be read ({problem}): use another data folder") from None


def read_seat(number: int, data: bytes, taken: dict[bytes, set[int]], now: int) -> Seat:
    """A seat from the journal; whoever sat there is lost until they come back. now: ms. Raises JournalError."""
    try:
        kept = msgspec.msgpack.decode(data, type=_SeatRecord)
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's seat {number} cannot be read ({problem})") from None
    state = "lost" if kept.state == "here" else kept.state
    seat = Seat(kept.name, state, kept.ready, kept.bot, kept.wins, lost_at=now, acted_at=now)
    if kept.player is not None:
        one = kept.player
        seat.player = Session(
            one.s, number, one.role, one.key, owner=one.owner, level=one.level, token=one.token,
            old_token=one.old_token, heard_at=now,
        )  # fmt: skip
        seat.player.recall(taken.get(one.s, set()))
    return seat
