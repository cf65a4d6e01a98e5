"""A relay: only whole frames reach the host, its side never breaks, and too much data ends the connection."""

import asyncio
import gc

import pytest

from netcode.front.front import Front
from netcode.front.settings import Allowance
from netcode.protocol import limits
from tests.netcode.front.running_front import RunningFront, running_front, until
from tests.netcode.front.zmtp_stream import HANDSHAKE, HEARTBEAT_FRAME, SHORTEST_MESSAGE, message


async def seat(running: RunningFront, name: str, rank: str = "seated") -> None:
    """Let the host say that a connection is seated, and wait until the front knows."""
    before = running.front.figures()["front"]
    running.host.tell(rank, name)
    await until(lambda: running.front.figures()["front"] != before)


async def test_bytes_go_both_ways_unchanged() -> None:
    async with running_front() as running:
        client, inner = await running.pair()
        client.send(message(100))
        await until(lambda: inner.got == HANDSHAKE + message(100))
        inner.writer.write(b"down" * 1000)
        assert await client.reader.readexactly(4000) == b"down" * 1000


async def test_nothing_is_kept_of_the_work_for_clients_that_are_gone() -> None:
    async with running_front() as running:
        client, inner = await running.pair()
        client.writer.close()
        await until(lambda: inner.ended)
        gc.collect()
        tasks = [one for one in gc.get_objects() if isinstance(one, asyncio.Task) and one.done()]
        names = {getattr(task.get_coro(), "__qualname__", "") for task in tasks}
        assert not {name for name in names if name.startswith(Front.__name__ + ".")}


@pytest.mark.parametrize("reset", (False, True))
async def test_a_client_that_breaks_off_leaves_whole_frames_and_an_end_of_file(reset: bool) -> None:
    """libzmq 4.3.5 does not survive a connection that breaks before it is read."""
    async with running_front() as running:
        client, inner = await running.pair()
        client.send(message(200) + message(200)[:150])
        await until(lambda: len(inner.got) == len(HANDSHAKE) + len(message(200)))
        client.reset() if reset else client.writer.close()
        await until(lambda: inner.ended)
        assert inner.got == HANDSHAKE + message(200) and not inner.broke
        inner.writer.write(b"a late answer" * 100)  # it is taken, not refused by a reset
        await asyncio.sleep(0.05)
        inner.writer.close()
        await until(lambda: not running.front._admission.relays())
        assert not inner.broke and ["gone", inner.name] in running.host.heard()


async def test_a_connection_that_breaks_while_the_host_does_not_read_stays_open_to_the_host() -> None:
    async with running_front(reads=False) as running:
        client, inner = await running.pair()
        await seat(running, inner.name)
        client.send(message(1000) * 150)
        await asyncio.sleep(0.05)
        client.reset()
        await until(lambda: running.front.figures()["front"] == {"newcomer": 0, "guest": 0, "seated": 0})
        await asyncio.sleep(0.1)
        assert inner.writer.transport.get_extra_info("socket").fileno() >= 0 and not inner.broke
        running.host.resume(inner)
        await until(lambda: inner.ended)
        rest = len(inner.got) - len(HANDSHAKE)
        assert rest % len(message(1000)) == 0 and not inner.broke, "the last frame is cut off"


async def test_a_host_that_does_not_read_costs_bounded_memory() -> None:
    async with running_front(reads=False, seated=limited(longest=16384), unheard=10**6) as running:
        client, inner = await running.pair()
        await seat(running, inner.name)
        relay = running.front._named[inner.name]
        frame = message(16000)
        for _ in range(200):
            client.send(frame)
        await client.ended()
        assert running.front.reasons["unread"] == 1
        assert relay.inner is not None
        assert relay.inner.get_write_buffer_size() <= limits.FRONT_UNREAD_BYTES


def limited(
    frames: float = 1e9, heartbeats: float = 1e9, sent: float = 1e9, longest: int = 1024
) -> Allowance:
    """Return an allowance that permits these numbers at once, and nothing more later."""
    return Allowance((0, frames), (0, heartbeats), (0, sent), longest)


