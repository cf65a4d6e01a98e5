"""Real terminals for tests: a private tmux server whose screens tests read, and to which they send keys.

Every wait polls until the screen shows the awaited text, or fails with the text of all screens.
"""

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tests.patience import PATIENCE_S

POLL_S = 0.02
KIM_KICKS = re.compile("Kim is about to kick open the door", re.IGNORECASE)
"""The prompt before Kim's kick. It is in capitals for a player who can play nothing."""
READ_S = 0.6
"""How many seconds a prompt must be shown before it is answered: a key does nothing for 0.4 s after its meaning has
changed, since it was meant for the previous question."""

_DEAD = re.compile(r"Pane is dead \((?:status (\d+)|signal)")
"""The text that tmux writes below the output of a program that has ended."""

_RUN = (sys.executable, "-I", "-S", str(Path(__file__).with_name("in_a_pane.py")))

Wanted = str | re.Pattern[str] | Callable[[str], bool]


class Tmux:
    """A private tmux server. As a context manager it ends the server and all programs in it."""

    def __init__(self) -> None:
        self.name = f"kd-e2e-{os.getpid()}-{secrets.token_hex(3)}"
        self.screens: list[Screen] = []
        if shutil.which("tmux") is None:
            raise RuntimeError("these tests need tmux: .ci/run installs it (apt-get install tmux)")

    def __enter__(self) -> "Tmux":
        return self

    def __exit__(self, *_: object) -> None:
        for screen in self.screens:
            screen.kill()
        self.run("kill-server", check=False)

    def run(self, *arguments: str, check: bool = True) -> str:
        """Run a tmux command on this server; return its output. Raise RuntimeError if it fails and `check` is set."""
        outside = {name: value for name, value in os.environ.items() if not name.startswith("TMUX")}
        done = subprocess.run(
            ["tmux", "-L", self.name, "-f", "/dev/null", *arguments], env=outside, capture_output=True, text=True
        )
        if check and done.returncode:
            raise RuntimeError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def open(
        self, title: str, command: Sequence[str], env: dict[str, str], size: tuple[int, int] = (80, 24)
    ) -> "Screen":
        """Open a screen of columns by rows that runs this command with exactly this environment."""
        width, height = size
        bare = [*_RUN, "env", "-i", *(f"{name}={value}" for name, value in env.items()), *command]
        name = f"{title}-{len(self.screens)}"
        self.run(
            "start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "status", "off",
            ";", "new-session", "-d", "-s", name, "-x", str(width), "-y", str(height), *bare,
        )  # fmt: skip
        screen = Screen(self, name)
        self.screens.append(screen)
        return screen

    def all_text(self) -> str:
        """Return the text of every screen, for the message of a failure."""
        return "\n".join(f"===== {screen.name}\n{screen.text()}" for screen in self.screens)


