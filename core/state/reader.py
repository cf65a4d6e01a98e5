"""A state that is only read, with its catalog and its read cache."""

from core.language.catalog import Catalog
from core.language.definition import Def
from core.state.model import DEFN_MASK, Placed, State
from core.state.read_cache import ReadCache


class Reader:
    """A catalog and a state, for pure queries.

    cat: the catalog of the packs in the game. state: the state to read. reads: its read cache (core/queries/cache.py).
    """

    __slots__ = ("cat", "reads", "state")

    def __init__(self, cat: Catalog, state: State) -> None:
        self.cat = cat
        self.state = state
        reads = state.reads
        if reads is None or reads.cat is not cat:
            state.reads = reads = ReadCache(cat, len(state.seats))  # type: ignore[misc]
        self.reads = reads

    def of(self, card: int) -> Def:
        """Return the definition of the card with this id."""
        return self.cat.cards[card & DEFN_MASK]


def living(g: Reader) -> list[int]:
    """Return the living seats in turn order, starting with the active seat."""
    seats = g.state.seats
    first = g.state.turn.seat
    order = [*range(first, len(seats)), *range(first)]
    return [seat for seat in order if not seats[seat].dead]


def placed(g: Reader, seat: int, card: int) -> Placed | None:
    """Return the card with this id in play in front of a seat, None if it is not there."""
    for entry in g.state.seats[seat].table:
        if entry.card == card:
            return entry
    return None


def seat_with_card(g: Reader, card: int) -> int:
    """Return the seat in front of which a card is in play, -1 if it is not in play."""
    for no, seat in enumerate(g.state.seats):
        for entry in seat.table:
            if entry.card == card:
                return no
    return -1


def available(g: Reader, deck: str) -> int:
    """Return how many cards a deck ("door" or "treasure") can still give, its discards included."""
    s = g.state
    return len(s.door) + len(s.door_out) if deck == "door" else len(s.treasure) + len(s.treasure_out)
