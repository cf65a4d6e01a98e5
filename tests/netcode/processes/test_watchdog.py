"""A watchdog runs one service after another: it sends each its settings, reads its lines, and ends it when it hangs."""

import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

import pytest

from netcode.processes import watchdog
from netcode.processes.watchdog import NOT_STARTED, Process, Restarts, Watchdog

ECHO = "import sys; print(sys.stdin.readline().strip(), flush=True); sys.exit(len(sys.stdin.readline()))"
"""Writes its settings, then ends with the length of its first order as exit code."""
SILENT = "import time; time.sleep(60)"
DEAF = "import time; print('up', flush=True); time.sleep(60)"
"""Ignores the end of its standard input."""


class Recorded(Watchdog):
    """Runs these programs in turn, and then no other. None stands for a program that the system cannot start."""

    def __init__(self, programs: Sequence[str | None]) -> None:
        super().__init__()
        self.programs = list(programs)
        self.codes: list[int] = []
        self.lines: list[bytes] = []
        self.spoke = threading.Event()

    def start(self) -> Process:
        program = self.programs.pop(0)
        if program is None:
            raise OSError(11, "Resource temporarily unavailable")
        command = [sys.executable, "-c", program]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def settings(self) -> bytes:
        return b"the settings\n"

    def heard(self, line: bytes) -> None:
        self.lines.append(line)
        self.tell(b"12345\n")
        self.spoke.set()

    def again(self, code: int) -> float | None:
        self.codes.append(code)
        return 0.0 if self.programs else None


def test_each_service_has_its_settings_and_orders_and_is_followed_by_the_next() -> None:
    dog = Recorded([ECHO, None, ECHO])
    assert dog.run() == 6
    assert dog.codes == [6, NOT_STARTED, 6]
    assert dog.lines == [b"the settings\n"] * 2


def test_a_service_that_shows_no_sign_of_life_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "BEAT_S", 0.05)
    monkeypatch.setattr(Recorded, "patience", 3)
    dog = Recorded([SILENT])
    assert dog.run() == -signal.SIGKILL


def test_one_that_does_not_end_when_it_is_told_to_is_killed_and_no_other_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Recorded, "end_s", 0.1)
    dog = Recorded([DEAF, ECHO])
    dog.begin()
    assert dog.spoke.wait(30)
    dog.close()
    assert dog.process is not None and dog.process.returncode == -signal.SIGKILL
    assert dog.codes == [] and dog.programs == [ECHO]


def test_a_pause_ends_when_the_watchdog_is_told_to_stop() -> None:
    class Pausing(Recorded):
        def again(self, code: int) -> float:
            super().again(code)
            self.spoke.set()
            return 3600.0

    dog = Pausing([None])
    dog.begin()
    assert dog.spoke.wait(30)
    dog.close()
    assert dog.codes == [NOT_STARTED]


def test_more_ends_than_allowed_within_the_time_make_a_pause() -> None:
    few = Restarts(2, 60.0, 5.0)
    assert [few.pause() for _ in range(4)] == [0.0, 0.0, 5.0, 5.0]
    quick = Restarts(1, 0.0, 5.0)
    assert [quick.pause() for _ in range(3)] == [0.0, 0.0, 0.0], "the last one was long enough ago"
