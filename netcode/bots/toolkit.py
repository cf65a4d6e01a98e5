"""Tools for authors of players: list its possible actions in full, and try out an action."""

import random

from msgspec import Struct
from msgspec.structs import replace

from core.engine import submit
from core.knowledge.imagine import imagine
from core.language.catalog import Catalog
from core.moves.legal import suggest
from core.state.actions import Action, Counter, Offer, Refusal, Terms
from core.state.events import AnyEvent, seen_by
from core.state.model import Bargain
from core.state.veiled import Veiled
from core.state.views import View
from core.view import view


def choices(seen: View, most: int = 32) -> list[Action]:
    """Return what the seat of this view may do, as whole actions: every legal row, with open sets filled in at most
    `most` ways each, and answers to offers with other terms. Empty for a spectator."""
    if seen.you is None:
        return []
    return [action for row in seen.you.legal for action in suggest(row, most)] + counter_offers(seen)


def counter_offers(seen: View) -> list[Action]:
    """Return other terms for the offers made to the seat of this view: a Treasure more or less for help, or one of the
    Items asked for in exchange for all that is given. The engine may still refuse them for reasons that the view does
    not show."""
    if seen.you is None:
        return []
    offered = {
        (row.action.to, row.action.terms.kind == "help") for row in seen.you.legal if isinstance(row.action, Offer)
    }  # fmt: skip
    mine = [offer for offer in seen.offers if offer.to == seen.you.seat]
    possible = [offer for offer in mine if (offer.frm, offer.kind == "help") in offered]
    return [Counter(offer.no, terms) for offer in possible for terms in _other_terms(seen, offer)]


def _other_terms(seen: View, offer: Bargain) -> list[Terms]:
    if offer.kind == "help":
        terms = Terms("help", offer.helper, helper_first=offer.helper_first)
        most = seen.fight.treasures if seen.fight is not None else 0
        near = (offer.treasures - 1, offer.treasures + 1)
        return [replace(terms, treasures=count) for count in near if 0 <= count <= most]
    if len(offer.wants) < 2:
        return []
    return [Terms("trade", gives=(card,), wants=tuple(offer.gives)) for card in offer.wants]


class Outcome(Struct, frozen=True):
    """The result of an action in one imagined game. events: as the seat saw them; view: the table afterwards."""

    events: list[AnyEvent]
    view: View


def what_if(catalog: Catalog, veiled: Veiled, action: Action, rng: random.Random) -> Outcome | Refusal:
    """Return the result of an action in a game that fits the seat's knowledge, dealt by `rng`, or the reason of its
    refusal. Hidden cards, dice and answers differ from call to call; facts that the seat knows never do."""
    world = imagine(catalog, veiled, rng)
    answer = submit(catalog, world, veiled.seat, action)
    if isinstance(answer, Refusal):
        return answer
    told = [event for event in (seen_by(event, veiled.seat) for event in answer) if event is not None]
    return Outcome(told, view(catalog, world, veiled.seat))
