"""What everybody can work out from a view: each strength term by term, as the rules count it."""

from core.language.catalog import Catalog
from core.queries.breakdown import Term
from core.queries.strength import seat_terms
from core.state.model import FORMAT, Options, Seat, State, Turn
from core.state.reader import Reader
from core.view import View


def strengths(cat: Catalog, seen: View) -> list[list[Term]]:
    """Return every seat's strength term by term, as it is outside a combat.

    The rules run on a state that holds only what the view tells. Cards in hand are counted, not known; where a text
    looked at one of them, the terms would not add up to the strength in the view.
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
    g = Reader(cat, state)
    return [seat_terms(g, seat) for seat in range(len(seats))]
