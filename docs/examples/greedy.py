"""A bot that you write: kickdoor simulate --bot greedy:Greedy --bot easy, in the folder of this file."""

import random

from core.language.catalog import Catalog
from core.state.actions import (
    Action,
    Answer,
    Claim,
    Done,
    EndTurn,
    Equip,
    Flee,
    Kick,
    Loot,
    Pass,
    Play,
    Refusal,
    Roll,
    Sell,
)
from core.state.views import View
from netcode.bots.player import Observation, Player
from netcode.bots.toolkit import choices, what_if

GOES_ON = (Answer, Claim, Done, EndTurn, Flee, Kick, Loot, Roll)


class Greedy(Player):
    """Tries out its cards and plays what makes it stronger at once; otherwise it continues the game."""

    title = "Greedy, by Kim"
    wants_veiled = True  # for what_if

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self.catalog, self.rng = catalog, rng

    def decide(self, observation: Observation, budget: int) -> Action | None:
        view, best, chosen = observation.view, worth(observation.view), None
        possible = choices(view, most=4)
        for action in possible:
            if isinstance(action, Pass):
                return action
            if isinstance(action, Equip | Play | Sell) and view.you.asks and observation.veiled is not None:
                outcome = what_if(self.catalog, observation.veiled, action, self.rng)
                if not isinstance(outcome, Refusal) and worth(outcome.view) > best:
                    best, chosen = worth(outcome.view), action
        ways = [action for action in possible if isinstance(action, GOES_ON)]
        return chosen or (self.rng.choice(ways) if ways else None)


def worth(view: View) -> float:
    """Return how well the seat of a view stands: its Level, its strength, and its lead in a fight of its own."""
    me = view.seats[view.you.seat]
    lead = view.fight.heroes - view.fight.foes if view.fight is not None and view.fight.seat == me.seat else 0
    return 2 * me.level + me.strength + me.hand / 2 + 3 * min(lead, 1)
