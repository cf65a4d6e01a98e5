"""Seat reads carried from one copy of a game to the next. Without them, code that tries out actions on copies would
evaluate the cards in front of every seat again for each copy.

Only what is public is compared and carried: Level, sex, cards in play, lasting effects, death, open Seals, and the
options, which may differ because players may use the object for another game too. Reads with conditions that depend on
more are not carried.
"""

from core.language.table_parts import ANYWHERE, FAR, SEALS
from core.queries.cache import traits
from core.state.read_cache import GEAR, MODS, Reads
from core.state.reader import Reader

_ELSEWHERE = ANYWHERE & ~SEALS


class CarriedReads:
    """The seat reads of one game, for all players that share this object. All copies must be read with the same
    catalog."""

    def __init__(self) -> None:
        self._seats: dict[int, tuple[tuple[object, ...], int, Reads | None, Reads | None]] = {}

    def copy_to(self, g: Reader) -> None:
        """Copy cached seat reads to a new state where the seats are equal. Reads added to it are carried on until an
        event touches their seat."""
        gear, mods = g.reads.seats[GEAR], g.reads.seats[MODS]
        common = tuple(g.state.seals_open), g.state.options
        for no, seat in enumerate(g.state.seats):
            own, known = (seat.level, seat.sex, seat.dead), self._seats.get(no)
            if known is None or known[0] != (own, seat.table, seat.lasting, common):
                found = traits(g, no)
                near, far = found & _ELSEWHERE, found >> FAR & _ELSEWHERE
                key = own, seat.table[:], seat.lasting[:], common
                known = self._seats[no] = (key, found, None if near else {}, None if far else {})
            g.reads.note_traits(no, known[1])
            gear[no], mods[no] = known[2], known[3]
