"""Read caches: a query that reads more than its key holds is detected, and each key holds what queries may read."""

from collections.abc import Callable
from functools import cache as once

import pytest

from cards import BUILT_IN, pack_files
from core.language.catalog import Catalog, load
from core.language.dependencies import ALONE, ANYWHERE, FOUGHT, HERO, MARGIN, MONSTERS, SEALS, TURN
from core.moves.legal import legal
from core.queries import cache
from core.queries.cache import cached_by_gear, cached_by_modifiers, cached_by_table
from core.queries.limits import big_items
from core.state.model import (
    Fight,
    Joined,
    Lasting,
    Monster,
    Options,
    Placed,
    State,
    clone,
    decode,
    encode,
)  # fmt: skip
from core.state.reader import Reader
from core.view import view
from tests.core.queries.guard import FIGHT_FIELDS, SEAT_FIELDS, TABLE_SEAT_FIELDS, OutsideKey, check_reads
from tests.core.random_table import RandomTable


@once
def _game() -> tuple[Catalog, bytes]:
    """Return a game of four seats in which each has cards in play: the first random one that comes so far."""
    catalog = load([pack_files(name) for name in BUILT_IN])
    for seed in range(7, 27):
        table = RandomTable(catalog, 4, seed)
        while not table.state.winners:
            if table.state.turn.no > 2 and all(seat.table for seat in table.state.seats):
                return catalog, encode(table.state)
            table.act()
    raise AssertionError("in none of these games has everybody cards in play")


@pytest.fixture
def catalog() -> Catalog:
    _game()[0].kept.clear()
    return _game()[0]


@pytest.fixture
def state() -> State:
    return decode(_game()[1])


# ----------------------------------------------------------------------------------------------------- bad queries
@cached_by_gear
def reads_an_option(g: Reader, seat: int) -> int:
    return g.state.options.win_level


@cached_by_gear
def reads_the_hand(g: Reader, seat: int) -> int:
    return len(g.state.seats[seat].hand)


@cached_by_modifiers
def reads_another_seat(g: Reader, seat: int) -> int:
    return g.state.seats[1 - seat].level


@cached_by_modifiers
def counts_the_seats(g: Reader, seat: int, by: int) -> int:
    return by * len(g.state.seats)


@cached_by_gear
def reads_the_combat(g: Reader, seat: int) -> bool:
    return g.state.fight is None


@cached_by_table
def reads_the_stack(g: Reader) -> int:
    return len(g.state.stack)


@cached_by_table
def reads_the_phase(g: Reader, wanted: str) -> bool:
    return g.state.turn.phase == wanted


BAD: list[tuple[Callable[..., object], tuple[object, ...], str]] = [
    (reads_an_option, (0,), "state.options"), (reads_the_hand, (0,), r"seats\[0\].hand"),
    (reads_another_seat, (0,), "seat 1"), (counts_the_seats, (0, 2), "number of seats"),
    (reads_the_combat, (0,), "state.fight"), (reads_the_stack, (), "state.stack"),
    (reads_the_phase, ("kick",), "turn.phase"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "args", "outside"), BAD, ids=[read.__name__ for read, _, _ in BAD])
def test_a_query_that_reads_more_than_its_key_is_detected(
    catalog: Catalog, state: State, read: Callable[..., object], args: tuple[object, ...], outside: str
) -> None:
    for seat in state.seats:
        seat.table, seat.lasting = [], []  # no card there whose conditions look beyond its seat
    assert check_reads(catalog, state) == 0
    read(Reader(catalog, state), *args)
    with pytest.raises(OutsideKey, match=outside):
        check_reads(catalog, state)


def test_such_a_query_returns_a_stale_value_at_a_table_with_other_options(catalog: Catalog, state: State) -> None:
    """The guard prevents this: the key of a seat does not hold the options."""
    other = clone(state)
    other.options = Options(win_level=20)
    values = [reads_an_option(Reader(catalog, table), 0) for table in (state, other)]
    assert values == [10, 10]


