"""A club on PostgreSQL: `python -m tests.bench club`. What no option names is not measured; without options: actions
and take-overs.

    --actions N      how long an action takes to the last view, at hosts with sqlite and with PostgreSQL in turns
    --takeovers N    how long after `kill -9` of a host its table is played on at another one
    --many N         the worst for ten tables of people and bots, of hosts that are killed and stopped
    --hosts N ... --tables N ... --seconds S    how many tables of six some hosts hold (club_load.py)
    --load MINUTES   whether one of two hosts at full load (the most of --tables) loses a table although it runs
    --count S        what the database has to do for a host, a table and an action
    --malice MINUTES an evening of malice at three hosts (club_malice.py)

The server is one of our own, with fsync on, in a temporary folder.
"""

import argparse
import asyncio
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from core.state.actions import Done
from netcode.client.client import Client
from netcode.protocol import limits, wire
from netcode.protocol.credentials import parse_join
from tests.bench import club_load, club_malice, club_paper, tables
from tests.bench.figures import line, spread
from tests.netcode.club.cluster import Cluster, new_cluster, programs
from tests.netcode.running_host import RunningHost, running_host, seated, shown

SEATS = ("Kim", "Roger", "Ross", "Ann", "Ben", "Cyd")
MARK_S = "5"
"""How soon another host is to have a table (s)."""
BACK_MARK_S = "10"
"""How soon all people are to be there (s)."""
ACTIONS, TAKEOVERS = 200, 50
TEN = 10
PACE_S = 1.1 / wire.Act.rate.per_second
"""The pause between two actions: without it the host would let the next one wait."""
AFTER_REFUSAL_S = 1.1 * limits.REFUSALS_MS / limits.REFUSALS / 1000
"""After this pause a player is never refused so often that the host sends them out."""
STEPS = (16, 32, 48, 64, 80, 96)
"""Numbers of tables that 1, 2 and 4 hosts can share equally."""


def main(arguments: Sequence[str] = ()) -> int:
    """Print the figures; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench club", description=__doc__)
    parser.add_argument("--actions", type=int, help=f"how many actions are timed in each home ({ACTIONS})")
    parser.add_argument("--takeovers", type=int, help=f"how many hosts are killed ({TAKEOVERS})")
    parser.add_argument("--many", type=int, help="how many hosts with ten tables are killed, and stopped")
    parser.add_argument("--hosts", type=int, action="append", help="how many hosts hold how many tables (1, 2, 4)")
    parser.add_argument("--tables", type=int, action="append", help="numbers of tables that are tried")
    parser.add_argument("--seconds", type=float, default=tables.SECONDS, help="how long each of these is measured")
    parser.add_argument("--load", type=float, help="minutes at full load: two hosts with the most of --tables")
    parser.add_argument("--count", type=float, help="seconds for which the work of the database is counted")
    parser.add_argument("--malice", type=float, help="minutes of malice at three hosts")
    parser.add_argument("--seed", type=int, default=1, help="of the malice")
    options = parser.parse_args(arguments)
    measured = (options.actions, options.takeovers, options.many, options.hosts, options.load, options.count)
    if not any((*measured, options.malice)):
        options.actions, options.takeovers = ACTIONS, TAKEOVERS
    found = programs()
    if found is None:
        parser.error("it needs the programs of PostgreSQL 15 or later")
    with tempfile.TemporaryDirectory(prefix="kickdoor-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        cluster = new_cluster(folder / "pg", found, fsync=True, counts=True)
        try:
            return asyncio.run(_measure(cluster, folder, options))
        finally:
            cluster.stop()


async def _measure(cluster: Cluster, folder: Path, options: argparse.Namespace) -> int:
    new_club = partial(_club, cluster)
    if options.actions:
        times = await _actions(new_club("actions"), folder, options.actions)
        both = {home: spread(found) for home, found in times.items()}
        slower = both["postgresql"]["p50"] - both["sqlite"]["p50"]
        line("an action to the last of six views, PostgreSQL slower than sqlite", slower, "ms", "2", **both)
    if options.takeovers:
        count = range(options.takeovers)
        found = [await _take_over(new_club(f"t{number}"), folder / f"t{number}") for number in count]
        times_s = spread(found)
        line("a killed host's table is played on", times_s["p50"], "s", MARK_S, times=times_s, of=len(count))
    if options.many:
        await _many(new_club, options.many)
    steps = sorted(options.tables or STEPS)
    for hosts in options.hosts or []:
        held = await club_load.tables_held(cluster, new_club, hosts, steps, options.seconds)
        line("tables of six that a club holds", held, "tables", hosts=hosts)
    if options.count:
        await club_load.count(cluster, new_club, options.count)
        club_paper.paper(new_club("paper"))
    failed = False
    if options.load:
        kept = await club_load.hold(cluster, new_club("load"), 2, steps[-1], 60 * options.load)
        line("false take-overs at full load", kept["false_take_overs"], "tables", "0", minutes=options.load, **kept)
        failed = kept["false_take_overs"] > 0
    if options.malice:
        failed |= await club_malice.evening(cluster, new_club("malice"), folder, options.seed, 60 * options.malice)
    return int(failed)


async def _many(new_club: Callable[[str], str], times: int) -> None:
    """Kill, and stop, so many hosts that have ten tables each; print the worst of all."""
    taken, back = dict[str, list[float]](), dict[str, list[float]]()
    for how in (signal.SIGKILL, signal.SIGSTOP):
        each = [await club_load.taken_after(new_club(f"{how.name}{number}"), TEN, how) for number in range(times)]
        taken[how.name], back[how.name] = ([one[at] for one in each] for at in (0, 1))
    for name, found, mark in (
        ("ten tables of a host that died or was stopped are at another one", taken, MARK_S),
        ("all their people and spectators are there", back, BACK_MARK_S),
    ):
        spreads = {how: spread(seconds) for how, seconds in found.items()}
        line(name, max(one["worst"] for one in spreads.values()), "s", mark, of=2 * times, **spreads)


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
                await asyncio.sleep(PACE_S)
                times[home].append(await _one_action(clients))
    return times


async def _one_action(clients: list[Client]) -> float:
    """Let the first seat that may do something do it; return the ms until all six see it."""
    while True:
        for actor in clients:
            for action in actor.choices(1):
                if await actor.why(action) is not None:
                    await asyncio.sleep(AFTER_REFUSAL_S)
                    continue
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
