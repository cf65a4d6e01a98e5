"""The messages between client and host: their fields, their limits, their rates. docs/protocol.md describes them.

A wire frame is one msgpack map {k: kind, ...fields}. Card actions, views and events inside are the types of core.
Times are milliseconds left, seats are numbers from 0 (-1: nobody, or a spectator).

A request and its answer need three files: their structs here; a handler on the host (netcode/table/table.py, or
netcode/host/lobby.py for the lobby); a handler on the client (netcode/client/state_machine.py or lobby_client.py).
docs/protocol.md has a section for each. tests/netcode/protocol names what is missing.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from core.state.actions import Action, Refusal
from core.state.events import AnyEvent
from core.state.forecasts import Forecast
from core.state.numbers import SEATS_MOST, BySeat, Counter, Ordinal, SeatNo, Short, Small, Word
from core.state.veiled import Veiled
from core.state.views import View
from netcode.bots.levels import DEFAULT_LEVEL, TableLevel
from netcode.protocol import limits
from netcode.protocol.limits import Rate
from netcode.protocol.paces import Pace
from netcode.protocol.table_info import (
    Clock,
    SaidMachine,
    SaidName,
    SaidOptions,
    SaidSet,
    SetId,
    TableId,
    Token,
)
from netcode.protocol.table_info import DealInfo as DealInfo
from netcode.protocol.table_info import PackInfo as PackInfo
from netcode.protocol.table_info import SeatInfo as SeatInfo
from netcode.protocol.table_info import Speed as Speed
from netcode.protocol.table_info import TableInfo as TableInfo
from netcode.protocol.table_info import UndoInfo as UndoInfo
from netcode.protocol.table_info import VoteInfo as VoteInfo
from netcode.protocol.table_info import Waits as Waits

WIRE, OLDEST = 4, 3
"""The version of the protocol, and the oldest one that this program speaks as well; it lacks Elsewhere."""
LOBBY = "lobby"
"""The table that a lobby's join string names; no table has this id."""

Name = Annotated[str, Meta(min_length=1, max_length=limits.NAME_CHARS)]
Line = Annotated[str, Meta(min_length=1, max_length=limits.TEXT_CHARS)]


# ----------------------------------------------------------------------------------------------- from client to host
class _Up(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="k"):
    """A message from a client. rate: how often a session may send it. automatic: the client sends it without a key
    press, so it does not show that the player is active. newest: if such messages come too fast, the host waits and
    handles one with the newest values."""

    rate: ClassVar[Rate]
    automatic: ClassVar[bool] = False
    newest: ClassVar[bool] = False


class Hello(_Up, frozen=True, tag="hello"):
    """Ask to be let in with the token of a join string, or resume a session with its resume token.

    lo, hi: the protocol versions spoken. level: of a bot, or the name of a third-party bot. game, rev: how far this
    client has seen the table, as the number of the game, the revision of its view, and the number of the last event it
    has heard (0: none; a returning client gets all events after it). forecasts: send forecasts of the seat's options
    with updates; veiled: send the veiled state with them. polite: leave the seat to the connection that has it if that
    still answers. role code: let nobody in, but answer with a SeatCode for the seat that the token resumes. A host
    older than these fields refuses them with bad_schema. The rate is for each client key. """

    rate: ClassVar[Rate] = Rate(1, 5)
    lo: int
    hi: int
    table: TableId
    token: Token
    name: Name
    role: Literal["player", "watch", "bot", "code"] = "player"
    version: Annotated[str, Meta(max_length=limits.VERSION_CHARS)] = ""
    level: Annotated[str, Meta(max_length=limits.BOT_CHARS)] = ""
    game: Counter = 0
    rev: Counter = 0
    forecasts: bool = False
    heard: Counter = 0
    veiled: bool = False
    polite: bool = False


class Act(_Up, frozen=True, tag="act"):
    """Submit a game action. n rises strictly within a session and identifies an action that is sent again."""

    rate: ClassVar[Rate] = Rate(10, 20)
    s: Token
    n: Counter
    action: Action


class Why(_Up, frozen=True, tag="why"):
    """Ask what forbids an action now. Answered by Reason with the same q."""

    rate: ClassVar[Rate] = Rate(20, 40)
    automatic: ClassVar[bool] = True
    newest: ClassVar[bool] = True
    s: Token
    q: Counter
    action: Action


