"""How much is at stake in a fight, as everybody sees it."""

from core.state.views import FightView

BIG = 0.5
"""A fight about as much is a big one: three Treasures, or two levels."""
MUCH = 6
"""Treasures that are all that a fight can be about; a level beyond the first counts as three of them."""


def stakes(fight: FightView | None) -> float:
    """Return how much a fight is about: 0 (there is none) to 1 (it would end the game)."""
    if fight is None:
        return 0.0
    return 1.0 if fight.match_point else min(1.0, max(0, fight.treasures + 3 * (fight.levels - 1)) / MUCH)
