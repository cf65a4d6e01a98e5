"""A program in a pseudo terminal, whose screen pyte emulates."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pyte

from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
UNSET = ("COLORTERM", "COLUMNS", "LINES", "SSH_CONNECTION")
"""Environment variables by which the terminal of the test runner describes itself."""


class Terminal:
    """`python -m tui ARGS` (or `python -c CODE`) in a terminal of a given size in cells. Close it when done."""

    def __init__(
        self, *args: str, size: tuple[int, int] = (80, 24), home: Path, code: str = "", new: bool = False,
        within: Sequence[str] = (), **environment: str,
    ) -> None:  # fmt: skip
        """new: the program was never started in this home, so the first start offers the first game. within: a command
        that runs it (as `ip netns exec NAME`)."""
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""
        self.status: int | None = None
        inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
        env = {
            **inherited, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"), "KICKDOOR_CONFIG": str(home / "settings.toml"), **environment,
        }  # fmt: skip
        if new:
            env.pop("KICKDOOR_DATA", None)  # a folder that others use
        else:
            data = Path(env.get("KICKDOOR_DATA", home / "data" / "kickdoor"))
            (data / "replays").mkdir(parents=True, exist_ok=True)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # set the size before the program reads it
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # as a shell starts it, even if these tests ignore Ctrl+C
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            what = ["-c", code] if code else ["-m", "tui", *args]
            command = [*within, sys.executable, *what]
            os.execvpe(command[0], command, env)

    def read(self, seconds: float) -> bytes:
        """Read and return the output within this time."""
        got = b""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                break
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            if not data:
                break
            got += data
            self.stream.feed(data)
        self.bytes += got
        return got

    def until(self, words: str, seconds: float = PATIENCE_S) -> str:
        """Read until the screen shows the words; return its text. Raise AssertionError after this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if words in self.text():
                return self.text()
            self.read(0.05)
        raise AssertionError(f"{words!r} never appeared:\n{self.text()}")

    def until_gone(self, words: str, seconds: float = PATIENCE_S) -> str:
        """Read until the screen does not show the words; return its text. Raise AssertionError after this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if words not in self.text():
                return self.text()
            self.read(0.05)
        raise AssertionError(f"{words!r} never went:\n{self.text()}")

    def press_until(self, keys: str, words: str, seconds: float = PATIENCE_S) -> str:
        """Press keys every half second until the screen shows the words; return its text.

        They are repeated since the table ignores keys just after a change. Raise AssertionError after this time.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.press(keys)
            stop = time.monotonic() + 0.5
            while time.monotonic() < stop:
                self.read(0.05)
                if words in self.text():
                    return self.text()
        raise AssertionError(f"{words!r} never appeared:\n{self.text()}")

    def press_until_gone(self, keys: str, words: str, seconds: float = PATIENCE_S) -> str:
        """Press keys every half second until the screen does not show the words; return its text. Raise AssertionError
        after this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.press(keys)
            stop = time.monotonic() + 0.5
            while time.monotonic() < stop:
                self.read(0.05)
                if words not in self.text():
                    return self.text()
        raise AssertionError(f"{words!r} never went:\n{self.text()}")

    def at_rest(self, seconds: float = PATIENCE_S) -> str:
        """Read until the screen stays the same for a second; return its text. Raise AssertionError if it never does."""
        end, before = time.monotonic() + seconds, ""
        while time.monotonic() < end:
            self.read(1.0)
            if self.text() == before:
                return before
            before = self.text()
        raise AssertionError(f"the screen changes all the time:\n{self.text()}")

    def text(self) -> str:
        """Return the text on the screen."""
        return "\n".join(self.screen.display)

    def press(self, keys: str) -> None:
        """Send these keys."""
        os.write(self.fd, keys.encode())

    def wait(self, seconds: float = PATIENCE_S) -> int:
        """Read until the program ends; return its exit code. Raise AssertionError if it is still running."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.read(0.1)
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
        raise AssertionError(f"the program did not end:\n{self.text()}")

    def close(self) -> None:
        """Kill the program if it is still running."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
