"""What everybody may know of a table beside its game: seats, packs, how it is dealt, a vote. A part of wire.py."""

from typing import Literal

from msgspec import Struct

Speed = Literal["slow", "normal", "fast"]


class SeatInfo(Struct, omit_defaults=True):
    """Who sits where. state: open, here, lost, away (a bot sits in), bot, gone."""

    name: str = ""
    state: str = "open"
    ready: bool = False
    lost_ms: int = 0
    bot: str = ""
    wins: int = 0


class PackInfo(Struct, omit_defaults=True):
    """A pack in play: its id, a hash of its files, whether it is built in."""

    set_id: str
    hash: str
    built_in: bool = True


class VoteInfo(Struct, omit_defaults=True):
    """A vote on a step back: who asked, whose action would be taken back and which, who has not answered, ms left."""

    number: int
    by: int
    seat: int
    what: str
    waiting: list[int] = []
    left_ms: int = 0


class DealInfo(Struct, omit_defaults=True):
    """How a game is dealt so that nobody can choose the cards (netcode/table/fair_deal.py). commitment: SHA-256 of
    the host's
    bytes; hashes, nonces: what the players add, by seat; asked: no more hashes are taken, the nonces are due; dealt: it
    is on."""

    game: int
    commitment: bytes
    hashes: dict[int, bytes] = {}
    nonces: dict[int, bytes] = {}
    asked: bool = False
    dealt: bool = False


class TableInfo(Struct, omit_defaults=True):
    """What the table is: seats, pace, options, packs. stage: lobby, playing, over, paused. game: the how manieth is on,
    or was the last. deal: of the game that is on, or of the next; None: it cannot be proved. agreed: seats that agree
    to lay the last game open; opened: its number when it is. inviting: its strings let new people in. vote: on a step
    back. watch_delay: so many seconds later those who look on are shown everything."""

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
