"""Host processes of benchmarks, and the cost of a process: memory in MiB, CPU in seconds."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def host_process(
    *options: str, seats: int, pace: str = "relaxed"
) -> Iterator[tuple["subprocess.Popen[bytes]", dict[str, str]]]:
    """Run a `kickdoor host` at any free port; yield its process and the strings that it printed. It has no supervisor
    unless `options` have --restart, and no journal unless they name one with --data. Its standard error is a pipe."""
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


def own_mib(pid: int) -> float:
    """Memory of a process with its share of the memory that it shares with others (PSS)."""
    found = Path(f"/proc/{pid}/smaps_rollup").read_text().partition("\nPss:")[2].split()
    return int(found[0]) / 1024


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100.0


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    started = Path(f"/proc/{pid}/task").glob("*/children")
    return [pid, *(one for file in started for child in file.read_text().split() for one in family(int(child)))]


def end(pids: Sequence[int], patience_s: float = 10.0) -> None:
    """End processes, which need not be children of this one, and wait until they have ended."""
    until = time.monotonic() + patience_s
    for pid in pids:
        _signal(pid, signal.SIGTERM)
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < until:
        time.sleep(0.02)
    for pid in pids:
        _signal(pid, signal.SIGKILL)


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def exact_cpu_ms(pid: int) -> float:
    """CPU milliseconds that the threads of a process have used, to the microsecond; without those that ended."""
    spent = [int(file.read_text().split()[0]) for file in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    return sum(spent) / 1e6


_ECHO = """
import subprocess, sys, time
import zmq
server = '''
import os, sqlite3, sys, zmq
parent = os.getppid()
db = sqlite3.connect(sys.argv[1], isolation_level=None) if sys.argv[1] else None
if db is not None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE acts (action BLOB)")
sock = zmq.Context().socket(zmq.ROUTER)
print(sock.bind_to_random_port("tcp://127.0.0.1"), flush=True)
while os.getppid() == parent:
    if sock.poll(500):
        parts = sock.recv_multipart()
        if db is not None:
            db.execute("INSERT INTO acts VALUES (?)", (bytes(230),))
        sock.send_multipart(parts)
'''
child = subprocess.Popen([sys.executable, "-c", server, sys.argv[2]], stdout=subprocess.PIPE)
sock = zmq.Context().socket(zmq.DEALER)
sock.connect("tcp://127.0.0.1:" + child.stdout.readline().decode().strip())
until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    time.sleep(0.05)
    began = time.perf_counter()
    sock.send(bytes(200))
    sock.recv()
    print(began, (time.perf_counter() - began) * 1000)
child.kill()
"""


async def bare_echo(seconds: float, file: str = "") -> "asyncio.Task[list[tuple[float, float]]]":
    """Begin to measure the delay of the machine itself: the time of an echo between a bare ROUTER and a bare DEALER in
    separate processes, twenty times a second for this long. file: before each answer, 230 bytes are committed to this
    sqlite file, as a journal does. The task's result: for each echo, when it was sent (s of time.perf_counter), and how
    long it took (ms)."""
    command = [sys.executable, "-c", _ECHO, str(seconds), file]
    echo = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)

    async def measured() -> list[tuple[float, float]]:
        try:
            lines = (await echo.communicate())[0].decode().splitlines()
            return [(float(at), float(ms)) for at, _, ms in (line.partition(" ") for line in lines)]
        finally:
            if echo.returncode is None:
                echo.terminate()

    return asyncio.create_task(measured())
