"""What one seat may know: types that have no field for anything else. core/view.py fills them.

A card's id holds its definition (model.defn_of), a number in the catalog of the same packs.
"""

from msgspec import Struct

from core.state.actions import Legal
from core.state.model import Ask, Bargain, Bonus, Escape, Joined, Lasting, Met, Placed
from core.state.numbers import (
    CardNo,
    DefnNo,
    DefnOrNone,
    EachSeat,
    Goal,
    HandSize,
    Ordinal,
    Pile,
    PileSize,
    SeatNo,
    Short,
    Small,
    Sum,
    Text,
    Word,
)


class Term(Struct, gc=False, array_like=True, frozen=True):
    """One term of a strength: its name, how much, from which card (0: none) and which seat (-1: a monster's).

    mod: the place of this modifier among the strength modifiers of its card; -1 for a Level or a whole card.
    """

    label: Text
    by: Sum
    card: CardNo
    seat: SeatNo
    mod: Small = -1


class SeatView(Struct, gc=False, array_like=True):
    """What everybody sees of a seat.

    hand: number of cards. table: cards in play; an Item is `up` if it is equipped: upright, and its owner may use it
    (item.not-usable). strength: as Level, gear and effects count now.
    """

    seat: SeatNo
    level: Small
    hand: HandSize
    dead: bool
    bare: bool
    sex: Word
    table: Short[Placed]
    lasting: Short[Lasting]
    body: Short[CardNo]
    strength: Sum
    run: Small
    """The modifier of its rolls to run away from any monster."""


class MonsterView(Struct, gc=False, array_like=True):
    """A monster in the combat. run: its own modifier to the rolls against it."""

    id: CardNo
    defn: DefnNo
    group: CardNo
    strength: Sum
    treasures: Small
    levels: Small
    run: Small
    tags: Short[Word]
    by: CardNo = 0
    """The card that brought it, 0 if none did."""


class Flight(Struct, gc=False, array_like=True, frozen=True):
    """The number that a hero's die must show to get away from a monster: 1 or less always, 7 or more never.

    need: the number if it runs from this monster next. later: the number if it runs from another one first, which uses
    up the modifiers that count for one monster or one roll. spends: whether running from this monster next uses those
    up; if not, the two are equal.
    """

    seat: SeatNo
    monster: CardNo
    need: Small
    later: Small = 0
    spends: bool = False


class FightView(Struct, gc=False, array_like=True):
    """The combat: both totals with their terms, and what it pays. win_level: the Level the fighter would reach."""

    no: Ordinal
    seat: SeatNo
    helper: SeatNo
    compelled: bool
    stage: Word
    monsters: Short[MonsterView]
    cards: Short[Joined]
    bonuses: Short[Bonus]
    heroes: Sum
    foes: Sum
    hero_terms: Short[Term]
    foe_terms: Short[Term]
    wins_ties: bool
    winning: bool
    match_point: bool
    win_level: Small
    levels: Small
    treasures: Small
    helper_levels: Small
    help_allowed: bool
    bargain: Bargain | None
    changed_at: Ordinal
    changed_by: SeatNo
    safe: Short[Escape]
    met: Short[Met] = []
    """The results of running so far, in order."""
    flights: Short[Flight] = []
    """The needed number of each hero's die against each monster."""


class ThrowView(Struct, gc=False, array_like=True):
    """A die that may be rolled again: who rolled it, what it shows, and for what.

    total, need, monster: for a roll to run away, the total, the number needed, and the monster. defn, part, save:
    for a die of card text, the text that runs and the name under which it saves the number; you, victim: its seats; on:
    as in events.Rolled.
    """

    seat: SeatNo
    sides: Small
    number: Small
    total: Small
    need: Small
    monster: CardNo
    defn: DefnOrNone = -1
    part: Small = -1
    save: Word = ""
    you: SeatNo = -1
    victim: SeatNo = -1
    on: SeatNo = -1


class WindowView(Struct, gc=False, array_like=True):
    """The open window. passed: whether this seat has passed. holds: how many holds it has left in this fight."""

    id: Ordinal
    kind: Word
    seat: SeatNo
    holder: SeatNo
    passed: bool
    holds: Small


class Deciding(Struct, gc=False, array_like=True):
    """A seat that has to choose: the kind of its ask, and the definition of the card that asks (-1: none)."""

    seat: SeatNo
    kind: Word
    card: DefnOrNone


class You(Struct, gc=False, array_like=True):
    """The private part of a view: the seat's hand, its ask, its legal actions. keeps: how many cards of the hand it
    may keep at the end of its turn, -1 in recordings that are older than this field."""

    seat: SeatNo
    hand: Short[CardNo]
    fresh: Short[CardNo]
    asks: Short[Ask]
    legal: Short[Legal]
    keeps: Small = -1


class View(Struct, gc=False, array_like=True):
    """All that one seat may know; a spectator if `you` is None."""

    rev: Ordinal
    turn: SeatNo
    turn_no: Ordinal
    phase: Word
    top: Word
    """The procedure now on top: setup, turn, combat, window, run, rewards, charity, looting, excess, ..., program."""
    seats: EachSeat[SeatView]
    fight: FightView | None
    window: WindowView | None
    deciding: Short[Deciding]
    offers: Short[Bargain]
    doors: PileSize
    doors_out: PileSize
    door_top: DefnOrNone
    treasures: PileSize
    treasures_out: PileSize
    treasure_top: DefnOrNone
    pool: Short[CardNo]
    """Treasures laid out face up for sharing (face down: only in the view of the seat that drew them)."""
    limbo: Short[CardNo]
    win_level: Goal
    winners: Short[SeatNo]
    why_won: Text
    you: You | None
    seals: Small = 0
    """Seals still to be opened; 0 in games without them."""
    seals_open: Pile = []
    """The open Seals, the one in force last."""
    extra_turn: SeatNo = -1
    """The seat that has an extra turn after this one, -1 for none."""
    turn_after: SeatNo = -1
    """In an extra turn the seat whose turn came before it, else -1."""
    throw: ThrowView | None = None
    """The die that may be rolled again now."""
