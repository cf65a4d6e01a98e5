"""The cost of a front: the same actions at a table of six with a front and without one, in turn within one run; and how
long people wait to get in during an attack (churn.py). Host and players run at real-time priority where the system
allows it, since real attackers would use other processors."""

import asyncio
from typing import Any

from tests.bench import churn
from tests.bench.figures import line, spread
from tests.bench.item_turners import start_game
from tests.bench.net import SEATS, one_action, seats_of
from tests.bench.processes import cpu_s, host_process, memory_mib
from tests.faults.default_host import front_of
from tests.faults.priority import coming_first

ACTIONS, CHUNK = 400, 20
"""Actions with each of the two hosts, and how many of them before the other host's turn."""


def main(actions: int = ACTIONS) -> None:
    """Print what a front adds to an action, and what it costs; and how long people wait while it is attacked."""
    with coming_first():
        added(actions)
        churn.main()


def added(actions: int = ACTIONS) -> None:
    """Print what a front adds to an action, and what it costs."""
    with host_process("--no-front", seats=SEATS) as (_, plain), host_process("--front", seats=SEATS) as (host, strings):
        front = front_of(host.pid)
        found = asyncio.run(_side_by_side(plain["join"], strings["join"], actions, front))
    bare, behind = spread(found["bare"]), spread(found["behind"])
    line(
        "front: added to an action until the last of six views", behind["p50"] - bare["p50"], "ms", "0.5",
        without=bare, with_front=behind, front_cpu_ms=found["cpu_ms"], front_rss_mib=found["rss"],
    )  # fmt: skip


async def _side_by_side(bare: str, behind: str, actions: int, front: int) -> dict[str, Any]:
    """Return the times of both (ms), the front's CPU for an action (ms) and its memory (MiB)."""
    tables = {"bare": seats_of(bare), "behind": seats_of(behind)}
    times: dict[str, list[float]] = {"bare": [], "behind": []}
    try:
        for seats in tables.values():
            await start_game(seats)
        cpu = cpu_s(front)
        while len(times["behind"]) < actions:
            for name, seats in tables.items():
                times[name] += [await one_action(seats, number) for number in range(min(CHUNK, actions))]
        spent = (cpu_s(front) - cpu) * 1000 / len(times["behind"])
        return {**times, "cpu_ms": round(spent, 3), "rss": round(memory_mib(front), 1)}
    finally:
        for seats in tables.values():
            for seat in seats:
                await seat.close()


if __name__ == "__main__":
    main()
