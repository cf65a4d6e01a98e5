"""What is done for a seat whose time is up: never spending a card if it can be avoided."""

from core.queries.modifiers import forbidden
from core.queries.strength import winning
from core.state import actions as a
from core.state.model import Ask
from core.state.reader import Reader

_CHEAPEST = ("lose", "discard", "charity", "turn sideways", "give up", "add to sale", "pay roll")
_DEAREST = ("take", "share", "loot", "recover", "keep big")


def default_action(g: Reader, ask: Ask) -> a.Action:
    """The action that stands for silence."""
    match ask.kind:
        case "ready":
            return a.Done()
        case "kick":
            return a.Kick()
        case "trouble":
            return a.Done() if forbidden(g, "loot", ask.seat) else a.Loot()
        case "fight":
            return a.Claim() if winning(g) else a.Flee()
        case "roll":
            return a.Roll(ask.options[0])
        case "end":
            return a.EndTurn()
    return a.Answer(ask.id, tuple(default_picks(g, ask)))


def default_picks(g: Reader, ask: Ask) -> list[int]:
    """lo of the options: the cheapest where something is lost, the dearest where something is got, else the first."""
    options = ask.options
    if ask.kind.endswith("blind") or not all(option > 4095 for option in options):
        return options[: ask.lo]
    if ask.kind in _CHEAPEST or ask.kind.startswith("share for"):
        return sorted(options, key=lambda card: (_price(g, card), card))[: ask.lo]
    if ask.kind in _DEAREST:
        return sorted(options, key=lambda card: (-_price(g, card), card))[: ask.lo]
    return options[: ask.lo]


def _price(g: Reader, card: int) -> int:
    """A rough measure of what a card is worth to keep."""
    printed = g.of(card).card
    if printed.kind in ("identity", "double"):
        return 1500
    return (printed.value or 0) + 100 * printed.bonus + (300 if printed.kind in ("level", "curse", "enhancer") else 0)
