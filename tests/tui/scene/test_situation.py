"""The activity of each seat, in words that agree with its name."""

import pytest

from core.state.views import Deciding
from tests.tui import samples
from tui.scene.cells import plain
from tui.scene.situation import acting, doing
from tui.widgets.table.head import draw


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


def test_nobody_who_is_ready_acts_while_first_cards_are_laid_out() -> None:
    view = samples.SITUATIONS["first-cards"]()
    view.turn = samples.BO
    view.deciding = [one for one in view.deciding if one.seat != samples.BO]
    scene = samples.scene(view)
    assert doing(scene, samples.BO)[0] == "" and acting(scene) != samples.BO and doing(scene, acting(scene))[0]


def test_it_is_nobodys_turn_while_a_first_card_takes_effect() -> None:
    """Formerly, the head said "Turn 0, Bo's turn" while somebody chose which cards to give away."""
    view = samples.SITUATIONS["first-cards"]()
    view.turn, view.phase, view.top, view.deciding = samples.BO, "setup", "program", [Deciding(2, "give", -1)]
    scene = samples.scene(view)
    head = plain(draw(scene, 80, 1)[0])
    assert "First cards  waits for ◆ Cid" in head and "Turn 0" not in head and "turn" not in head
    assert doing(scene, samples.BO)[0] == ""
