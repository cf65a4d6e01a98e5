"""The number that the die must show to run away from a monster (flee.roll, flee.auto-escape)."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple, Protocol

from core.language import schema as v
from core.queries.dice import fixed_by
from core.queries.modifiers import foes_forbid, monster_mods
from core.queries.strength import lasting_run_terms, run_against, run_terms, spares, vehicle_in_use
from core.state.model import Escape, Monster
from core.state.reader import Reader

NEED = 5
"""A roll of this much or more escapes (flee.roll)."""
ALWAYS, NEVER = 1, 7


def inescapable(g: Reader, monster: Monster) -> bool:
    """Return whether no roll escapes from a monster."""
    if "escape" not in foes_forbid(g):
        return False
    return any(mod.what == "escape" for mod, m in monster_mods(g, v.Forbid) if m is monster)


class Odds(NamedTuple):
    """The number that a hero's die must show to get away from a monster: 1 or less always, 7 or more never.

    need: the number if it runs from this monster next. later: the number if it runs from another one first, which uses
    up the modifiers that count for one monster or one roll. spends: whether running from this monster next uses those
    up.
    """

    need: int
    later: int
    spends: bool


class AnyOdds(Protocol):
    """The odds of a hero against one monster: `Odds`, or `Flight` of a view."""

    @property
    def need(self) -> int: ...
    @property
    def later(self) -> int: ...
    @property
    def spends(self) -> bool: ...


def chance(needed: int) -> float:
    """Return the chance that the die shows this or more."""
    return max(0.0, min(1.0, (NEVER - needed) / 6))


def best_order(told: Sequence[AnyOdds]) -> list[int]:
    """Return the needed numbers for all monsters if the hero first runs from the best one, which makes escaping from
    all most likely. Modifiers that count once are used up on it."""
    orders = [
        [one.need if one is first or not one.spends else one.later for one in told] for first in told if first.spends
    ]
    return max(orders or [[one.need for one in told]], key=lambda order: prod(map(chance, order)))


def away(told: Sequence[AnyOdds]) -> int:
    """Return the chance, in percent, to get away from all of these monsters; -1 if there are none."""
    return round(100 * prod(map(chance, best_order(told)))) if told else -1


def odds(g: Reader, seat: int, monster: Monster) -> Odds:
    """Return the odds of a hero against a monster.

    Modifiers that count once (dice.sides, "the next roll", "the next monster") count for the monster from which the
    hero runs next. Payments after a failed roll do not count.
    """
    fight = g.state.fight
    if fight is None:
        return Odds(NEED, NEED, False)
    if Escape(seat, 0) in fight.safe or spares(g, seat, monster):
        return Odds(ALWAYS, ALWAYS, False)
    sure = fight.safe.count(Escape(seat, -1))
    once, fixed = _next_roll(g, seat)
    if inescapable(g, monster):
        return Odds(ALWAYS if sure else NEVER, ALWAYS if sure > 1 else NEVER, sure > 0)
    usual = NEED - sum([term.by for term in run_terms(g, seat) + run_against(g, seat, monster)]) + once
    rolled = usual - once
    if fixed is not None:
        rolled = ALWAYS if fixed >= rolled else NEVER
    if sure:
        return Odds(ALWAYS, ALWAYS if sure > 1 else rolled, True)
    return Odds(rolled, usual, bool(once) or fixed is not None)


def _next_roll(g: Reader, seat: int) -> tuple[int, int | None]:
    """Return what is added to the next roll of a seat only, and the fixed number of that die (None if there is
    none)."""
    lasting = g.state.seats[seat].lasting
    fixed = [mod.value for one in lasting for mod in fixed_by(g, one)]
    once = 0
    if lasting and not vehicle_in_use(g, seat):  # a Vehicle replaces the other modifiers (item.vehicle)
        once = sum(term.by for term in lasting_run_terms(g, seat, "roll"))
    return once, fixed[-1] if fixed else None
