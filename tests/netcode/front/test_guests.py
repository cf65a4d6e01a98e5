"""Connections that an SSH door hands over: the label is the client's address, and the door cannot harm the front."""

import asyncio
import os
import socket
from typing import Any

import pytest

from netcode.front.channel import hand_over, tell
from netcode.front.guests import address_of_label
from netcode.short_words import frames
from tests.netcode.front.running_front import RunningFront, running_front, until
from tests.netcode.front.zmtp_stream import HANDSHAKE

ANN, BEN = "ssh-00112233aabbccdd", "ssh-99887766aabbccdd"


def addresses(running: RunningFront) -> list[str]:
    """Return the addresses of which the host has been told."""
    return [words[2] for words in running.host.heard() if words[0] == "new"]


async def test_a_guest_is_a_client_with_its_label_as_address() -> None:
    async with running_front() as running:
        guest = await running.guest(ANN)
        await guest.welcomed()
        await until(lambda: running.host.connections and running.host.connections[0].got == HANDSHAKE)
        assert addresses(running) == [ANN]
        running.host.connections[0].writer.write(b"more")
        assert await guest.reader.readexactly(4) == b"more"
        guest.writer.close()
        await until(lambda: running.host.connections[0].ended)


async def test_guests_do_not_share_the_limits_of_an_address() -> None:
    """Forty guests count as forty addresses; a guest with too many connections loses only some of their own."""
    async with running_front(address_newcomers=2, address_callers=2) as running:
        guests = [await running.guest(f"ssh-{number:016x}") for number in range(40)]
        for guest in guests:
            await guest.welcomed()
        crowd = [await running.guest(ANN) for _ in range(5)]
        await until(lambda: running.front.reasons["room"] == 3)
        assert len(crowd) == 5 and all(guest.is_open for guest in guests)


async def test_the_connections_of_a_guest_are_bounded_whatever_they_are_for() -> None:
    """Three connections with a seat stay, and a fourth one is refused. A network address has no such limit."""
    async with running_front(label_connections=3) as running:
        seated = []
        for number in range(1, 4):
            seated.append(await running.guest(ANN))
            await seated[-1].welcomed()
            await until(lambda at=number: len(running.host.connections) == at)
            running.host.tell("seated", running.host.connections[-1].name)
        await until(lambda: running.front.figures()["front"]["seated"] == 3)  # type: ignore[index]
        await (await running.guest(ANN)).ended()
        assert running.front.reasons["room"] == 1
        for other in (BEN, "192.168.1.9"):
            await (await running.guest(other)).welcomed()
        silent = [await running.guest(ANN, b"") for _ in range(9)]
        await until(lambda: running.front.figures()["door"] == 3)
        assert all(one.is_open for one in seated) and len(silent) == 9


async def test_a_guest_shows_short_words_from_its_own_address() -> None:
    call = frames.make_call(42, b"A" + bytes(32))
    rates: dict[str, Any] = {"words": (0.001, 1)}
    async with running_front(**rates, address_words_waiting=1) as running:
        await running.guest(ANN, call)
        await until(lambda: running.front.reasons["words"] == 1)
        waiting, sent_away = await running.guest(ANN, call), await running.guest(ANN, call)
        other = await running.guest("192.168.1.9", call)
        assert await sent_away.ended() == frames.BUSY
        await until(lambda: running.front.reasons["words"] == 4)
        assert waiting.is_open and other.is_open


@pytest.mark.parametrize(
    ("label", "address"),
    (
        (ANN, ANN), ("192.168.1.9", "192.168.1.9"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:10.0.0.1", "10.0.0.1"), ("a" * 64, "a" * 64),
    ),
)  # fmt: skip
def test_a_label_that_is_an_address_counts_as_one(label: str, address: str) -> None:
    assert address_of_label(label) == address


@pytest.mark.parametrize("label", ("", "A", "a" * 65, "a b", "a\n", "é", "fe80::1%eth0", "../a", "\0"))
def test_what_is_no_label_is_refused(label: str) -> None:
    with pytest.raises(ValueError, match="label"):
        address_of_label(label)


async def test_malformed_datagrams_close_what_they_bring_and_nothing_else() -> None:
    """Everything that came along is closed: no descriptor stays open."""
    mine, theirs = socket.socketpair()
    datagram, unconnected, listening = (socket.socket(socket.AF_INET, kind) for kind in (2, 1, 1))
    listening.bind(("127.0.0.1", 0))
    listening.listen(1)
    read, write = os.pipe()
    async with running_front() as running:
        guest = await running.guest(BEN)
        await guest.welcomed()
        await until(lambda: running.host.connections)
        before = len(os.listdir("/dev/fd"))
        bad = (
            ("guest",), ("guest", "A"), ("guest", ANN, "more"), ("host", "7", "7", "7"), ("close", "127.0.0.1"), ("",),
            ("guest", "a" * 900),
        )  # fmt: skip
        count = 0
        for words in bad:
            tell(running.door, *words)
            hand_over(running.door, theirs, *words)
            count += 2
            await until(lambda: running.front.reasons["no guest"] == count)  # noqa: B023 (awaited in the loop)
        for sock in (datagram, unconnected, listening):
            hand_over(running.door, sock, "guest", ANN)
        socket.send_fds(running.door, [f"guest {ANN}".encode()], [read])
        tell(running.door, "guest", ANN)
        await until(lambda: running.front.reasons["no guest"] == count + 5)
        assert len(os.listdir("/dev/fd")) == before
        assert guest.is_open and addresses(running) == [BEN]
    for one in (mine, theirs, datagram, unconnected, listening):
        one.close()
    os.close(read)
    os.close(write)


async def test_a_flood_of_the_door_leaves_room_for_others() -> None:
    """The door hands over as fast as it can; a client that comes by the public port is served meanwhile."""
    async with running_front(address_callers=8) as running:
        kept = list[socket.socket]()

        async def flood() -> None:
            while True:
                mine, theirs = socket.socketpair()
                kept.append(mine)
                try:
                    hand_over(running.door, theirs, "guest", f"ssh-{len(kept) % 4}")
                except OSError:
                    await asyncio.sleep(0)
                finally:
                    theirs.close()
                if len(kept) > 200:
                    kept.pop(0).close()

        flooding = asyncio.ensure_future(flood())
        client, inner = await running.pair("127.0.0.7")
        client.send(b"")
        flooding.cancel()
        await until(lambda: len(running.front._door) <= 4 * 8)
        assert client.is_open and not inner.ended
        for sock in kept:
            sock.close()
        await until(lambda: not len(running.front._door))


async def test_a_door_that_ends_harms_nobody_and_the_next_one_is_heard() -> None:
    """The parent process holds both ends of the channel, so here each "door" uses a copy of one end."""
    async with running_front() as running:
        kept = running.door
        running.door = kept.dup()
        first = await running.guest(ANN)
        await first.welcomed()
        running.door.close()
        running.door = kept.dup()
        second = await running.guest(BEN)
        await second.welcomed()
        assert first.is_open
        running.door.close()
        kept.close()  # no door is left at the other end
        client, _ = await running.pair()
        assert client.is_open and first.is_open and second.is_open
