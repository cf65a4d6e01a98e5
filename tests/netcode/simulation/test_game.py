"""A simulated game ends, whatever its cards do."""

import pytest

from cards import pack_files
from core.language.catalog import load
from netcode.simulation.game import SimulatedGame


def test_a_game_whose_card_text_does_not_end_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = SimulatedGame(load([pack_files("munchkins-and-mazes")]), ["easy"] * 3, 1)
    monkeypatch.setattr("core.engine.STEP_BUDGET", 1)
    assert game.play(100).endswith(("no end after 1 steps", "its text has no end"))
    assert not game.state.winners
