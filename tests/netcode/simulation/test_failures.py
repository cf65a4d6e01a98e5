"""Failures of players in reports: equal sentences are printed once, with their count."""

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state.actions import Action, Pass
from netcode.bots.factory import make_player
from netcode.bots.player import Observation, Player
from netcode.lab.ladder import Ladder, as_table
from netcode.lab.ladder import run as run_ladder
from netcode.lab.records import PlayedGame
from netcode.processes.workers import completed
from netcode.simulation.batch import SimConfig, run
from netcode.simulation.failures import KINDS_KEPT, Failures, refusal_lines
from netcode.simulation.plan import GamePlan
from netcode.simulation.report import as_line


class Clumsy(Player):
    """Plays as `easy`, but fails every other time, passes windows that do not exist, and once in 50 fails otherwise."""

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self._easy, self._times = make_player("easy", catalog, rng), 0

    def decide(self, observation: Observation, budget: int) -> Action | None:
        self._times += 1
        if self._times % 50 == 0:
            raise LookupError("the rare one")
        if self._times % 5 == 0:
            return Pass(window=1_000_000 + self._times)
        if self._times % 2 == 0:
            raise ValueError("the usual one")
        return self._easy.decide(observation, budget)


def cut_short(work: Callable[[GamePlan], PlayedGame], plans: Iterable[GamePlan]) -> Iterator[PlayedGame]:
    """Yield these games as if a limit had stopped them."""
    return (replace(game, why="turns") for game in map(work, plans))


CLUMSY = f"{__name__}:Clumsy"


def test_a_rare_mistake_is_not_hidden_by_a_frequent_one() -> None:
    result = run(SimConfig(games=3, seed=1, bots=(CLUMSY, "easy", CLUMSY)))
    kinds = ("the usual one", "Pass(window=", "the rare one")
    lines = [next(line for line in result.refusals if kind in line) for kind in kinds]
    assert len(result.refusals) == 3 and all(" times, first in game 0: seat " in line for line in lines), lines
    assert sum(int(line.split()[0]) for line in lines) == result.refused
    assert lines[2] in as_line(result)


def test_a_ladder_counts_them_too(tmp_path: Path) -> None:
    ladder = Ladder(players=("easy", CLUMSY), seats=3, seed=1)
    found = run_ladder(ladder, 3, tmp_path, lambda work, plans: completed(work, plans, 1), lambda done, total: None)
    assert len(found.refusals) == 3
    assert sum(int(line.split()[0]) for line in found.refusals) == found.refused[CLUMSY]
    assert found.refusals[0] in as_table(found, lone=False)
    assert all((tmp_path / "games.jsonl").read_text().count(words) <= 6 for words in ("the usual one", "the rare one"))


def test_games_that_were_not_finished_are_named_up_to_a_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("netcode.simulation.sums.UNFINISHED_SHOWN", 2)
    text = as_line(run(SimConfig(games=3, seed=1, bots=("random",), turn_cap=3)))
    assert text.splitlines()[-4:] == [
        "not finished (3):", "  game 0 (turns, turn 4)", "  game 1 (turns, turn 4)", "  and 1 more"
    ]  # fmt: skip
    monkeypatch.setattr("netcode.lab.ladder.UNFINISHED_SHOWN", 2)
    ladder = Ladder(players=("easy", "random"), seats=3, seed=1)
    lines = as_table(run_ladder(ladder, 3, tmp_path, cut_short, lambda done, total: None), lone=False).splitlines()
    assert lines[-4] == "not finished (3):" and lines[-1] == "  and 1 more"


def test_different_mistakes_are_kept_up_to_a_number() -> None:
    found = Failures()
    for number in range(3 * KINDS_KEPT):
        found.add(f"seat {number % 4} (a:B): decide: KeyError: {number} (b.py, line 7)")
        found.add("seat 0 (a:B): decide: KeyError: 0 (b.py, line 7)")
    assert len(found.sentences) == KINDS_KEPT
    assert found.repeated == {"seat 0 (a:B): decide: KeyError: 0 (b.py, line 7)": 3 * KINDS_KEPT + 1}


def test_what_differs_by_more_than_its_seat_stands_alone() -> None:
    lines = refusal_lines([
        (0, ["seat 0 (a:B): decide: it failed (b.py, line 7)", "seat 0 (a:B): decide: it failed (b.py, line 8)"], {}),
        (1, ["seat 2 (a:B): decide: it failed (b.py, line 7)", "seat 2 (c:D): decide: it failed (b.py, line 7)"], {}),
    ])  # fmt: skip
    assert lines == [
        "2 times, first in game 0: seat 0 (a:B): decide: it failed (b.py, line 7)",
        "game 0: seat 0 (a:B): decide: it failed (b.py, line 8)",
        "game 1: seat 2 (c:D): decide: it failed (b.py, line 7)",
    ]
