"""A table of three in real terminals through one whole game: `python -m tests.e2e.whole_table` prints what was seen.

The host runs in a terminal too. One player's terminal is killed, and `kickdoor join` alone brings them back; one opens
a second terminal, which takes the seat over; the host is ended by Ctrl-C and started again by the same command. The
first turns are played by keys; then the owner lets bots play the two other seats, because a game takes people an hour.
"""

import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.e2e.fast_player import answer_to
from tests.e2e.hosts_and_players import ProgramRunner
from tests.e2e.ssh_server import free_port
from tests.e2e.tmux_terminal import READ_S, Screen

NAMES = ("Kim", "Roger", "Ann")
WORDS = re.compile(r"kickdoor join (127\.0\.0\.1:\d+) (\w+-\w+-\d+)")
TURN = re.compile(r"Turn (\d+) ")
OVER = "Turning point"
LONGEST_S = 1200.0


class Report:
    """Prints what was seen, each line with the seconds since the beginning."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def __call__(self, text: str) -> None:
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)


def played(play: Callable[[ProgramRunner, Report], None]) -> int:
    """Play a game with programs that end with it; return the exit code. Raises AssertionError with all screens if
    something is not as it should."""
    with tempfile.TemporaryDirectory(prefix="kd-whole-") as folder:
        runner = ProgramRunner(Path(folder))
        try:
            play(runner, Report())
        finally:
            runner.close()
    return 0


def _play(runner: ProgramRunner, seen: Report) -> None:
    command = ("host", "--seats", "3", "--pace", "quick", "--port", str(free_port()))
    host = runner.run("host", *command, size=(120, 50))
    found = WORDS.search(host.wait_for(WORDS))
    assert found is not None
    seen(f"the host prints its lines, among them: {found[0]}")
    screens: dict[str, Screen] = {}
    for name in NAMES:  # the first one owns the table
        screens[name] = runner.run(name, "join", found[1], found[2], "--name", name)
        screens[name].wait_for("Press y when you are ready", stands=0.1)
    for screen in screens.values():
        screen.press("y")
    for screen in screens.values():
        screen.wait_for("FIRST CARDS")
    seen("three people sat down by words, and have their first cards")
    by_keys(screens, 3)
    seen("two turns were played by keys")

    screens["Ann"].kill()
    screens["Ann"].ended()
    screens["Kim"].wait_for(re.compile(r"Ann[\s\S]*?offline"))
    screens["Ann"] = _timed(seen, "Ann's terminal was killed; `kickdoor join` alone has her table", runner, "Ann")

    first = screens["Roger"]
    second = runner.run("Roger", "join")
    second.wait_for("You sit here in another terminal", stands=0.1)
    second.press("y")
    second.wait_for(TURN)
    code, last = first.ended()
    assert code == 1 and "joined again from elsewhere" in last, last
    seen(f"Roger's second terminal took the seat over; the first one ended: {last.splitlines()[-1]}")
    screens["Roger"] = second
    by_keys(screens, newest_turn(screens) + 2)
    seen(f"turn {newest_turn(screens)} was reached by keys")

    host.press("C-c")
    code, last = host.ended()
    seen(f"Ctrl-C ended the host with {code}")
    for screen in screens.values():
        screen.wait_for("NO CONNECTION")
        screen.wait_for("host has stopped")
    again = runner.run("host", *command, size=(120, 50))
    began = time.monotonic()
    again.wait_for("Ctrl-C stops the host")
    for screen in screens.values():
        screen.wait_gone("NO CONNECTION")
        screen.wait_gone("host has stopped")
    seen(f"the host is back, and so are all three, {time.monotonic() - began:.1f} s after its start, without a key")
    restored = WORDS.search(again.text())
    assert restored is not None and restored[0] == found[0], "other words"

    by_keys(screens, newest_turn(screens) + 1)
    seen(f"turn {newest_turn(screens)} was reached by keys")
    to_the_end(runner, screens, seen)


def to_the_end(runner: ProgramRunner, screens: dict[str, Screen], seen: Report) -> None:
    """Let bots play for all but the first, the owner, who plays by keys to the end; then everybody leaves."""
    owner, *others = screens
    let_bots_play(screens[owner], others)
    deadline = time.monotonic() + LONGEST_S
    while OVER not in (shown := screens[owner].text()):
        assert time.monotonic() < deadline, runner.tmux.all_text()
        if key := answer_to(shown):
            screens[owner].press(key)
        time.sleep(READ_S)
    for name, screen in screens.items():
        shown = screen.wait_for(OVER, stands=READ_S)
        winner = re.search(r"[●■◆▲] (\w+)[^\n]* 10\b", shown)
        seen(f"{name} sees the end of the game: {winner[0].strip() if winner else shown.splitlines()[0]}")
    for name, screen in screens.items():
        screen.press("Escape")
        screen.wait_gone(OVER)
        screen.press("C-q")  # nothing is asked: the game is over
        code, last = screen.ended()
        seen(f"{name} left with {code}: {last.splitlines()[-1] if last else ''}")


def _timed(seen: Report, what: str, runner: ProgramRunner, name: str) -> Screen:
    began = time.monotonic()
    screen = runner.run(name, "join")
    screen.wait_for(TURN)
    seen(f"{what}, {time.monotonic() - began:.1f} s after the command")
    return screen


def newest_turn(screens: dict[str, Screen]) -> int:
    """Return the newest turn that a screen shows; 0: none."""
    return max((int(found[1]) for one in screens.values() if (found := TURN.search(one.text()))), default=0)


def by_keys(screens: dict[str, Screen], turn: int) -> None:
    """Play by keys until this turn."""
    deadline = time.monotonic() + LONGEST_S
    while newest_turn(screens) < turn:
        assert time.monotonic() < deadline, next(iter(screens.values())).tmux.all_text()
        for screen in screens.values():
            if key := answer_to(screen.text()):
                screen.press(key)
        time.sleep(READ_S)


def let_bots_play(owner: Screen, names: Sequence[str]) -> None:
    """Let bots play the seats of these others."""
    for name in names:
        owner.press("a")
        owner.choose(f"{name}:")  # without the colon it is also `Turn 6 ■ Roger` over the table
        owner.choose("let a bot play")


if __name__ == "__main__":
    sys.exit(played(_play))
