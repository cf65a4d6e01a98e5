"""Games with a command that speaks the protocol: at a real host, recorded like all others."""

import shlex
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from netcode.lab.commands import check_command, is_command, words_of
from netcode.lab.hosted import play_hosted
from netcode.lab.ladder import Ladder, Schedule
from netcode.lab.records import play_recorded
from netcode.simulation.plan import GamePlan, pack_hashes

ROOT = Path(__file__).resolve().parents[3]
BOT = f"run:{shlex.quote(sys.executable)} -m tui bot {{join}} --level easy"


def plan_with(command: str) -> GamePlan:
    ladder = Ladder(players=("easy", command), seats=3, seed=5)
    return Schedule(ladder, (pack_hashes(ladder.mixes[0]),)).plan(0)


def test_a_command_plays_a_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    game = play_recorded(replace(plan_with(BOT), bots=("easy", BOT, "easy")))
    assert game.why == "ended" and game.winners and not game.misplays, game
    assert game.turns > 3
    assert len(game.levels) == -(-game.turns // 3) and game.levels[0] == (1, 1, 1)
    assert {seat for seats in game.played.values() for seat in seats} == {0, 1, 2}


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
