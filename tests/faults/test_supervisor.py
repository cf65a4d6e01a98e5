"""`kickdoor host --restart`: a host that crashes is started again; one that is told to stop is not."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from core.state.actions import Done
from netcode.processes.watchdog import Heartbeats
from tests.bench.abuse import attack
from tests.faults.busy_players import Player, at_play, sit_down
from tests.faults.default_host import DefaultHost, children_of, host_of, runs
from tests.faults.journal_ledger import Ledger
from tests.faults.kill_runs import ROOT, RestartableHost, nothing_lost
from tests.netcode.running_host import until
from tests.patience import PATIENCE_S

ATTACK_S = 10.0
RUN = "from tui.cli.main import main; main()"
HASTY = (sys.executable, "-c", f"import netcode.host.supervisor as hasty; hasty.MISSED_BEATS = 3; {RUN}")
"""A supervisor that waits only three seconds for a host that hangs."""
SPINS = """
import signal

def spin(*_):
    while True:
        pass

signal.signal(signal.SIGUSR2, spin)
"""
"""A module that lets every Python process spin when it gets SIGUSR2."""
CLOSED = "os.close(0); os.close(1); os.close(2)"


def child_of(host: RestartableHost) -> int:
    """Return the process id of the host under the supervisor."""
    assert host.process is not None
    return host_of(host.process.pid)


async def back(players: list[Player], epoch: int) -> None:
    """Wait until everybody is at the table again, at this epoch of the host or a later one, and gets an answer."""
    for player in players:
        await player.client.wait_for(
            lambda one: one.stage == "synced" and one.welcome is not None and one.welcome.epoch >= epoch, 30
        )
        await player.client.why(Done())


async def acted(players: list[Player], more: int) -> None:
    """Wait until this many more of the players' actions are acknowledged than now."""
    acts = sum(len(player.acknowledged) for player in players) + more
    await until(lambda: sum(len(player.acknowledged) for player in players) >= acts)


async def test_a_host_that_is_killed_is_started_again_and_nobody_loses_anything(tmp_path: Path) -> None:
    host = RestartableHost(tmp_path)
    await host.start("", 0, "--restart")
    try:
        async with at_play(host.join) as (players, playing):
            for epoch in (2, 3):
                await acted(players, 7)
                os.kill(child_of(host), signal.SIGKILL)
                await back(players, epoch)
            playing.clear()
            await nothing_lost(players, Ledger(tmp_path / "data"), [0] * 6)
            assert host.errors.count("the host crashed (signal 9) and is started again") == 2
    finally:
        host.kill()


@pytest.mark.long(2)
@pytest.mark.parametrize(("kind", "options"), [("pings", ()), ("endless", ("--memory", "160"))])
async def test_after_a_fatal_attack_the_host_is_started_again_and_nothing_is_lost(
    tmp_path: Path, kind: str, options: tuple[str, ...]
) -> None:
    """With libzmq 4.3.5 about one broken flood in a hundred is fatal to a host without a front."""
    host = RestartableHost(tmp_path)
    await host.start("", 0, "--restart", "--no-front", *options)
    try:
        async with at_play(host.join, 5) as (players, playing):
            with attack(kind, host.join):
                if kind == "pings":
                    await asyncio.sleep(ATTACK_S)
                else:
                    await until(lambda: "is started again" in host.errors, PATIENCE_S)
            await back(players, 1)
            playing.clear()
            await nothing_lost(players, Ledger(tmp_path / "data"), [0] * 5)
            assert any(player.acknowledged for player in players), "nobody had anything to lose"
            assert host.process is not None and host.process.poll() is None
    finally:
        host.kill()


@pytest.mark.long(3)
@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
async def test_a_supervisor_that_is_told_to_stop_stops_its_host(tmp_path: Path, number: signal.Signals) -> None:
    host = RestartableHost(tmp_path)
    await host.start("", 0, "--restart")
    child = child_of(host)
    host.signal(number)
    assert await host.ended() == 0, host.errors
    assert not runs(child) and "started again" not in host.errors


async def test_a_host_does_not_outlive_its_supervisor(tmp_path: Path) -> None:
    host = RestartableHost(tmp_path)
    await host.start("", 0, "--restart")
    child = child_of(host)
    host.kill()
    await until(lambda: not runs(child))


@pytest.mark.long(0)
async def test_a_host_runs_on_if_nobody_reads_its_output_after_the_first_line(tmp_path: Path) -> None:
    """A host that was started from the menu is in this situation. It must keep running."""
    host = DefaultHost(tmp_path)
    strings = await host.start("--port", "0", "--bots", "2", errors=subprocess.PIPE)
    assert host.process is not None and host.process.stdout is not None and host.process.stderr is not None
    host.process.stdout.close()
    host.process.stderr.close()
    (player,) = await sit_down(strings["join"], 1)
    try:
        await player.client.wait_for(lambda one: one.view is not None)
        for epoch in (2, 3):
            hand = player.client.view.you.hand
            child = host_of(host.pid)
            os.kill(child, signal.SIGKILL)
            await back([player], epoch)
            assert player.client.view.you.hand == hand
        assert await host.stop() == 0
    finally:
        await player.client.close()
        host.kill()


