"""When a card can be played, in words."""

import pytest

from tests.tui import samples
from tui.scene.card_text import time_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Practice Rat", "when looking for trouble"), ("Cardboard Mail", "on your own turn, outside a fight"),
        ("Lukewarm Coffee of the Third Watch", "in any fight"), ("Two Trapdoors", "at any time"),
        ("Dwarf", "on your own turn"),
    ],
)  # fmt: skip
def test_a_card_says_when_it_can_be_played(name: str, words: str) -> None:
    (definition,) = [card for card in samples.catalog().cards if card.name == name]
    assert time_of(definition) == words
