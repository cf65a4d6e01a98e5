"""A ladder on a cluster of separate processes: a scheduler and two workers, one of which is killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from netcode.lab.ladder import Ladder, Schedule, run
from netcode.lab.records import PlayedGame, play_recorded, read_games
from netcode.processes.start import child_env
from netcode.processes.workers import WorkerLost, completed
from netcode.simulation.plan import GamePlan, pack_hashes

pytest.importorskip("distributed", reason="the extra lab is not installed")
ROOT = Path(__file__).resolve().parents[3]
LADDER = Ladder(players=("easy", "normal"), seed=7)
COUNT = 36


@contextmanager
def process(*command: str) -> "Iterator[subprocess.Popen[bytes]]":
    """A part of Dask, which can import kickdoor; it ends with the test."""
    environment = {**child_env(), "PYTHONPATH": str(ROOT)}
    part = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + command[0], *command[1:]], env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield part
    finally:
        if part.poll() is None:
            part.kill()
        part.wait()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Path]:
    """The file with the address of a scheduler."""
    file = tmp_path / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter")
    with process("dask_scheduler", *options, "--scheduler-file", str(file)):
        deadline = time.monotonic() + 60
        while not file.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        yield file


def worker(scheduler: Path, threads: int = 1) -> "AbstractContextManager[subprocess.Popen[bytes]]":
    options = ("--no-nanny", "--no-dashboard", "--nthreads", str(threads), "--host", "127.0.0.1", "--local-directory")
    return process("dask_worker", "--scheduler-file", str(scheduler), *options, str(scheduler.parent))


def address_of(scheduler: Path) -> str:
    return str(json.loads(scheduler.read_text())["address"])


def test_no_game_is_lost_or_counted_twice_when_a_worker_is_killed(scheduler: Path, tmp_path: Path) -> None:
    from netcode.lab.cluster import cluster_at

    with worker(scheduler) as first, worker(scheduler) as second, cluster_at(address_of(scheduler), 1) as workers:
        _wait_for_workers(scheduler, 2)

        def kill_one(done: int, total: int) -> None:
            if done == 8:
                os.kill(first.pid, signal.SIGKILL)

        found = run(LADDER, COUNT, tmp_path / "far", workers, kill_one)
        assert first.wait(10) == -signal.SIGKILL and second.poll() is None
    assert (found.games, found.asked, found.exit_code) == (COUNT, COUNT, 0)
    lines = (tmp_path / "far" / PlayedGame.FILE).read_bytes().splitlines()
    far = read_games(tmp_path / "far")
    assert len(lines) == COUNT and sorted(far) == list(range(COUNT))
    run(LADDER, COUNT, tmp_path / "near", lambda work, plans: completed(work, plans, 1), lambda done, total: None)
    near = read_games(tmp_path / "near")
    assert [(far[no].winners, far[no].turns) for no in near] == [(game.winners, game.turns) for game in near.values()]


def _wait_for_workers(scheduler: Path, count: int) -> None:
    from distributed import Client

    with Client(address_of(scheduler), set_as_default=False) as client:
        client.wait_for_workers(count, timeout=60)


def test_a_cluster_that_cannot_play_is_refused_in_one_line(scheduler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from netcode.lab import cluster

    monkeypatch.setattr(cluster, "CONNECT_S", 1)
    monkeypatch.setattr(cluster, "WORKERS_S", 1)
    with pytest.raises(ValueError, match=r"tcp://127\.0\.0\.1:9: there is no scheduler"):
        enter("tcp://127.0.0.1:9")
    with pytest.raises(ValueError, match="it has no workers"):
        enter(address_of(scheduler))
    monkeypatch.setattr(cluster, "WORKERS_S", 60)
    with worker(scheduler, threads=2), pytest.raises(ValueError, match="start its workers with --nthreads 1"):
        enter(address_of(scheduler))


def enter(address: str) -> None:
    from netcode.lab.cluster import cluster_at

    with cluster_at(address, 1):
        raise AssertionError("this cluster cannot play")


def test_a_worker_with_another_version_plays_no_game(scheduler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from netcode.lab import cluster

    plan = Schedule(LADDER, tuple(pack_hashes(sets) for sets in LADDER.mixes)).plan(0)
    monkeypatch.setattr(cluster, "VERSION", "99.0")
    with worker(scheduler), cluster.cluster_at(address_of(scheduler), 1) as workers:
        with pytest.raises(ValueError, match=r"a worker of the cluster has kickdoor .*, not 99\.0"):
            list(workers(play_recorded, [plan]))
        with pytest.raises(WorkerLost, match="could not be played on the cluster: ZeroDivisionError"):
            monkeypatch.undo()
            list(workers(failing, [plan]))


def failing(plan: GamePlan) -> PlayedGame:
    raise ZeroDivisionError
