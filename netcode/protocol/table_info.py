"""The public facts of a table besides its game: seats, packs, the deal, an undo vote. A part of wire.py."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from core.state.numbers import SEATS_MOST, BySeat, Counter, EachSeat, SeatNo, Small, Word
from netcode.protocol import limits

Token = Annotated[bytes, Meta(max_length=limits.TOKEN_BYTES)]
TableId = Annotated[str, Meta(max_length=limits.TABLE_CHARS)]
SetId = Annotated[str, Meta(max_length=limits.SET_ID_CHARS)]
Clock = Annotated[int, Meta(ge=-1, le=limits.CLOCK_MOST_MS)]
SaidName = Annotated[str, Meta(max_length=limits.NAME_CHARS * limits.UNCLEANED)]
"""Types beginning with Said are texts from the host before they are cleaned and cut (clean_text.py)."""
SaidBot = Annotated[str, Meta(max_length=limits.BOT_CHARS * limits.UNCLEANED)]
SaidSet = Annotated[str, Meta(max_length=limits.SET_ID_CHARS * limits.UNCLEANED)]
SaidMachine = Annotated[str, Meta(max_length=limits.MACHINE_CHARS * limits.UNCLEANED)]
SaidTable = Annotated[str, Meta(max_length=limits.TABLE_CHARS * limits.UNCLEANED)]
SaidOption = Annotated[str, Meta(max_length=limits.OPTION_CHARS * limits.UNCLEANED)]
SaidOptions = Annotated[list[SaidOption], Meta(max_length=limits.OPTIONS)]
Speed = Literal["slow", "normal", "fast"]
Waits = Literal["each", "touching", "never"]
"""The acts of bots after which bots wait for a key of somebody who is alone with them: each act, acts that touch the
person, or none."""


class SeatInfo(Struct, omit_defaults=True):
    """A seat. state: open, here, lost, away (a bot plays it until the player is back), bot or gone. lost_ms: how long
    it has been lost. bot: its level, with its personality (`normal/gilda`), or its name. muted: the owner has muted its
    talk."""

    name: SaidName = ""
    state: Word = "open"
    ready: bool = False
    lost_ms: Annotated[int, Meta(ge=-limits.CLOCK_MOST_MS, le=limits.CLOCK_MOST_MS)] = 0
    bot: SaidBot = ""
    wins: Counter = 0
    muted: bool = False


class PackInfo(Struct, omit_defaults=True):
    """A card pack in play: its id, the hash of its files, whether it is built in."""

    set_id: SaidSet
    hash: Word
    built_in: bool = True


class VoteInfo(Struct, omit_defaults=True):
    """An undo vote. by: the seat that asked; seat, what: the action that would be undone, and whose it is; waiting: the
    seats that have not voted."""

    number: Counter
    by: SeatNo
    seat: SeatNo
    what: Word
    waiting: EachSeat[SeatNo] = []
    left_ms: Clock = 0


class UndoInfo(Struct, omit_defaults=True):
    """The action that an undo would take back now. seat: of the action. what: its name on the wire; empty for a player
    alone with bots, whose undo takes back their own last choice."""

    seat: SeatNo
    what: Word = ""


class DealInfo(Struct, omit_defaults=True):
    """How a game is dealt so that nobody can choose the cards (deal_seed.py). commitment: SHA-256 of the host's
    secret. hashes, nonces: the players' parts, by seat. asked: no more hashes are taken, the nonces are due.
    dealt: the game has begun."""

    game: Counter
    commitment: Token
    hashes: BySeat[Token] = {}
    nonces: BySeat[Token] = {}
    asked: bool = False
    dealt: bool = False


class TableInfo(Struct, omit_defaults=True):
    """A table: seats, pace, options, packs.

    stage: lobby (the waiting room), playing, paused or over. owner: their seat. game: the number of the current game,
    or of the last. deal: the deal of the current game or of the next; None if it cannot be proved. agreed: the seats
    that agree to reveal the last game; opened: its number once it is revealed. inviting: the table's strings let new
    people in.
    vote: the undo vote. watch_delay: how many seconds later spectators see everything. knocking: newcomers are let in
    one by one. acting: the owner is away, and the seat `owner` only acts for them. spectators_muted: the owner has
    muted their talk. hints: the seats whose players agree to hints. consents: how many have to agree before the last
    game is revealed, those who have left included; lacking: how many of them have not agreed.
    """

    table: SaidTable
    seats: Annotated[list[SeatInfo], Meta(min_length=1, max_length=SEATS_MOST)]
    stage: Word = "lobby"
    owner: SeatNo = -1
    pace: Word = "standard"
    options: SaidOptions = []
    packs: Annotated[list[PackInfo], Meta(max_length=limits.SETS)] = []
    machine: SaidMachine = ""
    seed_shown: bool = False
    watchers: Small = 0
    solo: bool = False
    speed: Speed = "normal"
    game: Counter = 0
    deal: DealInfo | None = None
    agreed: EachSeat[SeatNo] = []
    opened: Counter = 0
    inviting: bool = True
    vote: VoteInfo | None = None
    watch_delay: Annotated[int, Meta(ge=0, le=limits.WATCH_DELAY_S)] = 0
    knocking: bool = False
    acting: bool = False
    spectators_muted: bool = False
    hints: EachSeat[SeatNo] = []
    consents: Small = 0
    lacking: Small = 0
