"""Read caches: cached answers equal freshly computed ones, and the test mode detects differences."""

from collections.abc import Callable
from functools import cache as once

import pytest

from cards import BUILT_IN, pack_files
from core.language.catalog import Catalog, load
from core.language.table_parts import ANYWHERE, FAR, FIGHT, HANDS, SEALS, SEATS, TURN
from core.moves.legal import legal
from core.queries.cache import cached_by_gear, cached_by_modifiers, cached_by_table
from core.queries.capacity import big_items
from core.state import events
from core.state.apply import _CHANGES
from core.state.events import (
    AnyEvent,
    Drew,
    FightBegan,
    Kicked,
    LevelChanged,
    MonsterCame,
    Moved,
    PhaseBegan,
    SealClosed,
    TurnBegan,
)  # fmt: skip
from core.state.game import Game
from core.state.model import Fight, State, clone, decode, encode
from core.state.reader import Reader
from core.view import view
from tests.core.queries.guard import check_kept, checked_after_each_event
from tests.core.random_table import RandomTable


@once
def _game() -> tuple[Catalog, bytes]:
    """Return a game of four seats in which each has cards in play: the first random game that gets there."""
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
    return _game()[0]


@pytest.fixture
def state() -> State:
    state = decode(_game()[1])
    for seat in state.seats:
        seat.table, seat.lasting = [], []  # no card there whose conditions look beyond its seat
    return state


# ----------------------------------------------------------------------------------------------------- bad queries
@cached_by_gear
def reads_the_hand(g: Reader, seat: int) -> int:
    return len(g.state.seats[seat].hand)


@cached_by_modifiers
def reads_another_seat(g: Reader, seat: int) -> int:
    return g.state.seats[1 - seat].level


@cached_by_gear
def reads_the_combat(g: Reader, seat: int, wanted: bool) -> bool:
    return (g.state.fight is None) == wanted


@cached_by_table
def reads_the_phase(g: Reader, wanted: str) -> bool:
    return g.state.turn.phase == wanted


BAD: list[tuple[Callable[..., object], tuple[object, ...], AnyEvent]] = [
    (reads_the_hand, (0,), Drew(0, "door", 1, [(1 << 16) + (1 << 12)])),
    (reads_another_seat, (0,), LevelChanged(1, 5, 7, "")),
    (reads_the_combat, (0, True), FightBegan(0, 1 << 17, "")),
    (reads_the_phase, ("charity",), PhaseBegan(0, "charity")),
]


@pytest.mark.parametrize(("read", "args", "event"), BAD, ids=[read.__name__ for read, _, _ in BAD])
def test_a_query_that_reads_more_than_its_decorator_allows_is_detected(
    catalog: Catalog, state: State, read: Callable[..., object], args: tuple[object, ...], event: AnyEvent
) -> None:
    state.fight, state.turn.phase, state.seats[1].level = None, "kick", 2
    with checked_after_each_event():
        game = Game(catalog, state)
        read(game, *args)
        game.emit(Kicked(0))
        with pytest.raises(AssertionError, match=rf"{read.__name__}.* is kept as"):
            game.emit(event)


def test_a_kept_value_that_a_caller_has_changed_is_detected(catalog: Catalog, state: State) -> None:
    g = Reader(catalog, state)
    big_items(g, 0).append(0)
    with pytest.raises(AssertionError, match=r"big_items\(0,\), by gear, is kept as"):
        check_kept(g)


def test_the_queries_of_views_and_moves_are_checked(catalog: Catalog, state: State) -> None:
    for seat in range(4):
        view(catalog, state, seat)
        legal(catalog, state, seat)
    assert check_kept(Reader(catalog, state)) > 20


# ------------------------------------------------------------------------------------------------- what is forgotten
def _kept(g: Reader) -> tuple[bool, bool, bool]:
    """Return whether there are cached reads of seat 0, of seat 1 and of the table."""
    gear = g.reads.seats[0]
    return bool(gear[0]), bool(gear[1]), bool(g.reads.table)


def _read_all(g: Reader) -> None:
    big_items(g, 0)
    big_items(g, 1)
    _counts_seats(g)


@cached_by_table
def _counts_seats(g: Reader) -> int:
    return len(g.state.seats)


FORGOTTEN: list[tuple[AnyEvent, tuple[bool, bool, bool]]] = [
    (Kicked(0), (True, True, True)),
    (Drew(0, "door", 1, [(1 << 16) + (1 << 12)]), (True, True, False)),
    (LevelChanged(1, 1, 3, ""), (True, False, False)),
    (Moved(4096 << 4, 4096 << 4, "limbo", -1, "table", 0, ""), (False, True, False)),
    (TurnBegan(1, 9), (True, True, False)),
    (MonsterCame(0, 1 << 17, 0, 1 << 17, ""), (True, True, False)),
    (SealClosed(0, 0, "", -1), (False, False, False)),
]


@pytest.mark.parametrize(("event", "left"), FORGOTTEN, ids=[type(event).__name__ for event, _ in FORGOTTEN])
def test_an_event_drops_the_reads_of_what_it_touches_and_no_others(
    catalog: Catalog, state: State, event: AnyEvent, left: tuple[bool, bool, bool]
) -> None:
    state.limbo, state.seals_open, state.fight = [4096 << 4], [0], Fight(1, 2, [], holds=[0] * 4)
    game = Game(catalog, state)
    _read_all(game)
    assert _kept(game) == (True, True, True)
    game.emit(event)
    assert _kept(game) == left


@pytest.mark.parametrize("part", [SEATS, HANDS, FIGHT, TURN, SEALS])
def test_reads_of_a_seat_whose_cards_look_at_a_part_are_dropped_with_it(
    catalog: Catalog, state: State, part: int
) -> None:
    g = Reader(catalog, state)
    _read_all(g)
    g.reads.note_traits(0, part | part << FAR)
    g.reads.forget(ANYWHERE & ~part & ~SEALS, 3)
    assert _kept(g)[:2] == (True, True)
    g.reads.forget(part, 3)
    assert _kept(g)[0] is False and _kept(g)[1] is (part != SEALS)


def test_every_event_has_a_row() -> None:
    assert set(_CHANGES) == {kind for kind in vars(events).values() if _is_event(kind)}


def _is_event(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, events.Event) and kind is not events.Event


# ------------------------------------------------------------------------------------------------- beside which state
def test_a_copy_of_a_state_keeps_nothing_and_equals_it(catalog: Catalog, state: State) -> None:
    view(catalog, state, 0)
    assert state.reads is not None and clone(state).reads is None and clone(state) == state


def test_another_catalog_reads_afresh(catalog: Catalog, state: State) -> None:
    _read_all(Reader(catalog, state))
    assert _kept(Reader(load([pack_files(name) for name in BUILT_IN]), state)) == (False, False, False)


def test_the_rows_of_a_seat_are_kept_until_the_next_action(catalog: Catalog, state: State) -> None:
    rows = legal(catalog, state, 0)
    assert legal(catalog, state, 0) is rows and Reader(catalog, state).reads.rows == {0: rows}
    assert Game(catalog, state).reads.rows == {}
