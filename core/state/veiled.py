"""A game as one seat knows it: data only; core/knowledge/veil.py works it out, and core/knowledge/imagine.py makes a
whole game of it."""

from typing import Annotated

from msgspec import Meta, Struct

from core.language.pack_limits import CARDS_LIMIT
from core.state.model import State, decode
from core.state.numbers import SEATS_MOST, DefnNo, Ordinal, PileSize, SeatNo, Small

STATE_BYTES = 64 * 1024
"""The most bytes of a blanked state, encoded."""
STAND_INS = 2
"""How many numbers after the last definition of the catalog stand for hidden cards: one in a deck, and one in a
hand."""
UNTOLD = [-1]
"""An answer, or cards chosen in secret, that this seat was not told."""


class Pool(Struct, array_like=True, frozen=True):
    """The places of a deck below this one hold cards of these definitions only."""

    below: PileSize
    cards: Annotated[tuple[DefnNo, ...], Meta(max_length=CARDS_LIMIT)]


class Veiled(Struct, array_like=True, frozen=True):
    """A game as one seat knows it. Plain data, equal in all worlds that the seat cannot tell apart.

    data: the blanked state, encoded. held: cards beyond those in the state that lie in one of some places: their
    definitions with the places as bits (core/knowledge/seen.py). doors: for each seat, the least and the most Door
    cards in its hidden hand. pools: of the Door deck, and of the Treasure deck.
    """

    seat: SeatNo
    data: Annotated[bytes, Meta(max_length=STATE_BYTES)]
    held: Annotated[tuple[tuple[DefnNo, Ordinal], ...], Meta(max_length=CARDS_LIMIT)]
    doors: Annotated[tuple[tuple[Small, Small], ...], Meta(max_length=SEATS_MOST)]
    pools: tuple[Pool, Pool]

    def state(self) -> State:
        """Return the blanked state; a new one at each call."""
        return decode(self.data)
