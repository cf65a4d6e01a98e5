"""How long a bot thinks at a table where people watch: by public facts, and by chance.

Nothing here reads what only the seat sees: its time must not tell what it holds, nor what it will do.
"""

import random
from math import exp

from core.state.views import View
from netcode.bots.personalities import Personality
from netcode.bots.stakes import stakes

WINDOW_S, HOLD_S, OFFER_S, PASSING_S = 0.4, 0.9, 0.8, 0.35
"""Usual time for an open window, for one that it holds itself (it is seen to think, whatever it holds it for), for an
offer, and for anything else."""
ASKED_S = {"fight": 0.7, "trouble": 0.6, "end": 0.5}
"""Usual time for what a seat is asked, by the kind of ask; PASSING_S for the others."""
STAKES = 1.5
"""How many times longer it thinks if everything is at stake, beyond the usual time."""
SPREAD = 0.35
"""How much the time varies: two of three times lie within a factor of e to this power."""
LEAST_S, MOST_S = 0.25, 4.0
HASTE = 0.6
"""How much faster the boldest is than the most careful one."""


def thinking_s(view: View | None, me: int, personality: Personality | None, draws: random.Random) -> float:
    """Return how long the bot of a seat thinks about its next action, in seconds. draws: used for nothing else."""
    usual = _usual_s(view, me) if view is not None else PASSING_S
    pace = 1.0 if personality is None else 1.0 + HASTE * (0.5 - personality.risk)
    return min(MOST_S, max(LEAST_S, usual * pace * exp(draws.gauss(0.0, SPREAD))))


def _usual_s(view: View, me: int) -> float:
    """Return the usual time for what the seat is asked, longer the more is at stake."""
    asked = [ASKED_S.get(deciding.kind, PASSING_S) for deciding in view.deciding if deciding.seat == me]
    offered = [OFFER_S for offer in view.offers if offer.to == me]
    window = [HOLD_S if view.window.holder == me else WINDOW_S] if view.window is not None else []
    return max([PASSING_S, *asked, *offered, *window]) * (1.0 + STAKES * stakes(view.fight))
