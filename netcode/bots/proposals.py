"""Offers of help that are worth a try in imagined games: the fewest Treasures for which the fighter could get help, the
most that a helper could ask for. How others value an offer is estimated from public facts, as bots do it."""

from core.state.actions import Action, Counter, Offer, Terms
from core.state.model import Bargain
from core.state.views import View, You
from netcode.bots.bargaining import Bargaining
from netcode.bots.card_values import CardValues
from netcode.bots.memory import Memory
from netcode.bots.own_turn import OwnTurn
from netcode.bots.reading import Reading
from netcode.bots.tuning import Style

RAISES = (1, 2)
"""How many Treasures more than offered a helper asks for."""


def proposals(view: View, you: You, values: CardValues, style: Style, memory: Memory) -> list[Action]:
    """Return the offers and counter-offers about help in the present fight that a seat could try. Offers that it has
    made are left out; there are none once it has made as many as a bot may, and none that help a rival who fights for
    the game."""
    fight = view.fight
    if fight is None or fight.winning or fight.helper >= 0 or not fight.help_allowed:
        return []
    if fight.match_point and fight.seat != you.seat:
        return []
    obs = Reading(view, you, values)
    bargains = Bargaining(obs, style, memory, OwnTurn(obs, style, memory))
    if not bargains.may_propose:
        return []
    if fight.seat == you.seat:
        return _asked(bargains)
    return [way for offer in view.offers if offer.to == you.seat for way in _raised(bargains, offer)]


def _asked(bargains: Bargaining) -> list[Action]:
    """Return an offer to each seat that would win the fight with me, for the fewest Treasures that should suffice."""
    found: dict[int, Action] = {}
    for row in bargains.obs.rows(Offer):
        offer = row.action
        if isinstance(offer, Offer) and offer.terms.kind == "help" and offer.to not in (-1, *found):
            to, treasures = offer.to, offer.terms.treasures
            if treasures > bargains.memory.offered.get(to, -1) and bargains.points_of_helping(to, treasures) > 0:
                found[to] = offer
    return list(found.values())


def _raised(bargains: Bargaining, offer: Bargain) -> list[Action]:
    """Return counter-offers to a call for my help that want more Treasures for it."""
    terms = [Terms("help", bargains.obs.me, offer.treasures + more) for more in RAISES]
    return [
        Counter(offer.no, one)
        for one in terms
        if one.treasures <= bargains.treasures_at_stake and bargains.may_counter(offer, one)
    ]
