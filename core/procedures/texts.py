"""Texts of cards in play that run at a moment of the game, one card after another: `turn_start`, `won`, and `play` of
first cards."""

from collections.abc import Sequence

from core.language.compiler import PARTS
from core.queries.modifiers import in_effect
from core.state.game import Game
from core.state.model import DEFN_MASK, Program
from core.state.reader import Reader, placed, seat_with_card


def cards_with(g: Reader, part: str, seats: Sequence[int]) -> list[int]:
    """Return the cards in play of these seats that have such a text, seat by seat, in the order in which they lie."""
    cards, number = g.cat.cards, PARTS.index(part)
    return [
        entry.card for seat in seats for entry in g.state.seats[seat].table
        if cards[entry.card & DEFN_MASK].parts[number]
    ]  # fmt: skip


def run_next(g: Game, part: str, cards: list[int], seats: Sequence[int]) -> bool:
    """Start such a text of the first of these cards, and take it off the list; return False if none is left.

    A card has no effect if it lies sideways, may not be used, or has left these seats. """
    while cards:
        card = cards.pop(0)
        seat = seat_with_card(g, card)
        entry = placed(g, seat, card) if seat in seats and not g.state.seats[seat].dead else None
        definition = g.of(card)
        if entry is not None and in_effect(g, seat, entry, definition):
            number = definition.part(part)
            g.state.stack.append(Program(defn=definition.no, part=number, you=seat, victim=seat, source=card))
            return True
    return False
