"""The player that searches: what it tries, what it spends, and that it repeats itself."""

import random

import pytest

from core.language.catalog import Catalog
from core.state.actions import Action
from core.veil import Veiled
from netcode.bots.card_values import CardValues
from netcode.bots.player import Observation
from netcode.bots.search import CANDIDATES_MOST, Candidate, Search, Searcher
from netcode.simulation.batch import load_catalog
from netcode.simulation.game import SimulatedGame

SPEC = f"{__name__}:Watched"
CATALOG = load_catalog(("munchkins-and-mazes",))


class Watched(Searcher):
    """A searcher whose decisions are kept."""

    kept: "list[tuple[Observation, int, Action | None]]" = []

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        super().__init__(catalog, rng)
        self.kept.clear()

    def decide(self, observation: Observation, budget: int) -> Action | None:
        action = super().decide(observation, budget)
        self.kept.append((observation, budget, action))
        return action


def actions_of_a_game(bots: list[str], budget: int, turns: int, seed: int = 8) -> list[str]:
    done: list[str] = []
    game = SimulatedGame(
        CATALOG, bots, seed, budget=budget, watch=lambda state, seat, action, events: done.append(f"{seat} {action}")
    )
    game.play(turns)
    assert not game.refused
    return done


def test_the_same_seed_and_budget_give_the_same_game() -> None:
    once, again = (actions_of_a_game(["normal", SPEC, "normal"], 12, 5) for _ in range(2))
    assert once == again


def test_without_a_budget_it_plays_as_the_policy_does() -> None:
    assert actions_of_a_game(["normal", SPEC, "normal"], 0, 6) == actions_of_a_game(["normal"] * 3, 0, 6)


def test_it_spends_no_more_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[list[int]] = []
    best, rollout = Search.best, Search.rollout

    def watched(self: Search, veiled: Veiled, found: list[Candidate], budget: int, rng: random.Random) -> Candidate:
        spent.append([budget, 0])
        assert 1 < len(found) <= CANDIDATES_MOST
        return best(self, veiled, found, budget, rng)

    def counted(self: Search, *args: object) -> float:
        spent[-1][1] += 1
        chance = rollout(self, *args)  # type: ignore[arg-type]
        assert 0 <= chance <= 1
        return chance

    monkeypatch.setattr(Search, "best", watched)
    monkeypatch.setattr(Search, "rollout", counted)
    actions_of_a_game(["normal", SPEC, "normal"], 15, 8)
    assert spent and any(used for _, used in spent)
    assert all(used <= budget for budget, used in spent)


def test_a_better_action_is_taken_and_an_equal_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    actions_of_a_game([SPEC, "normal", "normal"], 0, 3)
    observation = next(kept for kept, _, action in Watched.kept if action is not None)
    assert observation.veiled is not None
    rows = observation.view.you.legal
    found: list[Candidate] = [None, rows[0].action]
    search = Searcher(CATALOG, random.Random(1), CardValues(CATALOG)).search
    monkeypatch.setattr(Search, "rollout", lambda self, state, seat, action, seed: 0.2 if action is None else 0.6)
    assert search.best(observation.veiled, found, 8, random.Random(2)) == rows[0].action
    monkeypatch.setattr(Search, "rollout", lambda self, state, seat, action, seed: 0.4)
    assert search.best(observation.veiled, found, 8, random.Random(2)) is None
