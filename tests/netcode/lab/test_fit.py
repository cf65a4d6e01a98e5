"""Fitting the evaluator: it finds the weights that made the winners, and repeats itself."""

import random

import pytest

from netcode.bots.evaluation import FEATURES, dot, softmax
from netcode.lab.choice import Position, fit, score, solved
from netcode.lab.fit import PENALTY, as_toml, play


def test_linear_equations_are_solved() -> None:
    assert solved([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0]) == pytest.approx([1 / 11, 7 / 11])


def test_the_weights_that_made_the_winners_are_found() -> None:
    rng = random.Random(4)
    true = [1.0, -0.5, *[0.0] * (len(FEATURES) - 2)]
    positions: list[Position] = []
    for _ in range(1500):
        rows = [[rng.gauss(0, 1), rng.gauss(0, 1), *[0.0] * (len(FEATURES) - 2)] for _ in range(4)]
        chances = softmax([dot(true, row) for row in rows])
        positions.append((rows, rng.choices(range(4), chances)))
    found = fit(positions, len(FEATURES), PENALTY)
    assert found[:2] == pytest.approx(true[:2], abs=0.12)
    assert found[2:] == [0.0] * (len(FEATURES) - 2)
    assert score(positions, found)[0] < score(positions, [0.0] * len(FEATURES))[0]


def test_the_same_seed_gives_the_same_file() -> None:
    once, again = ([one for game in play(2, 5) for one in game] for _ in range(2))
    assert once and once == again
    assert as_toml([0.5] * len(FEATURES), 2, 5, once) == as_toml([0.5] * len(FEATURES), 2, 5, again)
