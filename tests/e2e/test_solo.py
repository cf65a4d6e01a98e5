"""A solo game in a real terminal: some turns, leaving, resuming, and a private host that is killed."""

import os
import re
import signal
import time
from pathlib import Path

from netcode.processes.service import process_name
from tests.e2e.fast_player import play
from tests.e2e.hosts_and_players import ProgramRunner
from tests.e2e.tmux_terminal import POLL_S, processes_of

QUIET_S = 1.5
"""After this many seconds, bots have finished acting on Ada's turn."""


def own_row(shown: str) -> tuple[str, ...]:
    """Return Level, strength and number of cards of the player's own seat on this screen."""
    found = re.search(r"● You +(?:▸ +)?(\d+) +(\d+) +(\d+) ", shown)
    assert found is not None, shown
    return found.groups()


def turn_of(shown: str) -> int:
    """Return the number of the turn on this screen."""
    found = re.search(r"Turn (\d+) ", shown)
    assert found is not None, shown
    return int(found[1])


def test_a_solo_game_can_be_left_resumed_and_survives_a_killed_host(runner: ProgramRunner, tmp_path: Path) -> None:
    (tmp_path / "Ada").mkdir()
    (tmp_path / "Ada" / "settings.toml").write_text('speed = "fast"\n')
    ada = runner.run("Ada", "play", "--seed", "7", "--bots", "2", "--name", "Ada")
    shown = ada.wait_for("YOUR FIRST CARDS")
    assert "FIRST CARDS" in shown and shown.count(" 8 ") >= 3
    ada.choose("ready, begin")
    ada.wait_for("BE READY ALL THE SAME?", stands=QUIET_S)
    ada.press("Enter")
    play([ada], until=re.compile(r"Turn ([4-9]|\d\d) [\s\S]*^▌ YOUR TURN", re.MULTILINE))
    ada.wait_for("▌ YOUR TURN", stands=QUIET_S)
    turn = turn_of(ada.text())

    ada.press("C-q")
    ada.wait_for("LEAVE THE TABLE?")
    own = own_row(ada.text())
    ada.choose("leave")
    code, last = ada.ended()
    assert code == 0
    assert "To resume: kickdoor play --resume" in last, f"not told how to return\n{last}"

    back = runner.run("Ada", "play", "--resume")
    shown = back.wait_for("▌ YOUR TURN", stands=0.1)
    assert turn_of(shown) == turn
    assert "● You" in shown, f"not her seat\n{shown}"
    assert own_row(shown) == own

    code, last = runner.run("Ada", "play", "--resume").ended()
    assert code != 0 and "is open in another terminal" in last, f"the game is played here\n{last}"

    (host,) = [
        pid for pid in processes_of(tmp_path)
        if Path(f"/proc/{pid}/comm").read_text().strip() == process_name("netcode.host.main")
    ]  # fmt: skip
    os.kill(host, signal.SIGKILL)  # the screen starts another host, which restores the game
    back.wait_for("NO CONNECTION")
    back.wait_for("▌ YOUR TURN", stands=QUIET_S)
    assert turn_of(back.text()) == turn and own_row(back.text()) == own

    back.press("C-q")
    back.choose("give the seat up")
    back.wait_for("GIVE YOUR SEAT UP FOR GOOD?", stands=QUIET_S)
    back.press("Enter")
    assert back.ended()[0] == 0
    deadline = time.monotonic() + 10
    while processes_of(tmp_path):
        assert time.monotonic() < deadline, "the private host still runs without its player"
        time.sleep(POLL_S)
