"""What may be behind the door: the Door cards that a seat cannot see now, by kind. Pure.

Everybody knows which cards the sets in play have. What a seat sees of them now cannot be behind the door; all others
lie in the deck, in the hands of others, or below the top of the discards.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from core.state.model import defn_of
from tui.scene.scene import FIRST_CARD, Scene


class Unseen(Struct, frozen=True):
    """How many Door cards of each kind this seat cannot see now. others: good, or without effect on who opens it."""

    monsters: int
    curses: int
    others: int

    @property
    def total(self) -> int:
        """Return the number of all of them."""
        return self.monsters + self.curses + self.others


def unseen(scene: Scene) -> Unseen:
    """Return the Door cards that this seat cannot see now."""
    left = Counter({definition.no: definition.card.copies for definition in scene.catalog.cards
                    if definition.deck == "door"})  # fmt: skip
    seen = [defn_of(card) for card in dict.fromkeys(_seen(scene)) if card >= FIRST_CARD]
    if scene.view.doors_out:
        seen.append(scene.view.door_top)
    for number in seen:
        if left[number] > 0:
            left[number] -= 1
    kinds: Counter[str] = Counter()
    for number, copies in left.items():
        kinds[scene.catalog.cards[number].kind] += copies
    return Unseen(kinds["monster"], kinds["curse"], kinds.total() - kinds["monster"] - kinds["curse"])


def _seen(scene: Scene) -> Iterator[int]:
    """Yield the ids of the cards that this seat sees: its hand, and what lies open, except the top of the discards."""
    view = scene.view
    if view.you is not None:
        yield from view.you.hand
    for seat in view.seats:
        yield from (placed.card for placed in seat.table)
        yield from (lasting.card for lasting in seat.lasting)
        yield from seat.body
    if view.fight is not None:
        yield from (joined.card for joined in view.fight.cards)
    yield from view.limbo
    yield from view.pool
