"""Seat reads of a player's trials are carried to its next trials, and equal fresh reads."""

from collections import Counter
from unittest.mock import patch

import pytest

from core.engine import new_game
from core.queries.carried import CarriedReads
from core.state.model import Options, decode, encode
from core.state.read_cache import GEAR
from core.state.reader import Reader
from netcode.simulation.game import SimulatedGame
from tests.blends import BLENDS, catalog_of
from tests.core.queries.guard import check_kept


@pytest.mark.long(5)
@pytest.mark.parametrize("sets", BLENDS)
def test_what_is_carried_is_what_would_be_read(sets: tuple[str, ...]) -> None:
    catalog, found = catalog_of(sets), Counter[str]()
    copy_to = CarriedReads.copy_to

    def checked(self: CarriedReads, g: Reader) -> None:
        copy_to(self, g)
        found["answers"] += check_kept(g)
        found["trials"] += 1

    with patch.object(CarriedReads, "copy_to", checked):
        assert SimulatedGame(catalog, ["normal"] * 4, seed=3, options=Options(win_level=10)).play(200) == "ended"
    assert found["trials"] > 10
    assert found["answers"] > found["trials"]


def test_a_seat_that_has_changed_is_read_anew() -> None:
    catalog = catalog_of(BLENDS[0])
    state, _ = new_game(catalog, 3, Options(), b"seed")
    carried, kept = CarriedReads(), []
    for levels in (1, 1, 2):
        copy = decode(encode(state))
        copy.seats[1].level = levels
        carried.copy_to(Reader(catalog, copy))
        assert copy.reads is not None
        kept.append(copy.reads.seats[GEAR])
    first, same, changed = kept
    assert [one is other for one, other in zip(first, same)] == [True, True, True]
    assert [one is other for one, other in zip(first, changed)] == [True, False, True]


def test_another_game_with_other_options_is_read_anew() -> None:
    catalog, carried, kept = catalog_of(BLENDS[0]), CarriedReads(), []
    for level in (10, 20):
        state, _ = new_game(catalog, 3, Options(win_level=level), b"seed")
        copy = decode(encode(state))
        carried.copy_to(Reader(catalog, copy))
        assert copy.reads is not None
        kept.append(copy.reads.seats[GEAR])
    assert not any(one is other for one, other in zip(*kept))
