"""Asks that cost the player cards of their own: the order of the options, the least loss first, and what is asked once
more. Pure."""

from collections.abc import Callable, Sequence

from core.state.asks import kind_alone
from core.state.model import Ask
from tui.menus.danger import paying_danger, place_of
from tui.scene.scene import FIRST_CARD, Scene

PARTING = frozenset(
    {"charity", "discard", "lose", "give", "give for", "give up", "goes next", "pay roll", "share for"}
)  # fmt: skip
"""Kinds of asks whose chosen cards leave the player."""
MARKED_FIRST = frozenset({"charity"})
"""Kinds whose cards are marked before they go, even a single one; the digits are those of the hand."""


def parts_with(scene: Scene, ask: Ask) -> bool:
    """Return whether the answer to an ask costs the player a card of their own, which they can see."""
    own = all(option >= FIRST_CARD and place_of(scene, option) for option in ask.options)
    return kind_alone(ask.kind) in PARTING and own


def from_least(scene: Scene, ask: Ask) -> list[int]:
    """Return the options of an ask in the order in which they are listed. Cards that the player loses come from the
    least to the gravest loss, those in use last; other options keep the order of the rules."""
    if not parts_with(scene, ask):
        return list(ask.options)
    from netcode.bots.card_values import value_of  # the numbers of bots: loaded when they are needed

    cards = {option: scene.card(option) for option in ask.options}
    worth = {option: (card.rank or 0, value_of(card).keep_points) for option, card in cards.items()}
    return sorted(ask.options, key=lambda option: (place_of(scene, option) == "equipped", *worth[option]))


def parting_danger(scene: Scene, ask: Ask) -> Callable[[Sequence[int]], str]:
    """Return a function that makes the question to ask before these options are handed in: whether to part with cards
    in use, where others would do."""
    unused = [option for option in ask.options if place_of(scene, option) != "equipped"]
    if not parts_with(scene, ask) or len(unused) < ask.lo:
        return lambda chosen: ""
    return lambda chosen: paying_danger(scene, chosen)
