"""Reads of seats, carried from one copy of a game to the next: whoever tries out actions on copies would else work out
anew for each of them what the cards in front of every seat come to.

Only what is public is compared and carried: Level, sex, cards in play, lasting effects, death, open Seals, and
the options: players may share it, and go on to another game. What depends on more, by a condition that looks farther,
is read anew.
"""

from core.language.table_parts import ANYWHERE, FAR, SEALS
from core.queries.cache import traits
from core.state.read_cache import GEAR, MODS, Reads
from core.state.reader import Reader

_ELSEWHERE = ANYWHERE & ~SEALS


class CarriedReads:
    """The reads of the seats of one game, by all players that share it. All copies are read with the same catalog."""

    def __init__(self) -> None:
        self._seats: dict[int, tuple[tuple[object, ...], int, Reads | None, Reads | None]] = {}

    def lay_under(self, g: Reader) -> None:
        """Give a state of which nothing was read yet what was read of equal seats before. What is read of it as long as
        no event touches a seat is carried on."""
        gear, mods = g.reads.seats[GEAR], g.reads.seats[MODS]
        common = tuple(g.state.seals_open), g.state.options
        for no, seat in enumerate(g.state.seats):
            own, known = (seat.level, seat.sex, seat.dead), self._seats.get(no)
            if known is None or known[0] != (own, seat.table, seat.lasting, common):
                found = traits(g, no)
                near, far = found & _ELSEWHERE, found >> FAR & _ELSEWHERE
                key = own, seat.table[:], seat.lasting[:], common
                known = self._seats[no] = (key, found, None if near else {}, None if far else {})
            g.reads.look(no, known[1])
            gear[no], mods[no] = known[2], known[3]
