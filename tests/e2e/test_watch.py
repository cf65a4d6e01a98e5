"""A whole game between bots, from the first cards to the winner, watched on a screen."""

import re
import time

from tests.e2e.hosts_and_players import ProgramRunner

LONGEST_S, GLANCE_S = 300.0, 0.1


def test_a_spectator_sees_a_whole_game_between_bots_up_to_its_winner(runner: ProgramRunner) -> None:
    host = runner.host("--seats", "3", "--bots", "2")
    eve = runner.run("Eve", "watch", host.watch, size=(120, 40))
    eve.wait_for("You are a spectator.")
    guest = runner.run("Guest", "bot", host.join)
    eve.wait_for("Turn 1 ")
    eve.press("B")
    eve.wait_for("fast")

    turns: set[int] = set()
    deadline = time.monotonic() + LONGEST_S
    while "Level by turn" not in (shown := eve.text()):  # the end of the game lies over the table
        assert time.monotonic() < deadline, f"no winner in {LONGEST_S:g} s\n{shown}"
        turn = re.search(r"Turn (\d+) ", shown)
        turns.update([int(turn[1])] if turn else [])
        assert "hands stay hidden" in shown or "What happened" not in shown, f"a hand is shown\n{shown}"
        if "SPACE" in shown:
            eve.press("Space")
        time.sleep(GLANCE_S)

    assert re.search(r"[●■◆] \w[\w ]* 10\b", shown), f"nobody is at Level 10\n{shown}"
    assert len(turns) > 3
    eve.press("Escape")
    eve.press("C-q")
    if "leave" in eve.wait_for(re.compile("leave|Pane is dead"), stands=0.5):  # the host closes the table soon
        eve.choose("leave")
    code, last = eve.ended()
    assert code == 0, f"the spectator ended with {code}\n{last}"
    code, last = guest.ended()
    assert code == 0, f"the guest bot ended with {code}\n{last}"
    assert host.process.wait(10) == 0