class Sync(_Up, frozen=True, tag="sync"):
    """Ask for a whole Delta. heard: the number of the last event that the client has of this game, 0: none."""

    rate: ClassVar[Rate] = Rate(1, 3)
    automatic: ClassVar[bool] = True
    newest: ClassVar[bool] = True
    s: Token
    heard: Counter = 0


class Ping(_Up, frozen=True, tag="ping"):
    """Send a heartbeat. Answered by Pong with the same nonce."""

    rate: ClassVar[Rate] = Rate(2, 10)
    automatic: ClassVar[bool] = True
    newest: ClassVar[bool] = True
    s: Token
    nonce: Counter


class Say(_Up, frozen=True, tag="say"):
    """Say something to the whole table."""

    rate: ClassVar[Rate] = Rate(1, 5)
    s: Token
    text: Line


class Set(_Up, frozen=True, tag="set"):
    """Set preferences of this session; fields left out stay as they are.

    ready: for the game or a rematch. auto: pass for this seat until the fight changes. speed: of the host's bots.
    waits: the acts of bots after which bots wait for a key of this player, who is alone with them (each act, acts that
    touch the player, none). skip: end the bot pause, or that wait, now. withdraw: take back an action that waits until
    a card has been read. open: agree to reveal the finished game, if all who have played it do. hints: agree that
    players may ask their own program for hints, which takes effect once all people at the table agree.
    """

    rate: ClassVar[Rate] = Rate(5, 10)
    newest: ClassVar[bool] = True
    s: Token
    ready: bool | None = None
    auto: bool | None = None
    speed: Speed | None = None
    skip: bool | None = None
    withdraw: bool | None = None
    open: bool | None = None
    waits: Waits | None = None
    hints: bool | None = None

    def upon(self, older: "Set") -> "Set":
        """Return these preferences, with the fields that this message leaves out taken from an older one."""
        newer = {name: getattr(self, name) for name in self.__struct_fields__}
        return replace(older, **{name: value for name, value in newer.items() if value is not None})


class Admin(_Up, frozen=True, tag="admin"):
    """A request of the table's owner.

    pace: set it to value. default: answer an open ask by its default now. bot: seat a bot, or let one play for
    somebody. kick: send a player away for pause_s seconds; ban: send them away and keep their key out (seat -1: all
    spectators).
    owner: hand the table over to seat. open, close: let new people in, or not. knock, no_knock: let them in one by one,
    or freely. admit, refuse: answer the knock of this number; a refused knocker stays out for pause_s. renew: make a
    new string or new short words; value says which (join, watch or words). mute, unmute: the talk of a seat (-1: of all
    spectators). pause, resume, start: the game.
    """

    rate: ClassVar[Rate] = Rate(5, 10)
    s: Token
    what: Literal[
        "pace", "default", "bot", "kick", "ban", "owner", "open", "close", "knock", "no_knock", "admit", "refuse",
        "renew", "mute", "unmute", "pause", "resume", "start",
    ]  # fmt: skip
    seat: SeatNo = -1
    value: Annotated[str, Meta(max_length=limits.NAME_CHARS)] = ""
    number: Counter = 0
    pause_s: Annotated[int, Meta(ge=1, le=limits.KICK_PAUSE_MAX_S)] = limits.KICK_PAUSE_S


class Back(_Up, frozen=True, tag="back"):
    """Ask the table to undo the last action (vote 0), or vote yes or no in the undo vote of that number. For a player
    alone with bots, vote 0 at once undoes their own last choice and everything after it."""

    rate: ClassVar[Rate] = Rate(5, 10)
    s: Token
    vote: Counter = 0
    yes: bool = True


class Nonce(_Up, frozen=True, tag="nonce"):
    """This player's part in a fair deal (deal_seed.py): first the hash of a nonce, then, when the host asks, the
    nonce."""

    rate: ClassVar[Rate] = Rate(2, 10)
    automatic: ClassVar[bool] = True
    s: Token
    game: Counter
    hash: Annotated[bytes, Meta(max_length=limits.TOKEN_BYTES)] = b""
    nonce: Annotated[bytes, Meta(max_length=limits.TOKEN_BYTES)] = b""


