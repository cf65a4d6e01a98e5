"""The state of a game: plain data at every moment, one codec for snapshot, clone, digest and recovery.

Card ids. Piles hold definitions (numbers into the catalog), not cards. A card gets an id when it leaves a pile:
    id = (serial * 16 + owner) * 4096 + definition        owner 0: public; seat + 1: hidden in that seat's hand
so no table of cards is needed, and whoever may see an id may know the card. Serials are counted apart for the table
and for each hand; a card that crosses between hidden and public, or changes hands hidden, gets a new id. First cards
lie on the table unseen: their serials are below FIRST_SERIAL and come from their seat's own count, so that the ids of
one seat tell nothing of how many cards others have laid out.
"""

from hashlib import blake2b
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from core.state.numbers import Counter, SeatNo

FORMAT = 1
FIRST_SERIAL = 1024
"""The first one of the table in a dealt game."""


DEFN_MASK = 4095
"""The bits of an id that hold the definition: `card & DEFN_MASK` is `defn_of(card)` where a call would cost too much.
A number above it is the id of a card; one up to it can be a definition, a seat or a place in a list."""


def card_id(serial: int, owner: int, defn: int) -> int:
    """The id of a card: owner is 0 for the table, seat + 1 for a hand."""
    return (serial * 16 + owner) * 4096 + defn


def laid_id(serial: int, seat: int, defn: int) -> int:
    """The id of a first card that a seat lays out; serial: of its hand."""
    return card_id(serial * 8 + seat, 0, defn)


def defn_of(card: int) -> int:
    """The definition number in an id."""
    return card & DEFN_MASK


def owner_of(card: int) -> int:
    """0 for a public card, seat + 1 for one in that seat's hand."""
    return (card >> 12) & 15


class Zone(NamedTuple):
    """Where a card lies: the name of a zone as `events.Moved` writes it, and the seat it belongs to (-1: to none)."""

    name: str
    seat: SeatNo = -1


class Placed(Struct, gc=False, array_like=True, frozen=True):
    """A card in play: equipped (`up`) or turned sideways, the card it is attached to or carried by (0: none), and
    whether a one-hand Item is used with both hands. kept: its room is gone with an Ally, it stays (self.ally-extra)."""

    card: int
    up: bool = True
    on: int = 0
    both: bool = False
    kept: bool = False


class Lasting(Struct, gc=False, array_like=True, frozen=True):
    """An effect that waits or goes on for a seat: which `linger` of which definition, with the curse kept as reminder.

    until: as in the card language. armed: it counts now (a next-combat one in its combat, a next-turn one in its turn).
    since: the fight or turn number from which it counts.
    """

    card: int
    defn: int
    code: int
    until: str
    armed: bool
    since: int = 0


class Ask(Struct, gc=False, array_like=True):
    """An obligation: `seat` must choose lo..hi different ones of `options` (cards, seats, monsters, places in a list).

    Kinds answered by an action of their own have no options: ready (done), kick, trouble (trouble or loot), fight
    (claim or flee), roll, end (end_turn), hold (play or pass). card is the definition that asks, -1 for a procedure.
    """

    id: int
    seat: SeatNo
    kind: str
    options: list[int]
    lo: int
    hi: int
    card: int = -1
    texts: list[str] = []


class Bonus(Struct, gc=False, array_like=True):
    """Strength that something played adds: to the heroes, to the monsters, or to one group of them (on).

    hero: whose own strength it is, which leaves the fight with that hero; -1: it is the side's.
    """

    side: Literal["heroes", "monsters"]
    by: int
    defn: int
    seat: SeatNo
    on: int = 0
    treasures: int = 0
    hero: SeatNo = -1


class Monster(Struct, gc=False, array_like=True, frozen=True):
    """A monster in the combat. A Life Partner has the partner card's id and shares the group of its original."""

    id: int
    defn: int
    group: int


class Joined(Struct, gc=False, array_like=True):
    """A card played into the combat: on a group of monsters, or for itself (0); `seat` played it."""

    card: int
    on: int
    seat: SeatNo


class Used(Struct, gc=False, array_like=True):
    """An ability that was used: how often in this combat or turn, on whom (-1: nobody)."""

    seat: SeatNo
    defn: int
    ability: int
    on: SeatNo
    times: int


