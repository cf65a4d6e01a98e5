"""Items that two players exchange by a card."""

import pytest

from core.authoring.lint import check_pack
from tests.core.kitchen import failures, files


@pytest.mark.proves("item.swap")
def test_two_items_change_owners_or_none_does() -> None:
    assert failures("swap.toml") == []


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("cards.zone", '{ of = "you" }', '{ of = "you", zone = "hand" }'),
        ("for.zone", 'zone = "equipped"', 'zone = "play"'),
        ("for.count", 'zone = "equipped"', "count = 2"),
        ("cards.pick", '{ of = "you" }', '{ of = "you", pick = "all" }'),
    ],
)
def test_a_swap_is_of_one_item_in_play_for_one(place: str, old: str, new: str) -> None:
    pack, name = files(), "exchange.toml"
    assert old.encode() in pack[name]
    found = check_pack({**pack, name: pack[name].replace(old.encode(), new.encode(), 1)})
    assert [problem.key for problem in found] == [f"play[0].{place}"]