class Leave(_Up, frozen=True, tag="leave"):
    """Leave the table; if a game is on, a bot gets the seat."""

    rate: ClassVar[Rate] = Rate(1, 2)
    s: Token


class GetPack(_Up, frozen=True, tag="get_pack"):
    """Ask for the part of a card pack that begins at offset (bytes). Answered by PackPart."""

    rate: ClassVar[Rate] = Rate(30, 100)
    automatic: ClassVar[bool] = True
    s: Token
    set_id: SetId
    offset: Counter = 0


class GetGame(_Up, frozen=True, tag="get_game"):
    """Ask for the part of a revealed game that begins at offset (bytes). Answered by GamePart."""

    rate: ClassVar[Rate] = Rate(30, 100)
    automatic: ClassVar[bool] = True
    s: Token
    game: Counter
    offset: Counter = 0


class ListTables(_Up, frozen=True, tag="list"):
    """In a lobby: ask for the list of tables. known: the number of the list the client has. Answered by Tables."""

    rate: ClassVar[Rate] = Rate(2, 10)
    s: Token
    known: Counter = 0


class EnterTable(_Up, frozen=True, tag="enter"):
    """In a lobby: ask for a table's token, to sit down there or to spectate. Answered by Way or Elsewhere."""

    rate: ClassVar[Rate] = Rate(1, 5)
    s: Token
    table: TableId
    watch: bool = False


class CreateTable(_Up, frozen=True, tag="create"):
    """In a lobby: open a table. n identifies a request that is sent again. here: at this host, since another one of its
    club has sent us. Answered by Created, Elsewhere, or Error with this n."""

    rate: ClassVar[Rate] = Rate(0.1, 3)
    s: Token
    n: Counter
    sets: Annotated[list[SetId], Meta(min_length=1, max_length=limits.SETS)]
    title: Annotated[str, Meta(max_length=limits.TITLE_CHARS)] = ""
    seats: Annotated[int, Meta(ge=limits.SEATS_MIN, le=limits.SEATS_MAX)] = 4
    bots: Annotated[int, Meta(ge=0, le=limits.SEATS_MAX)] = 0
    level: TableLevel = DEFAULT_LEVEL
    pace: Pace = "standard"
    options: Annotated[list[Annotated[str, Meta(max_length=limits.OPTION_CHARS)]], Meta(max_length=limits.OPTIONS)] = []
    knock: bool = False
    here: bool = False


LobbyUp = ListTables | EnterTable | CreateTable
TableUp = Act | Why | Sync | Ping | Say | Set | Admin | Back | Nonce | Leave | GetPack | GetGame
Up = Hello | TableUp | LobbyUp


# ----------------------------------------------------------------------------------------------- from host to client
Said = Annotated[str, Meta(max_length=limits.TEXT_CHARS * limits.UNCLEANED)]
SaidWord = Annotated[str, Meta(max_length=limits.LEVEL_CHARS * limits.UNCLEANED)]
SaidWhere = Annotated[str, Meta(max_length=limits.WHERE_CHARS * limits.UNCLEANED)]
SaidTitle = Annotated[str, Meta(max_length=limits.TITLE_CHARS * limits.UNCLEANED)]
JoinToken = Annotated[bytes, Meta(min_length=limits.JOIN_TOKEN_BYTES, max_length=limits.JOIN_TOKEN_BYTES)]
JoinTable = Annotated[str, Meta(min_length=1, max_length=limits.TABLE_CHARS, pattern=r"^[A-Za-z0-9_-]+\Z")]
"""The token and the table of a join string, as parse_join (credentials.py) takes them."""
SaidWords = Annotated[str, Meta(max_length=limits.SHORT_WORDS_CHARS, pattern=r"^([a-z]+-[a-z]+-[0-9]+)?\Z")]
"""Short words as word_list.py writes them: nothing else is shown, or typed by anybody."""
SaidSets = Annotated[list[SaidSet], Meta(min_length=1, max_length=limits.SETS)]
Version = Annotated[int, Meta(ge=0, le=1000)]
Beat = Annotated[int, Meta(ge=1, le=limits.HEARTBEAT_MOST_MS)]
PartOfView = Annotated[bytes, Meta(max_length=limits.PART_OF_VIEW_BYTES)]
Part = Annotated[bytes, Meta(max_length=limits.PART_BYTES)]
SeatCount = Annotated[int, Meta(ge=0, le=SEATS_MOST)]


