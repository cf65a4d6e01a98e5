"""How long a bot thinks at a table where people watch, by public facts and chance.

Nothing here reads what only the seat sees: the time must not reveal what it holds or will do.
"""

import random
from math import exp

from core.state.views import View
from netcode.bots.fight_value import fight_value
from netcode.bots.personalities import Personality
from netcode.bots.tuning import TUNING

_PACE = TUNING.pace
LEAST_S, MOST_S = _PACE.least_s, _PACE.most_s


def thinking_s(view: View | None, me: int, personality: Personality | None, draws: random.Random) -> float:
    """Return how long the bot of a seat thinks about its next action, in seconds. draws: used for nothing else."""
    usual = _usual_s(view, me) if view is not None else _PACE.passing_s
    pace = 1.0 if personality is None else 1.0 + _PACE.haste * (TUNING.personality.even - personality.risk)
    return min(MOST_S, max(LEAST_S, usual * pace * exp(draws.gauss(0.0, _PACE.spread))))


def _usual_s(view: View, me: int) -> float:
    """Return the usual time for the question to the seat; a more valuable fight takes longer."""
    asked = [_PACE.asked_s.get(deciding.kind, _PACE.passing_s) for deciding in view.deciding if deciding.seat == me]
    offered = [_PACE.offer_s for offer in view.offers if offer.to == me]
    window = [_PACE.hold_s if view.window.holder == me else _PACE.window_s] if view.window is not None else []
    return max([_PACE.passing_s, *asked, *offered, *window]) * (1.0 + _PACE.stakes * fight_value(view.fight))
