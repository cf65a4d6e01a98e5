"""Honest players' latency while somebody is rude, beside a quiet run at the same host, and what it costs the host.

Two honest clients put questions to the host eighteen times a second each; the attacker (tests/faults/attacker.py) is a
process of its own with a lower priority, for it stands for another machine.
"""

import asyncio
import contextlib
import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from core.state.actions import Kick
from netcode.client.client import Client
from tests.bench.figures import line, spread
from tests.faults.attacker import BEARABLE

ROOT = Path(__file__).parents[2]
SECONDS, PAUSE_S = 5.0, 1 / 18
SEATS = 3


def main(seconds: float = SECONDS) -> None:
    """A line for each attack."""
    for kind in BEARABLE:
        told = asyncio.run(attacked(kind, seconds))
        line(f"honest players while attacked: {kind}", told["ratio"], "times the quiet p99", "p99 below 50 ms", **told)


async def attacked(kind: str, seconds: float, *options: str) -> dict[str, Any]:
    """Latency (ms) quiet and attacked, the host's memory (MiB) and CPU share, how long a newcomer waited (s)."""
    with running_host(*options) as (host, strings):
        clients = [Client(strings["join"], name, keep=False) for name in ("Kim", "Roger")]
        try:
            for client in clients:
                await client.join()
                client.set(ready=True)
            if kind == "silence":
                resource.prlimit(host.pid, resource.RLIMIT_NOFILE, (256, 256))  # fewer than there are connections
            await latencies(clients, seconds / 4)
            quiet, rss = await latencies(clients, seconds), memory(host.pid)
            with an_attack(kind, strings["join"]) as attacker:
                cpu, began = cpu_s(host.pid), time.monotonic()
                hurt = await latencies(clients, seconds)
                share = (cpu_s(host.pid) - cpu) / (time.monotonic() - began)
                waited = await newcomer(strings["watch"])
                assert attacker.poll() is None, "the attacker gave up"
            peak, busy = memory(host.pid, "VmHWM"), figures(host)
        finally:
            for client in clients:
                await client.close()
    return {
        "quiet_ms": spread(quiet), "attacked_ms": spread(hurt),
        "ratio": round(spread(hurt)["p99"] / spread(quiet)["p99"], 2),
        "ratio_p50": round(median(hurt) / median(quiet), 2),
        "host_cpu": round(share, 2), "host_rss_mib": round(rss, 1), "host_peak_mib": round(peak, 1),
        "newcomer_s": round(waited, 3), **busy,
    }  # fmt: skip


@contextlib.contextmanager
def running_host(*options: str) -> Iterator[tuple["subprocess.Popen[bytes]", dict[str, str]]]:
    """A host of its own, and the strings it printed."""
    command = [sys.executable, "-m", "tui", "host", "--json", "--port", "0", "--seats", str(SEATS), "--pace", "relaxed"]
    host = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )  # fmt: skip
    try:
        assert host.stdout is not None
        yield host, json.loads(host.stdout.readline())
    finally:
        host.kill()
        host.communicate()


@contextlib.contextmanager
def an_attack(kind: str, join: str) -> Iterator["subprocess.Popen[bytes]"]:
    """An attacker at work."""
    command = [sys.executable, "-m", "tests.faults.attacker", kind]
    attacker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    try:
        assert attacker.stdin is not None and attacker.stdout is not None
        attacker.stdin.write(join.encode() + b"\n")
        attacker.stdin.flush()
        assert attacker.stdout.readline() == b"ready\n"
        yield attacker
    finally:
        attacker.kill()
        attacker.communicate()


def figures(host: "subprocess.Popen[bytes]") -> dict[str, Any]:
    """How busy the host says it was in the last ten seconds."""
    host.send_signal(signal.SIGUSR1)
    assert host.stderr is not None
    while b'"handler_ms"' not in (told := host.stderr.readline()):
        assert told, "the host has ended"
    found = json.loads(told[told.index(b"{") :])
    return {name: found[name] for name in ("handler_ms", "lag_ms")}


async def latencies(clients: list[Client], seconds: float) -> list[float]:
    """How long each question took, ms."""
    until = time.monotonic() + seconds

    async def ask(client: Client) -> list[float]:
        found = []
        while time.monotonic() < until:
            began = time.perf_counter()
            await client.why(Kick(), timeout=30)
            found.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(PAUSE_S)
        return found

    return [ms for found in await asyncio.gather(*map(ask, clients)) for ms in found]


async def newcomer(watch: str) -> float:
    """How long somebody who comes now waits until they see the table, s."""
    client, began = Client(watch, "Wes", role="watch", keep=False), time.monotonic()
    await client.join(timeout=30)
    waited = time.monotonic() - began
    await client.close()
    return waited


def memory(pid: int, what: str = "VmRSS") -> float:
    """Resident memory of a process (VmHWM: at its peak), MiB; 0 when it has just ended."""
    found = Path(f"/proc/{pid}/status").read_text().partition(what + ":")[2].split()
    return int(found[0]) / 1024 if found else 0.0


def cpu_s(pid: int) -> float:
    """CPU seconds a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100.0


if __name__ == "__main__":
    main()
