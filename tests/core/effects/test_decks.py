"""The top cards of a deck, which one player looks at, and hands that are passed on."""

import pytest

from core.authoring.lint import check_pack
from tests.core.kitchen import failures, files


@pytest.mark.proves("cards.peek")
def test_what_a_player_does_who_looks_at_a_deck() -> None:
    assert failures("decks.toml") == []


@pytest.mark.proves("cards.pass-hands")
def test_hands_are_passed_on() -> None:
    assert failures("hands.toml") == []


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("play[0].who", 'who = "left"', 'who = "others"'),
        ("play[0].count", 'count = 2, who = "left"', 'count = 11, who = "left"'),
        ("play[0].may", 'may = "take", else', 'may = "keep", else'),
    ],
)
def test_one_player_looks_at_ten_cards_at_most(key: str, old: str, new: str) -> None:
    pack, name = files(), "exchange.toml"
    assert old.encode() in pack[name]
    found = check_pack({**pack, name: pack[name].replace(old.encode(), new.encode(), 1)})
    assert [problem.key for problem in found] == [key]