@pytest.mark.long(0)
@pytest.mark.parametrize("how", ("stopped", "busy"))
async def test_a_host_that_hangs_is_replaced(tmp_path: Path, how: str) -> None:
    """Its process is stopped, or its loop is stuck in one task."""
    (tmp_path / "sitecustomize.py").write_text(SPINS)
    host = DefaultHost(tmp_path / "home")
    strings = await host.start("--port", "0", "--bots", "2", program=HASTY, PYTHONPATH=str(tmp_path))
    (player,) = await sit_down(strings["join"], 1)
    try:
        await player.client.wait_for(lambda one: one.view is not None, PATIENCE_S)
        hand = player.client.view.you.hand
        child = host_of(host.pid)
        os.kill(child, signal.SIGSTOP if how == "stopped" else signal.SIGUSR2)
        await back([player], 2)
        assert player.client.view.you.hand == hand and not runs(child)
        assert host.errors.count("does not react any more (for 3 s) and is killed") == 1, host.errors
        assert await host.stop() == 0
    finally:
        await player.client.close()
        host.kill()


async def test_a_port_that_is_taken_after_a_crash_is_tried_until_it_is_free(tmp_path: Path) -> None:
    host = RestartableHost(tmp_path)
    await host.start("", 0, "--restart", "--no-front", "--bots", "5")
    (player,) = await sit_down(host.join, 1)
    try:
        await player.client.wait_for(lambda one: one.view is not None, PATIENCE_S)
        child = child_of(host)
        os.kill(child, signal.SIGKILL)
        with socket.socket() as squatter:
            squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            await until(lambda: _bound(squatter, host.port))  # some threads end after the first one
            squatter.listen()
            await until(lambda: "(trying again for 60 s)" in host.errors, PATIENCE_S)
        await back([player], 2)
        assert host.errors.count("is in use") == 1, host.errors
    finally:
        await player.client.close()
        host.kill()


def _bound(sock: socket.socket, port: int) -> bool:
    try:
        sock.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True


@pytest.mark.long(0)
@pytest.mark.parametrize("closed", ("nobody reads", "closed before the start"))
async def test_a_host_outlives_whoever_reads_its_output(tmp_path: Path, closed: str) -> None:
    host = DefaultHost(tmp_path / "home")
    program = [sys.executable, "-c", f"import os; {CLOSED if closed != 'nobody reads' else 'pass'}; {RUN}"]
    with open(os.devnull) as nothing:
        reader, writer = os.pipe()
        os.close(reader)
        process = await asyncio.create_subprocess_exec(
            *program, "host", "--port", "0", "--no-front", stdin=nothing, stdout=writer, stderr=writer, cwd=ROOT,
            env={**os.environ, "KICKDOOR_DATA": str(host.home)},
        )  # fmt: skip
        os.close(writer)
    hosts = host.home / "hosts"
    await until(lambda: bool(host.folders) and (hosts / host.folders[0] / "table.sqlite").exists(), PATIENCE_S)
    port = int(host.folders[0])
    try:
        for number in (signal.SIGKILL, signal.SIGHUP):
            await until(lambda: bool(children_of(process.pid)) and _listening(port), PATIENCE_S)
            child = host_of(process.pid)
            await until(lambda: os.readlink(f"/proc/{process.pid}/fd/1") == "/dev/null", PATIENCE_S)
            os.kill(child if number == signal.SIGKILL else process.pid, number)
            await until(lambda: not _listening(port), PATIENCE_S)
        assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
    finally:
        if process.returncode is None:
            process.kill()


def _listening(port: int) -> bool:
    """Whether somebody listens at this port."""
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    listening = {int(row.split()[1].partition(":")[2], 16) for row in rows if row.split()[3] == "0A"}
    return port in listening


async def test_a_host_started_by_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    host = DefaultHost(tmp_path / "home")
    ignoring = (sys.executable, "-c", f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); {RUN}")
    strings = await host.start("--port", "0", program=ignoring)
    try:
        os.kill(host.pid, signal.SIGHUP)
        (player,) = await sit_down(strings["join"], 1)
        await player.client.close()
        assert await host.stop() == 0
    finally:
        host.kill()


def test_only_a_watcher_that_is_awake_counts_missed_heartbeats() -> None:
    now = 0.0
    dog = Heartbeats(1.0, 3, lambda: now)

    def pass_s(seconds: float) -> bool:
        nonlocal now
        now += seconds
        dog.tick()
        return dog.hangs

    assert [pass_s(1) for _ in range(3)] == [False, False, True]
    dog.heartbeat()
    assert [pass_s(1), pass_s(1)] == [False, False]
    assert pass_s(3600) is False, "the whole machine slept"
    assert [pass_s(1.5) for _ in range(3)] == [False, False, True], "a slow machine is awake"


@pytest.mark.long(0)
async def test_a_host_that_ends_with_an_error_message_is_not_started_again(tmp_path: Path) -> None:
    """Another host uses the data folder, so another start would fail in the same way."""
    host = RestartableHost(tmp_path)
    await host.start("", 0)
    try:
        command = [sys.executable, "-m", "tui", "host", "--port", "0", "--restart", "--data", str(tmp_path / "data")]
        done = await asyncio.to_thread(
            subprocess.run, command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
        )
        assert done.returncode == 2 and "another host" in done.stderr and "again" not in done.stderr, done.stderr
    finally:
        host.kill()
