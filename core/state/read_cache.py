"""Reads of a state that still hold: kept beside it, and forgotten by the events that touch what they were read from."""

from typing import Any

from core.language.table_parts import ANYWHERE, FAR, SEALS, SEATS

Reads = dict[Any, Any]
"""What was read, by query (core/queries/cache.py) or, if it has further arguments, by query and these."""
GEAR, MODS = 0, 1
"""The two kinds of reads of a seat: of its gear, and of all its modifiers."""
_SETTLED = SEATS | SEALS
"""The parts that can give the checkpoint something to do about seats and Seals."""
_MANY = 1 << 30
"""How many things lie on a table where they have not been counted."""


class ReadCache:
    """What has been read of one state. It is no part of the game: never encoded, and not in a copy of the state.

    cat: the catalog it was read with. rows: what each seat may do (core/moves/legal.py), until the next action. table:
    reads of the whole table. seats: reads of each seat, for GEAR and for MODS; None if there are none. traits: of each
    seat, those of all that lies in front of it (core/language/traits.py), or -1, which is all of them, if it has not
    been looked at; farthest: how far the conditions of any of these cards look. shown: how each seat was last shown
    while the combat did not change it (core/view.py), forgotten with its MODS. settled: the checkpoint has found
    nothing to do about seats and Seals, and no event has touched them since (core/procedures/checkpoint.py). in_sight:
    at most so many cards, effects and bonuses lie on the table; they are counted only if that is too many
    (core/engine.py).
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

    def look(self, seat: int, traits: int) -> None:
        """Note the traits of a seat."""
        self.traits[seat] = traits
        self.farthest |= traits >> FAR & ANYWHERE

    def forget(self, parts: int, seat: int = -1) -> None:
        """Forget what depends on these parts of the table, as bits. seat: the one whose part SEATS is."""
        self.table.clear()
        self.in_sight += 1  # no event brings more than one thing, but a copy, which adds what comes along itself
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