class Place(Struct, frozen=True):
    """Where a host listens: a name or an IP address (a link-local one with its zone), and a port."""

    host: Annotated[str, Meta(min_length=1, max_length=limits.PLACE_CHARS, pattern=r"^[A-Za-z0-9._:%-]+\Z")]
    port: Annotated[int, Meta(ge=1, le=65535)]


Places = Annotated[list[Place], Meta(max_length=limits.PLACES)]


class Timers(Struct, omit_defaults=True):
    """The running clocks, in ms left; -1: not running. window: the open window, window_full: its full length; hold: of
    the window; prompts: by seat; beat: the bot pause; banks: the time banks of seats that the table waits for; pause:
    until anybody may resume a paused game. waits: the bots wait for a key of the person who is alone with them."""

    window: Clock = -1
    window_full: Clock = -1
    hold: Clock = -1
    prompts: BySeat[Clock] = {}
    beat: Clock = -1
    banks: BySeat[Clock] = {}
    pause: Clock = -1
    waits: bool = False

    def after(self, ms: int) -> "Timers":
        """Return the clocks as they are this many ms later; the clock of a held window stands still."""

        def left(clock: int) -> int:
            return clock if clock < 0 else max(0, clock - ms)

        window = self.window if self.hold >= 0 else left(self.window)
        prompts = {seat: left(clock) for seat, clock in self.prompts.items()}
        banks = {seat: left(clock) for seat, clock in self.banks.items()}
        return Timers(
            window, self.window_full, left(self.hold), prompts, left(self.beat), banks, left(self.pause), self.waits
        )  # fmt: skip

    def for_keys(self, ms: int) -> "Timers":
        """Return the clocks of a client to which a key takes this long, there and back: how long a key that is pressed
        now still arrives in time. A bar that has run out says that it would not."""
        if ms <= 0:
            return self

        def left(clock: int) -> int:
            return clock if clock < 0 else max(0, clock - ms)

        prompts = {seat: left(clock) for seat, clock in self.prompts.items()}
        return replace(self, window=left(self.window), hold=left(self.hold), prompts=prompts)


class _Down(Struct, omit_defaults=True, tag_field="k"):
    """A message from the host."""


class Welcome(_Down, tag="welcome"):
    """You are let in. s: the session; token: the next resume token; beat_ms: how often to ping; n: the highest n that
    this session used. kept: the host has this table again when it is started again. places: of the hosts of its club,
    this one first. A whole Delta follows."""

    wire: Version
    s: Token
    seat: SeatNo
    token: Token
    epoch: Counter
    beat_ms: Beat
    info: TableInfo
    n: Counter = 0
    kept: bool = True
    places: Places = []


class Info(_Down, tag="info"):
    """The table changed: somebody came, left or is ready, or the stage changed."""

    info: TableInfo


class NumberedEvent(Struct, omit_defaults=True):
    """One event as this seat may know it. no: its number in the game from 1, counted separately for each seat."""

    no: Counter
    event: AnyEvent


class Delta(_Down, tag="delta"):
    """The changes since the previous delta: of the public part of the view, and of the own part (deltas.py; empty: no
    change). seq: rises by one with every delta of this session. events: those since the previous delta; no: the number
    of the first, from which the others count on. timers: None if no clock was set, stopped or started. whole: it builds
    on no earlier delta: after a join or a sync, with the newest events and all events that the session has missed.
    more: a further whole delta with missed events follows. auto: the host passes for this seat. forecasts, veiled: the
    results of the options in the view, and the game as the seat knows it (a part like those of the view), if the
    session has asked for them in its hello. undo: the action that an undo would take back now; None: none, or the host
    is older than this field."""

    seq: Counter
    public: PartOfView = b""
    own: PartOfView = b""
    no: Counter = 0
    events: Annotated[list[AnyEvent], Meta(max_length=limits.GAME_EVENTS)] = []
    timers: Timers | None = None
    whole: bool = False
    auto: bool = False
    forecasts: Short[Forecast] = []
    more: bool = False
    veiled: PartOfView = b""
    undo: UndoInfo | None = None


