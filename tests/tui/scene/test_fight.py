"""Who wins a fight, by how much and what turns it; what the die must show, in few characters."""

import pytest
from msgspec.structs import replace

from tests.tui import samples
from tui.scene.fight import Verdict, brief_chance, margin_words, verdict_of


@pytest.mark.parametrize(
    ("heroes", "wins_ties", "winning", "found", "words"),
    [
        (14, False, True, Verdict(True, 4, 4), ("ahead", "by 4")),
        (14, True, True, Verdict(True, 4, 5), ("ahead", "by 4")),
        (10, True, True, Verdict(True, 0, 1), ("a tie", "and wins it")),
        (10, False, False, Verdict(False, 0, 1), ("a tie", "that loses")),
        (7, False, False, Verdict(False, 3, 4), ("behind", "by 3")),
        (7, True, False, Verdict(False, 3, 3), ("behind", "by 3")),
    ],
)
def test_the_other_side_has_to_add_what_turns_the_fight(
    heroes: int, wins_ties: bool, winning: bool, found: Verdict, words: tuple[str, str]
) -> None:
    fight = replace(samples.own_fight(), heroes=heroes, foes=10, wins_ties=wins_ties, winning=winning)
    assert verdict_of(fight) == found and margin_words(fight) == words


@pytest.mark.parametrize(
    ("needed", "words"),
    [(1, "always"), (2, "on 2+ (83 %)"), (5, "on 5+ (33 %)"), (6, "on a 6 (17 %)"), (7, "never")],
)
def test_what_the_die_must_show_has_its_chance_where_luck_decides(needed: int, words: str) -> None:
    assert brief_chance(needed) == words
