"""The facts about a table that the journal keeps besides its actions: its setup, and the players of its seats."""

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from netcode.journal import FactRow, JournalError, SavedTable, SeatRow
from netcode.protocol import wire
from netcode.protocol.paces import Pace
from netcode.table.seat import Seat
from netcode.table.seats import Seating
from netcode.table.session import Session
from netcode.table.table_setup import TableConfig, setup_fields

if TYPE_CHECKING:
    from core.scenario.schema import Scenario  # only a table laid out by a scenario needs it


class TableRecord(Struct, kw_only=True):
    """Everything needed to open the table again, including its secrets (only the owner of the file can read it).

    It has all fields of TableSetup, flat and in the order of all journals. table: the id. join, watch, owner: the first
    tokens of the strings, and words the first short words (see _EntryRecord). sets: ids or folders of its packs.
    scenario: as `scenario_bytes` gives it. creator: a client key.
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
    knock: bool = False
    at_once: bool = False
    words: str = ""

    def config(self) -> TableConfig:
        """Return the configuration that the table runs with. Raises msgspec.MsgspecError for a damaged scenario."""
        scenario = read_scenario_bytes(self.scenario)
        return TableConfig(
            **setup_fields(self),
            table=self.table,
            join=self.join,
            watch=self.watch,
            owner=self.owner,
            words=self.words,
            packs=self.packs,
            seed_shown=self.seed is not None,
            places=_places(scenario) if scenario is not None else (),
            cast_seed=(self.table if self.seed is None else str(self.seed)) if scenario is None else "",
            provable=self.seed is None and scenario is None,
            revealable=scenario is None,
        )

    def row(self) -> FactRow:
        """Return the record for the journal."""
        return FactRow("config", msgspec.msgpack.encode(self))


class _PlayerRecord(Struct):
    """token, old_token: the two newest tokens, the only ones that older hosts know."""

    s: bytes
    role: str
    key: str
    token: bytes
    old_token: bytes
    level: str
    tokens: list[bytes] = field(default_factory=list)


class _SeatRecord(Struct):
    name: str
    state: str
    ready: bool
    bot: str
    wins: int
    player: _PlayerRecord | None
    came: int = 0
    inactive: bool = False


def seat_row(number: int, seat: Seat) -> SeatRow:
    """Return a seat for the journal, with the hashes of its tokens."""
    player = None
    if seat.player is not None:
        one = seat.player
        *_, older, newest = b"", b"", *one.tokens
        player = _PlayerRecord(one.s, one.role, one.key, newest, older, one.level, one.tokens)
    record = _SeatRecord(seat.name, seat.state, seat.ready, seat.bot, seat.wins, player, seat.came, seat.inactive)
    return SeatRow(number, msgspec.msgpack.encode(record))


class _EntryRecord(Struct):
    """Who may come in, who owns the table, who is muted: see Admission, Ownership and Seating. paused, out: how much
    longer (ms) each key, and the player of each session, stays out. These are durations because each start of the host
    has another clock."""

    join: bytes
    watch: bytes
    renewed: list[str]
    inviting: bool
    knocking: bool
    banned: list[str]
    paused: dict[str, int]
    accepted: dict[str, tuple[str, str]]
    owner: str
    founders: list[str]
    muted: list[str]
    spectators_muted: bool
    out: dict[bytes, int] = {}
    words: str | None = None
    wrong_words: int = 0


_tables = msgspec.msgpack.Decoder(TableRecord)
_seats = msgspec.msgpack.Decoder(_SeatRecord)
_entries = msgspec.msgpack.Decoder(_EntryRecord)


def entry_row(seating: Seating, now: int) -> FactRow:
    """Return who may come in as a row for the journal. now: ms."""
    one, owned = seating.admission, seating.ownership
    paused = {key: until - now for key, until in one.paused.items() if until > now}
    out = {session.s: session.out_until - now for session in seating.sessions() if session.out_until > now}
    record = _EntryRecord(
        one.join, one.watch, sorted(one.renewed), one.inviting, one.knocking, one.banned, paused, one.accepted,
        owned.key, owned.founders, seating.muted, seating.spectators_muted, out,
        one.words, one.wrong_words,
    )  # fmt: skip
    return FactRow("entry", msgspec.msgpack.encode(record))


def read_entry(saved: SavedTable, seating: Seating, now: int) -> None:
    """Read `entry_row` back into the seating with its seats. Pauses last for the time that was left. now: ms. Raises
    JournalError."""
    data = saved.facts.get("entry")
    one, owned = seating.admission, seating.ownership
    try:
        if data is None:  # an older journal, or a table where nobody has been
            one.banned = msgspec.msgpack.decode(saved.facts.get("banned", b"\x90"), type=list[str])
            one.inviting = saved.facts.get("inviting") != b"no"
            return
        record = _entries.decode(data)
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's record of who may come in cannot be read ({problem})") from None
    one.join, one.watch, one.renewed = record.join, record.watch, set(record.renewed)
    if record.words is not None:  # else an older program has written this
        one.words, one.wrong_words = record.words, record.wrong_words
    one.inviting, one.knocking, one.banned = record.inviting, record.knocking, record.banned
    one.paused = {key: now + left for key, left in record.paused.items()}
    one.accepted, one.wary = record.accepted, bool(record.paused)
    owned.key, owned.founders = record.owner, record.founders
    seating.muted, seating.spectators_muted = record.muted, record.spectators_muted
    for session in seating.sessions():
        session.out_until = now + record.out[session.s] if session.s in record.out else 0


def read_record(saved: SavedTable) -> TableRecord:
    """Return the table's record from the journal. Raises JournalError."""
    try:
        return _tables.decode(saved.facts["config"])
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's table cannot be read ({problem}): use another data folder") from None


def read_seat(number: int, data: bytes, taken: dict[bytes, set[int]], now: int) -> Seat:
    """Return a seat from the journal; its player is lost until they come back. now: ms. Raises JournalError.

    taken: the numbers of the actions in the journal, by session.
    """
    try:
        record = _seats.decode(data)
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's seat {number} cannot be read ({problem})") from None
    state = "lost" if record.state == "here" else record.state
    seat = Seat(record.name, state, record.ready, record.bot, record.wins, record.came, lost_at=now, acted_at=now)
    seat.inactive = record.inactive
    if record.player is not None:
        one = record.player
        seat.player = Session(
            one.s, number, one.role, one.key, level=one.level, heard_at=now,
            tokens=one.tokens or [token for token in (one.old_token, one.token) if token],
        )  # fmt: skip
        seat.player.recall(taken.get(one.s, set()))
    return seat


def _places(scenario: "Scenario") -> tuple[str, ...]:
    from netcode.table.scenario_table import places  # only a table laid out by a scenario needs it

    return places(scenario)


def scenario_bytes(scenario: "Scenario | None") -> bytes:
    """Return a scenario for the journal; empty for none."""
    return msgspec.msgpack.encode(scenario) if scenario is not None else b""


def read_scenario_bytes(data: bytes) -> "Scenario | None":
    """Return a scenario from the journal; None if empty. Raises msgspec.MsgspecError."""
    if not data:
        return None
    from core.scenario.schema import Scenario  # only a table laid out by a scenario needs it

    return msgspec.msgpack.decode(data, type=Scenario)
