"""A club at full load: how many tables of six some hosts on one database hold, whether a host loses a table to another
one although it runs, and what the database has to do. The database, hosts, bots and clients share the machine."""

import asyncio
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from netcode.protocol.credentials import parse_join
from tests.bench import tables
from tests.bench.figures import line, spread
from tests.bench.processes import cpu_s, family
from tests.netcode.club.cluster import Cluster

BOTS = 6 - tables.GUESTS
IDLE_WARM_S = 3.0
"""How long hosts are left alone before their idle work is counted (s)."""


@asynccontextmanager
async def running_hosts(club: str, count: int, each: int) -> AsyncIterator[list[tables.Running]]:
    """Run this many hosts of a club, each with this many tables of six."""
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            found: list[tables.Running] = []
            for number in range(count):
                home = Path(folder) / str(number)
                home.mkdir()
                if found:
                    shutil.copy(Path(folder) / "0" / "server.key", home)
                host = tables.running_host(each, BOTS, club, str(home))
                found.append(await stack.enter_async_context(host))
            yield found


async def hold(cluster: Cluster, club: str, hosts: int, every: int, seconds: float) -> dict[str, Any]:
    """Let this many hosts serve this many tables in all; return latencies, CPU and the work of the database."""
    async with running_hosts(club, hosts, every // hosts) as running, tables.parties_at(*running) as parties:
        before, began = _work(cluster, club), time.monotonic()
        spent = [_cpu(running), cpu_s_of(cluster)]
        took = await tables.latencies(parties, seconds)
        passed = time.monotonic() - began
        work = {name: value - before[name] for name, value in _work(cluster, club).items()}
        cpu = [(now - then) / passed * 100 for now, then in zip([_cpu(running), cpu_s_of(cluster)], spent)]
        lags = [(await host.figures())["lag_ms"] for host in running]
        false = _moved(club)
    return {
        **(spread(took) if took else {"p99": float("inf")}), "hosts": hosts, "tables": every, "timed": len(took),
        "hosts_cpu": round(cpu[0]), "database_cpu": round(cpu[1]), "lag_ms": lags, "false_take_overs": false,
        "a_second": {name: round(value / passed, 1) for name, value in work.items()},
    }  # fmt: skip


async def tables_held(cluster: Cluster, new_club: Any, hosts: int, steps: Sequence[int], seconds: float) -> int:
    """Print latencies for growing numbers of tables; return the last one with a 99th percentile below the mark."""
    held = 0
    for every in steps:
        found = await hold(cluster, new_club(f"h{hosts}_{every}"), hosts, every, seconds)
        line("tables of six of a club", found["p99"], "ms", f"{tables.MARK_MS:g} ms", **found)
        if found["p99"] > tables.MARK_MS:
            break
        held = every
    return held


async def taken_after(club: str, each: int, how: signal.Signals) -> tuple[float, float]:
    """End one of two hosts that have this many tables of people and bots each. Return after how many seconds the other
    one has all tables, and all people are back."""
    async with running_hosts(club, 2, each) as running, tables.parties_at(running[0]) as parties:
        clients = [client for guests, spectator in parties for client in (*guests, spectator)]
        there = parse_join(running[1].strings[0][0]).port
        async with asyncio.timeout(60):
            while any(len(client.target.places) < 2 for client in clients):  # they are told when they are let in
                for client in clients:
                    client.drop()
                await asyncio.sleep(2.0)
        began = time.perf_counter()
        running[0].process.send_signal(how)
        try:
            while _moved(club) < each:
                await asyncio.sleep(0.05)
            taken = time.perf_counter() - began
            for client in clients:
                await client.wait_for(lambda one: one.stage == "synced" and one.target.port == there, timeout=60.0)
            return taken, time.perf_counter() - began
        finally:
            if running[0].process.returncode is None:
                running[0].process.kill()


async def count(cluster: Cluster, new_club: Any, seconds: float) -> None:
    """Count what the database has to do: for a host, for a table that stands still, for another host, for an action."""
    for hosts, each in ((1, 1), (1, 11), (2, 1), (4, 1)):
        club = new_club(f"idle{hosts}_{each}")
        async with running_hosts(club, hosts, each):
            await asyncio.sleep(IDLE_WARM_S)
            line("an idle club, statements", *_counted(cluster, club, await _during(cluster, club, seconds), seconds),
                 hosts=hosts, tables=hosts * each)  # fmt: skip
    club = new_club("busy")
    async with running_hosts(club, 1, 4) as running, tables.parties_at(*running):
        work = await _during(cluster, club, seconds)
        for_one = {name: round(value / max(1, work["actions"]), 2) for name, value in work.items()}
        line("a club at work, statements", *_counted(cluster, club, work, seconds), hosts=1, tables=4,
             for_an_action=for_one)  # fmt: skip


async def _during(cluster: Cluster, club: str, seconds: float) -> dict[str, float]:
    before = _work(cluster, club)
    await asyncio.sleep(seconds)
    return {name: value - before[name] for name, value in _work(cluster, club).items()}


def _counted(cluster: Cluster, club: str, work: dict[str, float], seconds: float) -> Any:
    each = {name: round(value / seconds, 2) for name, value in work.items()}
    print(f"  a second: {each}, connections: {_connections(cluster)}", flush=True)
    return each["statements"], "a second"


def _work(cluster: Cluster, club: str) -> dict[str, float]:
    """Return what the database has done so far: statements, commits, rows written and read; and the actions of this
    club."""
    import psycopg  # needs the extra

    with psycopg.connect(club, autocommit=True) as db:
        db.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public")
        statements = db.execute("SELECT coalesce(sum(calls), 0)::float8 FROM public.pg_stat_statements").fetchone()
        done = db.execute("""SELECT xact_commit, tup_inserted + tup_updated + tup_deleted, tup_returned
            FROM pg_stat_database WHERE datname = current_database()""").fetchone()
        wal = db.execute("SELECT wal_bytes::float8 FROM pg_stat_wal").fetchone()
        acts = db.execute("SELECT count(*) FROM acts").fetchone()
    assert statements and done and wal and acts
    return {
        "statements": statements[0], "commits": done[0], "rows_written": done[1], "rows_read": done[2],
        "wal_bytes": wal[0], "actions": acts[0],
    }  # fmt: skip


def _connections(cluster: Cluster) -> int:
    import psycopg  # needs the extra

    with psycopg.connect(cluster.address, autocommit=True) as db:
        row = db.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'kickdoor'").fetchone()
    return int(row[0]) if row is not None else 0


def _moved(club: str) -> int:
    """Return how many tables have been taken over."""
    import psycopg  # needs the extra

    with psycopg.connect(club) as db:
        row = db.execute("SELECT count(*) FROM tables WHERE generation > 1").fetchone()
    return int(row[0]) if row is not None else 0


def _cpu(running: list[tables.Running]) -> float:
    return sum(cpu_s(pid) for host in running for pid in family(host.pid))


def cpu_s_of(cluster: Cluster) -> float:
    """Return the CPU seconds of the server's processes that live. Some, such as those that vacuum, end at any time."""
    pid = int((cluster.folder / "data" / "postmaster.pid").read_text().split()[0])
    spent = 0.0
    for one in family(pid):
        with suppress(FileNotFoundError, ProcessLookupError):
            spent += cpu_s(one)
    return spent