class Screen:
    """One terminal and the program that runs in it."""

    def __init__(self, tmux: Tmux, name: str) -> None:
        self.tmux, self.name = tmux, name
        self.leader = int(self._ask("pane_pid"))

    @property
    def pid(self) -> int:
        """The program's process. Raises AssertionError if none runs."""
        running = self._programs()
        assert running, f"{self.name}: no program runs\n{self.text()}"
        return running[0]

    def _programs(self) -> list[int]:
        try:
            return [int(pid) for pid in Path(f"/proc/{self.leader}/task/{self.leader}/children").read_text().split()]
        except OSError:
            return []  # the leader has ended too

    def _let_tmux_notice(self) -> None:
        """If the program has ended, start another child of tmux that ends at once: tmux may miss the end of a child
        until the next child ends."""
        if not self._programs() and self._ask("pane_dead") == "1" and not _DEAD.search(self.text()):
            self.tmux.run("run-shell", "-b", "true")

    def _ask(self, variable: str) -> str:
        return self.tmux.run("display-message", "-p", "-t", f"={self.name}:", f"#{{{variable}}}").strip()

    def text(self) -> str:
        """Return the text on the screen."""
        return self.tmux.run("capture-pane", "-p", "-t", f"={self.name}:")

    def full_text(self) -> str:
        """Return all text, including what has scrolled off, with wrapped lines joined."""
        return self.tmux.run("capture-pane", "-p", "-J", "-S", "-", "-t", f"={self.name}:")

    # -------------------------------------------------------------------------------------------------------- waiting
    def wait_for(self, wanted: Wanted, timeout: float = PATIENCE_S, stands: float = 0.0) -> str:
        """Return the text on the screen once it contains this text, matches this pattern or satisfies this function.

        timeout: in seconds. stands: for how many seconds it must stay so. Raise AssertionError with all screens.
        """
        deadline = time.monotonic() + timeout
        since: float | None = None
        while True:
            self._let_tmux_notice()
            shown, now = self.text(), time.monotonic()
            since = (since if since is not None else now) if holds(wanted, shown) else None
            if since is not None and now - since >= stands:
                return shown
            if now > deadline:
                raise AssertionError(f"{self.name}: in {timeout:g} s {_failure(wanted)}\n{self.tmux.all_text()}")
            time.sleep(POLL_S)

    def wait_gone(self, text: str, timeout: float = PATIENCE_S) -> str:
        """Return the text on the screen once it no longer contains this."""
        return self.wait_for(Not(text), timeout)

    def resize(self, width: int, height: int) -> None:
        """Resize the terminal to columns by rows."""
        self.tmux.run("resize-window", "-t", f"={self.name}:", "-x", str(width), "-y", str(height))

    # ----------------------------------------------------------------------------------------------------------- keys
    def press(self, *keys: str) -> None:
        """Press keys by tmux's names: `Space`, `Enter`, `Escape`, `C-q`, `1`."""
        self.tmux.run("send-keys", "-t", f"={self.name}:", *keys)

    def type(self, text: str) -> None:
        """Type text literally."""
        self.tmux.run("send-keys", "-t", f"={self.name}:", "-l", text)

    def choose(self, label: str, timeout: float = PATIENCE_S) -> None:
        """Press the key of the choice that begins with this label, turning the pages of the menu to find it."""
        entry = entry_of(label)
        deadline = time.monotonic() + timeout
        while True:
            offered = _Offered(entry, label)
            shown = self.wait_for(offered, max(0.1, deadline - time.monotonic()), READ_S)
            found = entry.search(shown)
            if found is not None:
                self.press(KEYS.get(found[1], found[1]))
                return
            self.press("0")

    def space(self, when: Wanted) -> None:
        """Press SPACE once the screen shows this."""
        self.wait_for(when, stands=READ_S)
        self.press("Space")

    # --------------------------------------------------------------------------------------------------------- ending
    def ended(self, timeout: float = PATIENCE_S) -> tuple[int, str]:
        """Wait until the program has ended; return its exit code (128 and more: it was killed) and its output."""
        deadline = time.monotonic() + timeout
        while (last := _DEAD.search(shown := self.full_text())) is None:
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.name}: still running after {timeout:g} s\n{self.tmux.all_text()}")
            self._let_tmux_notice()
            time.sleep(POLL_S)
        return int(last[1] or -1), shown[: last.start()].strip()

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Kill the program that runs here, as a crash would."""
        for pid in self._programs():
            with suppress(ProcessLookupError):  # it has ended just now
                os.kill(pid, number)


KEYS = {"SPACE": "Space", "ENTER": "Enter", "ESC": "Escape"}
"""Keys as the screen writes them, and by tmux's names where they differ."""


def entry_of(label: str) -> re.Pattern[str]:
    """Return a pattern for a choice with this label on the screen; its first group is the key. The key is in brackets
    or alone. Between key and label there may be a check box and the shape of a seat."""
    key = r"(?:(?<=\[)|(?<=[\s▌│|]))([1-9a-zA-Z]|SPACE|ENTER|ESC)\]? {1,2}"
    return re.compile(rf"{key}(?:\[[ x]\] )?(?:[●■◆▲★▼] )?{re.escape(label)}")


class Not:
    """The absence of a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, shown: str) -> bool:
        return self.text not in shown

    def __repr__(self) -> str:
        return f"{self.text!r} never went away"


class _Offered:
    """A menu that has this entry, or further pages that may have it."""

    def __init__(self, entry: re.Pattern[str], label: str) -> None:
        self.entry, self.label = entry, label

    def __call__(self, shown: str) -> bool:
        return bool(self.entry.search(shown)) or bool(re.search(r"\b0\]? +more", shown))

    def __repr__(self) -> str:
        return f"no entry {self.label!r} to choose"


def holds(wanted: Wanted, shown: str) -> bool:
    """Return whether the text of a screen is as wanted."""
    if isinstance(wanted, str):
        return wanted in shown
    return bool(wanted.search(shown)) if isinstance(wanted, re.Pattern) else wanted(shown)


def _failure(wanted: Wanted) -> str:
    if isinstance(wanted, str):
        return f"{wanted!r} never appeared"
    return f"/{wanted.pattern}/ never matched" if isinstance(wanted, re.Pattern) else f"{wanted!r}"


def processes_of(folder: Path) -> list[int]:
    """Return the ids of processes whose data folder is in this folder, such as the private host of a solo game."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue  # it has ended, or belongs to another user
        if f"KICKDOOR_DATA={folder}".encode() in environment:
            found.append(int(entry.name))
    return found
