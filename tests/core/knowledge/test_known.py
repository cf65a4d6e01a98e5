"""The copy of a game that holds only what one seat knows: it holds nothing hidden, and code that looks for hidden cards
stops."""

import dataclasses

import pytest

from core.knowledge.known import known_catalog, known_state
from core.language import schema as v
from core.language.pack_limits import CARDS_LIMIT
from core.queries.conditions import Ctx, select
from core.state.model import Window, defn_of, owner_of
from core.state.reader import Reader
from core.state.rng import Unknowable, below
from tests.blends import catalog_of
from tests.core.random_table import RandomTable


def test_the_copy_of_the_game_holds_nothing_that_the_seat_does_not_know() -> None:
    table = RandomTable(catalog_of(("apocalypse",)), 4, 5)
    for _ in range(300):
        table.act()
    unseen = len(table.catalog.cards)
    for seat in range(4):
        veiled = known_state(table.catalog, table.state, seat)
        if veiled is None:
            continue
        known = veiled.state()
        own = table.state.seats[seat].hand
        assert known.seats[seat].hand == own and not known.seed and not known.dice
        for no, player in enumerate(known.seats):
            assert len(player.hand) == len(table.state.seats[no].hand)
            assert no == seat or all(defn_of(card) == unseen + 1 and owner_of(card) == no + 1 for card in player.hand)
        assert {*known.door, *known.treasure, *known.seals} <= {unseen}


def test_whatever_looks_at_an_unseen_card_or_draws_a_number_stops() -> None:
    table = RandomTable(catalog_of(("munchkins-and-mazes",)), 3, 1)
    while table.state.turn.no == 0:
        table.act()
    known, veiled = known_catalog(table.catalog), known_state(table.catalog, table.state, 0)
    assert known is not None and veiled is not None
    state = veiled.state()
    g = Reader(known, state)
    other = state.seats[1].hand[0]
    for look, fate in (
        (lambda: g.of(other).kind, "hidden"), (lambda: g.of(state.door[-1]).card, "chance"),
        (lambda: below(state, 6), "chance"),
        (lambda: select(g, v.Cards(of="others", zone="hand", kind="curse"), Ctx(you=0)), "hidden"),
    ):  # fmt: skip
        with pytest.raises(Unknowable, match=fate):
            look()
    there = [card for seat in (1, 2) for card in table.state.seats[seat].hand]
    assert len(select(g, v.Cards(of="others", zone="hand"), Ctx(you=0))) == len(there) > 4
    assert len(list(known.cards)) == len(table.catalog.cards)


def test_a_catalog_without_room_for_the_numbers_of_unseen_cards_has_no_copy() -> None:
    cat = catalog_of(("apocalypse",))
    full = dataclasses.replace(cat, cards=(cat.cards * 100)[: CARDS_LIMIT - 1])
    assert known_catalog(full) is None and known_catalog(cat) is not None


def test_whether_another_seat_has_answered_in_secret_makes_no_difference() -> None:
    table = RandomTable(catalog_of(("munchkins-and-mazes",)), 3, 1)
    while table.state.turn.no == 0:
        table.act()
    before = known_state(table.catalog, table.state, 0)
    table.state.stack[-1].answers = {1: [7]}
    assert known_state(table.catalog, table.state, 0) == before is not None
    table.state.stack[-1].answers = {-1: [7]}
    assert known_state(table.catalog, table.state, 0) is None


def test_who_has_passed_is_not_in_the_copy() -> None:
    table = RandomTable(catalog_of(("munchkins-and-mazes",)), 4, 2)
    while not isinstance(table.state.stack[-1], Window):
        table.act()
    window = table.state.stack[-1]
    window.passed = sorted({window.seat, 0, 1, 2} - {3})
    known = known_state(table.catalog, table.state, 3)
    assert known is not None and known.state().stack[-1].passed == [window.seat]