class Bargain(Struct, gc=False, array_like=True):
    """A bargain: the offer's number, who made it to whom, its terms (see actions.Terms), and the rev it was made at."""

    no: int
    frm: SeatNo
    to: SeatNo
    kind: str
    helper: SeatNo
    treasures: int
    helper_first: bool
    gives: list[int]
    wants: list[int]
    cards: list[int]
    fight: int
    at: int = 0


class Escape(Struct, gc=False, array_like=True, frozen=True):
    """A runner that need not roll (flee.auto-escape). monster: 0 for every monster, -1 for the next one only."""

    seat: SeatNo
    monster: int


class Ride(Struct, gc=False, array_like=True, frozen=True):
    """The Vehicle that a runner uses (item.vehicle-replaces)."""

    seat: SeatNo
    card: int


class Earned(Struct, gc=False, array_like=True, frozen=True):
    """What a fighter who handed the combat over had earned by then: kills, levels, and Treasures of monsters."""

    seat: SeatNo
    kills: int
    levels: int
    treasures: int


class Due(Struct, gc=False, array_like=True, frozen=True):
    """A consequence that the rules demand and the checkpoint works off (core/procedures/checkpoint.py)."""

    what: str
    seat: SeatNo


class Fight(Struct, array_like=True):
    """The combat now on. stage: fight, lost (running) or won. changed_at: the rev at which its sums, monsters or helper
    last changed, changed_by the seat that did it. removed: Treasures due for monsters got rid of without a kill.
    margin: by how much it was lost or won. owed: what fighters who handed it over had earned by then, as [seat, kills,
    levels, Treasures]. rides: the Vehicle each runner uses, as [seat, card].
    felled: monsters killed outright, whose cards may order something for their death. last: how the last one to leave
    left (killed, removed, swapped)."""

    no: int
    seat: SeatNo
    monsters: list[Monster]
    helper: SeatNo = -1
    compelled: bool = False
    bargain: Bargain | None = None
    cards: list[Joined] = []
    bonuses: list[Bonus] = []
    uses: list[Used] = []
    holds: list[int] = []
    stage: str = "fight"
    changed_at: int = 0
    changed_by: SeatNo = -1
    removed: int = 0
    killed: int = 0
    kill_levels: int = 0
    safe: list[Escape] = []
    helped: bool = False
    margin: int = 0
    rides: list[Ride] = []
    owed: list[Earned] = []
    felled: list[int] = []
    last: str = ""


class Turn(Struct, array_like=True):
    """Whose turn it is, the how manieth, and what happened in it. phase: start, kick, trouble, end, charity.
    doubled: Items that counted twice in a sale."""

    seat: SeatNo
    no: int
    phase: str = "start"
    met: bool = False
    uses: list[Used] = []
    doubled: int = 0


class Seat(Struct, array_like=True):
    """One player: Level, hand, cards in play, lasting effects. body: what the dead left, laid out. gained: levels
    gained this turn; sealed: three of them have closed a Seal."""

    level: int = 1
    hand: list[int] = []
    table: list[Placed] = []
    lasting: list[Lasting] = []
    fresh: list[int] = []
    body: list[int] = []
    dead: bool = False
    bare: bool = False
    sex: str = ""
    serial: Counter = 1
    asked: Counter = 0
    moves: int = 0
    gained: int = 0
    sealed: bool = False


class Frame(Struct, array_like=True, tag_field="proc"):
    """A procedure under way: its next step by name, what it asks, and the answers it has got. Control only."""

    step: str = ""
    asks: list[Ask] = []
    answers: dict[int, list[int]] = {}


class Setup(Frame, tag="setup"):
    """First cards: seats that are ready."""

    ready: list[SeatNo] = []


class TurnFrame(Frame, tag="turn"):
    """One turn, phase after phase. drawn: what was just looted, for those who may fight it."""

    seat: SeatNo = 0
    drawn: list[int] = []


class Combat(Frame, tag="combat"):
    """One combat; `at` walks through lists (monsters entering, killed)."""

    at: int = 0
    left: list[int] = []


class Window(Frame, tag="window"):
    """A moment to speak up before a result is final (claim, lost, removed) or a door is kicked (kick)."""

    kind: str = ""
    id: int = 0
    seat: SeatNo = 0
    spent: int = 0
    passed: list[SeatNo] = []
    closed: bool = False
    holder: SeatNo = -1


