"""A club on PostgreSQL: `python -m tests.bench club [--actions N] [--takeovers N]`.

How long an action takes to the last view, at a host with sqlite and at one with PostgreSQL in turns; and how long after
`kill -9` of a host its table is played on at another one. The server is one of our own, with fsync on, in a temporary
folder.
"""

import argparse
import asyncio
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from core.state.actions import Done
from netcode.client.client import Client
from netcode.protocol.credentials import parse_join
from tests.bench.figures import line, spread
from tests.netcode.club.cluster import Cluster, new_cluster, programs
from tests.netcode.running_host import RunningHost, running_host, seated, shown

SEATS = ("Kim", "Roger", "Ross", "Ann", "Ben", "Cyd")
MARK_S = "5"
"""How soon another host is to have a table (s)."""


def main(arguments: Sequence[str] = ()) -> int:
    """Print the figures; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench club", description=__doc__)
    parser.add_argument("--actions", type=int, default=200, help="how many actions are timed in each home")
    parser.add_argument("--takeovers", type=int, default=50, help="how many hosts are killed")
    options = parser.parse_args(arguments)
    found = programs()
    if found is None:
        parser.error("it needs the programs of PostgreSQL 15 or later")
    with tempfile.TemporaryDirectory(prefix="kickdoor-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        cluster = new_cluster(folder / "pg", found, fsync=True)
        try:
            asyncio.run(_measure(cluster, folder, options.actions, options.takeovers))
        finally:
            cluster.stop()
    return 0


async def _measure(cluster: Cluster, folder: Path, actions: int, takeovers: int) -> None:
    if actions:
        times = await _actions(_club(cluster, "actions"), folder, actions)
        both = {home: spread(found) for home, found in times.items()}
        slower = both["postgresql"]["p50"] - both["sqlite"]["p50"]
        line("an action to the last of six views, PostgreSQL slower than sqlite", slower, "ms", "2", **both)
    if takeovers:
        found = [await _take_over(_club(cluster, f"t{number}"), folder / f"t{number}") for number in range(takeovers)]
        line("a killed host's table is played on", spread(found)["p50"], "s", MARK_S, times=spread(found), of=takeovers)


def _club(cluster: Cluster, name: str) -> str:
    """Return the address of a new club."""
    import psycopg  # needs the extra

    from netcode.club.database import migrate  # the same

    with psycopg.connect(cluster.address, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}")
    address = f"{cluster.address}&options=-csearch_path%3D{name}"
    migrate(address)
    return address


async def _actions(club: str, folder: Path, actions: int) -> dict[str, list[float]]:
    """Return how long actions take in both homes, in turns (ms): from the call to the last view that shows it."""
    times: dict[str, list[float]] = {"sqlite": [], "postgresql": []}
    async with AsyncExitStack() as stack:
        tables: dict[str, list[Client]] = {}
        for home in times:
            more = {"club": club} if home == "postgresql" else {}
            host = running_host(data=str(folder / home), seats=len(SEATS), pace="relaxed", seed=3, **more)
            tables[home] = await stack.enter_async_context(seated(await stack.enter_async_context(host), *SEATS))
        for _ in range(actions):
            for home, clients in tables.items():
                times[home].append(await _one_action(clients))
    return times


async def _one_action(clients: list[Client]) -> float:
    """Let the first seat that may do something do it; return the ms until all six see it."""
    while True:
        for actor in clients:
            for action in actor.choices(1):
                before, began = shown(actor).rev, time.perf_counter()
                await actor.do(action)
                after = shown(actor).rev
                for client in clients:
                    await _sees(client, after)
                if after > before:
                    return (time.perf_counter() - began) * 1000
        await asyncio.sleep(0.05)


async def _sees(client: Client, rev: int) -> None:
    await client.wait_for(lambda one: one.view is not None and one.view.rev >= rev)


async def _take_over(club: str, folder: Path) -> float:
    """Kill a host under a table; return after how many seconds all its people play on at another one."""
    async with _two_hosts(club, folder) as (first, second), seated(first, *SEATS[:3]) as clients:
        while any(len(client.target.places) < 2 for client in clients):  # they learn of it when they are let in
            await asyncio.sleep(1.5)
            for client in clients:
                client.drop()
                await client.wait_for(lambda one: one.stage == "offline")
                await client.wait_for(lambda one: one.stage == "synced")
        there = parse_join(second.join).port
        began = time.perf_counter()
        first.process.send_signal(signal.SIGKILL)
        for client in clients:
            await client.wait_for(lambda one: one.stage == "synced" and one.target.port == there, timeout=60.0)
        await clients[0].do(Done())
        return time.perf_counter() - began


@asynccontextmanager
async def _two_hosts(club: str, folder: Path) -> AsyncIterator[tuple[RunningHost, RunningHost]]:
    config: dict[str, Any] = {"club": club, "pace": "relaxed"}
    async with running_host(data=str(folder / "a"), **config) as first:
        (folder / "b").mkdir()
        shutil.copy(folder / "a" / "server.key", folder / "b")
        async with running_host(data=str(folder / "b"), **config) as second:
            yield first, second
