"""A host and its front in one loop: the front learns which connections are seated or guests, and the host learns
addresses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from netcode.front.channel import make_channel
from netcode.front.front import Front
from netcode.host.front_connections import FrontConnections
from netcode.host.front_process import listen, standard_settings
from netcode.protocol import wire
from netcode.protocol.credentials import Join, new_pair
from tests.netcode.front.running_front import ROOM, until
from tests.netcode.in_process_host import InProcessHost, in_process_host
from tests.netcode.raw_client import RawClient, hello


@dataclass
class FrontedHost:
    """A host and the front before it."""

    inside: InProcessHost
    front: Front
    channel: FrontConnections
    port: int

    def string(self, token: bytes, table: str = "") -> str:
        """Return a join string that leads through the front."""
        entry = next(iter(self.inside.registry.tables.values()))
        return str(Join("127.0.0.1", self.port, table or entry.id, self.inside.pair.public, token))

    @property
    def entry(self) -> Any:
        """The host's only table."""
        return next(iter(self.inside.registry.tables.values()))

    @property
    def counts(self) -> dict[str, int]:
        """How many connections each rank has."""
        found = self.front.figures()["front"]
        assert isinstance(found, dict)
        return found


@asynccontextmanager
async def fronted_host(by_address: bool) -> AsyncIterator[FrontedHost]:
    """Run a host of one table behind a front."""
    fronts_end, hosts_end = make_channel()
    channel = FrontConnections(hosts_end.fileno(), by_address)
    front, listener = Front(standard_settings(), fronts_end, ROOM, ROOM, by_address), listen("127.0.0.1", 0)
    listener.setblocking(False)
    port = listener.getsockname()[1]
    await front.open(listener)
    try:
        async with in_process_host(front=channel) as inside:
            yield FrontedHost(inside, front, channel, port)
    finally:
        await front.close(1.0)
        for end in (fronts_end, hosts_end):
            end.close()


@pytest.mark.parametrize("by_address", (True, False))
async def test_players_spectators_and_visitors_are_told_apart(by_address: bool) -> None:
    async with fronted_host(by_address) as host:
        record, inside = host.entry.record, host.inside
        kim = inside.client(host.string(record.join), "Kim")
        wes = inside.client(host.string(record.watch), "Wes", role="watch")
        await kim.join()
        await wes.join()
        await until(lambda: host.counts == {"newcomer": 0, "guest": 1, "seated": 1})
        with RawClient(host.string(inside.lobby.token, wire.LOBBY), new_pair()) as vic:
            await asyncio.to_thread(vic.send, hello(host.string(inside.lobby.token, wire.LOBBY), "Vic"))
            assert await vic.answer(wire.Entered) is not None
            await until(lambda: host.counts["guest"] == 2)
            (visitor,) = inside.lobby._visitors.values()
            assert visitor.where == "127.0.0.1", "the lobby counts tables by the client's address"
        await wes.close()
        await until(lambda: host.counts == {"newcomer": 0, "guest": 0, "seated": 1})
        again = inside.client(host.string(record.join), "Roger")
        await again.join()
        await until(lambda: host.counts["seated"] == 2)


async def test_who_is_kicked_or_superseded_is_a_newcomer_again() -> None:
    async with fronted_host(True) as host:
        entry, pair = host.entry, new_pair()
        string = host.string(entry.record.join)
        with RawClient(string, pair) as first, RawClient(string, pair) as second:
            for raw in (first, second):
                await asyncio.to_thread(raw.send, hello(string))
                assert await raw.answer(wire.Welcome) is not None
            assert await first.answer(wire.Bye) is not None
            await until(lambda: host.counts == {"newcomer": 1, "guest": 0, "seated": 1})
            entry.table.seating.kick(0, False, "go")
            await until(lambda: host.counts["seated"] == 0)


async def test_who_knocks_is_a_guest_until_the_answer() -> None:
    async with fronted_host(True) as host:
        entry = host.entry
        string = host.string(entry.record.join)
        entry.table.seating.admission.set_knocking(True)
        with RawClient(string, new_pair()) as raw:
            await asyncio.to_thread(raw.send, hello(string))
            assert await raw.answer(wire.Knocked) is not None
            await until(lambda: host.counts["guest"] == 1)
            entry.table.seating.admission.set_inviting(False)
            await until(lambda: host.counts == {"newcomer": 1, "guest": 0, "seated": 0})


async def test_who_waits_at_the_door_in_silence_is_no_guest_for_ever() -> None:
    async with fronted_host(True) as host:
        admission = host.entry.table.seating.admission
        string = host.string(host.entry.record.join)
        admission.set_knocking(True)
        with RawClient(string, new_pair()) as raw:
            await asyncio.to_thread(raw.send, hello(string))
            await until(lambda: host.counts["guest"] == 1)
            admission.knocks.clear()  # as the table forgets a silent player
            await until(lambda: host.counts["guest"] == 0)


async def test_a_message_of_several_parts_ends_its_connection() -> None:
    async with fronted_host(True) as host:
        string = host.string(host.entry.record.join)
        with RawClient(string, new_pair()) as raw:
            await asyncio.to_thread(raw.send, hello(string))
            assert await raw.answer(wire.Welcome) is not None
            raw.socket.send_multipart([b"one", b"two"])
            await until(lambda: host.front.reasons["sent away"] == 1)