class Run(Frame, tag="run"):
    """Running away: the seats still to run, the monsters the first of them still has to run from."""

    seats: list[SeatNo] = []
    left: list[int] = []
    seat: SeatNo = -1
    monster: int = 0
    die: int = 0
    paid: int = 0
    rolled: bool = False


class Rewards(Frame, tag="rewards"):
    """Treasure of a won combat: drawn, shared as agreed, and the bargain carried out."""

    seat: SeatNo = 0
    helper: SeatNo = -1
    treasures: int = 0
    pool: list[int] = []
    bargain: Bargain | None = None
    shared: int = 0
    cards: list[int] = []


class Charity(Frame, tag="charity"):
    """Cards over the limit: given to the lowest, or discarded."""

    seat: SeatNo = 0
    cards: list[int] = []
    takers: list[SeatNo] = []
    counts: list[int] = []
    at: int = 0


class Looting(Frame, tag="looting"):
    """A body laid out; the others pick, highest Level first."""

    seat: SeatNo = 0
    order: list[SeatNo] = []


class Excess(Frame, tag="excess"):
    """Too many of something: Big Items, equipped Items, identities; the owner chooses what stays."""

    seat: SeatNo = 0
    what: str = ""
    cards: list[int] = []


class Backout(Frame, tag="backout"):
    """A compelled helper at match point may leave."""

    seat: SeatNo = 0


class Program(Frame, tag="program"):
    """Card text at work: which part of which definition, the instruction next to run, and who is who."""

    defn: int = 0
    part: int = 0
    at: int = 0
    card: int = 0
    you: SeatNo = -1
    victim: SeatNo = -1
    me: SeatNo = -1
    chosen: SeatNo = -1
    monster: int = 0
    side: str = ""
    brought: int = 0
    target: int = 0
    queue: list[int] = []
    saved: dict[str, int] = {}
    rest: str = ""
    kept: int = 0
    source: int = 0


AnyFrame = (
    Setup | TurnFrame | Combat | Window | Run | Rewards | Charity | Looting | Excess | Backout | Program
)


class Options(Struct, array_like=True, frozen=True, rename="kebab"):
    """The options of a game, agreed before the first deal; `core.state.options` describes each of them."""

    listen: bool = False
    shared_victory: bool = False
    seal_die: bool = False
    win_level: Annotated[int, Meta(ge=1, le=20)] = 10


class State(Struct, array_like=True):
    """Everything there is to know about a game (hidden things too: only views leave the host).

    door, treasure, seals: piles of definitions, the top card last; *_out: their discards, the top last; seals_open: the
    open Seals, the one in force last. limbo: cards at work.
    rev counts visible changes; spent those that re-open a window. pending: consequences that rules demand, worked off
    at the checkpoint, as [what, seat].
    """

    format: int
    seed: bytes
    draws: int
    options: Options
    seats: list[Seat]
    door: list[int]
    door_out: list[int]
    treasure: list[int]
    treasure_out: list[int]
    turn: Turn
    fight: Fight | None
    stack: list[AnyFrame]
    offers: list[Bargain]
    limbo: list[int]
    pending: list[Due]
    winners: list[SeatNo]
    why_won: str = ""
    serial: Counter = 1
    offer_no: Counter = 0
    window_no: Counter = 0
    fight_no: Counter = 0
    rev: int = 0
    spent: int = 0
    step_no: int = 0
    dirty: bool = False
    seals: list[int] = []
    seals_open: list[int] = []
    dice: list[int] = []
    """Dice to come, for scenarios; empty in every dealt game."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(State)


def encode(state: State) -> bytes:
    """The state as bytes."""
    return _encoder.encode(state)


def decode(data: bytes) -> State:
    """The state in these bytes. Raises msgspec.DecodeError or ValidationError if they are none."""
    state = _decoder.decode(data)
    if state.format != FORMAT:
        raise msgspec.ValidationError(f"state format {state.format}, this version reads {FORMAT}")
    return state


def clone(state: State) -> State:
    """A state of its own, equal to this one."""
    return _decoder.decode(_encoder.encode(state))


def digest(state: State) -> str:
    """Thirty-two hexadecimal figures that name this state."""
    return blake2b(_encoder.encode(state), digest_size=16).hexdigest()
