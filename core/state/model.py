"""The state of a game: plain data at every moment, one codec for snapshot, clone, digest and recovery.

Card ids. Piles hold definitions (numbers in the catalog), not cards. A card gets an id when it leaves a pile:
    id = (serial * 16 + owner) * 4096 + definition        owner 0: public; seat + 1: hidden in that seat's hand
So no table of cards is needed, and a seat that may see an id may know the card. The table and each hand count their
serials
separately. A card gets a new id when it changes between hidden and public, or changes hands unseen. First cards are
unseen on the table: their serials are below FIRST_SERIAL and counted by seat, so that ids do not tell how many first
cards the others have put into play. A card of a deck that a seat looks at has no id yet; in an ask it has a number of
the same form, with its place in the deck as serial and IN_DECK as owner.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from core.state.numbers import (
    SHORT_MOST,
    Answers,
    BySeat,
    CardNo,
    CardOrUntold,
    Counter,
    DefnNo,
    DefnOrNone,
    EachSeat,
    Goal,
    Index,
    MonsterOrNext,
    Option,
    Ordinal,
    Pile,
    SeatNo,
    Short,
    Small,
    Sum,
    Text,
    Word,
)
from core.state.read_cache import ReadCache

FORMAT = 2
"""The version of the encoding of a state; a state of another version is refused."""
FIRST_SERIAL = 1024
"""The first serial of the table in a dealt game."""


IN_DECK = 15
"""The owner in the number of a card that lies in a deck and is shown to one seat."""
DEFN_MASK = 4095
"""The bits of an id that hold the definition: `card & DEFN_MASK` is `defn_of(card)` where a call would cost too much.
A number above it is the id of a card; one up to it can be a definition, a seat or a place in a list."""


def card_id(serial: int, owner: int, defn: int) -> int:
    """Return the id of a card. owner: 0 for the table, seat + 1 for a hand."""
    return (serial * 16 + owner) * 4096 + defn


def laid_id(serial: int, seat: int, defn: int) -> int:
    """Return the id of a first card that a seat puts into play. serial: that of its hand."""
    return card_id(serial * 8 + seat, 0, defn)


def deck_card(place: int, defn: int) -> int:
    """Return the number of a card in a deck, for the ask of a seat that looks at it. place: 0 is the top card."""
    return card_id(place + 1, IN_DECK, defn)


def place_in_deck(number: int) -> int:
    """Return the place in the deck that `deck_card` has put into this number."""
    return (number >> 16) - 1


def defn_of(card: int) -> int:
    """Return the number of the definition in an id."""
    return card & DEFN_MASK


def owner_of(card: int) -> int:
    """Return 0 for a public card, seat + 1 for a card in that seat's hand."""
    return (card >> 12) & 15


class Zone(NamedTuple):
    """Where a card lies: the name of a zone as `events.Moved` writes it, and the seat it belongs to (-1: to none)."""

    name: Word
    seat: SeatNo = -1


class Placed(Struct, gc=False, array_like=True, frozen=True):
    """A card in play.

    up: not turned sideways; an Item is equipped if it is up and its owner may use it. on: the card it is attached to or
    carried by (0: none). both: a one-hand Item used with both hands. kept: it stays although the Ally that made room
    for it is gone (self.ally-extra). counters: on it (cards.counters).
    """

    card: CardNo
    up: bool = True
    on: CardNo = 0
    both: bool = False
    kept: bool = False
    counters: Small = 0


class Lasting(Struct, gc=False, array_like=True, frozen=True):
    """A lasting effect on a seat: linger `code` of a definition.

    card: the curse kept as a reminder (0: none). until: how long, as in the card language. armed: it counts now; a
    next-combat effect counts in its combat, a next-turn effect in its turn. since: the number of the fight or turn from
    which it counts.
    """

    card: CardNo
    defn: DefnNo
    code: Index
    until: Word
    armed: bool
    since: Ordinal = 0


class Ask(Struct, gc=False, array_like=True):
    """An obligation: `seat` must choose lo to hi different `options` (cards, seats, monsters, places in a list).

    Some kinds are answered by an action of their own (asks.BY_ACTION). id: counted by seat. card: the definition that
    asks, -1 for a procedure. texts: words for the options, if they are no cards or seats.
    """

    id: Ordinal
    seat: SeatNo
    kind: Word
    options: Short[Option]
    lo: Small
    hi: Small
    card: DefnOrNone = -1
    texts: Short[Text] = []


class Bonus(Struct, gc=False, array_like=True):
    """Strength that a played card adds to a side, or to one group of monsters (on; 0: to the side).

    seat: who played it. treasures: what it adds to the monsters' Treasures. hero: the hero whose strength it is,
    which leaves the fight with that hero; -1: it is the side's. card: the card that was played (0: an ability).
    """

    side: Literal["heroes", "monsters"]
    by: Sum
    defn: DefnOrNone
    seat: SeatNo
    on: CardNo = 0
    treasures: Small = 0
    hero: SeatNo = -1
    card: CardNo = 0


