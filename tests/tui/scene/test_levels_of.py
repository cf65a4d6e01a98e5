"""How many levels a card always gives, whatever verb gives them."""

import pytest

from core.language import schema as v
from tests.core.language.level_verbs import Exchange, Rob
from tui.scene.card_text import levels_of


@pytest.mark.parametrize(
    ("play", "levels"),
    [
        ((v.Level(by=2),), 2),
        ((v.Level(by=-1),), -1),
        ((v.Level(), v.Level(who="others")), 1),
        ((v.Level(if_=v.If(own_turn=True)),), 0),
        ((v.Level(who="chosen"),), 0),
        ((v.Level(by=v.Amount(monsters=True)),), 0),
        ((v.SetLevel(to=4),), 0),
        ((Rob(number=3),), 3),
        ((Exchange(),), 0),
    ],
)
def test_levels_of_a_card_are_those_that_any_verb_always_gives(play: tuple[v.Op, ...], levels: int) -> None:
    assert levels_of(v.Card(id="x", name="X", kind="level", play=play)) == levels
