"""A client resends messages that the network loses: its hello, an action, a request."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from core.state.actions import Done, Kick
from netcode.client.lobby_client import LobbyClient
from netcode.client.transport import Transport
from netcode.protocol import codec, limits, wire
from tests.netcode.running_host import running_host, seated


class LossyNetwork:
    """The network from clients to hosts, which loses messages of some types. sent: all messages given to it; pinged_at:
    when the first ping was (seconds of the loop's clock)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.losses: dict[type, int] = {}
        self.sent: list[wire.Up] = []
        self.pinged_at = -1.0
        self._send = Transport.send
        monkeypatch.setattr(Transport, "send", lambda transport, frame: self._take(transport, frame))

    def _take(self, transport: Transport, frame: bytes) -> bool:
        message = codec.unpack_up(frame)
        self.sent.append(message)
        if isinstance(message, wire.Ping) and self.pinged_at < 0:
            self.pinged_at = asyncio.get_running_loop().time() - 0.001
        left = self.losses.get(type(message), 0)
        self.losses[type(message)] = max(0, left - 1)
        return True if left else self._send(transport, frame)

    def copies(self, kind: type) -> list[wire.Up]:
        """Return every message of a type that was sent, lost or not."""
        return [message for message in self.sent if isinstance(message, kind)]


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> LossyNetwork:
    """Return a network at which clients do not wait as long as usual before they send something again."""
    monkeypatch.setattr(limits, "RESEND_S", 0.3)
    monkeypatch.setattr(limits, "CLIENT_TICK_S", 0.02)
    return LossyNetwork(monkeypatch)


async def test_a_lost_action_is_sent_again_under_its_number_until_it_is_answered(network: LossyNetwork) -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        before, network.losses[wire.Act] = kim.view, 2
        answer = await kim.do(Done())
        acts = network.copies(wire.Act)
        assert answer.why == "" and kim.view is not before and not kim.busy
        assert len(acts) >= 3 and acts == [acts[0]] * len(acts), "the host carries out the same number once"


async def test_an_action_waits_until_the_one_before_it_is_answered_and_neither_is_sent_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "RESEND_S", 1000.0)  # the answer to the first one sends the second
    network = LossyNetwork(monkeypatch)
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        numbers = [kim.act(Kick()), kim.act(Kick())]
        assert [act.n for act in network.copies(wire.Act)] == numbers[:1]
        await kim.wait_for(lambda one: not one.busy)
        assert [act.n for act in network.copies(wire.Act)] == numbers


async def test_a_lost_hello_is_said_again(network: LossyNetwork) -> None:
    async with running_host(pace="relaxed") as host, AsyncExitStack() as stack:
        kim, network.losses[wire.Hello] = host.client("Kim"), 2
        stack.push_async_callback(kim.close)
        await kim.join()
        assert kim.stage == "synced" and len(network.copies(wire.Hello)) >= 3


async def test_a_client_that_comes_back_says_up_to_which_event_it_has_heard_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = LossyNetwork(monkeypatch)
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        heard, hellos = [event.no for event in kim.events], network.copies(wire.Hello)
        assert len(heard) > 1, "the deal was several events in one message"
        kim.drop()
        await kim.wait_for(lambda one: one.stage == "synced" and len(network.copies(wire.Hello)) > len(hellos))
        again = [hello for hello in network.copies(wire.Hello)[len(hellos) :] if isinstance(hello, wire.Hello)]
        assert {hello.heard for hello in again if hello.name == "Kim"} == {heard[-1]}


async def test_a_client_that_was_away_for_long_knows_where_it_left_off_until_its_next_action(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross", home=tmp_path) as (kim, *_):
        heard = [event.no for event in kim.events][-1]
        welcome = kim.welcome
        kim.drop()
        await kim.wait_for(lambda one: one.stage == "synced" and one.welcome is not welcome)
        assert kim.left_off == -1, "nobody plays for whoever is back at once"
        monkeypatch.setattr(limits, "AWAY_MS", -1)
        await kim.close()
        again = host.client("Kim", tmp_path)
        try:
            await again.join()
            assert again.left_off == heard
            again.act(Kick())
            assert again.left_off == -1
        finally:
            await again.close()


async def test_nothing_of_a_closed_client_is_left_in_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, watched = asyncio.get_running_loop(), set[object]()
    add, remove = loop.add_reader, loop.remove_reader

    def watch(descriptor: Any, *callback: Any) -> None:
        watched.add(descriptor)
        add(descriptor, *callback)

    def unwatch(descriptor: Any) -> bool:
        watched.discard(descriptor)
        return remove(descriptor)

    monkeypatch.setattr(loop, "add_reader", watch)
    monkeypatch.setattr(loop, "remove_reader", unwatch)
    async with running_host(pace="relaxed") as host:
        before = set(watched)
        kim = host.client("Kim")
        await kim.join()
        assert watched > before
        await kim.close()
        assert watched == before


async def test_the_round_trip_is_measured_from_ping_to_pong(monkeypatch: pytest.MonkeyPatch) -> None:
    network, loop = LossyNetwork(monkeypatch), asyncio.get_running_loop()
    async with running_host(pace="relaxed") as host, AsyncExitStack() as stack:
        kim, came = host.client("Kim"), list[float]()
        stack.push_async_callback(kim.close)
        kim.subscribe(lambda message: came.append(loop.time()) if isinstance(message, wire.Pong) else None)
        await kim.join()
        await kim.wait_for(lambda _: bool(came))
        assert 0 <= kim.rtt_ms <= (came[0] - network.pinged_at) * 1000 + 1


async def test_a_ping_that_is_lost_is_followed_by_the_next(network: LossyNetwork) -> None:
    async with running_host(pace="relaxed") as host, AsyncExitStack() as stack:
        kim, answered = host.client("Kim"), list[wire.Pong]()
        stack.push_async_callback(kim.close)
        kim.subscribe(lambda message: answered.append(message) if isinstance(message, wire.Pong) else None)
        await kim.join()
        assert kim.welcome is not None
        kim.welcome, network.losses[wire.Ping] = replace(kim.welcome, beat_ms=500), 1
        await kim.wait_for(lambda _: len(answered) >= 2)
        pings = [ping.nonce for ping in network.copies(wire.Ping)]
        assert pings == sorted(set(pings)) and len(pings) > len(answered) and kim.stage == "synced"


async def test_a_lost_request_to_a_lobby_is_made_again_and_carried_out_once(network: LossyNetwork) -> None:
    async with running_host(pace="relaxed") as host, AsyncExitStack() as stack:
        visitor = LobbyClient(host.lobby, "Ann", keep=False)
        stack.push_async_callback(visitor.close)
        await visitor.enter()
        network.losses.update({wire.CreateTable: 2, wire.ListTables: 1})
        created = await visitor.create(["axe-cop"])
        await visitor.wait_for(lambda one: created.table in {row.table for row in one.rows})
        assert len(visitor.rows) == 2 and len(network.copies(wire.CreateTable)) >= 3
