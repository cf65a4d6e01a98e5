"""What is done for a seat whose time is up: a card is spent only if that cannot be avoided."""

from core.moves.legal import own_actions
from core.state import actions as a
from core.state.model import Ask
from core.state.reader import Reader

_CHEAPEST = ("lose", "discard", "charity", "turn sideways", "give up", "add to sale", "pay roll", "share for")
"""Kinds of asks by which a seat loses cards: silence gives the cheapest. "share for" is followed by a seat."""
_DEAREST = ("take", "share", "loot", "recover", "keep big")
"""Kinds of asks by which a seat gets or keeps cards: silence takes the most valuable."""


def default_action(g: Reader, ask: Ask) -> a.Action:
    """Return the action that stands for silence: the first of the ask's own actions that is allowed (so loot, claim a
    fight that is won, give up one that is lost), or an answer."""
    actions = own_actions(g, ask)
    return actions[0] if actions else a.Answer(ask.id, tuple(default_picks(g, ask)))


def default_picks(g: Reader, ask: Ask) -> list[int]:
    """Return the fewest options allowed: the cheapest cards where some are lost, the most valuable where some are
    gained, else the first."""
    options = ask.options
    if ask.kind.endswith("blind") or not all(option > 4095 for option in options):
        return options[: ask.lo]
    if ask.kind in _CHEAPEST or ask.kind.startswith("share for"):
        return sorted(options, key=lambda card: (_price(g, card), card))[: ask.lo]
    if ask.kind in _DEAREST:
        return sorted(options, key=lambda card: (-_price(g, card), card))[: ask.lo]
    return options[: ask.lo]


def _price(g: Reader, card: int) -> int:
    """Return roughly what a card is worth to its owner, in Gold Pieces."""
    printed = g.of(card).card
    if printed.kind in ("identity", "double"):
        return 1500
    return (printed.value or 0) + 100 * printed.bonus + (300 if printed.kind in ("level", "curse", "enhancer") else 0)