@pytest.mark.parametrize(
    ("allowance", "frame", "times", "reason"),
    [
        (limited(frames=5), SHORTEST_MESSAGE, 6, "frames"),
        (limited(heartbeats=5), HEARTBEAT_FRAME, 6, "heartbeats"),
        (limited(sent=len(HANDSHAKE) + 400), message(200), 2, "bytes"),
        (limited(longest=1024), message(1025), 1, "size"),
        (limited(), b"\x10" + message(100)[1:], 1, "frame"),
        (limited(), b"\x00\x40" + b"\x04PING" + bytes(59), 1, "frame"),
    ],
)
async def test_a_newcomer_that_sends_too_much_is_sent_away(
    allowance: object, frame: bytes, times: int, reason: str
) -> None:
    async with running_front(newcomer=allowance) as running:
        client, inner = await running.pair()
        client.send(frame * times)
        await client.ended()
        await until(lambda: inner.ended)
        assert running.front.reasons[reason] == 1 and not inner.broke
        passed = inner.got.removeprefix(HANDSHAKE)
        assert passed == frame * (len(passed) // len(frame)) and len(passed) < len(frame) * times


async def test_a_millisecond_of_heartbeats_never_fills_the_queue_of_the_host() -> None:
    """The front lets through fewer frames of a newcomer than ZeroMQ's queue holds, so the queue of a busy host never
    fills up."""
    assert limits.NEWCOMER_FRAMES.burst + limits.NEWCOMER_FRAMES.per_second * 6 < limits.RECEIVE_QUEUE
    async with running_front() as running:
        client, inner = await running.pair()
        for _ in range(1000):
            client.send(HEARTBEAT_FRAME)
        await client.ended()
        await until(lambda: inner.ended)
        assert (len(inner.got) - len(HANDSHAKE)) // len(HEARTBEAT_FRAME) <= limits.NEWCOMER_FRAMES.burst


async def test_frames_of_which_the_host_makes_no_message_end_the_connection() -> None:
    """Send a message without an end: only the host knows that no message has arrived."""
    async with running_front(unheard=20) as running:
        (endless, there), (fair, here) = await running.pair(), await running.pair("127.0.0.2")
        await seat(running, there.name)
        await seat(running, here.name)
        for _ in range(4):
            for client in (endless, fair):
                client.send(SHORTEST_MESSAGE * 6)
            await until(lambda: here.got.endswith(SHORTEST_MESSAGE * 6))
            running.host.tell("heard", here.name, 6)
            await until(lambda: running.front._named[here.name].unheard == 0)
        await endless.ended()
        assert running.front.reasons == {"unheard": 1} and fair.is_open


async def test_the_host_closes_a_connection_and_everything_it_sent_arrives() -> None:
    async with running_front() as running:
        client, inner = await running.pair()
        inner.writer.write(b"bye" * 5000)
        inner.writer.close()
        assert await client.ended() == b"bye" * 5000


async def test_the_host_can_send_a_connection_away() -> None:
    async with running_front() as running:
        client, inner = await running.pair()
        running.host.tell("close", inner.name)
        await client.ended()
        await until(lambda: inner.ended)
        assert not inner.broke


async def test_a_connection_that_has_just_broken_is_ended_without_a_fault(caplog: pytest.LogCaptureFixture) -> None:
    """The front ends the connection before it has noticed the break, and still obeys the host's next message."""
    async with running_front(guests=0) as running:
        (client, inner), (_, other) = await running.pair(), await running.pair("127.0.0.2")
        running.host.tell("guest", inner.name)
        running.host.tell("seated", other.name)
        client.reset()
        await until(lambda: running.front.reasons["room"] == 1 and inner.ended)
        await until(lambda: running.front._named[other.name].rank == "seated")
        inner.writer.close()
        await until(lambda: len(running.front._admission) == 1)
    assert not [record for record in caplog.records if record.name == "asyncio"]


async def test_a_client_is_sent_away_even_if_its_connection_to_the_host_has_just_broken(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with running_front() as running:
        client, inner = await running.pair()
        running.host.tell("close", inner.name)
        inner.reset()
        await client.ended()
        await until(lambda: not running.front._admission.relays())
    assert not [record for record in caplog.records if record.name == "asyncio"]


async def test_a_client_that_does_not_read_holds_nobody_up_and_costs_bounded_memory() -> None:
    async with running_front() as running:
        (deaf, loud), (fair, here) = await running.pair(), await running.pair("127.0.0.2")
        deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
        relay = running.front._named[loud.name]
        for _ in range(100):
            loud.writer.write(bytes(65536))
        await asyncio.sleep(0.1)
        assert relay.client is not None
        assert relay.client.get_write_buffer_size() <= 3 * limits.FRONT_UNREAD_BYTES
        here.writer.write(b"quick")
        assert await fair.reader.readexactly(5) == b"quick"
        deaf.reader._transport.resume_reading()  # type: ignore[attr-defined]
        loud.writer.close()
        assert len(await deaf.ended()) == 100 * 65536, "what was held back is lost"
