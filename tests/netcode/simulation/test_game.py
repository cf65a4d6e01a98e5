"""A simulated game ends, whatever its cards do, and leaves nothing behind."""

import gc

import pytest

from cards import pack_files
from core.language.catalog import Catalog, load
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import no_collecting


def test_a_game_whose_card_text_does_not_end_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = SimulatedGame(load([pack_files("munchkins-and-mazes")]), ["easy"] * 3, 1)
    monkeypatch.setattr("core.engine.STEP_BUDGET", 1)
    assert game.play(100).endswith(("no end after 1 steps", "its text has no end"))
    assert not game.state.winners


def play(catalog: Catalog, bots: list[str], seed: int, steps: int) -> None:
    game = SimulatedGame(catalog, bots, seed, budget=10)
    for _ in range(steps):
        if game.state.winners or not game.step():
            return


@pytest.mark.long(3)
@pytest.mark.parametrize(
    ("bots", "steps"), [(["random"] * 4, 300), (["normal"] * 4, 300), (["hard", "normal", "easy"], 40)]
)
def test_games_leave_no_reference_cycles(bots: list[str], steps: int) -> None:
    """Games are played without garbage collection, and so are the searches of bots at a table: cycles would make memory
    grow."""
    catalog = load([pack_files("munchkins-and-mazes")])
    with no_collecting():
        assert all(definition.parts for definition in catalog.cards)  # derived fields of cards are computed once
        play(catalog, bots, 1, steps)  # creates everything else that is kept
        gc.collect()
        play(catalog, bots, 2, steps)
        assert gc.collect() == 0
