"""Host processes of benchmarks, and what a process costs: memory in MiB, CPU in seconds."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def host_process(
    *options: str, seats: int, pace: str = "relaxed"
) -> Iterator[tuple["subprocess.Popen[bytes]", dict[str, str]]]:
    """A `kickdoor host` of its own at any free port, without a supervisor (and without a journal unless `options` name
    one with --data), and the strings that it printed. Its standard error is a pipe."""
    command = [sys.executable, "-m", "tui", "host", "--json", "--port", "0", "--seats", str(seats), "--pace", pace]
    command.append("--no-restart" if "--data" in options else "--no-journal")
    host = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    try:
        assert host.stdout is not None
        yield host, json.loads(host.stdout.readline())
    finally:
        host.terminate()
        try:
            host.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            host.kill()
            host.communicate()


def memory_mib(pid: int, what: str = "VmRSS") -> float:
    """Resident memory of a process (VmHWM: at its peak); 0 if it has just ended."""
    found = Path(f"/proc/{pid}/status").read_text().partition(what + ":")[2].split()
    return int(found[0]) / 1024 if found else 0.0


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100.0
