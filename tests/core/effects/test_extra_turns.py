"""Extra turns (turn.extra): when they come, who plays after them, and that a second one has no effect."""

import pytest

from tests.core.dice_pack import outcome


@pytest.mark.proves("turn.extra")
def test_the_order_goes_on_after_the_player_whose_turn_it_was() -> None:
    for name in (
        "an extra turn follows, and then the next player's",
        "the order goes on after the player whose turn it was",
        "a player who dies has the extra turn all the same, as a new character",
    ):
        assert outcome(name) == "fine"
