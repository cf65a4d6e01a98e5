"""Decorators that cache the answers of pure queries beside the state until an event touches their inputs.

Nothing here is part of the game: a cached answer is what the query would return, and callers never change it.
`core/state/apply.py` lists the parts that each event touches; docs/caches.md says how mistakes are found.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from core.language.table_parts import FAR, SEALS
from core.state.model import DEFN_MASK
from core.state.read_cache import GEAR, MODS, Reads
from core.state.reader import Reader

R = TypeVar("R")
ROWS = 2000
"""LRU size for lists of legal rows that depend only on the arguments of their function."""


def cached_by_table(read: Callable[..., R]) -> Callable[..., R]:
    """Cache the answer of a query until an event touches any part of the table (core/language/dependencies.py).

    The query may read only these parts and the options: above all no frame on the stack, no phase, and no counter of a
    seat.
    """
    if read.__code__.co_argcount == 1:

        @wraps(read)
        def alone(g: Reader) -> R:
            known = g.reads.table
            found = known.get(read, known)  # the dictionary itself stands for "not read yet"
            if found is known:
                known[read] = found = read(g)
            return found

        return alone

    @wraps(read)
    def wrapper(g: Reader, *args: Any) -> R:
        known = g.reads.table
        key = read, args
        found = known.get(key, known)
        if found is known:
            known[key] = found = read(g, *args)
        return found

    return wrapper


def cached_by_gear(read: Callable[..., R]) -> Callable[..., R]:
    """Cache the answer of a query about the possessions and options of one seat (arguments: reader, seat, ...) until an
    event touches that seat, the Seals, or an input of the conditions of its gear.

    The query may read only the Level, the sex, the cards in play and the lasting effects of the seat, whether it is
    dead, the top open Seal and the options. It must not read strength or modifiers of rolls or rewards, whose
    conditions may look at more (cached_by_modifiers).
    """
    return _by_seat(read, GEAR)


def cached_by_modifiers(read: Callable[..., R]) -> Callable[..., R]:
    """Do as `cached_by_gear` for a query about all modifiers of one seat: an event drops the answer if it touches an
    input of any of their conditions."""
    return _by_seat(read, MODS)


def _by_seat(read: Callable[..., R], part: int) -> Callable[..., R]:
    if read.__code__.co_argcount == 2:

        @wraps(read)
        def alone(g: Reader, seat: int) -> R:
            known = g.reads.seats[part][seat]
            if known is None:
                known = _begin(g, seat, part)
            found = known.get(read, known)
            if found is known:
                known[read] = found = read(g, seat)
            return found

        return alone

    @wraps(read)
    def wrapper(g: Reader, seat: int, *args: Any) -> R:
        known = g.reads.seats[part][seat]
        if known is None:
            known = _begin(g, seat, part)
        key = read, args
        found = known.get(key, known)
        if found is known:
            known[key] = found = read(g, seat, *args)
        return found

    return wrapper


def _begin(g: Reader, seat: int, part: int) -> Reads:
    """Begin to cache reads of a seat."""
    if g.reads.traits[seat] < 0:
        traits(g, seat)
    reads: Reads = {}
    g.reads.seats[part][seat] = reads
    return reads


def traits(g: Reader, seat: int) -> int:
    """Return the traits of all cards in front of a seat, lasting effects and the Seal in force included
    (core/language/traits.py)."""
    found = g.reads.traits[seat]
    if found >= 0:
        return found
    cards, player = g.cat.cards, g.state.seats[seat]
    found = SEALS | SEALS << FAR
    for entry in player.table:
        found |= cards[entry.card & DEFN_MASK].traits
    for lasting in player.lasting:
        found |= cards[lasting.defn].traits
    if g.state.seals_open:
        found |= cards[g.state.seals_open[-1]].traits
    g.reads.note_traits(seat, found)
    return found
