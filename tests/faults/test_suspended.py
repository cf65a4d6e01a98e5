"""Suspended processes (a sleeping laptop, Ctrl-Z): they disturb nobody, and catch up when they wake."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from core.state.actions import Kick
from tests.bench.processes import memory_mib
from tests.faults.busy_players import NAMES, Player
from tests.faults.journal_ledger import Ledger
from tests.faults.kill_runs import ROOT
from tests.netcode.running_host import RunningHost, running_host, until
from tests.patience import PATIENCE_S


class Idler:
    """A player's process and the newest revision it has seen."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self.rev = process, -1
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.rev = int(line)

    async def sees(self, rev: int, timeout: float = PATIENCE_S) -> None:
        """Wait until it has seen this revision."""
        async with asyncio.timeout(timeout):
            while self.rev < rev:
                await asyncio.sleep(0.02)


@asynccontextmanager
async def an_idler(host: RunningHost, name: str) -> AsyncIterator[Idler]:
    """Start a player in its own process that does nothing."""
    command = [sys.executable, "-m", "tests.faults.idle_player", name]
    process = await asyncio.create_subprocess_exec(*command, stdin=-1, stdout=-1, cwd=ROOT)
    assert process.stdin is not None
    process.stdin.write(host.join.encode() + b"\n")
    idler = Idler(process)
    try:
        yield idler
    finally:
        process.kill()
        await process.wait()
        await idler._reading


async def keeps_playing(player: Player) -> None:
    """Wait until the host has answered ten questions of a player and accepted another action."""
    accepted = len(player.acknowledged)
    for _ in range(10):
        await player.client.why(Kick(), timeout=PATIENCE_S)
    await until(lambda: len(player.acknowledged) > accepted, PATIENCE_S)


@pytest.mark.long(0)
async def test_one_suspended_player_does_not_disturb_the_others(tmp_path: Path) -> None:
    """`tests.bench abuse` measures how long they wait."""
    async with running_host(seats=6, data=str(tmp_path), pace="relaxed") as host, AsyncExitStack() as stack:
        players = [Player(host.client(name), seat) for seat, name in enumerate(NAMES[:5])]
        for player in players:
            stack.push_async_callback(player.client.close)
            await player.client.join()
            player.client.set(ready=True)
        sleeper = await stack.enter_async_context(an_idler(host, "Cleo"))
        clients = [player.client for player in players]
        for client in clients:
            await client.wait_for(lambda one: one.view is not None, PATIENCE_S)
        await sleeper.sees(0)
        playing = asyncio.Event()
        playing.set()
        tasks = [asyncio.ensure_future(player.play(playing)) for player in players]
        before = memory_mib(host.process.pid)
        sleeper.process.send_signal(signal.SIGSTOP)
        await asyncio.gather(*(keeps_playing(player) for player in players))
        for client in clients:
            await client.wait_for(lambda one: one.info is not None and one.info.seats[5].state == "lost", PATIENCE_S)
        assert [clients[0].info.seats[seat].state for seat in range(5)] == ["here"] * 5
        playing.clear()
        for client in clients:
            await client.wait_for(lambda one: not one.busy)
        assert memory_mib(host.process.pid) < before + 8
        sleeper.process.send_signal(signal.SIGCONT)
        ledger = Ledger(tmp_path)
        ledger.read()
        await sleeper.sees(ledger.view(5).rev)
        await clients[0].wait_for(lambda one: one.info.seats[5].state == "here")
        for task in tasks:
            task.cancel()


async def test_a_suspended_host_continues_with_all_its_players() -> None:
    async with running_host(pace="standard") as host, AsyncExitStack() as stack:
        players = [Player(host.client(name), seat) for seat, name in enumerate(NAMES[:3])]
        for player in players:
            stack.push_async_callback(player.client.close)
            await player.client.join()
            player.client.set(ready=True)
        for player in players:
            await player.client.wait_for(lambda one: one.view is not None)
        host.process.send_signal(signal.SIGSTOP)
        for player in players:
            await player.client.wait_for(lambda one: one.stage == "offline", PATIENCE_S)
            assert "does not answer" in player.client.reason
        host.process.send_signal(signal.SIGCONT)
        for player in players:
            await player.client.wait_for(lambda one: one.stage == "synced", PATIENCE_S)
        await players[0].client.wait_for(
            lambda one: [seat.state for seat in one.info.seats] == ["here"] * 3, 10
        )  # nobody has lost their seat
