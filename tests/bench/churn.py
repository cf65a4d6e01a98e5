"""Measure how long people wait to join, and how long players at the table wait for an answer, at a host that is
attacked and at one that is not. The attacker opens connections at full rate, says valid hellos as often as a host
allows, or holds silent connections.

The players come from 127.0.0.1. An attacker (tests/faults/callers.py) comes from there too, or from another address.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from netcode.client.client import Client, ClientError
from tests.bench.abuse import attack, latencies
from tests.bench.figures import line, spread
from tests.bench.processes import cpu_s, host_process
from tests.faults.callers import CHURNS, HELLOS
from tests.faults.default_host import front_of

SEATS, TIMES, SECONDS = 6, 4, 3.0
"""Seats of each table; how often somebody joins (a host takes five hellos of a key at once, the first to sit down); how
long the players at the table ask questions (s)."""
MUTE, MUTES = "mute", 3
"""Silent connections after a handshake, and how many attackers hold 360 of them each."""
PATIENCE_S = 20.0
"""The wait after which a person counts as shut out (s)."""
BEGUN_S, REST_S = 1.0, 1.0
"""How long an attack lasts before anything is measured, and how long a host is left alone after it (s)."""
_HELLOS = "a newcomer within 5 s, p50 below 20 ms"
MARKS = {
    "churn": "back within 2 s", "churn_elsewhere": "within 0.5 s", "hellos": _HELLOS, "hellos_elsewhere": _HELLOS,
    MUTE: "a newcomer within 3 s, p50 below 20 ms",
}  # fmt: skip


def main(kinds: Sequence[str] = (*CHURNS, *HELLOS, MUTE), times: int = TIMES, seconds: float = SECONDS) -> None:
    """Print a line for each of these attacks."""
    for kind in kinds:
        found = asyncio.run(_measured(kind, times, seconds))
        value = found["back_s" if kind in CHURNS else "newcomer_s"]["worst"]
        line(f"getting in during {kind}", value, "s", MARKS.get(kind, ""), **found)


async def _measured(kind: str, times: int, seconds: float) -> dict[str, Any]:
    """Return how long people waited at a host without an attack, and at one with it."""
    with host_process("--front", seats=SEATS) as (_, alone), host_process("--front", seats=SEATS) as (host, strings):
        quiet = await _table(alone["join"])
        hurt = await _table(strings["join"])
        front = front_of(host.pid)
        try:
            before = await _waits(quiet, alone["join"], times, seconds)
            with ExitStack() as attackers:
                for _ in range(MUTES if kind == MUTE else 1):
                    attackers.enter_context(attack(kind, strings["watch"], fast=True))
                await asyncio.sleep(BEGUN_S)
                cpu, began, ended = (cpu_s(host.pid), cpu_s(front)), time.monotonic(), await _ended(host, front)
                found = await _waits(hurt, strings["join"], times, seconds)
                took = time.monotonic() - began
                ended = await _ended(host, front) - ended
                shares = [round((cpu_s(pid) - used) / took, 2) for pid, used in zip((host.pid, front), cpu)]
        finally:
            for client in (*quiet, *hurt):
                await client.close()
    return {
        **found, "alone": before, "ended_per_s": round(ended / took), "host_cpu": shares[0], "front_cpu": shares[1],
    }  # fmt: skip


async def _table(join: str) -> list[Client]:
    clients = [Client(join, name, keep=False) for name in ("Kim", "Roger")]
    for client in clients:
        await client.join()
    return clients


async def _waits(clients: list[Client], join: str, times: int, seconds: float) -> dict[str, Any]:
    """Return how long a returning player and a newcomer wait (s), and how long players at the table wait for an answer
    (ms)."""
    back = [await _back(clients[0]) for _ in range(times)]
    new = [await _new(join) for _ in range(times)]
    return {
        "back_s": spread(back), "newcomer_s": spread(new), "ping_ms": spread(await latencies([clients[1]], seconds)),
    }  # fmt: skip


async def _back(client: Client) -> float:
    """Drop a player's connection; return how long it takes until everything is up to date again (s)."""
    began = time.monotonic()
    assert client._transport is not None
    client._transport.close(0)
    client._connect()
    with contextlib.suppress(TimeoutError):
        await client.wait_for(lambda one: one.stage != "synced", PATIENCE_S)
        await client.wait_for(lambda one: one.stage == "synced", PATIENCE_S)
    return time.monotonic() - began


async def _new(join: str) -> float:
    """Let a newcomer take a free seat and leave it; return how long the seat took (s)."""
    client, began = Client(join, "Wes", keep=False), time.monotonic()
    with contextlib.suppress(ClientError):
        await client.join(timeout=PATIENCE_S)
    waited = time.monotonic() - began
    await client.leave()
    return waited


async def _ended(host: "subprocess.Popen[bytes]", front: int) -> int:
    """Return how many connections a front has ended so far, which it writes to its host's standard error."""
    os.kill(front, signal.SIGUSR1)
    assert host.stderr is not None
    while b'"front":' not in (text := await asyncio.to_thread(host.stderr.readline)):
        assert text, "the host has ended"
    ended: dict[str, int] = json.loads(text[text.index(b"{") :])["ended"]
    return sum(ended.values())


if __name__ == "__main__":
    main()
