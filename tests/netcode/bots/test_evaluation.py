"""The evaluator: its chances, and its data file."""

import tomllib
from importlib.resources import files

import pytest

from core.engine import new_game
from core.state.model import Options, card_id
from netcode.bots.evaluation import FEATURES, Evaluator, softmax, stored_weights
from tests.blends import BLENDS, catalog_of, values_of


@pytest.mark.parametrize("sets", BLENDS)
def test_chances_sum_up_to_one_and_rise_with_the_level(sets: tuple[str, ...]) -> None:
    catalog = catalog_of(sets)
    evaluator = Evaluator(catalog, values_of(catalog))
    state, _ = new_game(catalog, 4, Options(), b"seed")
    before = evaluator.chances(state)
    assert sum(before) == pytest.approx(1)
    for level in range(2, 10):
        state.seats[2].level = level
        after = evaluator.chances(state)
        assert sum(after) == pytest.approx(1)
        assert after[2] > before[2]
        before = after


def test_winners_share_a_game_that_is_over() -> None:
    catalog = catalog_of(BLENDS[0])
    state, _ = new_game(catalog, 4, Options(), b"seed")
    state.winners = [1, 3]
    assert Evaluator(catalog, values_of(catalog)).chances(state) == [0, 0.5, 0, 0.5]


def test_every_seat_has_a_number_for_each_feature() -> None:
    catalog = catalog_of(BLENDS[0])
    state, _ = new_game(catalog, 5, Options(), b"seed")
    rows = Evaluator(catalog, values_of(catalog)).features(state)
    assert [len(row) for row in rows] == [len(FEATURES)] * 5


def test_cards_in_the_hands_of_others_that_stop_a_winner_count_with_one_level_to_go() -> None:
    catalog = catalog_of(BLENDS[0])
    evaluator = Evaluator(catalog, values_of(catalog))
    state, _ = new_game(catalog, 3, Options(), b"seed")
    stopper = min(evaluator.values.win_blockers)
    for seat in state.seats:
        seat.hand = []
    state.seats[0].hand = [card_id(900, 1, stopper), card_id(901, 1, stopper)]
    state.seats[1].hand = [card_id(902, 2, stopper)]
    state.seats[1].level = state.seats[2].level = state.options.win_level - 1
    rows = [dict(zip(FEATURES, row)) for row in evaluator.features(state)]
    assert [row["stoppers"] for row in rows] == [2, 1, 0]
    assert [row["guarded"] for row in rows] == [0, 2, 3]


def test_the_data_file_has_a_weight_for_each_feature_and_says_how_it_was_fitted() -> None:
    text = files("netcode.bots").joinpath("data", "evaluation.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    assert tuple(data["weights"]) == FEATURES
    assert len(stored_weights()) == len(FEATURES)
    fitted = data["fitted"]
    assert {"seed", "games", "held_out_positions"} <= set(fitted)
    assert fitted["loss"] < fitted["loss_of_even_chances"]


def test_softmax_takes_large_scores() -> None:
    assert softmax([1e4, 1e4, 0.0]) == [0.5, 0.5, 0.0]
