"""The judge of `python -m tests.bench malice` notices every broken promise. `.ci/run` spends two minutes of malice."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.bench.malice_report import Report, Restart, Span
from tests.faults.busy_players import at_play
from tests.faults.host_faults import suspended
from tests.faults.journal_ledger import Ledger
from tests.faults.process_watch import HostProcesses, end_of
from tests.netcode.running_host import running_host, until
from tests.patience import PATIENCE_S

RESTART = Restart("kill -9 of the host", 0.3, 0.6)
Times = list[tuple[float, float]]


def answers(slow: int, ms: float = 60.0) -> Times:
    """Return the times of a thousand actions, one sent each second, and of their answers. The first `slow` are answered
    after `ms`."""
    return [(at, at + (ms if at < slow else 2.0) / 1000) for at in range(1000)]


def broken(seconds: float = 60.0, log: str = "", **fields: Any) -> list[str]:
    """Return the broken promises of a report with these fields, whose other fields are fine."""
    report = Report(**{"answered": answers(0), "restarts": [RESTART], **fields})
    report.judge(seconds, log)
    return report.broken


def test_nothing_is_broken_if_all_went_well() -> None:
    assert not broken(log="kickdoor host: the host crashed (signal 9) and is started again; its tables are restored")
    assert not broken(seconds=1200.0, games=5)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"answered": []}, "no honest action was answered"),
        ({"answered": answers(slow=11)}, "one honest action in a hundred waited for 60 ms"),
        ({"answered": answers(slow=11), "excluded": [Span("", 0, 5)]}, None),
        ({"answered": answers(slow=11), "echoes": [(0.0, 15.0)]}, None),
        ({"answered": answers(slow=11), "late": [(2.0, 2.02), (3.04, 3.2)]}, None),
        ({"answered": answers(slow=12), "late": [(2.0, 2.005), (20.0, 20.02)]}, "waited for 60 ms"),
        ({"restarts": [Restart("kill -9 of the host", 0.3, 1.2)]}, "kill -9 of the host: 1.20 s"),
        ({"restarts": [Restart("kill -9 of the host", 0.3, 1.2, "", 7.0)], "echoes": [(7.5, 300.0)]}, None),
        ({"restarts": [Restart("kill -9 of the host", 0.3, 1.2, "", 7.0)], "echoes": [(9.5, 300.0)]}, "1.20 s"),
        ({"restarts": [Restart("kill -9 of the front", 0.3, 1.7, "churn, join string")]}, None),
        ({"restarts": [Restart("kill -9 of the host", 0.3, 1.7, "churn, join string")]}, "1.70 s"),
        ({"restarts": [RESTART, Restart("the host died by itself", 0.3, 0.6)]}, "the host died by itself"),
        ({"log": "kickdoor host: table 3f met an internal error (a tick)"}, "failed by itself"),
        ({"seconds": 1200.0}, "no game came to its end"),
    ],
)
def test_each_broken_promise_is_named(fields: dict[str, Any], words: str | None) -> None:
    found = broken(**fields)
    assert [words in sentence for sentence in found] == [True] if words else not found, found


async def test_an_acknowledged_action_that_the_journal_lacks_is_named(tmp_path: Path) -> None:
    async with running_host(seats=6, pace="relaxed", data=str(tmp_path / "data")) as host:
        async with at_play(host.join) as (players, playing):
            await until(lambda: sum(len(player.acknowledged) for player in players) > 8, PATIENCE_S)
            playing.clear()
            for player in players:
                await player.client.wait_for(lambda one: not one.busy)
            kept = {
                player.client.name: {(player.client._s, n): act for n, act in player.acknowledged.items()}
                for player in players
            }
        host.stop()
    ledger = Ledger(tmp_path / "data")
    for name, acknowledged in kept.items():
        ledger.must_have(name, acknowledged)
    shutil.copytree(tmp_path / "data", tmp_path / "copy")
    with closing(sqlite3.connect(next((tmp_path / "copy").rglob("*.sqlite")))) as db, db:
        db.execute("DELETE FROM acts WHERE rowid = (SELECT max(rowid) FROM acts WHERE s IS NOT NULL)")
    with pytest.raises(AssertionError, match="is lost"):
        for name, acknowledged in kept.items():
            Ledger(tmp_path / "copy").must_have(name, acknowledged)


async def test_the_host_among_the_processes_is_found_and_its_end_is_noticed(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path)) as host:
        processes = HostProcesses(os.getpid(), 0)
        assert processes.host() == host.process.pid and processes.listen(host.process.pid)
        ending = asyncio.ensure_future(end_of(host.process.pid))
        with suspended(host.process.pid):
            assert not ending.done()
        host.process.kill()
        assert await asyncio.wait_for(ending, PATIENCE_S)
        assert await asyncio.to_thread(host.process.wait) and not processes.host()
