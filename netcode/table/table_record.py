"""What the journal keeps of a table beside its actions: how it was set up, and who sits where."""

import msgspec
from msgspec import Struct

from netcode.journal import FactRow, JournalError, SavedTable, SeatRow
from netcode.protocol import wire
from netcode.protocol.credentials import token_hash
from netcode.protocol.paces import Pace
from netcode.table.scenario_table import from_bytes, places
from netcode.table.seats import Seat, Seating
from netcode.table.session import Session
from netcode.table.table_setup import TableConfig, setup_fields


class TableRecord(Struct, kw_only=True):
    """Everything needed to open the table again, its secrets included: the file is readable by its owner only.

    It has all fields of TableSetup, flat and in the order in which every journal has them. table: the id. join, watch,
    owner: tokens. sets: ids or folders of its packs. scenario: as scenario_table.to_bytes gives it. creator: a client
    key.
    """

    table: str
    join: bytes
    watch: bytes
    owner: bytes
    seats: int
    bots: int
    bot_level: str
    pace: Pace
    speed: wire.Speed
    options: tuple[str, ...]
    sets: list[str]
    packs: tuple[wire.PackInfo, ...]
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
        """Return the configuration that the table runs with. Raises msgspec.MsgspecError for a damaged scenario."""
        scenario = from_bytes(self.scenario)
        return TableConfig(
            **setup_fields(self),
            table=self.table,
            join_hash=token_hash(self.join),
            watch_hash=token_hash(self.watch),
            owner_hash=token_hash(self.owner),
            packs=self.packs,
            seed_shown=self.seed is not None,
            places=places(scenario) if scenario is not None else (),
            provable=self.seed is None and scenario is None,
            revealable=scenario is None,
        )

    def row(self) -> FactRow:
        """Return the record for the journal."""
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
    """Return a seat for the journal, with the hashes of its tokens."""
    player = None
    if seat.player is not None:
        one = seat.player
        player = _PlayerRecord(one.s, one.role, one.key, one.token, one.old_token, one.owner, one.level)
    record = _SeatRecord(seat.name, seat.state, seat.ready, seat.bot, seat.wins, player)
    return SeatRow(number, msgspec.msgpack.encode(record))


def entry_rows(seating: Seating) -> list[FactRow]:
    """Return rows for the journal: who is banned, and whether newcomers are let in."""
    return [
        FactRow("banned", msgspec.msgpack.encode(seating.banned)),
        FactRow("inviting", b"yes" if seating.inviting else b"no"),
    ]


def read_entry(saved: SavedTable, seating: Seating) -> None:
    """Read `entry_rows` back into the seating. Raises JournalError."""
    try:
        seating.banned = msgspec.msgpack.decode(saved.facts.get("banned", b"\x90"), type=list[str])
    except msgspec.MsgspecError as problem:
        raise JournalError(f"the journal's list of who is banned cannot be read ({problem})") from None
    seating.inviting = saved.facts.get("inviting") != b"no"


def read_record(saved: SavedTable) -> TableRecord:
    """Return the table's record from the journal. Raises JournalError."""
    try:
        return msgspec.msgpack.decode(saved.facts["config"], type=TableRecord)
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's table cannot be read ({problem}): use another data folder") from None


def read_seat(number: int, data: bytes, taken: dict[bytes, set[int]], now: int) -> Seat:
    """Return a seat from the journal; its player is lost until they come back. now: ms. Raises JournalError.

    taken: the numbers of the actions in the journal, by session.
    """
    try:
        record = msgspec.msgpack.decode(data, type=_SeatRecord)
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's seat {number} cannot be read ({problem})") from None
    state = "lost" if record.state == "here" else record.state
    seat = Seat(record.name, state, record.ready, record.bot, record.wins, lost_at=now, acted_at=now)
    if record.player is not None:
        one = record.player
        seat.player = Session(
            one.s, number, one.role, one.key, owner=one.owner, level=one.level, token=one.token,
            old_token=one.old_token, heard_at=now,
        )  # fmt: skip
        seat.player.recall(taken.get(one.s, set()))
    return seat