class Monster(Struct, gc=False, array_like=True, frozen=True):
    """A monster in the combat. A Life Partner has the partner card's id and shares the group of its original. A copy
    has its own group; the first copy that a card makes has that card's id.

    by: the card that brought it, unless its id is that card's (0: none).
    """

    id: CardNo
    defn: DefnNo
    group: CardNo
    by: CardNo = 0


class Latest(Struct, gc=False, array_like=True, frozen=True):
    """The card that was played last into the combat, the seat that played it, and the rev at that time
    (combat.undo-last)."""

    card: CardNo
    seat: SeatNo
    at: Ordinal


class Joined(Struct, gc=False, array_like=True):
    """A card that `seat` played into the combat. on: the group of monsters it is played on, 0 for none.

    A card on a monster that is copied counts for the copy too, and has a second entry for that group (combat.copy).
    """

    card: CardNo
    on: CardNo
    seat: SeatNo


def cards_once(entries: Iterable[Joined]) -> list[int]:
    """Return the cards of these entries, each once, in order."""
    return list(dict.fromkeys([entry.card for entry in entries]))


class Used(Struct, gc=False, array_like=True):
    """How many times an ability was used in this combat or turn. on: the seat it was used on, -1 for nobody."""

    seat: SeatNo
    defn: DefnOrNone
    ability: Small
    on: SeatNo
    times: Small


class Bargain(Struct, gc=False, array_like=True):
    """A bargain, offered or agreed.

    no: the number of the offer. frm, to: who made it to whom (-1: to the table). Its terms: see actions.Terms. fight:
    the number of the fight it is about. at: the rev at which it was made.
    """

    no: Ordinal
    frm: SeatNo
    to: SeatNo
    kind: Word
    helper: SeatNo
    treasures: Small
    helper_first: bool
    gives: Short[CardNo]
    wants: Short[CardNo]
    cards: Short[CardNo]
    fight: Ordinal
    at: Ordinal = 0


class Escape(Struct, gc=False, array_like=True, frozen=True):
    """A runner that need not roll (flee.auto-escape). monster: 0 for every monster, -1 for the next one only."""

    seat: SeatNo
    monster: MonsterOrNext


class Met(Struct, gc=False, array_like=True, frozen=True):
    """The result of running from a monster: the runner escaped from it or was caught."""

    seat: SeatNo
    monster: CardNo
    escaped: bool


class Ride(Struct, gc=False, array_like=True, frozen=True):
    """The Vehicle that a runner uses (item.vehicle-replaces)."""

    seat: SeatNo
    card: CardNo


class Earned(Struct, gc=False, array_like=True, frozen=True):
    """The rewards that a fighter had earned before handing the combat over: kills, levels, and Treasures of
    monsters."""

    seat: SeatNo
    kills: Small
    levels: Small
    treasures: Small


class Due(Struct, gc=False, array_like=True, frozen=True):
    """A consequence that the rules demand and the checkpoint works off (core/procedures/checkpoint.py)."""

    what: Word
    seat: SeatNo


class Fight(Struct, array_like=True):
    """The present combat.

    stage: fight, lost (running), fled, won, removed (no monster is left), died (its fighter) or ended (by a card).
    holds: how often each seat has held a window. changed_at: the rev at which its sums, monsters or helper last
    changed; changed_by: the seat that changed them. removed: Treasures due for monsters that have left. killed,
    kill_levels: kills so far and the levels for them. margin: by how much it was lost or won. owed: the rewards earned
    by fighters who then handed it over. felled: definitions of monsters killed outright, whose cards may have a text
    for their death. last: how the latest monster left (killed, removed, swapped, undone).
    latest: the card played last into it, as long as nothing else has been played, used or changed since.
    met: the results of running, in order.
    """

    no: Ordinal
    seat: SeatNo
    monsters: Short[Monster]
    helper: SeatNo = -1
    compelled: bool = False
    bargain: Bargain | None = None
    cards: Short[Joined] = []
    bonuses: Short[Bonus] = []
    uses: Short[Used] = []
    holds: EachSeat[Small] = []
    stage: Word = "fight"
    changed_at: Ordinal = 0
    changed_by: SeatNo = -1
    removed: Small = 0
    killed: Small = 0
    kill_levels: Small = 0
    safe: Short[Escape] = []
    helped: bool = False
    margin: Sum = 0
    rides: Short[Ride] = []
    owed: Short[Earned] = []
    felled: Short[DefnNo] = []
    last: Word = ""
    latest: Latest | None = None
    met: Short[Met] = []


