"""Order of arrival: acts are carried out in the order in which the host received them, and the load figures show what
could change that.

How close together two acts may be is measured by `python -m tests.bench arrival`.
"""

import asyncio
import json
import logging
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.state.actions import Kick
from tests.bench.arrival import raced
from tests.faults.journal_ledger import Ledger
from tests.netcode.in_process_host import in_process_host
from tests.netcode.running_host import running_host
from tests.patience import PATIENCE_S

RACES = 8
BLOCK_S = 0.006


async def test_acts_are_carried_out_in_the_order_of_their_arrival(tmp_path: Path) -> None:
    async with running_host(seats=6, pace="relaxed", data=str(tmp_path)) as host:
        found = await raced(host.join, RACES, tmp_path)
    assert found["races"] == RACES, "each act of each race is in the journal"
    stamps = [stamp for _, stamp in sorted(Ledger(tmp_path).order().values())]
    assert len(stamps) >= 2 * RACES
    assert stamps == sorted(stamps), "an act that came later was carried out before"


def slowed(take: Callable[..., None], seconds: float) -> Callable[..., None]:
    """Return `take`, blocking the loop for this time before it begins."""

    def slow(*message: object) -> None:
        time.sleep(seconds)
        take(*message)

    return slow


async def test_a_blocked_receive_path_shows_in_the_load_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        kim, *others = await inside.seated(entry, "Kim", "Roger", "Ross")
        monkeypatch.setattr(entry.table, "message", slowed(entry.table.message, BLOCK_S))
        for _ in range(5):
            await kim.why(Kick())
        figures = inside.load.figures()
        assert figures["handler_ms"]["max"] >= BLOCK_S * 1000
        for client in (kim, *others):
            await client.close()


async def test_the_log_names_a_message_that_took_long(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        kim, *others = await inside.seated(entry, "Kim", "Roger", "Ross")
        with caplog.at_level(logging.WARNING, "kickdoor.fair_queue"), monkeypatch.context() as patch:
            patch.setattr(entry.table, "message", slowed(entry.table.message, 0.06))
            await kim.why(Kick())
        assert any("all others waited for it" in record.getMessage() for record in caplog.records)
        for client in (kim, *others):
            await client.close()


async def test_a_signal_logs_the_load_figures() -> None:
    async with running_host() as host:
        host.process.send_signal(signal.SIGUSR1)
        errors = host.process.stderr
        assert errors is not None
        line = await asyncio.wait_for(asyncio.to_thread(errors.readline), PATIENCE_S)
        told = json.loads(line[line.index("{") :])
        assert {"p50", "p99", "max"} <= told["handler_ms"].keys() & told["lag_ms"].keys()
        host.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(host.process.wait, 10) == 0
