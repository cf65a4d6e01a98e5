"""Endless frames from a player: ZeroMQ takes a message whole or not at all, so `--memory` ends a host without a front.

Started again, it restores the table.
"""

import asyncio
import time
from pathlib import Path

import pytest

from tests.bench.abuse import attack
from tests.bench.processes import memory_mib
from tests.faults.busy_players import at_play
from tests.faults.journal_ledger import Ledger
from tests.faults.kill_runs import RestartableHost, nothing_lost
from tests.patience import PATIENCE_S

LIMIT_MB = 160


@pytest.mark.long(0)
async def test_the_memory_limit_ends_the_host_and_the_table_is_intact(tmp_path: Path) -> None:
    host = RestartableHost(tmp_path)
    await host.start("", 0, "--no-front", "--memory", str(LIMIT_MB))
    assert host.process is not None
    peak, began = 0.0, time.monotonic()
    try:
        async with at_play(host.join, 5) as (players, playing):
            with attack("endless", host.join):
                while host.process.poll() is None:
                    assert time.monotonic() - began < PATIENCE_S, "the memory limit does not end the host"
                    peak = max(peak, memory_mib(host.process.pid))
                    await asyncio.sleep(0.005)
            playing.clear()
            assert host.process.returncode != 0 and LIMIT_MB / 2 < peak < LIMIT_MB, f"ended at {peak:.0f} MiB"
            await host.start("", 0, "--no-front", "--memory", str(LIMIT_MB))
            for player in players:
                await player.client.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
            await nothing_lost(players, Ledger(tmp_path / "data"), [0] * 5)
    finally:
        host.kill()
