"""A player behind a slow link presses a key while the bar shows time; count the keys that the host takes.

A real host, two clients at it, and one behind a proxy that delays each direction by 50 to 100 ms: a round trip of 150
ms, 50 more or less. Nobody else passes, so each window lasts its whole length. Half of the keys are pressed at any
moment at which the bar shows time, half while it shows its last 300 ms.
"""

import asyncio
import random
from typing import Any

from core.state import actions as a
from netcode.client.client import Client
from netcode.protocol import wire
from tests.bench.figures import line
from tests.bench.item_turners import ADVANCING, legal_actions, start_game
from tests.bench.processes import host_process
from tests.faults.chaos_proxy import proxy_to

KEYS, LAST_MS = 100, 300
DELAY_S, JITTER_S = 0.05, 0.05
PINGED_S = 10.0
"""Time for some pings before the first key."""


def main(keys: int = KEYS) -> None:
    """Print how many of the keys that were pressed while the bar showed time reached the host in time."""
    with host_process(seats=3, pace="book") as (_, strings):
        found = asyncio.run(pressed(strings["join"], keys))
    line("keys pressed while the bar shows time, taken", 100 * found["taken"] / found["keys"], "%", "95", **found)


async def pressed(join: str, keys: int) -> dict[str, Any]:
    """Press this many keys, one in each window; return what became of them."""
    async with proxy_to(join) as (proxy, near):
        proxy.change(delay_s=DELAY_S, jitter_s=JITTER_S)
        far = Client(near, "Far", keep=False)
        clients = [Client(join, "Kim", keep=False), Client(join, "Roger", keep=False), far]
        rng = random.Random(3)
        found: dict[str, Any] = {"keys": 0, "taken": 0, "late_keys": 0, "late_taken": 0, "late_by_ms": []}
        try:
            await start_game(clients)
            await asyncio.sleep(PINGED_S)
            while found["keys"] < keys:
                await _play_on(clients)
                await _press(far, rng, found, late=found["keys"] % 2 == 1)
            return {**found, "rtt_ms": far.rtt_ms}
        finally:
            for client in clients:
                await client.close()


async def _play_on(clients: list[Client]) -> None:
    """Take one action that leads to the next window; nobody passes."""
    for client in clients:
        if client.info is not None and client.info.stage == "over":
            client.set(ready=True)
        kinds = [kind for kind in ADVANCING if kind is not a.Pass]
        for action in [action for kind in kinds for action in legal_actions(client) if isinstance(action, kind)][:1]:
            await client.do(action)
            return
    await asyncio.sleep(0.02)


async def _press(far: Client, rng: random.Random, found: dict[str, Any], late: bool) -> None:
    """If a window is open for the far player, pass at a moment at which their bar shows time."""
    passing = next((action for action in legal_actions(far) if isinstance(action, a.Pass)), None)
    shown = far.clocks().window
    if passing is None or shown <= 0:
        return
    moment = rng.uniform(max(0, shown - LAST_MS), shown) if late else rng.uniform(0, shown)
    await asyncio.sleep(moment / 1000)
    if far.clocks().window <= 0 or far.view is None or far.view.window is None or far.view.window.id != passing.window:
        return  # the bar has run out, or the window is another one: nobody would press
    answer = await far.do(passing)
    taken = isinstance(answer, wire.Ack)
    found["keys"] += 1
    found["taken"] += taken
    found["late_keys"] += late
    found["late_taken"] += late and taken
    if isinstance(answer, wire.Refused):
        found["late_by_ms"].append(answer.ms)
