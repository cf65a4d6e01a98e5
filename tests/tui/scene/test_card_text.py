"""When a card can be played, and what an ability does, in words."""

import pytest

from tests.tui import samples, set_samples
from tui.scene.card_text import curt, figure, time_of


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


@pytest.mark.parametrize(("text", "brief"), [
    ("roll a die, +2 on 4 or more, -2 on less. Once in a combat.", "+2 on 4 or more, -2 on less."),
    ("once in your own turn, outside combat, discard a card to see a hand.", "discard a card to see a hand."),
    ("discard a card and roll a die; on 5 or more draw, once in each of your turns.",
     "discard a card; on 5 or more draw."),
    ("once before the door discard a card, look at the top two Doors.", "discard a card, look at the top two Doors."),
    ("roll the die and add the number, once in a combat you fight or help in.", "roll the die and add the number."),
])  # fmt: skip
def test_an_ability_in_few_words_is_its_price_and_what_comes_of_it(text: str, brief: str) -> None:
    assert curt(text) == brief


def test_a_card_does_not_show_a_bonus_that_it_gives_only_to_some() -> None:
    """A one-shot that rolls, and adds 2 more with Orks, showed `+2` to everybody."""
    box = set_samples.Box(set_samples.W40K)
    assert figure(box.catalog.named("Unexploded Rocket").card) == ("400", "gold")
    assert figure(box.catalog.named("Overcharged Cell").card)[0] == "+3"
