"""`kickdoor host` as a user starts it, with its default journal in a data folder of the test's own."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from netcode.processes.service import process_name
from tests.faults.kill_runs import ROOT
from tests.netcode.running_host import until
from tests.patience import PATIENCE_S

PROGRAM = (sys.executable, "-m", "tui")


class DefaultHost:
    """One `kickdoor host` after another. home: the data folder. strings: what the last one printed."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.strings: dict[str, Any] = {}
        self.process: subprocess.Popen[bytes] | None = None

    async def start(
        self, *options: str, errors: int | None = None, program: Sequence[str] = PROGRAM, **env: str
    ) -> dict[str, Any]:
        """Start it with these options and return its strings. errors: where standard error goes, None: to a file. env:
        more of the environment. Raises AssertionError if it prints none."""
        command = [*program, "host", "--json", "--seats", "3", *options]
        self.temporary.mkdir(parents=True, exist_ok=True)
        with open(self.home / "host.err", "ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log if errors is None else errors, cwd=ROOT,
                env={**os.environ, "KICKDOOR_DATA": str(self.home), "TMPDIR": str(self.temporary), **env},
            )  # fmt: skip
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert line, f"the host did not start: {self.errors[-2000:]}"
        self.strings = json.loads(line)
        return self.strings

    @property
    def temporary(self) -> Path:
        """The folder for temporary files."""
        return self.home / "tmp"

    @property
    def pid(self) -> int:
        """The id of the process that was started: the supervisor, if there is one."""
        assert self.process is not None
        return self.process.pid

    @property
    def errors(self) -> str:
        """Its standard error, over all its starts."""
        return (self.home / "host.err").read_text()

    @property
    def folders(self) -> list[str]:
        """The names of the folders of default journals."""
        return sorted(entry.name for entry in (self.home / "hosts").iterdir()) if (self.home / "hosts").exists() else []

    async def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, wait until this process and its children have ended, and return the exit code."""
        assert self.process is not None
        children = [*children_of(self.pid), *fronts_of(self.pid)] if self.process.poll() is None else []
        self.process.send_signal(number)
        code = await asyncio.to_thread(self.process.wait, PATIENCE_S)
        await until(lambda: not any(runs(child) for child in children), PATIENCE_S)
        return code

    def kill(self) -> None:
        """Kill what still runs."""
        if self.process is not None and self.process.poll() is None:
            for pid in [*children_of(self.pid), self.pid]:
                os.kill(pid, signal.SIGKILL)
            self.process.wait(PATIENCE_S)


def children_of(pid: int) -> list[int]:
    """Return the ids of the children of a process, except fronts."""
    return [child for child in _all_children(pid) if not _is_front(child)]


def host_of(pid: int) -> int:
    """Return the id of the host that serves under this supervisor."""
    return children_of(pid)[0]


def fronts_of(pid: int) -> list[int]:
    """Return the ids of the fronts that a process runs: one or none."""
    return [child for child in _all_children(pid) if _is_front(child)]


def _all_children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():  # whichever thread has started them
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            found += map(int, (task / "children").read_text().split())
    return found


def _is_front(pid: int) -> bool:
    try:
        named = Path(f"/proc/{pid}/comm").read_text().strip() == process_name("netcode.front.process")
        return named or b"netcode.front" in Path(f"/proc/{pid}/cmdline").read_bytes()  # the name comes later
    except (FileNotFoundError, ProcessLookupError):
        return False


def front_of(pid: int) -> int:
    """Return the front of a host as soon as it runs: the host may start first. Raises AssertionError."""
    until_s = time.monotonic() + PATIENCE_S
    while not (fronts := fronts_of(pid)):
        assert time.monotonic() < until_s, "the host has no front"
        time.sleep(0.01)
    return fronts[0]


def runs(pid: int) -> bool:
    """Return whether a process runs. A zombie counts as running while one of its threads waits for the disk, because
    all its files are still open and locked."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" or len(list(Path(f"/proc/{pid}/task").iterdir())) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False