class Turn(Struct, array_like=True):
    """The present turn: its seat, its ordinal number, and what happened in it.

    phase: start, kick, trouble, loot, end or charity. met: a monster was met. doubled: Items that counted twice in a
    sale. extra: the seat that has one more turn after this one, -1 for none. after: if this is such a turn, the seat
    whose turn came before it, else -1.
    """

    seat: SeatNo
    no: Ordinal
    phase: Word = "start"
    met: bool = False
    uses: Short[Used] = []
    doubled: Small = 0
    extra: SeatNo = -1
    after: SeatNo = -1


class Seat(Struct, array_like=True):
    """One player: Level, hand, cards in play, lasting effects.

    fresh: cards just received, until the next door is opened or the seat enters a combat (when.just-received-window).
    body: the cards of a dead player, laid out. bare: a new character without a hand. serial, asked: counters of ids and
    asks. moves: free moves this turn. gained: levels gained this turn; sealed: three of them have closed a Seal, or can
    no longer close one.
    """

    level: Small = 1
    hand: Short[CardNo] = []
    table: Short[Placed] = []
    lasting: Short[Lasting] = []
    fresh: Short[CardNo] = []
    body: Short[CardNo] = []
    dead: bool = False
    bare: bool = False
    sex: Word = ""
    serial: Counter = 1
    asked: Counter = 0
    moves: Small = 0
    gained: Small = 0
    sealed: bool = False


class Frame(Struct, array_like=True, tag_field="proc"):
    """A running procedure: the name of its next step, its asks, and the answers by seat. Control only, no game data."""

    step: Word = ""
    asks: Short[Ask] = []
    answers: Answers = {}


class Setup(Frame, tag="setup"):
    """First cards are put into play. ready: the seats that are done."""

    ready: Short[SeatNo] = []


class TurnFrame(Frame, tag="turn"):
    """One turn, phase after phase. drawn: cards just looted, for seats that may fight one of them. texts: cards whose
    text for the start of the turn has still to run."""

    seat: SeatNo = 0
    drawn: Short[CardNo] = []
    texts: Short[CardNo] = []


class Combat(Frame, tag="combat"):
    """One combat. left: the monsters killed in it; at: how many of them, and of Fight.felled, have been handled.

    offered: everybody has had a window which showed that the end of this fight would end the game.
    """

    at: Small = 0
    left: Short[CardNo] = []
    offered: bool = False


class Window(Frame, tag="window"):
    """A closing window before a result is final (claim, lost, removed, reward), or the kick window before a door
    (kick).

    seat: who opened it. spent: State.spent at that time. closed: its time is up. holder: who holds it, -1 for nobody.
    """

    kind: Word = ""
    id: Ordinal = 0
    seat: SeatNo = 0
    spent: Ordinal = 0
    passed: Short[SeatNo] = []
    closed: bool = False
    holder: SeatNo = -1


class Run(Frame, tag="run"):
    """Running away. seats: those still to run; seat: the runner; left: the monsters it still has to run from.

    monster, die, paid: the monster last rolled for, the die, and the total. rolled: the runner has made its first roll.
    """

    seats: Short[SeatNo] = []
    left: Short[CardNo] = []
    seat: SeatNo = -1
    monster: CardNo = 0
    die: Small = 0
    paid: Small = 0
    rolled: bool = False


class Throw(Frame, tag="throw"):
    """A die that was rolled and may be rolled again before its number counts for the frame below (dice.again).

    seat: who rolled it. of: what for, as in the modifier throw_again. number, total: its number, without and with
    modifiers. why, need, monster: as in events.Rolled. save: the name under which the text below saves the number.
    left: the seats still to be asked. used: the cards used for this die.
    """

    seat: SeatNo = 0
    of: Word = ""
    sides: Small = 6
    number: Small = 0
    total: Small = 0
    why: Text = ""
    need: Small = 0
    monster: CardNo = 0
    save: Word = ""
    left: Short[SeatNo] = []
    used: Short[CardNo] = []


class Rewards(Frame, tag="rewards"):
    """After a combat: card texts for a won fight run, then the bargain is carried out, and Treasures are drawn and
    shared as agreed.

    treasures: how many to draw. pool: those laid out for sharing. cards: promised hand cards still to be played. won:
    cards of the winners whose text for a fight that is won has still to run.
    """

    seat: SeatNo = 0
    helper: SeatNo = -1
    treasures: Small = 0
    pool: Short[CardNo] = []
    bargain: Bargain | None = None
    shared: Small = 0
    cards: Short[CardNo] = []
    won: Short[CardNo] = []


class Charity(Frame, tag="charity"):
    """Cards over the hand limit are given to the seats with the lowest Level, or discarded."""

    seat: SeatNo = 0
    cards: Short[CardNo] = []
    takers: Short[SeatNo] = []
    counts: Short[Small] = []
    at: Small = 0