def test_a_cached_value_that_a_caller_has_changed_is_detected(catalog: Catalog, state: State) -> None:
    big_items(Reader(catalog, state), 0).append(0)
    with pytest.raises(AssertionError, match=r"big_items\(0,\) is cached as"):
        check_reads(catalog, state)


def test_the_queries_of_views_and_moves_read_what_their_keys_hold(catalog: Catalog, state: State) -> None:
    for seat in range(4):
        view(catalog, state, seat)
        legal(catalog, state, seat)
    assert check_reads(catalog, state) > 20


# ------------------------------------------------------------------------------------------------------------ keys
def _other(state: State, seat: int, field: str) -> None:
    """Give a field of a seat another value."""
    player = state.seats[seat]
    values = {
        "level": player.level + 1, "sex": "other", "dead": not player.dead, "bare": not player.bare,
        "table": [*player.table, Placed(1 << 17)], "lasting": [*player.lasting, Lasting(0, 0, 0, "turn", True)],
        "hand": [*player.hand, 1 << 17], "body": [*player.body, 1 << 17],
    }  # fmt: skip
    setattr(player, field, values[field])


@pytest.mark.parametrize("field", SEAT_FIELDS)
def test_reads_of_a_seat_are_dropped_when_its_field_changes(catalog: Catalog, state: State, field: str) -> None:
    before = cache._of_seat(Reader(catalog, state), 0)
    assert cache._of_seat(Reader(catalog, state), 0) is before
    _other(state, 0, field)
    assert cache._of_seat(Reader(catalog, state), 0) is not before


@pytest.mark.parametrize("field", TABLE_SEAT_FIELDS)
def test_reads_of_the_table_are_dropped_when_a_seat_changes(catalog: Catalog, state: State, field: str) -> None:
    before = cache._of_table(Reader(catalog, state))
    assert cache._of_table(Reader(catalog, state)) is before
    _other(state, 2, field)
    assert cache._of_table(Reader(catalog, state)) is not before


def test_reads_of_the_table_are_dropped_when_the_rest_of_it_changes(catalog: Catalog, state: State) -> None:
    state.fight = None
    for change in (_fight, _next_turn, _open_seal, _options):
        before = cache._of_table(Reader(catalog, state))
        change(state)
        assert cache._of_table(Reader(catalog, state)) is not before, change.__name__


def _fight(state: State) -> None:
    state.fight = Fight(1, 0, [Monster(1 << 17, 0, 1 << 17)], holds=[0] * 4)


def _next_turn(state: State) -> None:
    state.turn.seat = (state.turn.seat + 1) % 4


def _open_seal(state: State) -> None:
    state.seals_open.append(0)


def _options(state: State) -> None:
    state.options = Options(listen=True, win_level=20)


def _set(field: str, value: object) -> Callable[[State], None]:
    return lambda state: setattr(state.fight, field, value)


CHANGES: dict[int, dict[str, Callable[[State], None]]] = {
    SEALS: {"seals_open": _open_seal},
    TURN: {"turn.seat": _next_turn},
    HERO: {"seat": _set("seat", 2), "helper": _set("helper", 3)},
    ALONE: {"helper": _set("helper", 3)},
    MONSTERS: {"monsters": _set("monsters", [])},
    MARGIN: {"margin": _set("margin", 5)},
    FOUGHT: {"monsters": _set("monsters", []), "cards": _set("cards", [Joined(1 << 17, 0, 0)])},
    ANYWHERE: {"options": _options},
}


@pytest.mark.parametrize(
    ("bit", "field"), [(bit, field) for bit, changes in CHANGES.items() for field in changes]
)
def test_surroundings_differ_when_what_a_condition_looks_at_changes(
    catalog: Catalog, state: State, bit: int, field: str
) -> None:
    state.turn.seat = 3
    _fight(state)
    seat = 3 if field in ("helper", "turn.seat") else 0
    before = cache._surroundings(Reader(catalog, state), seat, bit)
    CHANGES[bit][field](state)
    assert cache._surroundings(Reader(catalog, state), seat, bit) != before


def test_every_field_of_the_combat_that_a_condition_may_read_is_tried() -> None:
    assert {bit: tuple(CHANGES[bit]) for bit in FIGHT_FIELDS} == FIGHT_FIELDS