class Update(_Down, tag="update"):
    """A delta as a client passes it to its subscribers and recordings; it is never sent. view: None before the first
    game. The other fields: see Delta."""

    epoch: Counter
    seq: Counter
    view: View | None
    events: Annotated[list[NumberedEvent], Meta(max_length=limits.GAME_EVENTS)] = []
    timers: Timers = field(default_factory=Timers)
    whole: bool = False
    auto: bool = False
    forecasts: Short[Forecast] = []
    more: bool = False
    veiled: Veiled | None = None
    undo: UndoInfo | None = None


class Ticked(_Down, tag="ticked"):
    """Only clocks have changed."""

    timers: Timers


class Ack(_Down, tag="ack"):
    """Act n was accepted. status: applied, queued (it waits; a second answer follows) or dup (it was sent again)."""

    n: Counter
    status: Word

    @property
    def why(self) -> str:
        """The reason of a refusal: none, since it was accepted."""
        return ""


class Refused(_Down, tag="refused"):
    """Act n was refused; nothing has changed. by: the seat that was faster (-1: nobody); ms: by how many ms, or with by
    -1, how many ms before it came the window had closed in which it was decided."""

    n: Counter
    refusal: Refusal
    by: SeatNo = -1
    ms: Clock = -1

    @property
    def why(self) -> str:
        """The reason of the refusal: a sentence, and the clause of the rules."""
        return f"{self.refusal.text} ({self.refusal.clause})"


class Reason(_Down, tag="reason"):
    """The answer to Why: what forbids the action, None if nothing does."""

    q: Counter
    refusal: Refusal | None


class Talk(_Down, tag="talk"):
    """Somebody said something."""

    seat: SeatNo
    name: SaidName
    text: Said


class Voted(_Down, tag="voted"):
    """How an undo vote ended. by: the seat that asked; against: the seat that voted no (-1: all agreed, or time ran
    out)."""

    by: SeatNo
    yes: bool
    against: SeatNo = -1


class Older(_Down, tag="older"):
    """The client of a player says that it has seen more than this table has: an older copy of its journal may have been
    restored. game: the game it has seen; missing: at least this many of its visible changes are missing here (0: the
    table is at an earlier game)."""

    seat: SeatNo
    game: Counter
    missing: Counter = 0


class Pong(_Down, tag="pong"):
    """The answer to Ping."""

    nonce: Counter
    timers: Timers = field(default_factory=Timers)


class Knocked(_Down, tag="knocked"):
    """The answer to a hello where newcomers are let in one by one and the table's owner has to decide. left_ms: how
    long the knock lasts; admitted: the owner has said yes, so say hello again."""

    left_ms: Clock
    admitted: bool = False


class KnockInfo(Struct, omit_defaults=True):
    """Somebody who knocks. fingerprint: of their client key, which their screen shows too; watch: as a spectator;
    like: the similar name at the table. where: they come from, an address or a guest of an SSH door. seat: the seat
    that they say is theirs, -1: they want a free one; here: whether somebody is connected there now."""

    number: Counter
    name: SaidName
    fingerprint: SaidWord
    watch: bool = False
    like: SaidName = ""
    where: SaidWhere = ""
    seat: SeatNo = -1
    here: bool = False


class Knocks(_Down, tag="knocks"):
    """To the player who decides for the table: all knocks, in order of arrival; to the player of a seat: the knocks of
    those who say that it is theirs."""

    knocks: Annotated[list[KnockInfo], Meta(max_length=limits.KNOCKS_MOST)] = []


class Strings(_Down, tag="strings"):
    """To the table's owner: the tokens of its join and watch strings, and its short words, "" if it has none; all may
    be new. words_rest: too many tries with the words were wrong, so they let nobody in until they are renewed."""

    join: JoinToken
    watch: JoinToken
    words: SaidWords = ""
    words_rest: bool = False


