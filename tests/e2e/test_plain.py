"""The game as lines, in separate processes: whole games through a pipe, a file, the end of input, resuming."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cards import BUILT_IN
from tests.e2e.plain_player import ROOT, PlainPlayer

WHOLE_GAME_S = 420
SETS = BUILT_IN if os.environ.get("KICKDOOR_PLAIN_SETS") == "all" else BUILT_IN[:1]
"""The sets whose games are played; each game takes a minute or two."""


@pytest.mark.parametrize("pack", SETS)
def test_a_whole_game_of_each_set_is_played_through_a_pipe(pack: str, tmp_path: Path) -> None:
    player = PlainPlayer(tmp_path, "play", "--plain", "--ascii", "--set", pack, "--bots", "2", "--seed", "7",
                         "--name", "Ada")  # fmt: skip
    try:
        player.play(WHOLE_GAME_S)
        player.say("leave")
        player.until("The game is over. To watch it again")
        assert player.end() == 0
    finally:
        player.close()
    text = "\n".join(player.lines)
    assert text.isascii() and "\x1b" not in text
    assert not [line for line in player.lines if "Traceback" in line]
    assert len(player.asked) > 10


def test_the_end_of_the_input_leaves_politely_and_the_game_is_resumed(tmp_path: Path) -> None:
    player = PlainPlayer(tmp_path, "play", "--plain", "--bots", "2", "--seed", "7", "--name", "Ada")
    try:
        player.until("Answer ")
        for words, found in (("hand", "Your hand, "), ("table", "wins the game."), ("read a", "Played "),
                             ("seat gilda", "Gilda, a bot that plays normal: keeps accounts"),
                             ("help", "Answer a question"), ("99", "There is no 99"),
                             ("hm", "Not understood: hm.")):  # fmt: skip
            player.say(words)
            player.until(found)
        assert player.end() == 0
        assert "To resume: kickdoor play --resume --plain" in player.lines[-1]
    finally:
        player.close()
    back = PlainPlayer(tmp_path, "play", "--plain", "--resume")
    try:
        back.until("Resumed where you left")
        back.until("Answer ")
        back.say("quit")
        back.until("give the seat up")
        back.until("Answer ")
        back.say("2")
        back.until("Answer yes or no.")
        back.say("yes")
        back.until("You gave your seat up")
    finally:
        back.close()


def test_a_file_is_read_line_by_line_as_questions_come(tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("hand\nready\nyes\n")
    env = {**os.environ, "KICKDOOR_DATA": str(tmp_path / "data"), "KICKDOOR_CONFIG": str(tmp_path / "s.toml"),
           "TERM": "dumb", "PYTHONPATH": str(ROOT)}  # fmt: skip
    with answers.open() as file:
        done = subprocess.run(
            [sys.executable, "-m", "tui", "play", "--plain", "--bots", "2", "--seed", "7", "--name", "Ada"],
            stdin=file, capture_output=True, text=True, timeout=90, env=env,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Your hand, 8 cards." in done.stdout and "Turn 1: " in done.stdout
    assert done.stdout.endswith("To resume: kickdoor play --resume --plain\n")
