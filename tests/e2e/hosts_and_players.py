"""Starts hosts as real processes, and players in terminals, each with their own home directory."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.e2e.tmux_terminal import Screen, Tmux, processes_of
from tui.widgets import digits

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-m", "tui")
SCENARIOS = ROOT / "cards" / "munchkins-and-mazes" / "scenarios"
RACE = str(ROOT / "tests" / "e2e" / "race.toml")
"""A scenario: Kim is about to fight, and both others hold a one-shot for that fight."""
STOP_S = 5.0


class Host:
    """A running `kickdoor host`: its strings, its process."""

    def __init__(self, process: "subprocess.Popen[str]", strings: dict[str, Any]) -> None:
        self.process, self.strings = process, strings
        self.join, self.watch, self.owner = strings["join"], strings["watch"], strings["owner"]

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stop the host, as Ctrl-C does; with SIGKILL as a power cut does."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(STOP_S)


class ProgramRunner:
    """Runs the hosts and players of one test, each with a folder of its own, and ends them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tmux = Tmux()
        self.hosts: list[Host] = []

    def close(self) -> None:
        """End hosts, terminals and remaining processes, by process id."""
        for host in self.hosts:
            host.stop()
        self.tmux.__exit__()
        for pid in processes_of(self.folder):
            os.kill(pid, signal.SIGKILL)

    def env(self, who: str) -> dict[str, str]:
        """Return the environment of a player: a separate home, and no variables of the tests' environment."""
        home = self.folder / who
        home.mkdir(exist_ok=True)
        return {
            "HOME": str(home), "KICKDOOR_DATA": str(home / "data"), "KICKDOOR_CONFIG": str(home / "settings.toml"),
            "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "screen-256color", "LANG": "C.UTF-8",
        }  # fmt: skip

    def host(self, *options: str, port: int = 0) -> Host:
        """Start a host on loopback, at a free port unless one is named, and read its strings."""
        command = [*PROGRAM, "host", "--json", "--port", str(port), "--bind", "127.0.0.1", *options]
        with open(self.folder / "host.log", "a", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, env=self.env("host"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            process.wait(STOP_S)
            raise AssertionError(f"the host did not start: {(self.folder / 'host.log').read_text()}")
        host = Host(process, json.loads(line))
        self.hosts.append(host)
        return host

    def run(self, who: str, *arguments: str, size: tuple[int, int] = (80, 24)) -> Screen:
        """Run a command of kickdoor in a terminal of this player."""
        return self.tmux.open(who, [*PROGRAM, *arguments], self.env(who), size)

    def join(self, who: str, string: str, size: tuple[int, int] = (80, 24)) -> Screen:
        """Let this player join under their name."""
        return self.run(who, "join", string, "--name", who, size=size)

    def sit_down(self, string: str, names: Sequence[str], size: tuple[int, int] = (80, 24)) -> list[Screen]:
        """Let everybody join and be ready; return their screens once the game has begun."""
        screens = [self.join(name, string, size) for name in names]
        for screen in screens:
            screen.wait_for("Press y when you are ready", stands=0.1)
            screen.press("y")
        for screen in screens:
            screen.wait_for("Table")
        return screens


def hand_of(screen: Screen) -> list[str]:
    """Return the two rows with the names of the cards in the hand on this screen of 80 by 24."""
    shown = screen.wait_for(re.compile(r"^▌", re.MULTILINE), stands=0.3).splitlines()
    prompt = max(at for at, line in enumerate(shown) if line.startswith("▌"))
    while shown[prompt - 1].startswith("▌"):  # a note over the seats has the same edge
        prompt -= 1
    return [" ".join(re.sub(r"[│▸]", " ", line).split()) for line in shown[prompt - 4 : prompt - 2]]


def wrapped(words: str) -> re.Pattern[str]:
    """Return a pattern of these words where a note or a prompt says them, in one row or in several."""
    return re.compile(r"(?: |[^\n]*\n▌ )".join(map(re.escape, words.split(" "))))


def log_says(screen: Screen, wanted: str | re.Pattern[str]) -> str:
    """Open the log, wait until it says this, close it; return what it showed."""
    screen.press("l")
    shown = screen.wait_for(wanted)
    screen.press("Escape")
    screen.wait_gone("the newest last")
    return shown


def be_ready(screen: Screen) -> None:
    """Be ready with the first cards, even if more could be laid out."""
    screen.choose("ready, begin")
    if "BE READY ALL THE SAME?" in screen.wait_for(re.compile("BE READY ALL THE SAME|WAITING|Turn 1 "), stands=1.0):
        screen.press("Enter")


def fights_at(heroes: int, foes: int = -1) -> Callable[[str], bool]:
    """Return whether a screen shows a fight with these sums. foes: -1 for any sum."""

    def holds(shown: str) -> bool:
        found = numbers_of(shown)
        return len(found) >= 2 and found[0] == heroes and foes in (-1, found[1])

    return holds


def numbers_of(shown: str) -> list[int]:
    """Return the numbers that a screen shows in large digits, from left to right."""
    return _of_height(shown, digits.SMALL) or _of_height(shown, digits.LARGE)


def _of_height(shown: str, height: int) -> list[int]:
    lines = [line.ljust(200) for line in shown.splitlines()]
    signs = {str(digit): digits.rows(str(digit), height) for digit in range(10)}
    for y in range(max(0, len(lines) - height + 1)):
        found = []
        for x in range(160):
            for sign, rows in signs.items():
                wide = len(rows[0])
                if all(lines[y + row][x : x + wide] == rows[row] for row in range(height)):
                    found.append((x, wide, sign))
        if found:
            return _joined(found)
    return []


def _joined(found: list[tuple[int, int, str]]) -> list[int]:
    """Return the numbers formed by digits that stand one cell apart. found: column, width, digit."""
    texts: list[str] = []
    end = -9
    for x, wide, sign in found:
        if x < end:
            continue
        texts = [*texts[:-1], texts[-1] + sign] if x == end + 1 else [*texts, sign]
        end = x + wide
    return [int(text) for text in texts]
