"""Games with a command that speaks the protocol: at a real host, recorded like all others."""

import random
import shlex
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from core.language.catalog import Catalog
from core.state.actions import Action
from netcode.bots.makers import make_player
from netcode.bots.player import Observation, Player
from netcode.lab.commands import check_command, is_command, words_of
from netcode.lab.hosted import play_hosted
from netcode.lab.ladder import Ladder, Schedule
from netcode.simulation.plan import GamePlan, pack_hashes


def plan_with(command: str) -> GamePlan:
    ladder = Ladder(players=("easy", command), seats=3, seed=5)
    return Schedule(ladder, (pack_hashes(ladder.mixes[0]),)).plan(0)


FIRST_BOT = Path(__file__).parents[3] / "docs" / "examples" / "first_bot.py"


class Spender(Player):
    """Plays as `easy`, and notes what it could spend."""

    budgets: ClassVar[set[int]] = set()

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self._easy = make_player("easy", catalog, rng)

    def decide(self, observation: Observation, budget: int) -> Action | None:
        self.budgets.add(budget)
        return self._easy.decide(observation, budget)


def test_players_beside_a_command_may_spend_the_budget_of_the_ladder() -> None:
    players = (f"{__name__}:Spender", f"run:{shlex.quote(sys.executable)} {shlex.quote(str(FIRST_BOT))}")
    ladder = Ladder(players=players, seats=3, seed=5, budget=7)
    result = play_hosted(Schedule(ladder, (pack_hashes(ladder.mixes[0]),)).plan(0))
    assert (result.why, result.misplays, Spender.budgets) == ("ended", {}, {7})


def test_a_command_that_ends_early_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netcode.lab.hosted.SEATED_S", 2)
    plan = plan_with(f"run:{shlex.quote(sys.executable)} -c 'raise SystemExit(3)'")
    result = play_hosted(plan)
    seat = plan.bots.index(next(filter(is_command, plan.bots)))
    assert (result.why, result.winners, result.misplays) == ("TimeoutError", [], {seat: 1})
    assert result.refused == [f"seat {seat} ({plan.bots[seat]}): it ended with code 3"]


@pytest.mark.parametrize(
    ("spec", "words"),
    [("run:", "no program ''"), ("run:no-such-program x", "no program 'no-such-program'"), ("run:a 'b", "quotation")],
)
def test_a_command_that_cannot_run_is_refused_in_one_line(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        check_command(spec)
    with pytest.raises(ValueError, match=words):
        Ladder(players=("easy", spec)).check()


def test_a_command_is_told_the_join_string() -> None:
    assert words_of("run:bot --at {join} -v", "kickdoor://x") == ["bot", "--at", "kickdoor://x", "-v"]
    assert words_of("run:python 'my bot.py'", "kickdoor://x") == ["python", "my bot.py", "kickdoor://x"]
