"""What one seat may know: types that have no field for anything else. core/view.py fills them.

A card's id holds its definition (model.defn_of), a number in the catalog of the same packs.
"""

from msgspec import Struct

from core.state.actions import Legal
from core.state.model import Ask, Bargain, Bonus, Escape, Joined, Lasting, Met, Placed
from core.state.numbers import SeatNo


class Term(Struct, gc=False, array_like=True, frozen=True):
    """One term of a strength: its name, how much, from which card (0: none) and which seat (-1: a monster's).

    mod: which of the modifiers of strength of its card this is, as they are printed; -1 for a Level or a whole card.
    """

    label: str
    by: int
    card: int
    seat: int
    mod: int = -1


class SeatView(Struct, gc=False, array_like=True):
    """What everybody sees of a seat.

    hand: number of cards. table: cards in play; an Item is `up` if it is equipped: upright, and its owner may use it
    (item.not-usable). strength: as Level, gear and effects count now.
    """

    seat: SeatNo
    level: int
    hand: int
    dead: bool
    bare: bool
    sex: str
    table: list[Placed]
    lasting: list[Lasting]
    body: list[int]
    strength: int
    run: int
    """What is added to its rolls to run away, from any monster."""


class MonsterView(Struct, gc=False, array_like=True):
    """A monster in the combat. run: its own modifier to the rolls against it."""

    id: int
    defn: int
    group: int
    strength: int
    treasures: int
    levels: int
    run: int
    tags: list[str]
    by: int = 0
    """The card that brought it, 0 if none did."""


class Flight(Struct, gc=False, array_like=True, frozen=True):
    """What the die of a hero must show to get away from a monster: 1 or less always, 7 or more never.

    need: if it runs from this monster next. later: after another one, when what waits for one monster or one roll is
    spent; running from a monster next spends that if `spends`. Without it the two are the same.
    """

    seat: SeatNo
    monster: int
    need: int
    later: int = 0
    spends: bool = False


class FightView(Struct, gc=False, array_like=True):
    """The combat: both totals with their terms, and what it pays. win_level: the Level the fighter would reach."""

    no: int
    seat: SeatNo
    helper: SeatNo
    compelled: bool
    stage: str
    monsters: list[MonsterView]
    cards: list[Joined]
    bonuses: list[Bonus]
    heroes: int
    foes: int
    hero_terms: list[Term]
    foe_terms: list[Term]
    wins_ties: bool
    winning: bool
    match_point: bool
    win_level: int
    levels: int
    treasures: int
    helper_levels: int
    help_allowed: bool
    bargain: Bargain | None
    changed_at: int
    changed_by: SeatNo
    safe: list[Escape]
    met: list[Met] = []
    """What came of running so far, in order."""
    flights: list[Flight] = []
    """What the die of each hero must show against each monster."""


class ThrowView(Struct, gc=False, array_like=True):
    """A die that may be rolled again: who rolled it, what it shows, and for what.

    total, need, monster: for a roll to run away, what counts, what escapes, and from which monster. defn, part, save:
    for a die of card text, the text that runs and the name under which it saves the number; you, victim: its seats; on:
    as in events.Rolled.
    """

    seat: SeatNo
    sides: int
    number: int
    total: int
    need: int
    monster: int
    defn: int = -1
    part: int = -1
    save: str = ""
    you: SeatNo = -1
    victim: SeatNo = -1
    on: SeatNo = -1


class WindowView(Struct, gc=False, array_like=True):
    """The open window. passed: whether this seat has passed. holds: how many holds it has left in this fight."""

    id: int
    kind: str
    seat: SeatNo
    holder: SeatNo
    passed: bool
    holds: int


class Deciding(Struct, gc=False, array_like=True):
    """A seat that has to choose: the kind of its ask, and the definition of the card that asks (-1: none)."""

    seat: SeatNo
    kind: str
    card: int


class You(Struct, gc=False, array_like=True):
    """What only this seat knows: its hand, what it is asked, what it may do now. keeps: how many cards of the hand it
    may keep at the end of its turn, -1 in recordings from before this was said."""

    seat: SeatNo
    hand: list[int]
    fresh: list[int]
    asks: list[Ask]
    legal: list[Legal]
    keeps: int = -1


class View(Struct, gc=False, array_like=True):
    """All that one seat may know; a spectator if `you` is None."""

    rev: int
    turn: SeatNo
    turn_no: int
    phase: str
    top: str
    """The procedure now on top: setup, turn, combat, window, run, rewards, charity, looting, excess, ..., program."""
    seats: list[SeatView]
    fight: FightView | None
    window: WindowView | None
    deciding: list[Deciding]
    offers: list[Bargain]
    doors: int
    doors_out: int
    door_top: int
    treasures: int
    treasures_out: int
    treasure_top: int
    pool: list[int]
    """Treasures laid out face up for sharing (face down: only for the one who drew them)."""
    limbo: list[int]
    win_level: int
    winners: list[SeatNo]
    why_won: str
    you: You | None
    seals: int = 0
    """Seals still to be opened; 0 in games without them."""
    seals_open: list[int] = []
    """The open Seals, the one in force last."""
    extra_turn: SeatNo = -1
    """The seat that has an extra turn after this one, -1 for none."""
    turn_after: SeatNo = -1
    """In an extra turn the seat whose turn came before it, else -1."""
    throw: ThrowView | None = None
    """The die that may be rolled again now."""
