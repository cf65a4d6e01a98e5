"""A game as one seat knows it: data only; core/veil.py works it out, and core/imagine.py makes a whole game of it."""

from msgspec import Struct

from core.state.model import State, decode
from core.state.numbers import SeatNo

UNTOLD = [-1]
"""An answer, or cards chosen in secret, that this seat was not told."""


class Pool(Struct, array_like=True, frozen=True):
    """The places of a deck below this one hold cards of these definitions only."""

    below: int
    cards: tuple[int, ...]


class Veiled(Struct, array_like=True, frozen=True):
    """A game as one seat knows it. Plain data, equal in all worlds that the seat cannot tell apart.

    data: the blanked state, encoded. held: definitions with the places, as bits (core/seen.py), in one of which each
    such card lies, besides those in the state. doors: for each seat how many Door cards its hidden hand has, from at
    least to at most. pools: of the Door deck, and of the Treasure deck.
    """

    seat: SeatNo
    data: bytes
    held: tuple[tuple[int, int], ...]
    doors: tuple[tuple[int, int], ...]
    pools: tuple[Pool, Pool]

    def state(self) -> State:
        """Return the blanked state; a new one at each call."""
        return decode(self.data)
