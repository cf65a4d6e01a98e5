"""One term of a strength or a roll, as every breakdown lists them."""

from msgspec import Struct


class Term(Struct, gc=False, array_like=True, frozen=True):
    """One term of a strength: its name, how much, from which card (0: none) and which seat (-1: a monster's).

    mod: which of the modifiers of strength of its card this is, as they are printed; -1 for a Level or a whole card.
    """

    label: str
    by: int
    card: int
    seat: int
    mod: int = -1
