"""The shares of generated cases that the gate tries: they differ from turn to turn, and together they are all cases."""

import random

import pytest

from tests import thorough

TURNS = range(2000, 2040, 2)
"""The turns of a gate that runs only in every second turn."""


def in_turn(patch: pytest.MonkeyPatch, turn: int) -> None:
    """Make this process try the rest of this turn."""
    patch.setattr(thorough, "PART", "rest")
    patch.setattr(thorough, "TURN", turn)
    patch.setattr(thorough, "SHIFT", random.Random(turn).randrange(2**20))


@pytest.mark.parametrize("one_in", [2, 3, 4])
def test_the_shares_of_enough_turns_or_of_all_shifts_are_all_cases(
    one_in: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases, tried = set(range(50)), set[int]()
    for turn in TURNS:
        in_turn(monkeypatch, turn)
        shares = [thorough.share(cases, one_in, shift) for shift in range(one_in)]
        assert set().union(*shares) == cases and sum(map(len, shares)) == len(cases)
        assert thorough.share(cases, one_in) == shares[0]
        tried.update(shares[0])
    assert tried == cases


def test_no_turn_has_the_seeds_of_another_or_those_without_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thorough, "PART", "all")
    tried = thorough.seeds(80, 20, fresh=20)
    assert tried == list(range(80))
    for turn in TURNS:
        in_turn(monkeypatch, turn)
        tried += thorough.seeds(80, 20, fresh=20)
    assert len(tried) == len(set(tried)) == 80 + 20 * len(TURNS)


def test_without_a_turn_the_rest_is_all_that_the_suite_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[list[int]] = []
    for part in ("some", "rest"):
        monkeypatch.setattr(thorough, "PART", part)
        monkeypatch.setattr(thorough, "TURN", 0)
        parts.append(thorough.seeds(80, 20, fresh=20))
        assert thorough.share(range(9), 3) == list(range(9))
    assert sorted(parts[0] + parts[1]) == list(range(80)) and parts[0] == [0, 20, 40, 60]