class Looting(Frame, tag="looting"):
    """A body is looted: the others pick in `order`, highest Level first."""

    seat: SeatNo = 0
    order: Short[SeatNo] = []


class Excess(Frame, tag="excess"):
    """A seat has too much of something (`what`), and chooses what it keeps. cards: the Big Items that go; sale: what is
    sold with the first of them."""

    seat: SeatNo = 0
    what: Word = ""
    cards: Short[CardOrUntold] = []
    sale: Short[CardOrUntold] = []


class Backout(Frame, tag="backout"):
    """A compelled helper may leave at match point."""

    seat: SeatNo = 0


class Program(Frame, tag="program"):
    """Running card text: a part of a definition, the next instruction (at), and the seats behind the who-words.

    step: "shield" until its victim has had the chance to fend it off; "looked" while a seat chooses among the cards of
    a deck that it has been shown; else "". card: the card that is played, 0 if it stays in play. monster: the group of
    monsters it is about. side, brought, target: as in actions.Play. queue: the seats an `each` has still to visit.
    saved: numbers of dice, by name. rest: "discard" if the card is discarded afterwards. kept: the curse that stays as
    a reminder. source: the card in play that `this` means. paid: definitions that came to the discards as the price of
    this text. seen: the cards that this text has shown from hands, by the seat that saw them.
    """

    defn: DefnNo = 0
    part: Small = 0
    at: Small = 0
    card: CardNo = 0
    you: SeatNo = -1
    victim: SeatNo = -1
    me: SeatNo = -1
    chosen: SeatNo = -1
    monster: CardNo = 0
    side: Word = ""
    brought: CardNo = 0
    target: CardNo = 0
    queue: Short[SeatNo] = []
    saved: Annotated[dict[Word, Small], Meta(max_length=SHORT_MOST)] = {}
    rest: Word = ""
    kept: CardNo = 0
    source: CardNo = 0
    paid: Short[DefnNo] = []
    seen: BySeat[Short[CardNo]] = {}


AnyFrame = (
    Setup | TurnFrame | Combat | Window | Run | Throw | Rewards | Charity | Looting | Excess | Backout | Program
)


class Options(Struct, array_like=True, frozen=True, rename="kebab"):
    """The options of a game, agreed before the first deal; `core.state.options` describes each of them."""

    listen: bool = False
    shared_victory: bool = False
    seal_die: bool = False
    win_level: Goal = 10


class State(Struct, array_like=True, dict=True):
    """A whole game, hidden cards included; only views of it leave the host.

    draws: random numbers drawn so far. door, treasure, seals: piles of definitions, the top card last; *_out: their
    discards, the top last; seals_open: the open Seals, the one in force last. limbo: cards being carried out.
    rev counts visible changes, spent the changes that re-open a window, step_no actions. dirty: the checkpoint has to
    run. pending: consequences that it has to handle.
    """

    format: Ordinal
    seed: Annotated[bytes, Meta(max_length=SHORT_MOST)]
    draws: Ordinal
    options: Options
    seats: EachSeat[Seat]
    door: Pile
    door_out: Pile
    treasure: Pile
    treasure_out: Pile
    turn: Turn
    fight: Fight | None
    stack: Short[AnyFrame]
    offers: Short[Bargain]
    limbo: Short[CardNo]
    pending: Short[Due]
    winners: Short[SeatNo]
    why_won: Text = ""
    serial: Counter = 1
    offer_no: Counter = 0
    window_no: Counter = 0
    fight_no: Counter = 0
    rev: Ordinal = 0
    spent: Ordinal = 0
    step_no: Ordinal = 0
    dirty: bool = False
    seals: Pile = []
    seals_open: Pile = []
    dice: Short[Small] = []
    """Dice to come, for scenarios; empty in every dealt game."""
    reads: ClassVar[ReadCache | None] = None
    """The read cache. A class variable and not a field, so it is neither encoded nor compared."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(State)


def encode(state: State) -> bytes:
    """Return the state as bytes."""
    return _encoder.encode(state)


def decode(data: bytes) -> State:
    """Return the state that these bytes encode. Raise msgspec.DecodeError or ValidationError if they encode none."""
    state = _decoder.decode(data)
    if state.format != FORMAT:
        raise msgspec.ValidationError(f"state format {state.format}, this version reads {FORMAT}")
    return state


def clone(state: State) -> State:
    """Return a deep copy of a state."""
    return _decoder.decode(_encoder.encode(state))


def digest(state: State) -> str:
    """Return the BLAKE2b digest of a state, as 32 hexadecimal digits."""
    return blake2b(_encoder.encode(state), digest_size=16).hexdigest()
