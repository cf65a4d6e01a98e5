"""The front before real hosts: attacks by people with a string, and without a hello, on the host and its players."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import zmq
from zmq.utils.monitor import parse_monitor_message

from core.state.actions import Done
from netcode.client.client import Client
from netcode.front.channel import is_available
from netcode.host.addresses import PortInUse
from netcode.host.config import HostConfig
from netcode.host.front_process import fronted
from netcode.protocol import codec, wire
from netcode.protocol.credentials import new_pair, parse_join
from tests.bench.abuse import attack, newcomer
from tests.bench.processes import memory_mib
from tests.faults.default_host import DefaultHost, fronts_of, host_of, runs
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import running_host, until
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(not is_available(), reason="this system cannot run a front")
HOSTS, ATTACK_S = 8, 2.0
GROWS_MIB = 10.0
"""How much more memory a host may use while newcomers attack it (MiB): the handshakes of 256 of them."""


@asynccontextmanager
async def default_host(home: Path, *options: str) -> AsyncIterator[DefaultHost]:
    """Run `kickdoor host` with a front, in a data folder of its own."""
    host = DefaultHost(home)
    await host.start("--port", "0", "--pace", "relaxed", *options)
    try:
        yield host
    finally:
        host.kill()


async def two_players(host: DefaultHost) -> list[Client]:
    """Seat two people at the host's table."""
    clients = [Client(host.strings["join"], name, keep=False) for name in ("Kim", "Roger")]
    for client in clients:
        await client.join()
    return clients


def host_pid(host: DefaultHost) -> int:
    """Return the process id of the host under its supervisor."""
    child = host_of(host.pid)
    return child


def front_pid(host: DefaultHost) -> int:
    """Return the process id of the front."""
    (front,) = fronts_of(host.pid)
    return front


@pytest.mark.long(0)
async def test_broken_floods_with_heartbeats_and_without_hello_end_no_host(tmp_path: Path) -> None:
    """Without a front each of them ended a host within a second: libzmq 4.3.5 aborts."""

    async def attacked(number: int) -> str:
        async with default_host(tmp_path / str(number)) as host:
            before, string = host_pid(host), host.strings[("join", "watch", "lobby")[number % 3]]
            with attack("heartbeats", string), attack("heartbeats", string), attack("heartbeats", string):
                await asyncio.sleep(ATTACK_S)
            assert host_pid(host) == before
            await newcomer(host.strings["watch"])
            return host.errors

    for first in range(0, HOSTS, 2):
        for errors in await asyncio.gather(attacked(first), attacked(first + 1)):
            assert "Assertion" not in errors and "started again" not in errors, errors


@pytest.mark.long(0)
async def test_messages_of_very_many_parts_cost_a_host_no_memory(tmp_path: Path) -> None:
    """Without a front 760 such messages took 600 MiB."""
    async with default_host(tmp_path) as host:
        await newcomer(host.strings["watch"])
        pid = host_pid(host)
        before = memory_mib(pid)
        with attack("multipart", host.strings["lobby"]):
            await asyncio.sleep(3)
        assert memory_mib(pid, "VmHWM") < before + GROWS_MIB
        await newcomer(host.strings["watch"])


@pytest.mark.long(0)
async def test_a_seated_player_cannot_send_an_endless_message(tmp_path: Path) -> None:
    async with default_host(tmp_path) as host:
        with RawClient(host.strings["join"], new_pair()) as raw:
            raw.send(hello(host.strings["join"]))
            assert await raw.answer(wire.Welcome) is not None
            pid, before = host_pid(host), memory_mib(host_pid(host))
            until_s = time.monotonic() + 3
            while time.monotonic() < until_s:
                await asyncio.to_thread(_send_parts, raw, 200)
            assert memory_mib(pid, "VmHWM") < before + GROWS_MIB


def _send_parts(raw: RawClient, count: int) -> None:
    raw.socket.setsockopt(zmq.SNDTIMEO, 200)
    try:
        for _ in range(count):
            raw.socket.send(bytes(1000), zmq.SNDMORE)
    except zmq.ZMQError:
        time.sleep(0.05)  # the connection is gone, and opened again


@pytest.mark.long(0)
async def test_silent_connections_after_the_handshake_keep_nobody_out(tmp_path: Path) -> None:
    """1,080 of them, all from one address, and opened again whenever the front closes them. `tests.bench front`
    measures how long people wait."""
    async with default_host(tmp_path) as host:
        kim, roger = await two_players(host)
        seated, lobby = roger.welcome, host.strings["lobby"]
        with attack("mute", lobby), attack("mute", lobby), attack("mute", lobby):
            for _ in range(3):
                await newcomer(host.strings["watch"])
                await roger.why(Done(), timeout=PATIENCE_S)
            before = kim.welcome
            kim._transport.close(0)
            kim._transport = None
            kim._connect()
            await kim.wait_for(partial(_welcomed, old=before), PATIENCE_S)
            await kim.why(Done(), timeout=PATIENCE_S)
        assert roger.welcome is seated, "somebody with a seat was sent away for those without"
        for client in (kim, roger):
            await client.close()


