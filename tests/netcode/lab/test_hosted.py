"""Games with a command that speaks the protocol: at a real host, recorded like all others."""

import random
import shlex
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state.actions import Action
from netcode.bots.factory import make_player
from netcode.bots.player import Observation, Player
from netcode.lab.commands import check_command, words_of
from netcode.lab.hosted import play_hosted
from netcode.lab.ladder import Ladder, Schedule
from netcode.simulation.plan import GamePlan, pack_hashes


def plan_with(command: str) -> GamePlan:
    ladder = Ladder(players=("easy", command), seats=3, seed=5)
    return Schedule(ladder, (pack_hashes(ladder.mixes[0]),)).plan(0)


FIRST_BOT = Path(__file__).parents[3] / "docs" / "examples" / "first_bot.py"


class Spender(Player):
    """Plays as `easy`, and notes its budget."""

    budgets: ClassVar[set[int]] = set()

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self._easy = make_player("easy", catalog, rng)

    def decide(self, observation: Observation, budget: int) -> Action | None:
        self.budgets.add(budget)
        return self._easy.decide(observation, budget)


@pytest.mark.long(0)
def test_players_beside_a_command_may_spend_the_budget_of_the_ladder() -> None:
    players = (f"{__name__}:Spender", f"run:{shlex.quote(sys.executable)} {shlex.quote(str(FIRST_BOT))}")
    ladder = Ladder(players=players, seats=3, seed=5, budget=7)
    result = play_hosted(Schedule(ladder, (pack_hashes(ladder.mixes[0]),)).plan(0))
    assert (result.why, result.misplays, Spender.budgets) == ("ended", {}, {7})


def python(code: str) -> str:
    """Return the command that runs this code, which finds its join string in `sys.argv[-1]`."""
    return f"run:{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


SITS = """
import asyncio, sys
from netcode.client.client import Client

async def main():
    robin = Client(sys.argv[-1], "Robin", role="bot", keep=False)
    await robin.join()
    {then}

asyncio.run(main())
"""
CRASHES = SITS.format(then="await robin.wait_for(lambda one: one.view is not None); raise KeyError('my own bug')")
LEAVES = SITS.format(then="await robin.wait_for(lambda one: one.view is not None)")
SLEEPS = SITS.format(then="await asyncio.sleep(60)")


@pytest.mark.long(3)
@pytest.mark.parametrize(
    ("code", "why", "fault"),
    [
        ("raise SystemExit(3)", "a player has ended", "it ended with code 3"),
        ("raise SystemExit('no\\nweights \x1b[31m')", "a player has ended", "it ended with code 1: weights (31m"),
        (CRASHES, "a player has ended", "it ended with code 1: KeyError: 'my own bug'"),
        (LEAVES, "a player has ended", "it ended with code 0"),
        ("import time; time.sleep(60)", "a player did not come", "it did not sit down within 5 s"),
        (SLEEPS, "the game stood still", "it has done nothing for 3 s"),
    ],
)
def test_a_command_that_does_not_play_to_the_end_has_failed(
    code: str, why: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr("netcode.lab.hosted.SEATED_S", 5)
    monkeypatch.setattr("netcode.lab.hosted.STILL_S", 3)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    command = python(code)
    plan = replace(plan_with(command), bots=("easy", command, "easy"))
    result = play_hosted(plan)
    assert (result.why, result.winners, result.misplays) == (why, [], {1: 1})
    assert result.refused == [f"seat 1 ({command}): {fault}"]


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
