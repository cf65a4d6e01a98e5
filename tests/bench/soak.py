"""A soak test of many tables: does the host's memory grow, does it get slower? `python -m tests.bench soak` takes
thirty minutes; it prints a line for each minute, and two for the whole run."""

import asyncio
from statistics import linear_regression, median
from typing import Any

from tests.bench.figures import line, spread
from tests.bench.processes import memory_mib
from tests.bench.tables import GUESTS, MARK_MS, latencies, parties_at, running_host

MINUTES, TABLES = 30, 20
SETTLED = 5
"""Minutes after which memory should not grow."""


def main(minutes: int = MINUTES, tables: int = TABLES, minute_s: float = 60.0) -> None:
    """Play for this many minutes and print the figures."""
    rows = asyncio.run(_soaked(minutes, tables, minute_s))
    settled = rows[min(SETTLED, len(rows) // 3) :]
    slope = linear_regression([row["minute"] for row in settled], [row["host_mib"] for row in settled]).slope
    line("memory of a host in a soak test", slope * 10, "MiB in ten minutes", "1", tables=tables, minutes=minutes,
         first_mib=rows[0]["host_mib"], last_mib=rows[-1]["host_mib"])  # fmt: skip
    line("action to the last view in a soak test", median(row["p99"] for row in rows), "ms, 99th percentile",
         f"{MARK_MS:g} ms", worst_minute=max(row["p99"] for row in rows), p50=median(row["p50"] for row in rows),
         timed=sum(row["timed"] for row in rows))  # fmt: skip


async def _soaked(minutes: int, tables: int, minute_s: float) -> list[dict[str, Any]]:
    rows = []
    async with running_host(tables, 6 - GUESTS) as host, parties_at(host) as parties:
        for minute in range(1, minutes + 1):
            took = await latencies(parties, minute_s - 0.5)
            row = {"minute": minute, "host_mib": round(memory_mib(host.pid), 2), "timed": len(took), **spread(took)}
            line("a minute of a soak test", row["p99"], "ms", "", **row)
            rows.append(row)
    return rows
