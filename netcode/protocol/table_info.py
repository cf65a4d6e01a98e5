"""What everybody may know of a table beside its game: seats, packs, the deal, an undo vote. A part of wire.py."""

from typing import Literal

from msgspec import Struct

Speed = Literal["slow", "normal", "fast"]
Waits = Literal["each", "touching", "never"]
"""After which acts of a bot the bots wait for a key of somebody who is alone with them: each one, those that touch
them, or none."""


class SeatInfo(Struct, omit_defaults=True):
    """A seat. state: open, here, lost, away (a bot plays it until the player is back), bot or gone. lost_ms: how long
    it has been lost. bot: its level, with its personality (`normal/gilda`), or what it is called. muted: the owner has
    muted its talk."""

    name: str = ""
    state: str = "open"
    ready: bool = False
    lost_ms: int = 0
    bot: str = ""
    wins: int = 0
    muted: bool = False


class PackInfo(Struct, omit_defaults=True):
    """A card pack in play: its id, the hash of its files, whether it is built in."""

    set_id: str
    hash: str
    built_in: bool = True


class VoteInfo(Struct, omit_defaults=True):
    """An undo vote. by: the seat that asked; seat, what: whose action would be undone, and which; waiting: the seats
    that have not voted."""

    number: int
    by: int
    seat: int
    what: str
    waiting: list[int] = []
    left_ms: int = 0


class UndoInfo(Struct, omit_defaults=True):
    """What an undo would take back now: seat: whose action. what: its name as on the wire; empty for somebody alone
    with bots, whose own last choice it is."""

    seat: int
    what: str = ""


class DealInfo(Struct, omit_defaults=True):
    """How a game is dealt so that nobody can choose the cards (deal_seed.py). commitment: SHA-256 of the host's
    secret. hashes, nonces: the players' parts, by seat. asked: no more hashes are taken, the nonces are due.
    dealt: the game has begun."""

    game: int
    commitment: bytes
    hashes: dict[int, bytes] = {}
    nonces: dict[int, bytes] = {}
    asked: bool = False
    dealt: bool = False


class TableInfo(Struct, omit_defaults=True):
    """A table: seats, pace, options, packs.

    stage: lobby (the waiting room), playing, paused or over. owner: their seat. game: the number of the current game,
    or of the last. deal: of the current game or of the next; None: it cannot be proved. agreed: the seats that agree to
    reveal the last game; opened: its number once it is revealed. inviting: the table's strings let new people in.
    vote: the undo vote. watch_delay: how many seconds later spectators see everything. knocking: newcomers are let in
    one by one. acting: the seat `owner` only acts for the owner, who is away. spectators_muted: the owner has muted
    their talk. hints: the seats whose players agree to hints.
    """

    table: str
    seats: list[SeatInfo]
    stage: str = "lobby"
    owner: int = -1
    pace: str = "standard"
    options: list[str] = []
    packs: list[PackInfo] = []
    machine: str = ""
    seed_shown: bool = False
    watchers: int = 0
    solo: bool = False
    speed: Speed = "normal"
    game: int = 0
    deal: DealInfo | None = None
    agreed: list[int] = []
    opened: int = 0
    inviting: bool = True
    vote: VoteInfo | None = None
    watch_delay: int = 0
    knocking: bool = False
    acting: bool = False
    spectators_muted: bool = False
    hints: list[int] = []
