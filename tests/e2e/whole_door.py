"""Three people's terminals through one whole game by ssh: `python -m tests.e2e.whole_door` prints what was seen.

`kickdoor serve` runs in a terminal too. One guest's ssh is killed, and the key brings the seat back from another home;
one comes in a second time, which ends the first; Ctrl-C at the door asks, and closes it at the second time; then the
same command opens it again, and all three come back by their keys. The first turns are played by keys; then the owner
lets bots play the two other seats, because a game takes people an hour.
"""

import re
import sys
import time

from tests.e2e.hosts_and_players import PROGRAM, ProgramRunner
from tests.e2e.ssh_door import Way
from tests.e2e.ssh_server import free_port
from tests.e2e.tmux_terminal import Screen
from tests.e2e.whole_table import TURN, Report, by_keys, newest_turn, played, to_the_end

NAMES = ("kim", "roger", "ann")
OPEN = re.compile(r"words: (\w+-\w+-\d+)[\s\S]*Ctrl-C closes the door")


def _play(runner: ProgramRunner, seen: Report) -> None:
    port = free_port()
    door, words = _open(runner, port)
    way = Way(runner, port, words)
    seen(f"the door is open; its words: {words}")
    screens = {name: way.sit_down(name) for name in NAMES}  # the first one owns the table
    for screen in screens.values():
        screen.press("y")
    for screen in screens.values():
        screen.wait_for("FIRST CARDS")
    seen("three people sat down with ssh and the words, and have their first cards")
    by_keys(screens, 3)
    seen("two turns were played by keys")

    screens["ann"].kill()
    screens["ann"].ended()
    began = time.monotonic()
    screens["ann"] = way.come("ann", home="Elsewhere")
    screens["ann"].wait_for(TURN)
    seen(f"Ann's ssh was killed; her key has her seat {time.monotonic() - began:.1f} s after the command")

    first = screens["roger"]
    screens["roger"] = way.come("roger")
    screens["roger"].wait_for(TURN)
    _, last = first.ended()
    assert "come in again from another place" in last, last
    seen("Roger came in a second time; the first session ended and says why")
    by_keys(screens, newest_turn(screens) + 2)
    seen(f"turn {newest_turn(screens)} was reached by keys")

    door.press("C-c")
    asked = door.wait_for("are in. Their seats are kept.")
    assert all(name in asked for name in NAMES), asked
    door.press("C-c")
    code, _ = door.ended()
    for screen in screens.values():
        _, last = screen.ended()
        assert "The door closes now, and your seat is kept" in last, last
    seen(f"Ctrl-C said who is in; the second one closed the door with {code}, and all three read it")
    began = time.monotonic()
    door, again = _open(runner, port)
    assert again == words, "other words"
    screens = {name: way.come(name) for name in NAMES}
    for screen in screens.values():
        screen.wait_for(TURN)
    seen(f"the same command opened it; all three are back by their keys after {time.monotonic() - began:.1f} s")
    by_keys(screens, newest_turn(screens) + 1)
    seen(f"turn {newest_turn(screens)} was reached by keys")
    to_the_end(runner, screens, seen)


def _open(runner: ProgramRunner, port: int) -> tuple[Screen, str]:
    """Open the door in a terminal; return the terminal and the words."""
    command = [*PROGRAM, "serve", "--seats", "3", "--pace", "quick", "--port", str(port)]
    screen = runner.tmux.open("door", command, runner.env("door"), (120, 50))
    found = OPEN.search(screen.wait_for(OPEN))
    assert found is not None
    return screen, found[1]


if __name__ == "__main__":
    sys.exit(played(_play))
