"""The protocol between client and host: every message, its fields, its limits. docs/protocol.md tells it in prose.

A frame is one msgpack map {k: kind, ...fields}; up at most 4 KB, down at most 64 KB. Card actions, views and events
inside are the types of core. Times are milliseconds, seats numbers from 0 (-1: nobody, or a spectator).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from core.state.actions import Action, Refusal
from core.state.events import AnyEvent
from core.view import View
from netcode.protocol.paces import Pace
from netcode.protocol.table_info import DealInfo as DealInfo
from netcode.protocol.table_info import PackInfo as PackInfo
from netcode.protocol.table_info import SeatInfo as SeatInfo
from netcode.protocol.table_info import Speed as Speed
from netcode.protocol.table_info import TableInfo as TableInfo
from netcode.protocol.table_info import VoteInfo as VoteInfo

WIRE = 1
UP_LIMIT = 4096
DOWN_LIMIT = 65536
DEFAULT_PORT = 7788
LOBBY = "lobby"
"""The name under which a host's lobby is reached; no table has it."""

Name = Annotated[str, Meta(min_length=1, max_length=20)]
Line = Annotated[str, Meta(min_length=1, max_length=300)]
Token = Annotated[bytes, Meta(max_length=32)]
Counter = Annotated[int, Meta(ge=0, le=2**53)]


class _Up(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="k"):
    pass


class Hello(_Up, frozen=True, tag="hello"):
    """First message: invite or resume. as_: what the sender wants to be."""

    lo: int
    hi: int
    table: Annotated[str, Meta(max_length=24)]
    token: Token
    name: Name
    role: Literal["player", "watch", "bot"] = "player"
    version: Annotated[str, Meta(max_length=24)] = ""
    level: Annotated[str, Meta(max_length=12)] = ""


class Act(_Up, frozen=True, tag="act"):
    """A game action; n rises strictly within a session and names it for resends."""

    s: Token
    n: Counter
    action: Action


class Why(_Up, frozen=True, tag="why"):
    """What would forbid this action now? Answered by Reason."""

    s: Token
    q: Counter
    action: Action


class Sync(_Up, frozen=True, tag="sync"):
    """Send me everything anew."""

    s: Token


class Ping(_Up, frozen=True, tag="ping"):
    """Alive; nonce comes back."""

    s: Token
    nonce: Counter


class Say(_Up, frozen=True, tag="say"):
    """Talk."""

    s: Token
    text: Line


class Set(_Up, frozen=True, tag="set"):
    """A wish kept at the host: ready for the game or a rematch, pass-until-change (auto), speed of bots, skip the
    pause, withdraw what waits until a card has been read, open: lay the finished game open if all agree."""

    s: Token
    ready: bool | None = None
    auto: bool | None = None
    speed: Speed | None = None
    skip: bool | None = None
    withdraw: bool | None = None
    open: bool | None = None


class Admin(_Up, frozen=True, tag="admin"):
    """The table's owner: change the pace, call a default, let a bot sit down or sit in, send somebody away (for good:
    ban; seat -1: all who look on), hand the table over, let new people in or not, pause, begin."""

    s: Token
    what: Literal["pace", "default", "bot", "kick", "ban", "owner", "open", "close", "pause", "resume", "start"]
    seat: Annotated[int, Meta(ge=-1, le=11)] = -1
    value: Annotated[str, Meta(max_length=20)] = ""


class Back(_Up, frozen=True, tag="back"):
    """A step back, please (vote 0); or yes or no to the vote of that number."""

    s: Token
    vote: Counter = 0
    yes: bool = True


class Nonce(_Up, frozen=True, tag="nonce"):
    """Our part in a fair deal of this game (netcode/table/fair_deal.py): first the hash of our nonce, when asked the
    nonce."""

    s: Token
    game: Counter
    hash: Annotated[bytes, Meta(max_length=32)] = b""
    nonce: Annotated[bytes, Meta(max_length=32)] = b""


class Leave(_Up, frozen=True, tag="leave"):
    """Gone for good (the seat is given to a bot)."""

    s: Token


class GetPack(_Up, frozen=True, tag="get_pack"):
    """A piece of a pack the client does not have."""

    s: Token
    set_id: Annotated[str, Meta(max_length=48)]
    offset: Counter = 0


class GetGame(_Up, frozen=True, tag="get_game"):
    """A piece of a game that was laid open after its end."""

    s: Token
    game: Counter
    offset: Counter = 0


class ListTables(_Up, frozen=True, tag="list"):
    """In the lobby: which tables are there? known: the number of the list I have."""

    s: Token
    known: Counter = 0


class EnterTable(_Up, frozen=True, tag="enter"):
    """In the lobby: let me sit down (or look on) at this table. Answered by Way."""

    s: Token
    table: Annotated[str, Meta(max_length=24)]
    watch: bool = False


class CreateTable(_Up, frozen=True, tag="create"):
    """In the lobby: open a table. n names the wish for resends. Answered by Created, or Error with this n."""

    s: Token
    n: Counter
    sets: Annotated[list[Annotated[str, Meta(max_length=48)]], Meta(min_length=1, max_length=8)]
    title: Annotated[str, Meta(max_length=24)] = ""
    seats: Annotated[int, Meta(ge=3, le=6)] = 4
    bots: Annotated[int, Meta(ge=0, le=6)] = 0
    level: Literal["easy", "normal", "hard"] = "normal"
    pace: Pace = "standard"
    options: Annotated[list[Annotated[str, Meta(max_length=24)]], Meta(max_length=8)] = []


