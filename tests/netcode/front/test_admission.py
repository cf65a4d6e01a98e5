"""Too many connections: newcomers who make no progress are ended, seated players stay, and all may return."""

import asyncio
from contextlib import suppress

import pytest

from netcode.front import admission
from netcode.front.channel import ChannelFull, tell
from netcode.protocol import limits
from tests.netcode.front.running_front import FrontClient, InnerConnection, RunningFront, running_front, until
from tests.netcode.front.zmtp_stream import GREETING, HANDSHAKE, SHORTEST_MESSAGE

STRANGER, OTHER = "127.0.0.9", "127.0.0.10"


async def ranked(running: RunningFront, rank: str, address: str = "127.0.0.1") -> tuple[FrontClient, InnerConnection]:
    """Return a connection to which the host has given this rank."""
    client, inner = await running.pair(address)
    running.host.tell(rank, inner.name)
    await until(lambda: running.front._named[inner.name].rank == rank)
    return client, inner


def counts(running: RunningFront) -> dict[str, int]:
    """Return how many connections each rank has."""
    found = running.front.figures()["front"]
    assert isinstance(found, dict)
    return found


async def test_the_oldest_newcomer_of_an_address_is_ended_for_the_next_one() -> None:
    async with running_front(newcomers=10, address_newcomers=3) as running:
        clients = [(await running.pair(STRANGER))[0] for _ in range(5)]
        await clients[0].ended()
        await clients[1].ended()
        assert counts(running)["newcomer"] == 3 and clients[2].is_open and clients[4].is_open


async def test_the_least_advanced_newcomer_is_ended_for_the_next_one() -> None:
    """Of equally advanced connections the oldest is ended, however long it has been there."""
    async with running_front(newcomers=10, address_newcomers=3, handshakes=(0, 1)) as running:
        far, _ = await running.pair(STRANGER)
        running.host.welcomes = False
        first, second, third = [await running.client(STRANGER) for _ in range(3)]
        await first.ended()
        assert far.is_open and second.is_open and third.is_open
        running.host.welcomes = True
        waiting = await running.client(STRANGER)
        await waiting.welcomed()
        await second.ended()
        running.host.welcomes = False
        fourth = await running.client(STRANGER)
        await third.ended()
        assert far.is_open and waiting.is_open and fourth.is_open


