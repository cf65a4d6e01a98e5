"""What a fight is worth, by public facts."""

from core.state.views import FightView
from netcode.bots.tuning import TUNING

_NUMBERS = TUNING.fight_value
BIG = _NUMBERS.big
"""A fight worth this much or more is a big one."""


def fight_value(fight: FightView | None) -> float:
    """Return what a fight is worth: 0 (there is none) to 1 (it would end the game)."""
    if fight is None:
        return 0.0
    prize = fight.treasures + _NUMBERS.level * (fight.levels - 1)
    return 1.0 if fight.match_point else min(1.0, max(0, prize) / _NUMBERS.much)


def lead_of(fight: FightView | None) -> float:
    """Return the strength that turns a winning fight into a lost one, taken from the heroes or given to the monsters; 0
    if the heroes are not winning."""
    if fight is None or not fight.winning:
        return 0.0
    return max(1.0, float(fight.heroes - fight.foes + (1 if fight.wins_ties else 0)))
