"""The read cache of a state: results of queries, valid until an event touches the data behind them."""

from typing import Any

from core.language.table_parts import ANYWHERE, FAR, SEALS, SEATS

Reads = dict[Any, Any]
"""Cached results by query (core/queries/cache.py) or, if the query has further arguments, by query and arguments."""
GEAR, MODS = 0, 1
"""The two kinds of reads of a seat: of its gear, and of all its modifiers."""
_SETTLED = SEATS | SEALS
"""The parts whose changes can lead to a consequence for seats or Seals at the checkpoint."""
_MANY = 1 << 30
"""The value of `in_sight` before anything has been counted."""


class ReadCache:
    """Cached reads of one state. It is no part of the game: it is never encoded and not copied with the state.

    cat: the catalog it was read with. rows: what each seat may do (core/moves/legal.py), until the next action. table:
    reads of the whole table. seats: reads of each seat, for GEAR and for MODS; None if there are none. traits: for each
    seat, the traits of all cards in front of it (core/language/traits.py), or -1 (all traits) if they have not been
    computed; farthest: what the conditions of all these cards depend on. shown: how each seat was last shown while the
    combat did not change it (core/view.py), dropped with its MODS. settled: the checkpoint has found nothing to do
    about seats and Seals, and no event has touched them since (core/procedures/checkpoint.py). in_sight: an upper bound
    of the cards, effects and bonuses on the table; they are counted only if the bound is too high (core/engine.py).
    """

    __slots__ = ("cat", "farthest", "in_sight", "rows", "seats", "settled", "shown", "table", "traits")

    def __init__(self, cat: object, seats: int) -> None:
        self.cat = cat
        self.rows: dict[int, list[Any]] = {}
        self.table: Reads = {}
        self.seats: tuple[list[Reads | None], list[Reads | None]] = ([None] * seats, [None] * seats)
        self.traits = [-1] * seats
        self.farthest = 0
        self.shown: list[Any] = [None] * seats
        self.settled = False
        self.in_sight = _MANY

    def note_traits(self, seat: int, traits: int) -> None:
        """Note the traits of a seat."""
        self.traits[seat] = traits
        self.farthest |= traits >> FAR & ANYWHERE

    def forget(self, parts: int, seat: int = -1) -> None:
        """Drop what depends on these parts of the table, given as bits. seat: the seat that SEATS refers to."""
        self.table.clear()
        self.in_sight += 1  # an event adds one thing at most; copies add more, and count those themselves
        if parts & _SETTLED:
            self.settled = False
        if parts & SEATS:
            self.seats[GEAR][seat] = self.seats[MODS][seat] = self.shown[seat] = None
            self.traits[seat] = -1
        if not parts & self.farthest:
            return
        gear, mods = self.seats
        far = parts << FAR
        for no, traits in enumerate(self.traits):
            if far & traits:
                mods[no] = self.shown[no] = None
                if parts & traits:
                    gear[no] = None
                    self.settled = False
        if parts & SEALS:
            self.traits = [-1] * len(self.traits)  # the Seal in force lies in front of everybody
