"""A program that speaks the protocol plays a whole game of a ladder at a real host."""

import shlex
import sys

from msgspec.structs import replace

from netcode.lab.ladder import Ladder, Schedule
from netcode.lab.records import play_recorded
from netcode.simulation.plan import pack_hashes

BOT = f"run:{shlex.quote(sys.executable)} -m tui bot {{join}} --level easy"


def test_a_command_plays_a_whole_game() -> None:
    ladder = Ladder(players=("easy", BOT), seats=3, seed=5)
    plan = Schedule(ladder, (pack_hashes(ladder.mixes[0]),)).plan(0)
    game = play_recorded(replace(plan, bots=("easy", BOT, "easy")))
    assert game.why == "ended" and game.winners and not game.misplays, game
    assert game.turns > 3
    assert len(game.levels) == -(-game.turns // 3) and game.levels[0] == (1, 1, 1)
    assert {seat for seats in game.played.values() for seat in seats} == {0, 1, 2}
