"""Before its HELLO a connection costs the front little and the host nothing, and the least advanced one is ended
first."""

import asyncio

import pytest
import zmq

from netcode.front.door import SERVER_GREETING
from netcode.host.front_process import standard_settings
from netcode.protocol.credentials import new_pair
from netcode.protocol.sockets import router
from tests.netcode.front.running_front import FrontClient, RunningFront, running_front, until
from tests.netcode.front.zmtp_stream import GREETING, HANDSHAKE, HELLO_FRAME, INITIATE_FRAME, SHORTEST_MESSAGE

STRANGER, OTHER = "127.0.0.9", "127.0.0.10"
STEPS = {
    "silence": b"", "a signature": GREETING[:10], "a greeting": GREETING, "half a HELLO": GREETING + HELLO_FRAME[:90],
}  # fmt: skip


async def callers(running: RunningFront, count: int, first: bytes, address: str = STRANGER) -> list[FrontClient]:
    """Open connections that send this and nothing more, until all are at the door or have been sent away."""
    before = len(running.front._door) + running.front.reasons["room"]
    clients = [await running.client(address, first) for _ in range(count)]
    await until(lambda: len(running.front._door) + running.front.reasons["room"] == before + count)
    return clients


def open_ones(clients: list[FrontClient]) -> list[int]:
    """Return which of these connections the front has not ended."""
    return [number for number, client in enumerate(clients) if client.is_open]


@pytest.mark.parametrize("first", STEPS.values(), ids=STEPS)
async def test_without_a_hello_nothing_reaches_the_host(first: bytes) -> None:
    async with running_front() as running:
        await callers(running, 3, first)
        assert not running.host.connections and len(running.front._door) == 3
        client, _ = await running.pair(STRANGER)
        assert client.is_open and len(running.host.connections) == 1


async def test_the_door_greets_as_the_zeromq_of_a_host_does() -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    sock = router(context, new_pair(), False)
    reader, writer = await asyncio.open_connection("127.0.0.1", sock.bind_to_random_port("tcp://127.0.0.1"))
    writer.write(GREETING)
    try:
        assert await asyncio.wait_for(reader.readexactly(len(SERVER_GREETING)), 5) == SERVER_GREETING
    finally:
        writer.close()
        context.destroy(linger=0)


@pytest.mark.parametrize("cut", (1, 9, 10, 11, 63, 64, 65, 90, len(GREETING + HELLO_FRAME)))
async def test_a_handshake_in_pieces_gets_through(cut: int) -> None:
    async with running_front() as running:
        client = await running.client(first=HANDSHAKE[:cut])
        await until(lambda: running.host.connections or len(running.front._door) == 1)
        client.send(HANDSHAKE[cut:] + SHORTEST_MESSAGE)
        await until(lambda: running.host.connections)
        await until(lambda: running.host.connections[0].got == HANDSHAKE + SHORTEST_MESSAGE)
        await client.welcomed()


async def test_the_least_advanced_caller_is_ended_for_the_next_one_however_old_the_others_are() -> None:
    async with running_front(address_callers=3) as running:
        greeted, signed = await callers(running, 1, GREETING), await callers(running, 1, GREETING[:10])
        silent = await callers(running, 3, b"")
        await until(lambda: open_ones(silent) == [2])
        assert greeted[0].is_open and signed[0].is_open
        second = await callers(running, 1, GREETING)
        await silent[2].ended()
        third = await callers(running, 1, GREETING)
        await signed[0].ended()
        await callers(running, 1, b"")
        await greeted[0].ended()
        assert second[0].is_open and third[0].is_open, "of those who have got as far the oldest goes"


async def test_strangers_at_full_rate_keep_nobody_of_their_address_out() -> None:
    """Each of them stays silent, or says no more than a greeting; the player comes in pieces, as ZeroMQ does."""
    for first in (b"", GREETING):
        async with running_front(address_callers=8) as running:
            await callers(running, 20, first)
            player = await running.client(STRANGER, GREETING[:10])
            assert await asyncio.wait_for(player.reader.readexactly(64), 5) == SERVER_GREETING
            player.send(GREETING[10:] + HELLO_FRAME)
            await until(lambda: running.host.connections)
            await callers(running, 20, first)
            player.send(INITIATE_FRAME)
            await until(lambda: running.host.connections[0].got == HANDSHAKE)
            assert player.is_open


async def test_those_at_the_door_of_one_address_push_out_nobody_of_another() -> None:
    async with running_front(callers=6, address_callers=6) as running:
        honest = await callers(running, 1, b"", OTHER)
        await callers(running, 20, GREETING)
        assert honest[0].is_open and len(running.front._door) == 6


async def test_who_hangs_up_leaves_the_door() -> None:
    async with running_front() as running:
        clients = await callers(running, 4, b"") + await callers(running, 4, GREETING)
        for number, client in enumerate(clients):
            client.reset() if number % 2 else client.writer.close()
        await until(lambda: len(running.front._door) == 0)
        assert running.front.reasons == {"left": 8} and not running.front._door._callers


async def test_what_no_client_of_ours_sends_is_sent_away_at_the_door() -> None:
    async with running_front() as running:
        for wrong in (b"GET / HTTP/1.1\r\n", GREETING + b"\x04\x20\x05READY" + bytes(60)):
            client = await running.client(first=wrong)
            await client.ended()
        assert running.front.reasons == {"greeting": 1, "frame": 1} and not running.host.connections


async def test_who_is_late_at_the_door_goes() -> None:
    async with running_front(handshake_s=0.3) as running:
        for client in await callers(running, 2, b"") + await callers(running, 2, GREETING):
            await client.ended()
        assert running.front.reasons == {"late": 4}


def test_the_door_has_room_for_many_more_than_are_let_in() -> None:
    settings = standard_settings()
    assert settings.address_callers > 2 * settings.address_newcomers - 1 and settings.callers > settings.address_callers
