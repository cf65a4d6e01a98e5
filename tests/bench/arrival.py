"""Two players act one millisecond apart while the other four keep the host busy: in which order does it take them?

A real host with its journal, six clients in this process. Each round lasts a little over a tenth of a second: the four
turn Items, ask what is forbidden and knock for everything anew as often as a host allows, all within 25 ms; in their
midst the two turn an Item each, 1 ms apart. Meanwhile this process only sends and sleeps, so that the host has the
machine to itself. The journal tells the order and the host's stamps.
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.moves.legal import suggest
from core.state import actions as a
from core.state.actions import AnyAction
from netcode.client.client import Client
from netcode.protocol import codec, wire
from tests.bench.figures import line, spread
from tests.faults.journal_ledger import Ledger

SEATS, RACES = 6, 100
ROUND_S, GAP_S = 0.13, 0.001
LOAD = (1, 1, 2)
"""Acts, looks anew, questions of each of the four in a round: a host takes 10, 1 and 20 a second."""
BEFORE_S, AFTER_S = 0.02, 0.005
"""The load falls on so long before the two and after them."""
ROOT = Path(__file__).parents[2]


def main(races: int = RACES) -> None:
    """Print how many of the races were taken in the order in which they were sent."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tui", "host", "--json", "--port", "0", "--seats", str(SEATS)]
        command += ["--pace", "relaxed", "--data", folder]
        host = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
        try:
            assert host.stdout is not None
            join = json.loads(host.stdout.readline())["join"]
            told = asyncio.run(raced(join, races, Path(folder)))
        finally:
            host.terminate()
            host.wait(10)
    line("two acts 1 ms apart taken in order", 100 * told["in_order"] / told["races"], "%", "99", **told)


async def raced(join: str, races: int, folder: Path) -> dict[str, Any]:
    """Hold these races at this table, whose journal is in `folder`, and say how they came out."""
    clients = [Client(join, f"P{seat}", keep=False) for seat in range(SEATS)]
    rng = random.Random(5)
    try:
        for client in clients:
            await client.join()
            client.set(ready=True)
        for client in clients:
            await client.wait_for(lambda one: one.view is not None)
        await _lay_out(clients)
        pairs = [await _race(clients, rng, number) for number in range(races)]
        ledger = Ledger(folder)
        return _judged(pairs, ledger)
    finally:
        for client in clients:
            await client.close()


def _judged(pairs: list[tuple[tuple[bytes, int], tuple[bytes, int], float]], ledger: Ledger) -> dict[str, Any]:
    stamps = ledger.order()
    found = [(stamps[first], stamps[second], gap) for first, second, gap in pairs if {first, second} <= stamps.keys()]
    ms = [(second[1] - first[1]) / 1e6 for first, second, _ in found]
    return {
        "races": len(found), "in_order": sum(first[0] < second[0] for first, second, _ in found),
        "not_taken": len(pairs) - len(found), "host_ms_between": spread(ms),
        "sent_ms_between": spread([gap * 1000 for *_, gap in found]),
    }  # fmt: skip


async def _race(
    clients: list[Client], rng: random.Random, number: int
) -> tuple[tuple[bytes, int], tuple[bytes, int], float]:
    """One round: the keys of the two acts in the order in which they were sent, and the seconds between them."""
    while not (ready := _ready(clients, number)):
        await _go_on(clients)
    first, second = _Racer(ready[0]), _Racer(ready[1])
    middle = ROUND_S / 2
    plan: list[tuple[float, Callable[[], object]]] = [(middle, first.send), (middle + GAP_S, second.send)]
    for client in clients:
        if client not in ready:
            plan += [(middle + rng.uniform(-BEFORE_S, AFTER_S), call) for call in _load(client, number)]
    await _carried_out(plan)
    for client in clients:
        await client.wait_for(lambda one: not one.busy)
    return first.key, second.key, second.at - first.at


def _ready(clients: list[Client], number: int) -> tuple[Client, Client] | None:
    able = [client for client in clients if _turnable(client) is not None]
    if len(able) < 2:
        return None
    return able[number % len(able)], able[(number + 1) % len(able)]


class _Racer:
    """A client with its act packed, so that nothing but the sending is left for the moment itself."""

    def __init__(self, client: Client) -> None:
        action = _turnable(client)
        assert action is not None
        self._client, self.at = client, 0.0
        self.key = (client._s, client._n + 1)
        client._n += 1
        client._sent_n = client._n  # the client resends it if no answer comes
        client._acts.append((client._n, action))
        client._act_at = time.monotonic()
        self._frame = codec.pack(wire.Act(*self.key, action))

    def send(self) -> None:
        """Now."""
        assert self._client._transport is not None
        self.at = time.perf_counter()
        self._client._transport.send(self._frame)


def _load(client: Client, number: int) -> list[Callable[[], object]]:
    acts, looks, asks = LOAD

    def act() -> None:
        action = _turnable(client)
        if action is not None and not client.busy:
            client.act(action)

    def ask() -> None:
        client._send(wire.Why(client._s, 1, a.Kick()))

    more = [client.sync] * (looks if number % 10 == client.seat else 0)
    return [act] * acts + more + [ask] * asks


async def _carried_out(plan: list[tuple[float, Callable[[], object]]]) -> None:
    """Each call at its moment; nothing that arrives is read in between."""
    began = time.perf_counter()
    for at, call in sorted(plan, key=lambda entry: entry[0]):
        time.sleep(max(0.0, began + at - time.perf_counter()))
        call()
    await asyncio.sleep(max(0.0, began + ROUND_S - time.perf_counter()))


def _rows(client: Client) -> list[AnyAction]:
    view = client.view
    return [one for row in view.you.legal for one in suggest(row, 1)] if view is not None and view.you else []


def _turnable(client: Client) -> a.Equip | a.Unequip | None:
    """Turning an Item, which all see and nobody has to answer."""
    return next((action for action in _rows(client) if isinstance(action, (a.Equip, a.Unequip))), None)


async def _lay_out(clients: list[Client]) -> None:
    for client in clients:
        while plays := [action for action in _rows(client) if isinstance(action, a.Play)]:
            await client.do(plays[0])
        await client.do(a.Done())
    for client in clients:
        await client.wait_for(lambda one: one.view is not None and one.view.phase != "setup")


async def _go_on(clients: list[Client]) -> None:
    """Fewer than two can turn anything in this turn: play on, whoever may."""
    order = (a.Answer, a.Done, a.Roll, a.Claim, a.Flee, a.Pass, a.EndTurn, a.Loot, a.Trouble, a.Kick)
    for client in clients:
        if client.info is not None and client.info.stage == "over":
            client.set(ready=True)
        found = [action for kind in order for action in _rows(client) if isinstance(action, kind)]
        if found:
            await client.do(found[0])
            return
    await asyncio.sleep(0.01)


if __name__ == "__main__":
    main()
