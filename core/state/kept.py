"""Reads of a state that still hold: kept beside it, and forgotten by the events that touch what they were read from."""

from typing import Any

from core.language.table_parts import SEATS

Reads = dict[Any, Any]
"""What was read, by query (core/queries/cache.py): the answer or, if the query has further arguments, the answers by
these."""
GEAR, MODS = 0, 1
"""The two kinds of reads of a seat: of its gear, and of all its modifiers."""


class Kept:
    """What has been read of one state. It is no part of the game: never encoded, and not in a copy of the state.

    cat: the catalog it was read with. rows: what each seat may do (core/moves/legal.py), until the next action. table:
    reads of the whole table. seats: reads of each seat, for GEAR and for MODS; None if there are none. reach: how far
    the conditions of each seat's cards look, for the two (core/language/dependencies.py); farthest: all of these
    together.
    """

    __slots__ = ("cat", "farthest", "reach", "rows", "seats", "table")

    def __init__(self, cat: object, seats: int) -> None:
        self.cat = cat
        self.rows: dict[int, list[Any]] = {}
        self.table: Reads = {}
        self.seats: tuple[list[Reads | None], list[Reads | None]] = ([None] * seats, [None] * seats)
        self.reach = [(0, 0)] * seats
        self.farthest = 0

    def look(self, seat: int, gear: int, mods: int) -> None:
        """Note how far the conditions of a seat's cards look."""
        self.reach[seat] = gear, mods
        self.farthest |= mods

    def forget(self, parts: int, seat: int = -1) -> None:
        """Forget what depends on these parts of the table, as bits. seat: the one whose part SEATS is."""
        self.table.clear()
        gear, mods = self.seats
        if parts & SEATS:
            gear[seat] = mods[seat] = None
        if not parts & self.farthest:
            return
        for no, (near, far) in enumerate(self.reach):
            if parts & far:
                mods[no] = None
                if parts & near:
                    gear[no] = None
