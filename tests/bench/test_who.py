"""What the bench of personalities concludes from counted acts."""

from tests.bench.who import Row, habits_of


def row(who: str, *counts: int, game: int = 0) -> Row:
    return Row(game, who, 0.0, {"holds: big": list(counts), "sells: often": [3, 10]}, {})


def test_the_habit_that_differs_most_comes_first_in_deviations_of_three_games() -> None:
    rows = [row("elroy", 8, 10), row("elroy", 8, 10), row("gilda", 0, 10), row("hush", 2, 10)]
    first, second = habits_of("elroy", rows)
    assert (first.feature, first.own, first.chances) == ("holds: big", 0.8, 30.0)
    assert 0.1 <= first.others < 0.15 and 9 < first.deviations < 13, "0.1 of 20, and what smooths it"
    assert second.feature == "sells: often" and abs(second.deviations) < 0.5
    assert habits_of("gilda", rows)[0].deviations < 0
    assert habits_of("bertha", rows) == [], "nobody has seen her"
