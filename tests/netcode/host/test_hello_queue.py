"""The hellos of newcomers: addresses take turns, each connection has one hello in the queue, and both the queue and its
share of the host's time are bounded."""

import asyncio
import time
from typing import Any

import pytest

from netcode.host import hello_queue
from netcode.host.fair_queue import QueuedMessage
from netcode.host.hello_queue import HelloQueue
from netcode.protocol import limits, wire
from netcode.protocol.credentials import new_pair
from tests.netcode.in_process_host import in_process_host
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import until


class Newcomers:
    """A queue, and the clients that it has let in. gone: the connections that are no longer open."""

    def __init__(self) -> None:
        self.let_in: list[tuple[str, str]] = []
        self.stamps: list[int] = []
        self.gone: set[bytes] = set()
        self.queue = HelloQueue(self._handle, lambda route: route not in self.gone)

    def _handle(self, item: QueuedMessage, where: str) -> None:
        self.let_in.append((item.address.decode(), where))
        self.stamps.append(item.stamp)

    def comes(self, name: str, where: str, key: str = "") -> None:
        """Let somebody say hello from this network address."""
        message = wire.Hello(wire.WIRE, wire.WIRE, "t", bytes(16), name)
        self.queue.put(QueuedMessage(name.encode(), message, key or name, 0), where)


async def test_each_address_has_its_turn() -> None:
    newcomers = Newcomers()
    for number in range(4):
        newcomers.comes(f"crowd {number}", "one")
    newcomers.comes("Kim", "two")
    newcomers.comes("Roger", "three")
    await until(lambda: not len(newcomers.queue))
    names = ["crowd 0", "Kim", "Roger", "crowd 1", "crowd 2", "crowd 3"]
    assert [name for name, _ in newcomers.let_in] == names and newcomers.let_in[1] == ("Kim", "two")


async def test_a_hello_counts_from_when_it_is_let_in_so_that_no_clock_of_a_table_goes_back() -> None:
    newcomers, came = Newcomers(), time.monotonic_ns()
    for name in ("Kim", "Roger"):
        newcomers.comes(name, "one")
    await until(lambda: not len(newcomers.queue))
    assert came < newcomers.stamps[0] < newcomers.stamps[1] < time.monotonic_ns()


async def test_a_connection_has_one_hello_and_who_has_gone_costs_no_time() -> None:
    newcomers = Newcomers()
    for _ in range(3):
        newcomers.comes("eager", "one")
    newcomers.comes("gone", "one")
    newcomers.comes("Kim", "one")
    newcomers.gone.add(b"gone")
    await until(lambda: not len(newcomers.queue))
    assert newcomers.let_in == [("eager", "one"), ("Kim", "one")]


async def test_if_too_many_wait_the_oldest_of_the_largest_crowd_is_dropped() -> None:
    newcomers = Newcomers()
    newcomers.comes("Kim", "two")
    for number in range(limits.WAITING_HELLOS + 10):
        newcomers.comes(f"crowd {number}", "one")
    assert len(newcomers.queue) == limits.WAITING_HELLOS
    found = [newcomers.queue.next() for _ in range(2)]
    assert [one and one[0].address for one in found] == [b"Kim", b"crowd 11"]
    newcomers.queue.close()


async def test_after_a_hello_that_took_long_nobody_is_let_in_for_a_multiple_of_that_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, now, planned = asyncio.get_running_loop(), [100.0], list[float]()
    queue = HelloQueue(lambda item, where: now.__setitem__(0, now[0] + 0.01), lambda route: True)
    monkeypatch.setattr(queue, "_loop", _Clock(now, planned))
    for name in (b"one", b"two"):
        message = wire.Hello(wire.WIRE, wire.WIRE, "t", bytes(16), "Kim")
        queue.put(QueuedMessage(name, message, "", 0), "here")
    queue._turn()
    assert planned == [0.0, pytest.approx(100.01 + hello_queue.PAUSE * 0.01)]
    assert loop.is_running()


class _Clock:
    """A loop whose time stands still, and which notes scheduled calls with their times."""

    def __init__(self, now: list[float], planned: list[float]) -> None:
        self._now, self._planned = now, planned

    def time(self) -> float:
        return self._now[0]

    def call_at(self, when: float, call: Any) -> object:
        self._planned.append(when)
        return self


async def test_whoever_has_a_seat_comes_back_past_all_newcomers(monkeypatch: pytest.MonkeyPatch) -> None:
    async with in_process_host() as inside:
        record, pair = next(iter(inside.registry.tables.values())).record, new_pair()
        join = inside.string(record.table, record.join)
        with RawClient(join, pair) as raw, RawClient(join, new_pair()) as other:
            await asyncio.to_thread(raw.send, hello(join, "Kim"))
            welcome = await raw.answer(wire.Welcome)
            wait = list[bytes]()
            monkeypatch.setattr(inside.host._newcomers, "put", lambda item, where: wait.append(item.address))
            await asyncio.to_thread(other.send, hello(join, "Roger"))
            await until(lambda: bool(wait))
            await asyncio.to_thread(raw.send, hello(join, "Kim", token=welcome.token))
            assert (await raw.answer(wire.Welcome)).seat == welcome.seat
            assert len(wait) == 1 and not other.socket.poll(0)


async def test_players_spectators_and_visitors_get_in_through_the_queue() -> None:
    async with in_process_host() as inside:
        record = next(iter(inside.registry.tables.values())).record
        kim = inside.client(inside.string(record.table, record.join), "Kim")
        wes = inside.client(inside.string(record.table, record.watch), "Wes", role="watch")
        await asyncio.gather(kim.join(), wes.join(), inside.visitor())
        assert kim.seat == 0 and wes.seat == -1 and not len(inside.host._newcomers)
