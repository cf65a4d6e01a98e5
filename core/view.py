"""What one seat may know: types without a field for anything else, and the one function that fills them.

A view is built from an allow-list, never by taking things out of a state. Spectators get the same with `you` empty.
Card ids hold the definition (see model.defn_of), which the catalog of the same packs explains.
"""

from msgspec import Struct

from core.actions import Legal
from core.model import Ask, Bonus, Deal, Joined, Lasting, Placed


class Term(Struct, array_like=True, frozen=True):
    """One term of a strength: what it is called, how much, from which card (0: none) and which seat (-1: a monster's)."""

    label: str
    by: int
    card: int
    seat: int


class SeatView(Struct, array_like=True):
    """What everybody sees of a seat. hand counts cards; strength is Level and gear, outside of any combat."""

    seat: int
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


class MonsterView(Struct, array_like=True):
    """A monster in the combat. run: its own modifier to the rolls against it."""

    id: int
    defn: int
    group: int
    strength: int
    treasures: int
    levels: int
    run: int
    tags: list[str]


class FightView(Struct, array_like=True):
    """The combat: both totals with their terms, and what it is worth. win_level: the Level the fighter would reach."""

    no: int
    seat: int
    helper: int
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
    deal: Deal | None
    changed_at: int
    changed_by: int
    safe: list[list[int]]


class WindowView(Struct, array_like=True):
    """The window now open. passed: whether this seat has; holds: how many it has left in this fight."""

    id: int
    kind: str
    seat: int
    holder: int
    passed: bool
    holds: int


class Deciding(Struct, array_like=True):
    """Somebody has to choose something: who, what kind of choice, for which definition (-1: none)."""

    seat: int
    kind: str
    card: int


class You(Struct, array_like=True):
    """What only this seat knows: its hand, what it is asked, what it may do now."""

    seat: int
    hand: list[int]
    fresh: list[int]
    asks: list[Ask]
    legal: list[Legal]


class View(Struct, array_like=True):
    """All that one seat (or a spectator: you is None) may know."""

    rev: int
    turn: int
    turn_no: int
    phase: str
    top: str
    """The procedure now on top: setup, turn, combat, window, run, rewards, charity, looting, excess, backout, program."""
    seats: list[SeatView]
    fight: FightView | None
    window: WindowView | None
    deciding: list[Deciding]
    offers: list[Deal]
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
    winners: list[int]
    why_won: str
    you: You | None