async def test_whoever_finishes_the_handshake_and_says_nothing_goes_before_one_who_has_just_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise a few hundred silent connections of somebody with a string would shut their address out."""
    async with running_front(newcomers=10, address_newcomers=3) as running:
        mute = [await running.pair(STRANGER) for _ in range(3)]
        for client, inner in mute:
            inner.writer.write(b"READY")
            assert await client.reader.readexactly(5) == b"READY"
        monkeypatch.setattr(admission, "STALLED_S", 0.0)
        running.host.welcomes = False
        back = await running.client(STRANGER)
        await mute[0][0].ended()
        said, inner = mute[1]
        said.send(SHORTEST_MESSAGE)
        await until(lambda: inner.got.endswith(SHORTEST_MESSAGE))
        await running.client(STRANGER)
        await mute[2][0].ended()
        assert back.is_open and said.is_open, "who waits for the host is not idle"


async def test_connections_that_the_host_does_not_close_use_up_the_reserve_and_no_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """This happens while the host is suspended: it does not close its side of connections that have ended. The lack of
    room is not logged each time."""
    async with running_front(reads=False, room=20, newcomers=5, address_newcomers=5) as running:
        seated, inner = await ranked(running, "seated")
        for _ in range(40):
            await running.client(STRANGER)
        await until(lambda: running.front.reasons["full"] >= 10)
        assert len(running.front._admission) == 20 and seated.is_open
        assert 1 <= caplog.text.count("no room for another connection beside 20 others") < 10
        for one in running.host.connections:
            running.host.resume(one)
            one.writer.close() if one is not inner else None
        await until(lambda: len(running.front._admission) < 10)
        await ranked(running, "seated")


async def test_many_newcomers_of_one_address_do_not_push_out_those_of_others() -> None:
    async with running_front(newcomers=5, address_newcomers=5) as running:
        honest, _ = await running.pair("127.0.0.1")
        strangers = [(await running.pair(STRANGER))[0] for _ in range(8)]
        for stranger in strangers[:4]:
            await stranger.ended()
        assert honest.is_open and counts(running)["newcomer"] == 5


async def test_whoever_has_a_seat_stays_and_comes_back_while_strangers_hold_everything() -> None:
    async with running_front(newcomers=6, address_newcomers=6, guests=4, address_guests=4) as running:
        seated, there = await ranked(running, "seated", STRANGER)
        guests = [await ranked(running, "guest", STRANGER) for _ in range(4)]
        strangers = [await running.pair(STRANGER) for _ in range(30)]
        back, inner = await ranked(running, "seated", STRANGER)
        for client, end in ((seated, there), (back, inner)):
            client.send(SHORTEST_MESSAGE)
            await until(lambda end=end: end.got.endswith(SHORTEST_MESSAGE))
        assert counts(running)["seated"] == 2 and counts(running)["guest"] == 4
        assert all(client.is_open for client, _ in guests) and len(strangers) == 30


async def test_guests_have_a_limit_and_newcomers_still_get_in() -> None:
    async with running_front(guests=2, address_guests=2) as running:
        for _ in range(2):
            await ranked(running, "guest")
        late, inner = await running.pair()
        running.host.tell("guest", inner.name)
        await late.ended()
        await ranked(running, "seated")
        assert counts(running) == {"newcomer": 0, "guest": 2, "seated": 1}


async def test_silent_newcomers_go_after_their_time_and_others_stay() -> None:
    async with running_front(handshake_s=3.0, hello_s=3.0) as running:
        mute, greeted = await running.client(first=b""), await running.client(first=GREETING)
        shaken, _ = await running.pair()
        seated, _ = await ranked(running, "seated")
        guest, _ = await ranked(running, "guest")
        for client in (mute, greeted, shaken):
            await client.ended()
        assert seated.is_open and guest.is_open and running.front.reasons["late"] == 3


async def test_who_loses_a_seat_has_to_say_hello_again() -> None:
    async with running_front(hello_s=1.0) as running:
        client, inner = await ranked(running, "seated")
        running.host.tell("newcomer", inner.name)
        await client.ended()
        assert running.front.reasons == {"late": 1}


async def test_bytes_of_unseated_connections_are_limited_for_each_address_and_together() -> None:
    one, message = len(HANDSHAKE), len(SHORTEST_MESSAGE)
    address, together = (0, 2 * message), (0, 3 * message)
    async with running_front(door_bytes=one, address_bytes=address, unseated_bytes=together) as running:
        first, inner = await running.pair(STRANGER)
        await running.pair(STRANGER)
        for sent in (1, 2):
            first.send(SHORTEST_MESSAGE)
            await until(lambda sent=sent: inner.got == HANDSHAKE + sent * SHORTEST_MESSAGE)
        first.send(SHORTEST_MESSAGE)
        await first.ended()
        assert running.front.reasons["address"] == 1
        other, _ = await running.pair(OTHER)
        other.send(2 * SHORTEST_MESSAGE)
        await other.ended()
        assert running.front.reasons["unseated"] == 1


async def test_whoever_has_a_seat_comes_back_while_strangers_send_all_that_their_address_may() -> None:
    """Until the handshake is over nobody can know who has a seat: its bytes and those of a hello are always taken."""
    async with running_front(address_bytes=(0, 0), unseated_bytes=(0, 0)) as running:
        stranger, _ = await running.pair(STRANGER)
        while stranger.is_open:
            stranger.send(SHORTEST_MESSAGE)
            await asyncio.sleep(0)
        assert set(running.front.reasons) <= {"address", "frames", "bytes"}
        back, inner = await ranked(running, "seated", STRANGER)
        back.send(SHORTEST_MESSAGE)
        await until(lambda: inner.got.endswith(SHORTEST_MESSAGE))


async def test_a_party_behind_one_router_comes_back_at_once() -> None:
    """Twenty tables of six, all from one address, as after a restart of the host; SSH users share 127.0.0.1."""
    people = 20 * limits.SEATS_MAX
    async with running_front() as running:
        clients = await asyncio.gather(*(running.client() for _ in range(people)))
        await until(lambda: sum(one.got == HANDSHAKE for one in running.host.connections) == people)
        for inner in running.host.connections:
            running.host.tell("seated", inner.name)
        await until(lambda: counts(running)["seated"] == people)
        assert all(client.is_open for client in clients) and not running.front.reasons


async def test_newcomers_wait_for_a_host_that_is_being_started() -> None:
    async with running_front() as running:
        before, _ = await running.pair()
        running.host.close()
        await before.ended()
        waiting = await running.client()
        await until(lambda: bool(running.front._held))
        await running.next_host(2)
        await until(lambda: len(running.host.connections) == 1 and running.host.connections[0].got == HANDSHAKE)
        assert waiting.is_open
        await waiting.welcomed()
        running.host.connections[0].writer.write(b"hello again")
        assert await waiting.reader.readexactly(11) == b"hello again"


async def test_who_leaves_while_the_host_is_being_started_takes_up_no_room_afterwards() -> None:
    async with running_front(room=10) as running:
        before, _ = await running.pair()
        running.host.close()
        await before.ended()
        for _ in range(20):
            waiting = await running.client()
            await until(lambda: bool(running.front._held))
            waiting.reset()
            await until(lambda: not running.front._held)
        await until(lambda: not len(running.front._admission))
        await running.next_host(2)
        await running.pair()
        assert "full" not in running.front.reasons


async def test_a_new_host_ends_the_connections_to_the_host_before() -> None:
    """This also holds for a client that does not read, so that the front does not read its connection to the old host
    either."""
    async with running_front() as running:
        deaf, inner = await ranked(running, "seated")
        deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
        inner.writer.write(bytes(10_000_000))
        await asyncio.sleep(0.05)
        running.host.close()
        await running.next_host(2)
        await until(lambda: counts(running)["seated"] == 0)


async def test_the_host_hears_the_address_of_each_client_before_its_first_byte() -> None:
    async with running_front() as running:
        for address in (STRANGER, OTHER):
            _, inner = await running.pair(address)
            assert ["new", inner.name, address] in running.host.heard()
            assert inner.name.startswith("127.") and inner.name != "127.0.0.1"


async def test_where_there_is_one_loopback_address_ports_name_the_connections() -> None:
    async with running_front(by_address=False) as running:
        client, inner = await running.pair(STRANGER)
        assert inner.name == "127.0.0.1" and ["new", inner.port, STRANGER] in running.host.heard()
        running.host.tell("seated", inner.port)
        await until(lambda: counts(running)["seated"] == 1)
        assert client.is_open


async def test_a_host_that_does_not_read_its_link_lets_nobody_in_unnamed() -> None:
    async with running_front() as running:
        while "refused" not in running.front.reasons:
            await running.client()
            await asyncio.sleep(0)
            for _ in range(50):
                with suppress(ChannelFull):
                    tell(running.front._channel, "gone", "127.200.0.1")
        await until(lambda: not running.front._untold if running.host.heard() else False)
        names = [inner.name for inner in running.host.connections]
        assert set(names) <= {words[1] for words in running.host.heard() if words[0] == "new"}
