"""Reads that are worked out once: for one look at a state, or for as long as what they read stays as it is.

Nothing here is part of the game. A look (`Reader.looking`) ends with the next action. What `of_gear`, `of_seat` and
`of_table` keep lies beside all that they may read, as it was then (copied, or packed), and is taken only if that equals
what is there now: so it cannot go stale.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from core.language.dependencies import ALONE, ANYWHERE, FOUGHT, HERO, MARGIN, MONSTERS, SEALS, TURN
from core.state.model import DEFN_MASK, Seat, State

if TYPE_CHECKING:
    from core.state.reader import Reader

R = TypeVar("R")
MOST = 1000
"""Seats, each at one moment, of which a catalog keeps what was read; then it begins anew."""
ROWS = 2000
"""Lists of legal rows that are kept for each function of nothing but whom and what they are about."""
_TABLE = b""
"""Under this lies what was read of the table: in a memo, and in what a catalog keeps."""
_pack = msgspec.msgpack.Encoder().encode


def remembered(read: Callable[["Reader"], R]) -> Callable[["Reader"], R]:
    """A pure read that a game which only looks works out once."""

    @wraps(read)
    def wrapper(g: "Reader") -> R:
        memo = g.memo
        if memo is None:
            return read(g)
        found = memo.get(read, memo)  # itself: not there
        if found is memo:
            memo[read] = found = read(g)
        return found

    return wrapper


def of_table(read: Callable[..., R]) -> Callable[..., R]:
    """A pure read that a game which only looks takes from an earlier look if the table is as it was then.

    It may read what `_of_table` compares and nothing else, the frames on the stack least of all; what it returns is
    never changed.
    """
    if read.__code__.co_argcount == 1:
        return _of_table_alone(read)

    @wraps(read)
    def wrapper(g: "Reader", *args: Any) -> R:
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


def _of_table_alone(read: Callable[..., R]) -> Callable[..., R]:
    """The same for a read that asks for nothing but the game."""

    @wraps(read)
    def wrapper(g: "Reader") -> R:
        memo = g.memo
        if memo is None:
            return read(g)
        known = memo.get(_TABLE) or _of_table(g)
        found = known.get(read, known)
        if found is known:
            known[read] = found = read(g)
        return found

    return wrapper


def of_gear(read: Callable[..., R]) -> Callable[..., R]:
    """A pure read of what one seat has in play, g and seat first, that a game which only looks takes from an earlier
    look if the seat is as it was then.

    It may read what `_known` files it under and nothing else, strengths and rolls to run least of all (of_seat); what
    it returns is never changed.
    """
    return _kept(read, 0)


def of_seat(read: Callable[..., R]) -> Callable[..., R]:
    """The same for reads that hang on every modifier in front of the seat, so often on the fight as well."""
    return _kept(read, 1)


def _kept(read: Callable[..., R], far: int) -> Callable[..., R]:
    if read.__code__.co_argcount == 2:
        return _kept_alone(read, far)

    @wraps(read)
    def wrapper(g: "Reader", seat: int, *args: Any) -> R:
        memo = g.memo
        if memo is None:
            return read(g, seat, *args)
        known = (memo.get(seat) or _known(g, seat))[far]
        key = (read, args)
        found = known.get(key, known)
        if found is known:
            known[key] = found = read(g, seat, *args)
        return found

    return wrapper


def _kept_alone(read: Callable[..., R], far: int) -> Callable[..., R]:
    """The same for a read that asks for nothing but the seat."""

    @wraps(read)
    def wrapper(g: "Reader", seat: int) -> R:
        memo = g.memo
        if memo is None:
            return read(g, seat)
        known = (memo.get(seat) or _known(g, seat))[far]
        found = known.get(read, known)
        if found is known:
            known[read] = found = read(g, seat)
        return found

    return wrapper


@dataclass(slots=True)
class Kept:
    """What was read of a seat: of its gear and of all its modifiers, each with what their conditions look at beyond the
    seat (see reach.py), and for those that do, the surroundings that held."""

    reach: tuple[int, int]
    known: tuple[dict[Any, Any], dict[Any, Any]]
    near: tuple[Any, Any] = (None, None)


def _known(g: "Reader", seat: int) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """What was read before of this seat as it is now: (of_gear, of_seat); with the table, if that has been looked at.

    It is filed under the bytes of all that its cards in play can read: the seat without its hand, the Seal in force;
    and the surroundings, if the conditions of one of its cards look farther (catalog.Def.reach). What a seat was at the
    last look lies under its number, as to compare is quicker than to pack.
    """
    memo: dict[Any, Any] = g.memo  # type: ignore[assignment]
    table = memo.get(_TABLE)
    if table is not None and seat in table:
        memo[seat] = known = table[seat]
        return known
    s, kept = g.state, g.cat.kept
    player = s.seats[seat]
    now = (player.level, player.sex, player.dead, s.seals_open[-1:], player.table, player.lasting)
    latest = kept.get(seat)
    if latest is not None and latest[0] == now:
        found: Kept = latest[1]
    else:
        found = _filed(g, player, _pack((seat, now)))
        kept[seat] = ((*now[:4], player.table[:], player.lasting[:]), found)
    if found.reach[1]:
        _look_around(g, seat, found)
    memo[seat] = known = found.known
    if table is not None:
        table[seat] = known
    return known


def _filed(g: "Reader", player: Seat, own: bytes) -> Kept:
    """What is filed under these bytes, be it nothing yet."""
    kept = g.cat.kept
    found: Kept | None = kept.get(own)
    if found is None:
        if len(kept) >= MOST:
            kept.clear()
        found = kept[own] = Kept(_reach(g, player), ({}, {}))
    return found


def _of_table(g: "Reader") -> dict[Any, Any]:
    """What was read of the table at the last look, if it lies as it did then: the fight, whose turn it is, the open
    Seals, the options, and the seats but for counts of what they have done. That itself lies with it, for what looks
    at anything (ANYWHERE), and what was read of each seat, under its number.
    """
    s, kept = g.state, g.cat.kept
    seats = [(p.level, p.sex, p.dead, p.bare, p.hand, p.table, p.lasting, p.body) for p in s.seats]
    now = (_pack(s.fight), s.turn.seat, s.seals_open, s.options, seats)
    latest = kept.get(_TABLE)
    if latest is None or latest[0] != now:
        seats = [(p.level, p.sex, p.dead, p.bare, p.hand[:], p.table[:], p.lasting[:], p.body[:]) for p in s.seats]
        now = (*now[:2], s.seals_open[:], s.options, seats)
        latest = kept[_TABLE] = (now, {_TABLE: now})
    known = g.memo[_TABLE] = latest[1]  # type: ignore[index]
    return known


def _look_around(g: "Reader", seat: int, found: Kept) -> None:
    """Forget what was read in other surroundings than these, as far as it looks at them."""
    far, farther = found.reach
    around = _surroundings(g, seat, farther)
    if around != found.near[1]:  # what the gear looks at is a part of that
        near = _surroundings(g, seat, far) if far else None
        found.known = (found.known[0] if near == found.near[0] else {}, {})
        found.near = (near, around)


def _reach(g: "Reader", player: Seat) -> tuple[int, int]:
    cards = g.cat.cards
    there = [entry.card & DEFN_MASK for entry in player.table] + [lasting.defn for lasting in player.lasting]
    gear = whole = 0
    for defn in there + g.state.seals_open[-1:]:
        far = cards[defn].reach
        gear, whole = gear | far[0], whole | far[1]
    return gear, whole


def _surroundings(g: "Reader", seat: int, reach: int) -> Any:
    """What conditions that look so far find around a seat."""
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
