"""Read caches: decorators for pure queries that are worked out once, for a Reader or for as long as their key is equal.

Nothing here is part of the game. A cached query returns the same value as an uncached one, and its callers never change
that value. A `Game` has no memo, so its queries are worked out each time. docs/caches.md lists the caches and their
keys; tests/core/queries/guard.py finds a query that reads something outside its key.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, TypeVar

import msgspec

from core.language.dependencies import ALONE, ANYWHERE, FOUGHT, HERO, MARGIN, MONSTERS, SEALS, TURN
from core.state.model import DEFN_MASK, Seat, State
from core.state.reader import Reader

R = TypeVar("R")
MOST = 1000
"""At most this many situations of seats whose reads a catalog keeps. When it is full, all of them are dropped."""
ROWS = 2000
"""Size of the LRU caches of functions whose lists of legal rows depend only on their arguments."""
_TABLE = b""
"""Key of the table-wide cache. In a memo it holds the reads of the table; in those, the table they were read from."""
_pack = msgspec.msgpack.Encoder().encode


# ------------------------------------------------------------------------------------------------------ decorators
def cached_by_reader(read: Callable[[Reader], R]) -> Callable[[Reader], R]:
    """Work out a query of the whole state once for each Reader."""

    @wraps(read)
    def wrapper(g: Reader) -> R:
        memo = g.memo
        if memo is None:
            return read(g)
        found = memo.get(read, memo)  # the memo itself: not read yet
        if found is memo:
            memo[read] = found = read(g)
        return found

    return wrapper


def cached_by_table(read: Callable[..., R]) -> Callable[..., R]:
    """Work out a query of the table again only when the table has changed.

    It may read what `_of_table` compares and nothing else; above all no frame on the stack.
    """
    if read.__code__.co_argcount == 1:
        return _by_table_alone(read)

    @wraps(read)
    def wrapper(g: Reader, *args: Any) -> R:
        memo = g.memo
        if memo is None:
            return read(g, *args)
        known = memo.get(_TABLE) or _of_table(g)
        key = (read, args)
        found = known.get(key, known)
        if found is known:
            known[key] = found = read(g, *args)
        return found

    return wrapper


def _by_table_alone(read: Callable[..., R]) -> Callable[..., R]:
    """Do as `cached_by_table` for a query without further arguments, which needs no tuple for its key."""

    @wraps(read)
    def wrapper(g: Reader) -> R:
        memo = g.memo
        if memo is None:
            return read(g)
        known = memo.get(_TABLE) or _of_table(g)
        found = known.get(read, known)
        if found is known:
            known[read] = found = read(g)
        return found

    return wrapper


def cached_by_gear(read: Callable[..., R]) -> Callable[..., R]:
    """Work out a query about what one seat has and may do (its arguments: reader, seat, ...) again only when the seat
    has changed, or what the conditions of its gear depend on.

    It may read what `_of_seat` compares and nothing else; above all no strength and no modifier of rolls or rewards,
    whose conditions may depend on more (cached_by_modifiers).
    """
    return _by_seat(read, 0)


def cached_by_modifiers(read: Callable[..., R]) -> Callable[..., R]:
    """Work out a query about all modifiers of one seat (its arguments: reader, seat, ...) again only when the seat has
    changed, or what any of their conditions depends on."""
    return _by_seat(read, 1)


def _by_seat(read: Callable[..., R], part: int) -> Callable[..., R]:
    """Work out a query about one seat again only if needed. part: 0 for reads of gear, 1 for reads of all modifiers."""
    if read.__code__.co_argcount == 2:
        return _by_seat_alone(read, part)

    @wraps(read)
    def wrapper(g: Reader, seat: int, *args: Any) -> R:
        memo = g.memo
        if memo is None:
            return read(g, seat, *args)
        known = (memo.get(seat) or _of_seat(g, seat))[part]
        key = (read, args)
        found = known.get(key, known)
        if found is known:
            known[key] = found = read(g, seat, *args)
        return found

    return wrapper


def _by_seat_alone(read: Callable[..., R], part: int) -> Callable[..., R]:
    """Do as `_by_seat` for a query without further arguments, which needs no tuple for its key."""

    @wraps(read)
    def wrapper(g: Reader, seat: int) -> R:
        memo = g.memo
        if memo is None:
            return read(g, seat)
        known = (memo.get(seat) or _of_seat(g, seat))[part]
        found = known.get(read, known)
        if found is known:
            known[read] = found = read(g, seat)
        return found

    return wrapper


# ------------------------------------------------------------------------------------------------- reads of a seat
@dataclass(slots=True)
class SeatReads:
    """What was read of a seat in one situation: of its gear, and of all its modifiers.

    reach: what the conditions of its cards depend on beyond the seat, for each of the two (Def.reach).
    around: the surroundings in which the reads hold, as far as `reach` goes.
    """

    reach: tuple[int, int]
    reads: tuple[dict[Any, Any], dict[Any, Any]]
    around: tuple[Any, Any] = (None, None)


def _of_seat(g: Reader, seat: int) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return what was read of this seat in the situation it is in: of its gear, and of all its modifiers.

    The key is the bytes of all that its cards can read: the seat but for its hand, and the top open Seal; if the
    conditions of its cards look farther (Def.reach), their surroundings too. The last situation of each seat is kept
    under the seat's number, because comparing is faster than packing; and with the table, if that has been read.
    """
    memo: dict[Any, Any] = g.memo  # type: ignore[assignment]
    table = memo.get(_TABLE)
    if table is not None and seat in table:
        memo[seat] = reads = table[seat]
        return reads
    kept = g.cat.kept
    player = g.state.seats[seat]
    now = (player.level, player.sex, player.dead, g.state.seals_open[-1:], player.table, player.lasting)
    last = kept.get(seat)
    if last is not None and last[0] == now:
        found: SeatReads = last[1]
    else:
        found = _situation(g, player, _pack((seat, now)))
        kept[seat] = ((*now[:4], player.table[:], player.lasting[:]), found)
    if found.reach[1]:
        _check_surroundings(g, seat, found)
    memo[seat] = reads = found.reads
    if table is not None:
        table[seat] = reads
    return reads


