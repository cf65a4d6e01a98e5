"""How much is at stake in a fight, as everybody sees it."""

from core.state.views import FightView
from netcode.bots.tuning import TUNING

_NUMBERS = TUNING.fight_value
BIG = _NUMBERS.big
"""A fight about as much is a big one."""


def fight_value(fight: FightView | None) -> float:
    """Return how much a fight is about: 0 (there is none) to 1 (it would end the game)."""
    if fight is None:
        return 0.0
    prize = fight.treasures + _NUMBERS.level * (fight.levels - 1)
    return 1.0 if fight.match_point else min(1.0, max(0, prize) / _NUMBERS.much)
