"""What everybody can work out from a view, as the rules count it: each strength term by term, who may use an Item."""

from core.language.catalog import Catalog
from core.queries.breakdown import Term
from core.queries.modifiers import usable
from core.queries.strength import seat_terms
from core.state.model import FORMAT, Options, Placed, Seat, State, Turn
from core.state.reader import Reader
from core.view import View


def strengths(cat: Catalog, seen: View) -> list[list[Term]]:
    """Return every seat's strength term by term, as it is outside a combat."""
    g = _known(cat, seen)
    return [seat_terms(g, seat) for seat in range(len(seen.seats))]


def can_use(cat: Catalog, seen: View, seat: int, card: int) -> bool:
    """Return whether the restrictions of an Item let a seat use it, as the seat is now."""
    return usable(_known(cat, seen), seat, Placed(card))


def _known(cat: Catalog, seen: View) -> Reader:
    """Return a state that holds only what the view tells, without the combat.

    Cards in hand are counted, not known: where a text looked at one of them, the answers would not be those of the
    game.
    """
    seats = [
        Seat(
            level=one.level, hand=[0] * one.hand, table=one.table[:], lasting=one.lasting[:], body=one.body[:],
            dead=one.dead, bare=one.bare, sex=one.sex,
        )
        for one in seen.seats
    ]  # fmt: skip
    state = State(
        FORMAT, b"", 0, Options(win_level=seen.win_level), seats, [], [], [], [],
        Turn(seen.turn, seen.turn_no, seen.phase), None, [], [], [], [], [], seals_open=list(seen.seals_open),
    )  # fmt: skip
    return Reader(cat, state)
