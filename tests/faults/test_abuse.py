"""Attackers with and without the join string: honest players are answered, and the host's memory does not grow.

`python -m tests.bench abuse` has the figures.
"""

import asyncio
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
import zmq

from core.state.actions import Kick
from netcode.client.client import Client
from netcode.protocol import codec, wire
from netcode.protocol.credentials import new_pair, parse_join
from netcode.protocol.sockets import dealer
from tests.bench.abuse import attack, newcomer
from tests.bench.processes import memory_mib
from tests.faults.attacker import BEARABLE
from tests.faults.busy_players import NAMES, Player
from tests.faults.journal_ledger import Ledger
from tests.faults.raw_zmtp import ATTACKS, shout, silent
from tests.netcode.running_host import RunningHost, running_host
from tests.patience import PATIENCE_S

GROWS_MIB = 16
"""How much more memory a host may use after an attack (MiB); the limits of its queues add up to less."""


def descriptors(host: RunningHost) -> int:
    """Return how many files and connections a process has open."""
    return len(os.listdir(f"/proc/{host.process.pid}/fd"))


@pytest.mark.long(0)
async def test_honest_players_are_answered_and_newcomers_let_in_beside_rude_ones() -> None:
    """One attack after the other at the same table. `tests.bench abuse` measures how long the answers take."""
    async with running_host(seats=6, pace="relaxed") as host:
        clients = [host.client(name) for name in ("Kim", "Roger")]
        for client in clients:
            await client.join()
        resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE, (256, 256))
        for client in clients:
            assert await client.why(Kick(), timeout=PATIENCE_S) is not None
        before = memory_mib(host.process.pid)
        for kind in BEARABLE:
            with attack(kind, host.join) as attacker:
                for _ in range(8):
                    answers = await asyncio.gather(*(client.why(Kick(), timeout=PATIENCE_S) for client in clients))
                    assert None not in answers, f"{kind}: an honest player has no answer"
                    await asyncio.sleep(0.06)  # the host allows 20 questions a second
                await newcomer(host.watch)
                assert attacker.poll() is None, f"{kind}: the attacker gave up"
        assert memory_mib(host.process.pid, "VmHWM") < before + GROWS_MIB
        for client in clients:
            assert client.stage == "synced"
            await client.close()


async def test_every_act_sent_again_is_recognised_and_changes_nothing(tmp_path: Path) -> None:
    async with running_host(pace="relaxed", data=str(tmp_path)) as host:
        players = [Player(host.client(name), seat) for seat, name in enumerate(NAMES[:3])]
        for player in players:
            await player.client.join()
            player.client.set(ready=True)
        playing = asyncio.Event()
        playing.set()
        tasks = [asyncio.ensure_future(player.play(playing)) for player in players]
        kim, answers = players[0], list[wire.Ack | wire.Refused]()

        def answered(n: int) -> Callable[[Client], bool]:
            return lambda client: bool(answers) and answers[-1].n == n

        await kim.client.wait_for(lambda one: len(kim.sent) >= 12, PATIENCE_S)
        playing.clear()
        for player in players:
            await player.client.wait_for(lambda one: not one.busy)
        ledger = Ledger(tmp_path)
        ledger.read()
        before = ledger.accepted()
        kim.client.subscribe(lambda m: answers.append(m) if isinstance(m, wire.Ack | wire.Refused) else None)
        kim.acknowledged, known = {}, dict(kim.acknowledged)
        for n, action in kim.sent.items():
            kim.client._send(wire.Act(kim.client._s, n, action))
            await kim.client.wait_for(answered(n))
            await asyncio.sleep(0.1)  # the host allows ten acts a second in the long run
        assert {answer.n for answer in answers if isinstance(answer, wire.Ack) and answer.status == "dup"} == set(known)
        ledger.read()
        assert ledger.accepted() == before, "only clocks may go on meanwhile"
        for task in tasks:
            task.cancel()
        for player in players:
            await player.client.close()


async def test_strangers_get_a_greeting_and_a_closed_connection() -> None:
    async with running_host() as host:
        await newcomer(host.watch)  # the host answers it once everything is loaded
        port, before = parse_join(host.join).port, memory_mib(host.process.pid)
        async with asyncio.timeout(PATIENCE_S):  # a handshake that leads nowhere ends after three seconds
            answers = await asyncio.gather(*(shout(port, parts) for parts in ATTACKS.values() for _ in range(4)))
        assert max(map(len, answers)) <= 64, "nothing but ZMTP's greeting"
        assert memory_mib(host.process.pid, "VmHWM") < before + 5


@pytest.mark.long(0)
async def test_silent_connections_beyond_all_descriptors_keep_nobody_out() -> None:
    async with running_host() as host:
        resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE, (256, 256))
        async with silent(parse_join(host.join).port, 330):
            kim = host.client("Kim")
            await kim.join(timeout=PATIENCE_S)
            await kim.close()


@pytest.mark.long(0)
async def test_a_thousand_connections_leave_nothing_behind() -> None:
    async with running_host() as host:
        await asyncio.to_thread(_come_and_go, host.join, 100)
        await asyncio.sleep(0.5)
        before, files = memory_mib(host.process.pid), descriptors(host)
        await asyncio.to_thread(_come_and_go, host.join, 1000)
        async with asyncio.timeout(PATIENCE_S):
            while descriptors(host) > files + 4:
                await asyncio.sleep(0.05)
        assert memory_mib(host.process.pid) < before + 4
        kim = host.client("Kim")
        await kim.join(PATIENCE_S)
        await kim.close()


def _come_and_go(join: str, count: int, at_once: int = 25) -> None:
    """Open connections, each with a new key, say hello, wait for the answer and close them."""
    target = parse_join(join)
    hello = codec.pack(wire.Hello(1, 1, target.table, target.token, "Ann", "watch"))
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        for _ in range(count // at_once):
            socks = [dealer(context, new_pair(), target.key) for _ in range(at_once)]
            for sock in socks:
                sock.connect(target.endpoint)
            for sock in socks:
                sock.setsockopt(zmq.SNDTIMEO, 10_000)
                sock.send(hello)
            for sock in socks:
                assert sock.poll(10_000), "no answer"
                sock.close(linger=0)
    finally:
        context.destroy(linger=0)
