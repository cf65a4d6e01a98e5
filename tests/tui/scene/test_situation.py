"""What each seat does, in words that agree with its name."""

import pytest

from tests.tui import samples
from tui.scene.situation import doing


@pytest.mark.parametrize(
    ("name", "mine"),
    [("own-combat", "fight"), ("running", "run away"), ("first-cards", "play cards"), ("your-turn", "your turn")],
)
def test_the_verb_of_your_own_seat_is_yours(name: str, mine: str) -> None:
    assert doing(samples.scene(samples.SITUATIONS[name]()), samples.ME)[0] == mine


def test_whoever_holds_the_table_stops_the_clock() -> None:
    table = samples.interrupt()
    assert table.window is not None
    for holder, words in ((samples.ME, "stop the clock"), (4, "stops the clock")):
        table.window.holder = holder
        assert doing(samples.scene(table), holder)[0] == words
    assert doing(samples.scene(table), samples.BO)[0] == "fights"