async def test_who_says_no_valid_hello_is_sent_away_and_who_does_stays(tmp_path: Path) -> None:
    async with default_host(tmp_path) as host:
        wrong = parse_join(host.strings["join"])
        with RawClient(host.strings["join"], new_pair()) as raw, RawClient(host.strings["join"], new_pair()) as good:
            monitor = raw.socket.get_monitor_socket()
            good.send(hello(host.strings["watch"], role="watch"))
            raw.send(codec.pack(wire.Hello(1, 1, wrong.table, bytes(16), "Eve")))
            assert await raw.answer(wire.Error) is not None
            await until(lambda: _disconnected(monitor), PATIENCE_S)
            welcome = await good.answer(wire.Welcome)
            for nonce in range(3):
                good.send(wire.Ping(welcome.s, nonce))
                assert await good.answer(wire.Pong) is not None
                await asyncio.sleep(0.5)
            raw.socket.disable_monitor()
            monitor.close(linger=0)


def _disconnected(monitor: Any) -> bool:
    """Whether the connection of a monitored socket has ended since the last call."""
    while monitor.poll(0):
        if parse_monitor_message(monitor.recv_multipart())["event"] == zmq.EVENT_DISCONNECTED:
            return True
    return False


@pytest.mark.long(0)
async def test_a_killed_host_is_back_at_the_same_port_and_its_players_with_it(tmp_path: Path) -> None:
    async with default_host(tmp_path) as host:
        clients = await two_players(host)
        front = front_pid(host)
        for epoch in (2, 3):
            os.kill(host_pid(host), signal.SIGKILL)
            for client in clients:
                await client.wait_for(partial(_synced, epoch=epoch), PATIENCE_S)
                await client.why(Done())
        assert front_pid(host) == front, "the front has nothing to do with it"
        for client in clients:
            await client.close()
        assert await host.stop() == 0
        assert not runs(front)


def _synced(client: Client, epoch: int) -> bool:
    return client.stage == "synced" and client.welcome is not None and client.welcome.epoch == epoch


def _ended(pid: int) -> bool:
    return not runs(pid)


async def welcomed_again(clients: list[Client], before: list[wire.Welcome | None]) -> None:
    """Wait until everybody has another welcome and gets an answer; close the clients."""
    for client, old in zip(clients, before):
        await client.wait_for(partial(_welcomed, old=old), PATIENCE_S)
        await client.why(Done())
        await client.close()


def _welcomed(client: Client, old: wire.Welcome | None) -> bool:
    return client.stage == "synced" and client.welcome is not old


async def test_a_killed_front_is_back_and_the_players_with_it(tmp_path: Path) -> None:
    async with default_host(tmp_path) as host:
        clients = await two_players(host)
        pid, front, before = host_pid(host), front_pid(host), [client.welcome for client in clients]
        os.kill(front, signal.SIGKILL)
        await welcomed_again(clients, before)
        assert host_pid(host) == pid and front_pid(host) != front


async def test_a_front_that_hangs_is_replaced(tmp_path: Path) -> None:
    host = DefaultHost(tmp_path)
    hasty = "import netcode.host.front_process as hasty; hasty.MISSED_BEATS = 3; from tui.cli.main import main; main()"
    await host.start("--port", "0", "--pace", "relaxed", program=(sys.executable, "-c", hasty))
    try:
        clients = await two_players(host)
        front, before = front_pid(host), [client.welcome for client in clients]
        os.kill(front, signal.SIGSTOP)
        await until(partial(_ended, front), PATIENCE_S)
        await welcomed_again(clients, before)
        assert "the front does not react any more (for 3 s)" in host.errors
    finally:
        host.kill()


async def test_a_front_ends_with_its_host(tmp_path: Path) -> None:
    """However the host ends, and without a supervisor too; then the port is free."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        async with default_host(tmp_path, "--no-restart") as host:
            front, port = front_pid(host), parse_join(host.strings["join"]).port
            host.process.send_signal(number)
            await until(partial(_ended, front))
            with fronted(HostConfig(front=True, port=port), 5.0) as (config, _):
                assert config.port == port


async def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with ExitStack() as stack:
        config, _ = stack.enter_context(fronted(HostConfig(front=True, port=0)))
        with pytest.raises(PortInUse, match=f"port {config.port} "):
            stack.enter_context(fronted(HostConfig(front=True, port=config.port)))


async def test_nobody_on_the_host_s_machine_gets_in_round_the_front(tmp_path: Path) -> None:
    """The host also listens on loopback, where other users of the machine may look for it."""
    async with default_host(tmp_path, "--bots", "1") as host:
        kim = Client(host.strings["join"], "Kim", keep=False)
        await kim.join()
        await kim.wait_for(lambda one: any(seat.bot and seat.state == "bot" for seat in one.info.seats))
        port = parse_join(host.strings["join"]).port
        inner = [number for number in listening_ports(host_pid(host)) if number != port]
        assert len(inner) == 1
        round_it = host.strings["join"].replace(f":{port}/", f":{inner[0]}/")
        with RawClient(round_it, new_pair()) as raw:
            monitor = raw.socket.get_monitor_socket()
            await until(lambda: _disconnected(monitor))
            assert not raw.socket.poll(0)
            raw.socket.disable_monitor()
            monitor.close(linger=0)
        await kim.close()


def listening_ports(pid: int) -> set[int]:
    """Return the TCP ports on which a process listens."""
    inodes = {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")}
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in inodes}


async def test_solo_hosts_have_no_front() -> None:
    async with running_host(solo=True, bots=2) as host:
        assert fronts_of(host.process.pid) == []
