"""What rivals may still throw into a fight: sampled from the cards that this seat has not seen anywhere."""

import random

from core.state.model import defn_of
from netcode.bots.card_values import Value
from netcode.bots.lazy import Once
from netcode.bots.observation import Sight

SAMPLES = 40
WILLING = {False: 0.35, True: 0.95}
"""How readily a rival spends a card: on an ordinary fight, at match point."""


class Threat:
    """Chances that a lead stands against hands drawn at random from the unseen cards."""

    def __init__(self, sight: Sight, rng: random.Random) -> None:
        self.sight = sight
        self.rng = rng

    def stands(self, spare: float) -> float:
        """Chance (0..1) that a lead of `spare` strength beyond what is needed survives what others hold."""
        blows = self._blows
        return sum(1 for blow in blows if blow <= spare) / len(blows)

    @Once
    def _blows(self) -> list[float]:
        """Strength that the rivals together would throw, in each sampled world."""
        fight = self.sight.fight
        heroes = (fight.seat, fight.helper) if fight is not None else ()
        hands = [seat.hand for seat in self.sight.rivals if seat.seat not in heroes]
        unseen = self._unseen
        count = min(sum(hands), len(unseen))
        willing = WILLING[bool(fight is not None and fight.match_point)]
        out = []
        for _ in range(SAMPLES):
            drawn = self.rng.sample(unseen, count)
            blows = [blow for blow in drawn if blow > 0 and self.rng.random() < willing]
            out.append(sum(blows))
        return out

    @Once
    def _unseen(self) -> list[float]:
        """The blow that each card not in sight could deal: 0 for most."""
        worth = self.sight.worth
        left = list(worth.copies)
        for card in self._seen():
            left[defn_of(card)] -= 1
        return [blow(worth.of[no]) for no, copies in enumerate(left) for _ in range(max(0, copies))]

    def _seen(self) -> list[int]:
        sight = self.sight
        out = list(sight.you.hand)
        for seat in sight.view.seats:
            out += [placed.card for placed in seat.table] + [lasting.card for lasting in seat.lasting] + seat.body
        if sight.fight is not None:
            out += [joined.card for joined in sight.fight.cards]
        return [card for card in out if card > 0]


def blow(value: Value) -> float:
    """Strength that one card turns against the heroes of a fight, on average."""
    card = value.card
    if card.kind == "enhancer":
        return max(0.0, value.power + value.text.foes) + (7.0 if card.partner else 0.0)
    if card.kind == "wandering":
        return 6.0
    if card.kind == "curse":
        return value.text.loses + 1.5 * sum(weight for cards, weight in value.text.takes if cards.zone != "hand")
    if card.kind == "item" and card.one_shot:
        return max(0.0, value.text.named + card.bonus)
    return 0.0