def _situation(g: Reader, player: Seat, key: bytes) -> SeatReads:
    """Return what the catalog keeps under this key; a new, empty entry if there is none."""
    kept = g.cat.kept
    found: SeatReads | None = kept.get(key)
    if found is None:
        if len(kept) >= MOST:
            kept.clear()
        found = kept[key] = SeatReads(_reach(g, player), ({}, {}))
    return found


def _check_surroundings(g: Reader, seat: int, found: SeatReads) -> None:
    """Forget reads that depend on surroundings which have changed."""
    gear, every = found.reach
    around = _surroundings(g, seat, every)
    if around != found.around[1]:  # what the gear depends on is a part of that
        near = _surroundings(g, seat, gear) if gear else None
        found.reads = (found.reads[0] if near == found.around[0] else {}, {})
        found.around = (near, around)


def _reach(g: Reader, player: Seat) -> tuple[int, int]:
    """Return how far the conditions of a seat's cards and of the top open Seal look: those of gear, and all of them."""
    cards = g.cat.cards
    there = [entry.card & DEFN_MASK for entry in player.table] + [lasting.defn for lasting in player.lasting]
    gear = every = 0
    for defn in there + g.state.seals_open[-1:]:
        far = cards[defn].reach
        gear, every = gear | far[0], every | far[1]
    return gear, every


def _surroundings(g: Reader, seat: int, reach: int) -> Any:
    """Return the surroundings of a seat that conditions which look this far can read."""
    if reach & ANYWHERE:
        return (g.memo.get(_TABLE) or _of_table(g))[_TABLE]  # type: ignore[union-attr]
    return [look(g.state, seat) for look in _looks(reach)]


@cache
def _looks(reach: int) -> tuple[Callable[[State, int], Any], ...]:
    return tuple([look for part, look in _LOOKS.items() if reach & part])


_LOOKS: dict[int, Callable[[State, int], Any]] = {
    SEALS: lambda s, seat: len(s.seals_open),
    TURN: lambda s, seat: s.turn.seat == seat,
    HERO: lambda s, seat: s.fight is not None and (seat == s.fight.seat or seat == s.fight.helper),
    ALONE: lambda s, seat: None if s.fight is None else s.fight.helper < 0,
    MONSTERS: lambda s, seat: None if s.fight is None else len(s.fight.monsters),
    MARGIN: lambda s, seat: None if s.fight is None else s.fight.margin,
    FOUGHT: lambda s, seat: None if s.fight is None else _pack((s.fight.monsters, s.fight.cards)),
}


# ------------------------------------------------------------------------------------------------ reads of the table
def _of_table(g: Reader) -> dict[Any, Any]:
    """Return the reads of the table as it is now: the combat, whose turn it is, the open Seals, the options, and the
    seats without their counters.

    Only the last table is kept. Key _TABLE holds the table itself, for conditions that look anywhere (ANYWHERE); the
    number of a seat holds the reads of that seat at this table.
    """
    s, kept = g.state, g.cat.kept
    seats = [(p.level, p.sex, p.dead, p.bare, p.hand, p.table, p.lasting, p.body) for p in s.seats]
    now = (_pack(s.fight), s.turn.seat, s.seals_open, s.options, seats)
    last = kept.get(_TABLE)
    if last is None or last[0] != now:
        seats = [(p.level, p.sex, p.dead, p.bare, p.hand[:], p.table[:], p.lasting[:], p.body[:]) for p in s.seats]
        now = (*now[:2], s.seals_open[:], s.options, seats)
        last = kept[_TABLE] = (now, {_TABLE: now})
    reads = g.memo[_TABLE] = last[1]  # type: ignore[index]
    return reads
