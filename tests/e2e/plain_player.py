"""Plays `kickdoor play --plain` through a pipe: it answers what is printed, as a script would."""

import os
import random
import re
import select
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CHOICE = re.compile(r"(\d+)\. (.+)")
_LAST = ("send this offer", "give it away", "pass", "give up and run", "end your turn")


class PlainPlayer:
    """A process with pipes. lines: everything that it has printed."""

    def __init__(
        self, home: Path, *args: str, seed: int = 1, program: Sequence[str] = (sys.executable, "-m", "tui"),
        **environment: str,
    ) -> None:  # fmt: skip
        home.mkdir(parents=True, exist_ok=True)
        (home / "settings.toml").write_text('speed = "fast"\nwaits = "on me"\n')
        env = {
            **os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "KICKDOOR_DATA": str(home / "data"),
            "KICKDOOR_CONFIG": str(home / "settings.toml"), "PYTHONIOENCODING": "utf-8", **environment,
        }  # fmt: skip
        self.process = subprocess.Popen(
            [*program, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=env, cwd=ROOT,
        )  # fmt: skip
        self.lines: list[str] = []
        self.choices: list[str] = []
        self.asked: set[str] = set()
        """The questions, for tests that check which kinds were reached."""
        self._rest = b""
        self._unread: deque[str] = deque()
        self._random = random.Random(seed)

    def say(self, text: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n".encode())
        self.process.stdin.flush()

    def next(self, seconds: float) -> str | None:
        """Return the next line; wait for it this long (s). None: no line came."""
        assert self.process.stdout is not None
        if not self._unread and select.select([self.process.stdout], [], [], seconds)[0]:
            self._rest += os.read(self.process.stdout.fileno(), 65536)
            *lines, self._rest = self._rest.split(b"\n")
            found = [line.decode() for line in lines]
            self.lines += found
            self._unread.extend(found)
        return self._unread.popleft() if self._unread else None

    def until(self, words: str, seconds: float = 60.0) -> str:
        """Read until a line has these words; return it. Raise AssertionError after this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            line = self.next(0.2)
            if line is not None and words in line:
                return line
        raise AssertionError(f"{words!r} was never said:\n" + "\n".join(self.lines[-40:]))

    def play(self, seconds: float) -> None:
        """Answer every question until the game is over. Raise AssertionError after this time, or if the program
        ends."""
        if not self._answers(seconds, lambda: False):
            raise AssertionError("the game is not over:\n" + "\n".join(self.lines[-40:]))

    def play_until(self, done: Callable[[], bool], seconds: float) -> None:
        """Do as `play`, until this holds; the game must not end before."""
        if self._answers(seconds, done) or not done():
            raise AssertionError("it has not come so far:\n" + "\n".join(self.lines[-40:]))

    def _answers(self, seconds: float, done: Callable[[], bool]) -> bool:
        """Answer every question for this time, until the game is over or this holds; return whether it is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not done():
            line = self.next(0.5)
            if line is None and self.process.poll() is not None:
                break
            line = line or ""
            if line.startswith("You are asked: The game is over"):
                return True
            self._answer(line)
        return False

    def _answer(self, line: str) -> None:
        choice = _CHOICE.fullmatch(line)
        if line.startswith("You are asked: "):
            self.choices = []
            self.asked.add(line.removeprefix("You are asked: "))
        elif choice is not None and int(choice[1]) == len(self.choices) + 1:
            self.choices.append(choice[2])
        elif line == "Answer yes or no.":
            self.say("yes")
        elif line.startswith("There is nothing to choose from"):
            self.say("none")
        elif line.startswith("Answer with all"):
            self.say(" ".join(re.findall(r"\d+", line)))
        elif line.startswith("That is "):  # too few of a set, or not worth enough
            everything = " ".join(str(number) for number in range(1, len(self.choices) + 1))
            self.say("back" if self._random.random() < 0.5 else everything)
        elif line.startswith("Answer ") and self.choices:
            self.say(str(self._choose()))
        elif line.startswith("An empty line goes on"):
            self.say("")

    def _choose(self) -> int:
        """Return the number of a choice; it usually ends offers and turns, and sends nobody away before the game."""
        if "ready" in self.choices:
            return self.choices.index("ready") + 1
        closing = [number for number, words in enumerate(self.choices, 1) if words.startswith(_LAST)]
        if closing and self._random.random() < 0.5:
            return closing[0]
        return self._random.randint(1, len(self.choices))

    def end(self) -> int:
        """Close the input, read the rest, return the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        deadline = time.monotonic() + 20
        while self.process.poll() is None:
            assert time.monotonic() < deadline, "it does not end with its input"
            self.next(0.2)
        while self.next(0.2) is not None:
            pass
        return self.process.returncode

    def close(self) -> None:
        """Kill the process if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
