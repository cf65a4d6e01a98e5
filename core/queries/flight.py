"""What the die must show to run away from a monster, before it is rolled (flee.roll, flee.auto-escape)."""

from core.language import schema as v
from core.queries.dice import fixed_by
from core.queries.modifiers import monster_mods
from core.queries.strength import run_against, run_terms, spares
from core.state.model import Escape, Fight, Monster
from core.state.reader import Reader

NEED = 5
"""A roll of this much or more escapes (flee.roll)."""
ALWAYS, NEVER = 1, 7


def inescapable(g: Reader, monster: Monster) -> bool:
    """Return whether no roll escapes from a monster."""
    return any(mod.what == "escape" for mod, m in monster_mods(g, v.Forbid) if m is monster)


def needed(g: Reader, seat: int, monster: Monster) -> int:
    """Return what the die of a hero must show: 1 or less where it gets away in any case, 7 or more where it cannot.

    What waits for the next roll only (dice.sides, "the next monster") counts if no other monster is left to this hero,
    because it chooses the order. What it may still pay after a roll does not count.
    """
    fight = g.state.fight
    if fight is None:
        return NEED
    alone = _left(fight, seat) == [monster.id]
    if Escape(seat, 0) in fight.safe or spares(g, seat, monster) or (alone and Escape(seat, -1) in fight.safe):
        return ALWAYS
    if inescapable(g, monster):
        return NEVER
    need = NEED - sum([term.by for term in run_terms(g, seat) + run_against(g, seat, monster)])
    fixed = [mod.value for lasting in g.state.seats[seat].lasting for mod in fixed_by(g, lasting)]
    if alone and fixed:
        return ALWAYS if fixed[-1] >= need else NEVER
    return need


def _left(fight: Fight, seat: int) -> list[int]:
    """Return the monsters from which a hero has not run yet."""
    done = [met.monster for met in fight.met if met.seat == seat]
    return [monster.id for monster in fight.monsters if monster.id not in done]
