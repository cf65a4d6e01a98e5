"""Fitting the evaluator: it finds the weights that made the winners, and repeats itself."""

import random
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from netcode.bots.evaluation import FEATURES, dot, softmax
from netcode.lab.conditional_logit import Position, fit, score, solved
from netcode.lab.fit import PENALTY, PartlyRandomPlayer, Sample, Workers, run
from netcode.processes.workers import completed
from netcode.simulation.batch import load_catalog
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import GamePlan

ROOT = Path(__file__).resolve().parents[3]


def test_linear_equations_are_solved() -> None:
    assert solved([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0]) == pytest.approx([1 / 11, 7 / 11])


@pytest.mark.long(0)
def test_the_weights_that_made_the_winners_are_found() -> None:
    rng = random.Random(4)
    true = [1.0, -0.5, *[0.0] * (len(FEATURES) - 2)]
    positions: list[Position] = []
    for _ in range(1500):
        rows = [[rng.gauss(0, 1), rng.gauss(0, 1), *[0.0] * (len(FEATURES) - 2)] for _ in range(4)]
        chances = softmax([dot(true, row) for row in rows])
        positions.append((rows, rng.choices(range(4), chances)))
    found = fit(positions, len(FEATURES), PENALTY)
    assert found[:2] == pytest.approx(true[:2], abs=0.12)
    assert found[2:] == [0.0] * (len(FEATURES) - 2)
    assert score(positions, found)[0] < score(positions, [0.0] * len(FEATURES))[0]


def test_seats_act_at_random_until_a_turn() -> None:
    """Until that turn their actions are legal, but differ from those of the same bots without chance."""
    catalog = load_catalog(("munchkins-and-mazes",))

    def actions(often: float, until: int) -> list[str]:
        done: list[str] = []
        game = SimulatedGame(catalog, ["normal"] * 3, 4, watch=lambda *what: done.append(str(what[1:3])))
        rng = random.Random(1)
        game.players = [PartlyRandomPlayer(player, rng, often, until) for player in game.players]
        game.play(6)
        assert not game.refused
        return done

    assert actions(0.5, -1) == actions(0.0, 6) != actions(0.5, 6)


def play(games: int, folder: Path, workers: Workers = lambda work, plans: completed(work, plans, 1)) -> Path | None:
    return run(games, 5, folder, workers, lambda done, total: None)


def test_the_same_seed_gives_the_same_file_however_it_was_stopped(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the extra lab is not installed")

    def stopping(work: Callable[[GamePlan], Sample], plans: Iterable[GamePlan]) -> Iterator[Sample]:
        for plan in plans:
            if plan.index == 4:
                raise KeyboardInterrupt
            yield work(plan)

    assert play(10, tmp_path / "stopped", stopping) is None
    assert len((tmp_path / "stopped" / Sample.FILE).read_bytes().splitlines()) == 4
    again, once = play(10, tmp_path / "stopped"), play(10, tmp_path / "once")
    assert again is not None and once is not None
    text = once.read_text("utf-8")
    assert again.read_text("utf-8") == text
    fitted = tomllib.loads(text)
    assert set(fitted["weights"]) == set(FEATURES) and (fitted["fitted"]["games"], fitted["fitted"]["seed"]) == (10, 5)
    assert fitted["fitted"]["loss"] > 0 and fitted["fitted"]["loss_of_trees"] > 0


def test_the_folder_of_another_fit_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the extra lab is not installed")
    with pytest.raises(ValueError, match="--games 1 are too few"):
        play(1, tmp_path)
    with pytest.raises(ValueError, match="seed: 5, now 6"):
        run(1, 6, tmp_path, lambda work, plans: completed(work, plans, 1), lambda done, total: None)


def test_the_weights_of_bots_are_those_of_a_fit() -> None:
    stored = tomllib.loads((ROOT / "netcode/bots/data/evaluation.toml").read_text("utf-8"))
    assert set(stored["weights"]) == set(FEATURES)
    assert stored["fitted"]["loss"] < stored["fitted"]["loss_of_even_chances"]
