"""Check read caches: work out everything cached for a state once more, with a reader that sees only its key.

The fields that a cached query may read are listed here; test_cache.py compares them with the real keys.
"""

from collections.abc import Iterator
from typing import Any

from core.language.catalog import Catalog
from core.language.dependencies import ALONE, ANYWHERE, FOUGHT, HERO, MARGIN, MONSTERS, SEALS, TURN
from core.queries import cache
from core.state.model import State
from core.state.reader import Reader

SEAT_FIELDS = ("level", "sex", "dead", "table", "lasting")
"""What a query cached by gear or by modifiers may read of its seat; it may read the top open Seal too."""
TABLE_SEAT_FIELDS = (*SEAT_FIELDS, "bare", "hand", "body")
"""What a query cached by table may read of each seat; it may read the combat, whose turn it is, the open Seals and the
options too."""
FIGHT_FIELDS = {
    HERO: ("seat", "helper"), ALONE: ("helper",), MONSTERS: ("monsters",), MARGIN: ("margin",),
    FOUGHT: ("monsters", "cards"),
}  # fmt: skip
"""What conditions that look beyond their seat may read of the combat."""


class OutsideKey(AssertionError):
    """A cached query has read something that its key does not hold, so its value would be stale after a change."""


class Fence:
    """Stands for a struct; raises OutsideKey when any other than the given fields is read."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        self._name = name
        self._fields = fields

    def __getattr__(self, field: str) -> Any:
        if field not in self._fields:
            raise OutsideKey(f"{self._name}.{field} is not in the key")
        return self._fields[field]


class OneSeat:
    """Stands for the list of seats; raises OutsideKey for every seat but one, and for how many there are."""

    def __init__(self, number: int, seat: Fence) -> None:
        self._number = number
        self._seat = seat

    def __getitem__(self, number: int) -> Fence:
        if number != self._number:
            raise OutsideKey(f"seat {number} is not in the key of seat {self._number}")
        return self._seat

    def __iter__(self) -> Iterator[Fence]:
        raise OutsideKey("the other seats are not in the key of a seat")

    def __len__(self) -> int:
        raise OutsideKey("the number of seats is not in the key of a seat")


class TopSeal(list[int]):
    """The open Seals, of which only the top one may be read."""

    def __len__(self) -> int:
        raise OutsideKey("the number of open Seals is not in the key")

    def __bool__(self) -> bool:
        return list.__len__(self) > 0


def table_only(state: State) -> Fence:
    """Return what a query cached by table may read."""
    seats = [
        Fence(f"seats[{no}]", {field: getattr(seat, field) for field in TABLE_SEAT_FIELDS})
        for no, seat in enumerate(state.seats)
    ]
    turn = Fence("turn", {"seat": state.turn.seat})
    return Fence("state", {
        "seats": seats, "turn": turn, "fight": state.fight, "seals_open": state.seals_open, "options": state.options,
    })  # fmt: skip


def seat_only(state: State, number: int, reach: int) -> Fence:
    """Return what a query cached by gear or by modifiers may read, its cards depending on `reach` beyond the seat."""
    if reach & ANYWHERE:
        return table_only(state)
    seat = state.seats[number]
    own = Fence(f"seats[{number}]", {field: getattr(seat, field) for field in SEAT_FIELDS})
    fields: dict[str, Any] = {"seats": OneSeat(number, own)}
    fields["seals_open"] = state.seals_open if reach & SEALS else TopSeal(state.seals_open[-1:])
    if reach & TURN:
        fields["turn"] = Fence("turn", {"seat": state.turn.seat})
    of_fight = [field for bit, names in FIGHT_FIELDS.items() if reach & bit for field in names]
    if of_fight:
        fight = state.fight
        fields["fight"] = fight and Fence("fight", {field: getattr(fight, field) for field in of_fight})
    return Fence("state", fields)


def check_reads(catalog: Catalog, state: State) -> int:
    """Work out everything cached for this state once more, within its key; return how many queries that were.

    Raises OutsideKey for a query that reads more than its key holds, AssertionError for a value that is not the same.
    """
    g = Reader(catalog, state)
    checked = _check(catalog, table_only(state), cache._of_table(g), ())
    for seat, player in enumerate(state.seats):
        for reads, reach in zip(cache._of_seat(g, seat), cache._reach(g, player)):
            checked += _check(catalog, seat_only(state, seat, reach), reads, (seat,))
    return checked


def _check(catalog: Catalog, fence: Any, reads: dict[Any, Any], first: tuple[int, ...]) -> int:
    """fence: a Fence in place of the state that the queries read."""
    fenced = Reader(catalog, fence)
    fenced.memo = None
    queries = [(key, ()) if callable(key) else key for key in list(reads) if callable(key) or isinstance(key, tuple)]
    for read, args in queries:
        value = reads[(read, args) if args or read not in reads else read]
        where = f"{read.__module__}.{read.__qualname__}{(*first, *args)}"
        try:
            fresh = read(fenced, *first, *args)
        except OutsideKey as error:
            raise OutsideKey(f"{where} reads more than its key: {error}") from error
        assert value == fresh, f"{where} is cached as {value} and would now be {fresh}"
    return len(queries)