LobbyUp = ListTables | EnterTable | CreateTable
TableUp = Act | Why | Sync | Ping | Say | Set | Admin | Back | Nonce | Leave | GetPack | GetGame
Up = Hello | TableUp | LobbyUp


class Timers(Struct, omit_defaults=True):
    """Clocks now running, in ms left: the open window (and its full length), a hold, prompts by seat, the pause after a
    bot's visible act. -1: no clock."""

    window: int = -1
    window_full: int = -1
    hold: int = -1
    prompts: dict[int, int] = {}
    beat: int = -1


class _Down(Struct, omit_defaults=True, tag_field="k"):
    pass


class Welcome(_Down, tag="welcome"):
    """You are in: session, seat, the next token, the last n this session used. An Update of everything follows."""

    wire: int
    s: bytes
    seat: int
    token: bytes
    epoch: int
    beat_ms: int
    info: TableInfo
    n: int = 0


class Info(_Down, tag="info"):
    """The table changed (somebody came, went, is ready)."""

    info: TableInfo


class NumberedEvent(Struct, omit_defaults=True):
    """One event as this seat may know it; no numbers them from 1 within the game, for each seat by itself."""

    no: int
    event: AnyEvent


class Update(_Down, tag="update"):
    """The newest view of this seat. seq rises with every update sent to this session; events are those since the last
    one (whole: the recent past, after a join or sync). auto: whether the host passes for this seat."""

    epoch: int
    seq: int
    view: View | None
    events: list[NumberedEvent] = []
    timers: Timers = field(default_factory=Timers)
    whole: bool = False
    auto: bool = False


class Ticked(_Down, tag="ticked"):
    """Only the clocks changed."""

    timers: Timers


class Ack(_Down, tag="ack"):
    """Act n: taken, or waiting until a card has been read (queued), or known already (dup)."""

    n: int
    status: str


class Refused(_Down, tag="refused"):
    """Act n was not taken; the card stays where it was. by: the seat that was faster, ms: by how much."""

    n: int
    refusal: Refusal
    by: int = -1
    ms: int = -1


class Reason(_Down, tag="reason"):
    """Answer to Why: nothing forbids it, or what does."""

    q: int
    refusal: Refusal | None


class Talk(_Down, tag="talk"):
    """Somebody said something."""

    seat: int
    name: str
    text: str


class Voted(_Down, tag="voted"):
    """How a vote on a step back ended. by: who had asked; against: who said no (-1: nobody; then all agreed, or time
    ran out)."""

    by: int
    yes: bool
    against: int = -1


class Pong(_Down, tag="pong"):
    """Answer to Ping."""

    nonce: int
    timers: Timers = field(default_factory=Timers)


class PackPart(_Down, tag="pack_part"):
    """A piece of a pack: bytes from offset of a msgpack map of its files; size is the whole."""

    set_id: str
    offset: int
    size: int
    data: bytes


class GamePart(_Down, tag="game_part"):
    """A piece of a game laid open: bytes from offset of netcode/protocol/revealed_game.py's Opened; size is the
    whole."""

    game: int
    offset: int
    size: int
    data: bytes


class TableRow(Struct, omit_defaults=True):
    """A table in the lobby's list: nothing that could not be seen by looking on. taken: seats of people; free: seats
    to be had, those given up among them; bots play the rest. owner: their name."""

    table: str
    sets: list[str]
    seats: int
    taken: int = 0
    bots: int = 0
    free: int = 0
    stage: str = "lobby"
    pace: str = "standard"
    title: str = ""
    owner: str = ""
    watchers: int = 0
    options: list[str] = []


class Entered(_Down, tag="entered"):
    """You are in the lobby: session, how often to ask for the list, what tables may be made of."""

    wire: int
    s: bytes
    beat_ms: int
    machine: str
    sets: list[str]


class Tables(_Down, tag="tables"):
    """The list of tables, None if it is still the one of this number. room: how many tables more the host takes."""

    rev: int
    rows: list[TableRow] | None = None
    room: int = 0


class Way(_Down, tag="way"):
    """What lets you in at a table: its name and token make a join (or watch) string with the lobby's address and
    key."""

    table: str
    token: bytes
    watch: bool = False


class Created(_Down, tag="created"):
    """Your table is open; the tokens of its three strings. The owner's is yours alone."""

    n: int
    table: str
    join: bytes
    watch: bytes
    owner: bytes


class Error(_Down, tag="error"):
    """Something was refused before it came to the game. code: see docs/protocol.md; text is for people."""

    code: str
    text: str
    n: int = -1
    retry_ms: int = 0


class Bye(_Down, tag="bye"):
    """The session is over: superseded, kicked, banned, left, closing, ended."""

    reason: str
    text: str


LobbyDown = Entered | Tables | Way | Created
TableDown = Info | Update | Ticked | Ack | Refused | Reason | Talk | Voted | Pong | PackPart | GamePart
Down = Welcome | TableDown | LobbyDown | Error | Bye
