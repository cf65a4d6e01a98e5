"""What a hand may do to a fight that a rival is winning, by public facts: the chance that one of its cards turns it,
over all the hands that it may be."""

from bisect import bisect_left
from collections.abc import Iterator

from core.state.model import DEFN_MASK
from core.state.views import View
from netcode.bots.card_values import CardValues


def threat(view: View, values: CardValues, seat: int, lead: float) -> float:
    """Return the chance (0 to 1) that a seat's hand has a card that turns a fight won by this much strength, if every
    card that is not in play may be in it."""
    harms = values.harms
    seen = [values.of[card & DEFN_MASK].harm for card in _in_play(view)]
    turning = len(harms) - bisect_left(harms, lead) - sum(harm >= lead for harm in seen)
    share = max(0, turning) / max(1, len(harms) - len(seen))
    return float(1.0 - (1.0 - share) ** view.seats[seat].hand)


def _in_play(view: View) -> Iterator[int]:
    """Yield the cards in play."""
    for seat in view.seats:
        yield from (placed.card for placed in seat.table)
    if view.fight is not None:
        yield from (monster.id for monster in view.fight.monsters)
        yield from (joined.card for joined in view.fight.cards)
