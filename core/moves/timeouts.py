"""The default action for a seat whose time is up: it spends a card only if it must.

There is a default for every ask; `legal` lists the possible answers.
"""

from collections.abc import Callable

from core.moves.legal import own_actions
from core.queries.capacity import worth
from core.queries.conditions import enhancers_on
from core.state import actions as a
from core.state.asks import kind_alone
from core.state.model import DEFN_MASK, Ask
from core.state.reader import Reader, seat_with_card


def default_action(g: Reader, ask: Ask) -> a.Action:
    """Return the default action for an ask: the first of its own actions that is allowed (loot, claim a fight that is
    being won, give up any other ...), or an Answer."""
    actions = own_actions(g, ask)
    return actions[0] if actions else a.Answer(ask.id, tuple(default_picks(g, ask)))


def default_picks(g: Reader, ask: Ask) -> list[int]:
    """Return as few options as allowed, the best ones for the seat as far as their cards are known."""
    kind = kind_alone(ask.kind)
    known = not kind.endswith(" blind") and all(option > DEFN_MASK for option in ask.options)
    order = SILENCE[kind] if known else _as_listed
    return order(g, ask.options)[: ask.lo]


def _cheapest(g: Reader, options: list[int]) -> list[int]:
    """Order cards to be lost: the cheapest first."""
    return sorted(options, key=lambda card: (_price(g, card), card))


def _dearest(g: Reader, options: list[int]) -> list[int]:
    """Order cards to be gained or kept: the most valuable first."""
    return sorted(options, key=lambda card: (-_price(g, card), card))


def _as_listed(g: Reader, options: list[int]) -> list[int]:
    """Leave the order as it is: the options are not cards, or the first one spends nothing."""
    return options


def _price(g: Reader, card: int) -> int:
    """Return roughly what a card is worth to its owner with the Item Enhancers on it, in Gold Pieces."""
    printed = g.of(card).card
    if printed.kind in ("identity", "double"):
        return 1500
    owner = seat_with_card(g, card)
    added = sum([g.of(on).card.bonus for on in enhancers_on(g, owner, card)]) if owner >= 0 else 0
    useful = 300 if printed.kind in ("level", "curse", "enhancer") else 0
    return worth(g, card) + 100 * (printed.bonus + added) + useful


SILENCE: dict[str, Callable[[Reader, list[int]], list[int]]] = {
    "lose": _cheapest, "discard": _cheapest, "charity": _cheapest, "share for": _cheapest, "give": _cheapest,
    "give for": _cheapest, "turn sideways": _cheapest, "give up": _cheapest, "add to sale": _cheapest,
    "goes next": _cheapest, "pay roll": _cheapest,
    "count twice": _dearest, "take": _dearest, "share": _dearest, "loot": _dearest, "recover": _dearest,
    "keep big": _dearest,
    "shield": _as_listed, "loot fight": _as_listed, "vehicle": _as_listed, "option": _as_listed, "seat": _as_listed,
    "throw again": _as_listed,
    "first": _as_listed, "give to": _as_listed, "larger share": _as_listed, "sell or give": _as_listed,
    "back out": _as_listed, "sex": _as_listed, "under": _as_listed, "throw away": _as_listed,
}  # fmt: skip
"""How the default for a silent seat orders the options of an ask, by its kind. "share for" and "give for" are
followed by a seat, "lose", "take" and "give" by "blind" where the cards are not known."""
