"""Elo from games: known cases, in closed form."""

import random
from math import exp, log, log10, sqrt

import pytest

from netcode.lab.elo import Game, ratings, share_interval


def game(seats: str, winner: int) -> Game:
    return tuple(seats), (winner,)


def two_against_two(wins: int, losses: int) -> list[Game]:
    return [game("abab", 0)] * wins + [game("abab", 1)] * losses


def test_two_players_differ_by_the_logarithm_of_their_wins() -> None:
    better, worse = ratings(["b", "a"], two_against_two(300, 100))
    assert (better.player, worse.player) == ("a", "b")
    assert better.elo == -worse.elo == pytest.approx(200 * log10(3), abs=0.2)
    error = 400 / log(10) / sqrt(400 * 0.75 * 0.25)  # of the difference of both: twice a player's error
    assert better.high - better.elo == better.elo - better.low == pytest.approx(1.96 * error / 2, rel=0.005)
    assert (better.wins, better.games, better.seats) == (300, 400, 800)


def test_one_among_three_rivals_is_as_strong_as_they_are_with_a_quarter_of_the_wins() -> None:
    games = [game("abbb", seat) for seat in range(4)] * 50
    assert [one.elo for one in ratings(["a", "b"], games)] == pytest.approx([0, 0], abs=1e-6)


def test_a_shared_victory_counts_half_for_each() -> None:
    games: list[Game] = [(("a", "b", "a", "b"), (0, 1))] * 10
    assert [(one.elo, one.wins) for one in ratings(["a", "b"], games)] == [(0, 5), (0, 5)]


def test_who_wins_every_game_has_a_bounded_rating() -> None:
    better, worse = ratings(["a", "b"], two_against_two(20, 0))
    assert 250 < better.elo < 500 and better.low > worse.high


@pytest.mark.long(0)
def test_intervals_hold_the_truth_nineteen_times_of_twenty() -> None:
    rng, truth = random.Random(8), {"a": 120.0, "b": 20.0, "c": -140.0}
    held = 0
    for _ in range(60):
        games: list[Game] = []
        for pair in (("a", "b"), ("a", "c"), ("b", "c")):
            for _ in range(60):
                chances = [exp(truth[name] * log(10) / 400) for name in pair]
                games.append(((*pair, *pair), (rng.choices(range(2), chances)[0],)))
        held += sum(one.low <= truth[one.player] <= one.high for one in ratings(list(truth), games))
    assert 0.9 <= held / 180 <= 0.99, f"{held} of 180 intervals hold the truth"


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert share_interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    low, high = share_interval(0, 20)
    assert low == pytest.approx(0, abs=1e-9) and high == pytest.approx(0.1611, abs=1e-4)
    assert share_interval(0, 0) == (0, 1)
