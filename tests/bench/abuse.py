"""The latency of honest players before and during an attack, and the cost of the attack for the host.

Two honest clients each ask the host a question eighteen times a second. The attacker (tests/faults/attacker.py) is a
process of its own with a lower priority, since it stands for another machine.
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
from statistics import median
from typing import Any

from core.state.actions import Kick
from netcode.client.client import Client
from tests.bench.figures import line, spread
from tests.bench.processes import ROOT, cpu_s, host_process, memory_mib
from tests.faults.attacker import BEARABLE, FAST
from tests.faults.default_host import fronts_of

SECONDS, PAUSE_S = 5.0, 1 / 18
SEATS = 3


def main(seconds: float = SECONDS) -> None:
    """Print a line for each attack, and for a player who is suspended."""
    for kind in (*BEARABLE, "suspended"):
        found = asyncio.run(attacked(kind, seconds))
        name = f"honest players while attacked: {kind}"
        line(name, found["ratio"], "times the quiet p99", "p99 below 50 ms", **found)


async def attacked(kind: str, seconds: float, *options: str) -> dict[str, Any]:
    """Return latency (ms) before and in an attack, CPU shares of host and front, the host's memory (MiB), a newcomer's
    wait (s)."""
    with host_process(*options, seats=SEATS) as (host, strings):
        clients = [Client(strings["join"], name, keep=False) for name in ("Kim", "Roger")]
        try:
            for client in clients:
                await client.join()
                client.set(ready=True)
            if kind == "silence":
                resource.prlimit(host.pid, resource.RLIMIT_NOFILE, (256, 256))  # fewer than there are connections
            await latencies(clients, seconds / 4)
            quiet, rss = await latencies(clients, seconds), memory_mib(host.pid)
            with attack(kind, strings["join"]) as attacker:
                fronts, began = fronts_of(host.pid), time.monotonic()
                cpu, front_cpu = cpu_s(host.pid), sum(map(cpu_s, fronts))
                hurt = await latencies(clients, seconds)
                took = time.monotonic() - began
                share, front_share = (cpu_s(host.pid) - cpu) / took, (sum(map(cpu_s, fronts)) - front_cpu) / took
                waited = await newcomer(strings["watch"])
                assert attacker.poll() is None, "the attacker gave up"
            peak, busy = memory_mib(host.pid, "VmHWM"), figures(host)
        finally:
            for client in clients:
                await client.close()
    return {
        "quiet_ms": spread(quiet), "attacked_ms": spread(hurt),
        "ratio": round(spread(hurt)["p99"] / spread(quiet)["p99"], 2),
        "ratio_p50": round(median(hurt) / median(quiet), 2),
        "host_cpu": round(share, 2), "front_cpu": round(front_share, 2),
        "host_rss_mib": round(rss, 1), "host_peak_mib": round(peak, 1),
        "newcomer_s": round(waited, 3), **busy,
    }  # fmt: skip


def attacker_command(kind: str, fast: bool = False) -> list[str]:
    """Return the command that runs an attacker; its standard input gets a string of the host. fast: it yields the
    processor only to the measured processes."""
    return [sys.executable, "-m", "tests.faults.attacker", kind, *([FAST] if fast else [])]


@contextlib.contextmanager
def attack(kind: str, join: str, fast: bool = False) -> Iterator["subprocess.Popen[bytes]"]:
    """Run an attacker in its own process; it has begun when this yields. fast: as attacker_command."""
    attacker = subprocess.Popen(attacker_command(kind, fast), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
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
    """Return the host's own load figures of the last ten seconds."""
    host.send_signal(signal.SIGUSR1)
    assert host.stderr is not None
    while b'"handler_ms"' not in (text := host.stderr.readline()):
        assert text, "the host has ended"
    found = json.loads(text[text.index(b"{") :])
    return {name: found[name] for name in ("handler_ms", "lag_ms")}


async def latencies(clients: list[Client], seconds: float) -> list[float]:
    """Return how long each question took, in ms."""
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
    """Return how long a newcomer waits for the table, in s."""
    client, began = Client(watch, "Wes", role="watch", keep=False), time.monotonic()
    await client.join(timeout=30)
    waited = time.monotonic() - began
    await client.close()
    return waited


if __name__ == "__main__":
    main()
