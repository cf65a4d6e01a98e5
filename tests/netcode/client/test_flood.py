"""A host that sends too much: other work gets its turn, and the connection ends with a sentence."""

import asyncio
import time
from collections.abc import Iterator

import pytest
import zmq

from netcode.client.flood import BAD_HOST, FLOODED, Flooded, FloodLimit
from netcode.client.lobby_client import LobbyClient
from netcode.protocol import limits, wire
from netcode.protocol.sockets import TURN_S, SocketReader
from tests.faults.evil_host import VICTIM, evil_host, frame
from tests.patience import PATIENCE_S

HOPS = 30
"""The approximate number of turns of the loop until a key is answered."""
PER_TURN = 4
"""This many messages use up the processor time that is spent on reading at a time."""


@pytest.fixture
def full_socket() -> Iterator[zmq.Socket[bytes]]:
    """A socket with more messages than anybody reads."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    sender, reader = context.socket(zmq.PUSH), context.socket(zmq.PULL)
    reader.bind("inproc://full")
    sender.connect("inproc://full")
    for _ in range(1900):
        sender.send(b"", zmq.NOBLOCK)
    yield reader
    context.destroy(linger=0)


async def test_a_socket_that_is_always_full_leaves_turns_of_the_loop_to_others(
    full_socket: zmq.Socket[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, read = asyncio.get_running_loop(), list[float]()

    def slowly(sock: zmq.Socket[bytes]) -> None:
        sock.recv(zmq.NOBLOCK)
        read.append(time.thread_time())
        while time.thread_time() < read[-1] + TURN_S / PER_TURN:
            pass

    began = loop.time()
    with monkeypatch.context() as clock:
        clock.setattr(loop, "time", lambda: began)  # it stands still, so that no pause of the reader ends
        reader = SocketReader(full_socket, slowly)
        while not read:
            await asyncio.sleep(0)
        for _ in range(HOPS):
            await asyncio.sleep(0)
        assert len(read) <= PER_TURN, f"{len(read)} messages were read at a time"
    while len(read) < 100:  # and reading continues
        await asyncio.sleep(0)
    reader.close()


def spend(limit: FloodLimit, frames: int, size: int, each_s: float, message: wire.Down | None = None) -> None:
    """Count frames of this size, one after each pause (s)."""
    for number in range(frames):
        limit.frame(size, number * each_s)
        if message is not None:
            limit.message(message, number * each_s)


TALK = wire.Talk(0, "Kim", "hello")


def test_an_honest_host_is_never_taken_for_a_flood() -> None:
    acts = limits.BOT_ACT_RATE.per_second * limits.SEATS_MAX
    spend(FloodLimit(0.0), 100_000, 2000, 1 / acts)  # six bots as fast as they may, for minutes
    parts = wire.GetPack.rate
    spend(FloodLimit(0.0), 2000, limits.PART_BYTES + 100, 1 / parts.per_second)
    talkers = (limits.SEATS_MAX + limits.SPECTATORS) * wire.Say.rate.per_second
    spend(FloodLimit(0.0), 10_000, 400, 1 / talkers, TALK)
    comers = 2 * limits.HANDSHAKES.per_second + talkers  # each comes and goes; all others at the table are told of both
    spend(FloodLimit(0.0), 50_000, 1000, 1 / comers, wire.Info(wire.TableInfo("t", [wire.SeatInfo()])))
    spend(FloodLimit(0.0), (limits.SEATS_MAX + limits.SPECTATORS) * wire.Say.rate.burst, 400, 0.0, TALK)
    spend(FloodLimit(0.0), int(8 * acts), 4000, 0.0)  # what a host sends to a suspended client until it notices


@pytest.mark.parametrize(
    ("size", "each_s", "message"), [(10, 1 / 3000, None), (limits.DOWN_BYTES, 1 / 100, None), (400, 1 / 600, TALK)]
)
def test_more_than_that_is_a_flood(size: int, each_s: float, message: wire.Down | None) -> None:
    with pytest.raises(Flooded):
        spend(FloodLimit(0.0), 100_000, size, each_s, message)


@pytest.mark.long(0)
async def test_clients_leave_a_host_that_floods_them() -> None:
    async with evil_host() as host:
        for kind in (frame("ticked", timers={}), frame("talk", seat=0, name="Kim", text="hello")):
            client = host.client(VICTIM)
            await client.join()
            host.tell("flood", frames=[kind])
            assert await asyncio.wait_for(client.wait_closed(), PATIENCE_S) == FLOODED
            assert client.code == BAD_HOST
            host.tell("stop")
            await client.close()


async def test_a_visitor_leaves_a_lobby_that_floods_them() -> None:
    async with evil_host() as host:
        visitor = LobbyClient(host.lobby, VICTIM, keep=False)
        await visitor.enter()
        rows = [{"table": "t", "sets": ["munchkins-and-mazes"], "seats": 3}]
        host.tell("flood", frames=[frame("tables", rev=number, rows=rows) for number in range(2)])
        await visitor.wait_for(lambda one: one.stage == "closed", PATIENCE_S)
        assert visitor.reason == FLOODED
        await visitor.close()