class PackPart(_Down, tag="pack_part"):
    """A part of a card pack, a msgpack map of its files. data: its bytes from offset on; size: of the whole."""

    set_id: SaidSet
    offset: Annotated[int, Meta(ge=0, le=limits.PACKED_BYTES)]
    size: Annotated[int, Meta(ge=1, le=limits.PACKED_BYTES)]
    data: Part


class GamePart(_Down, tag="game_part"):
    """A part of a RevealedGame (revealed_game.py). data: its bytes from offset on; size: of the whole."""

    game: Counter
    offset: Annotated[int, Meta(ge=0, le=limits.REVEALED_GAME_BYTES)]
    size: Annotated[int, Meta(ge=1, le=limits.REVEALED_GAME_BYTES)]
    data: Part


class TableRow(Struct, omit_defaults=True):
    """A table in the lobby's list: nothing that a spectator could not see. taken: seats of people; free: seats to be
    had, given-up ones included; bots play the others. stage: lobby is the waiting room. owner: their name. entry: open,
    knock, string (the owner gives its string out) or closed."""

    table: JoinTable
    sets: SaidSets
    seats: SeatCount
    taken: SeatCount = 0
    bots: SeatCount = 0
    free: SeatCount = 0
    stage: SaidWord = "lobby"
    pace: SaidWord = "standard"
    title: SaidTitle = ""
    owner: SaidName = ""
    watchers: Small = 0
    options: SaidOptions = []
    entry: SaidWord = "open"


class Entered(_Down, tag="entered"):
    """You are in the lobby. beat_ms: how often to ask for the list; sets: the card sets that tables may use. kept: the
    host has this lobby again when it is started again. places: of the hosts of its club, this one first."""

    wire: Version
    s: Token
    beat_ms: Beat
    machine: SaidMachine
    sets: Annotated[list[SaidSet], Meta(max_length=limits.SETS_KNOWN)]
    kept: bool = True
    places: Places = []


class Tables(_Down, tag="tables"):
    """The list of tables; rows is None if the client has the list of this number. room: how many more tables fit."""

    rev: Counter
    rows: Annotated[list[TableRow], Meta(max_length=limits.TABLES_MOST)] | None = None
    room: Small = 0


class Way(_Down, tag="way"):
    """The way to a table: its id and token, with the lobby's address and key, make a join (or watch) string."""

    table: JoinTable
    token: JoinToken
    watch: bool = False


class Created(_Down, tag="created"):
    """Your table is open: the tokens of its three strings. Nobody else gets the owner's."""

    n: Counter
    table: JoinTable
    join: JoinToken
    watch: JoinToken
    owner: JoinToken


class SeatCode(_Down, tag="seat_code"):
    """The code with which a client of another machine takes this seat, once: it is the token of its hello. left_ms: how
    long it is valid."""

    code: Annotated[str, Meta(min_length=limits.SEAT_CODE_CHARS, max_length=limits.SEAT_CODE_CHARS)]
    left_ms: Clock


class Elsewhere(_Down, tag="elsewhere"):
    """The table is at another host of this club, or shall be opened there: say the same there. places: those of that
    host, then those of others; n: of the request for a table."""

    places: Annotated[list[Place], Meta(min_length=1, max_length=limits.PLACES)]
    n: Ordinal = -1


class Error(_Down, tag="error"):
    """A message was refused before it reached the game. code: see docs/protocol.md; text: for people; n: of the act."""

    code: Word
    text: Said
    n: Ordinal = -1
    retry_ms: Clock = 0

    @property
    def why(self) -> str:
        """The reason of the refusal: a sentence."""
        return self.text


class Bye(_Down, tag="bye"):
    """The session is over. reason: superseded, kicked, banned, left, closing, ended, fault or stopping (the host stops,
    and has the table again when it is started again: the client waits for it); text: for people."""

    reason: Word
    text: Said


LobbyDown = Entered | Tables | Way | Created
TableDown = (
    Info | Delta | Ticked | Ack | Refused | Reason | Talk | Voted | Older | Pong | Knocked | Knocks | Strings
    | PackPart | GamePart | SeatCode
)  # fmt: skip
Down = Welcome | TableDown | LobbyDown | Elsewhere | Error | Bye
Told = Down | Update
"""The messages that a client passes to its subscribers."""
