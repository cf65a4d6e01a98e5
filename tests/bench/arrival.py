"""Two players act one millisecond apart while the other four keep the host busy; count the pairs accepted in order.

A real host with its journal, six clients in this process. Each round lasts a little over a tenth of a second: the four
turn Items, ask what is forbidden and request everything again as often as a host allows, all within 25 ms. In the
middle the two turn an Item each, 1 ms apart. Meanwhile this process only sends and sleeps, so that the host has the
machine to itself. The order and the host's time stamps are read from the journal.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.state import actions as a
from netcode.client.client import Client
from netcode.protocol import codec, wire
from tests.bench.figures import line, spread
from tests.bench.item_turners import advance, item_turn, start_game
from tests.bench.processes import host_process
from tests.faults.journal_ledger import Ledger

SEATS, RACES = 6, 100
ROUND_S, GAP_S = 0.13, 0.001
TOLD_APART_MS = 0.5
"""Two acts count as told apart if their stamps at the host are at least this far apart, and in order."""
LOAD = (1, 1, 2)
"""Actions, requests for everything, questions of each of the four in a round; a host takes 10, 1 and 20 a second."""
BEFORE_S, AFTER_S = 0.02, 0.005
"""The load begins this long before the two acts and ends this long after them (s)."""


def main(races: int = RACES) -> None:
    """Print which part of the races was accepted in the order in which they were sent, and told apart by the stamps."""
    with tempfile.TemporaryDirectory() as folder, host_process("--data", folder, seats=SEATS) as (_, strings):
        found = asyncio.run(raced(strings["join"], races, Path(folder)))
    line("two acts 1 ms apart taken in order", 100 * found["in_order"] / found["races"], "%", "99", **found)
    line("two acts 1 ms apart told apart by their stamps", 100 * found["told_apart"] / found["races"], "%", "95")


async def raced(join: str, races: int, folder: Path) -> dict[str, Any]:
    """Hold these races at this table, whose journal is in `folder`; return the results."""
    clients = [Client(join, f"P{seat}", keep=False) for seat in range(SEATS)]
    rng = random.Random(5)
    try:
        await start_game(clients)
        pairs = [await _race(clients, rng, number) for number in range(races)]
        ledger = Ledger(folder)
        return _results(pairs, ledger)
    finally:
        for client in clients:
            await client.close()


def _results(pairs: list[tuple[tuple[bytes, int], tuple[bytes, int], float]], ledger: Ledger) -> dict[str, Any]:
    stamps = ledger.order()
    found = [(stamps[first], stamps[second], gap) for first, second, gap in pairs if {first, second} <= stamps.keys()]
    ms = [(second[1] - first[1]) / 1e6 for first, second, _ in found]
    return {
        "races": len(found), "in_order": sum(first[0] < second[0] for first, second, _ in found),
        "told_apart": sum(between > TOLD_APART_MS for between in ms),
        "not_taken": len(pairs) - len(found), "host_ms_between": spread(ms),
        "sent_ms_between": spread([gap * 1000 for *_, gap in found]),
    }  # fmt: skip


async def _race(
    clients: list[Client], rng: random.Random, number: int
) -> tuple[tuple[bytes, int], tuple[bytes, int], float]:
    """Run one round; return the keys of the two acts in the order in which they were sent, and the s between them."""
    while not (ready := _ready(clients, number)):
        await advance(clients)
    first, second = _Racer(ready[0]), _Racer(ready[1])
    middle = ROUND_S / 2
    plan: list[tuple[float, Callable[[], object]]] = [(middle, first.send), (middle + GAP_S, second.send)]
    for client in clients:
        if client not in ready:
            plan += [(middle + rng.uniform(-BEFORE_S, AFTER_S), call) for call in _load_calls(client, number)]
    await _run(plan)
    for client in clients:
        await client.wait_for(lambda one: not one.busy)
    return first.key, second.key, second.at - first.at


def _ready(clients: list[Client], number: int) -> tuple[Client, Client] | None:
    able = [client for client in clients if item_turn(client) is not None]
    if len(able) < 2:
        return None
    return able[number % len(able)], able[(number + 1) % len(able)]


class _Racer:
    """A client with its action already packed, so that it only has to send it."""

    def __init__(self, client: Client) -> None:
        action = item_turn(client)
        assert action is not None
        self._client, self.at = client, 0.0
        pending = client._actions
        pending._last += 1
        self.key = (client._s, pending._last)
        pending._sent, pending._sent_at = pending._last, pending._clock()  # the client resends it if no answer comes
        pending._unanswered.append((pending._last, action))
        self._frame = codec.pack(wire.Act(*self.key, action))

    def send(self) -> None:
        """Send the action now."""
        assert self._client._transport is not None
        self.at = time.perf_counter()
        self._client._transport.send(self._frame)


def _load_calls(client: Client, number: int) -> list[Callable[[], object]]:
    acts, syncs, questions = LOAD

    def act() -> None:
        action = item_turn(client)
        if action is not None and not client.busy:
            client.act(action)

    def ask() -> None:
        client._send(wire.Why(client._s, 1, a.Kick()))

    more: list[Callable[[], object]] = [client.sync] * (syncs if number % 10 == client.seat else 0)
    return [act] * acts + more + [ask] * questions


async def _run(plan: list[tuple[float, Callable[[], object]]]) -> None:
    """Make each call at its moment; read no arriving message in between."""
    began = time.perf_counter()
    for at, call in sorted(plan, key=lambda entry: entry[0]):
        time.sleep(max(0.0, began + at - time.perf_counter()))
        call()
    await asyncio.sleep(max(0.0, began + ROUND_S - time.perf_counter()))


if __name__ == "__main__":
    main()
