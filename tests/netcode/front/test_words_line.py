"""Clients with short words get in line at the front; the host gets a bounded number of them, each address in turn."""

import asyncio
import socket
from contextlib import ExitStack
from typing import Any

import pytest

from netcode.front.channel import heard_with_sockets
from netcode.protocol import limits
from netcode.short_words import frames, process
from tests.netcode.front.running_front import RunningFront, running_front, until

CALL = frames.make_call(42, b"A" + bytes(32))
STRANGER, OTHER = "127.0.0.9", "127.0.0.10"


class Handed:
    """The clients that the host has got so far."""

    def __init__(self, running: RunningFront, stack: ExitStack) -> None:
        self.running, self.stack = running, stack
        self.calls: list[str] = []
        self.socks: list[socket.socket] = []

    def look(self) -> int:
        """Return how many there are."""
        for (what, *rest), sock in heard_with_sockets(self.running.channel):
            if what == "words":
                assert sock is not None
                self.stack.enter_context(sock)
                self.calls += rest
                self.socks.append(sock)
        return len(self.calls)


@pytest.mark.parametrize("cut", (1, 8, 9, len(CALL) - 1, len(CALL)))
async def test_a_call_in_pieces_is_handed_over_with_its_connection(cut: int) -> None:
    with ExitStack() as stack:
        async with running_front() as running:
            handed = Handed(running, stack)
            client = await running.client(first=CALL[:cut])
            await until(lambda: len(running.front._door) or handed.look())
            client.send(CALL[cut:])
            await until(handed.look)
            assert bytes.fromhex(handed.calls[0]) == CALL and not running.host.connections
            handed.socks[0].send(frames.BUSY)
            assert await client.reader.readexactly(1) == frames.BUSY


@pytest.mark.parametrize("first", (b"k", CALL[:20]), ids=("a byte", "half a call"))
async def test_an_unfinished_call_waits_at_the_door_and_ends_with_its_time(first: bytes) -> None:
    with ExitStack() as stack:
        async with running_front(handshake_s=0.1) as running:
            handed = Handed(running, stack)
            assert await (await running.client(first=first)).ended() == b""
            assert not handed.look() and running.front.reasons["late"] == 1


@pytest.mark.parametrize("first", (b"kickdoor", b"kdwords2" + bytes(35), CALL + b"more", b"GET / HTTP/1.1\r\n\r\n"))
async def test_what_is_no_call_is_ended(first: bytes) -> None:
    with ExitStack() as stack:
        async with running_front() as running:
            handed = Handed(running, stack)
            assert await (await running.client(first=first)).ended() == b""
            assert not handed.look()


async def test_of_a_thousand_callers_the_host_gets_a_few_at_once_and_an_honest_one_has_its_turn() -> None:
    """The host gets only the first few at once. The others wait in line, or are told to come again. A client that calls
    from another address passes them."""
    at_once, waiting = 3, 8
    with ExitStack() as stack:
        rates: dict[str, Any] = {"words": (0.001, at_once), "words_waiting": 2 * waiting}
        async with running_front(**rates, address_words_waiting=waiting) as running:
            handed = Handed(running, stack)
            crowd = [await running.client(STRANGER, CALL) for _ in range(200)]
            await until(lambda: running.front.reasons["words"] == len(crowd))
            assert handed.look() == at_once and len(running.front._words_line) == waiting
            ends = [asyncio.ensure_future(one.ended()) for one in crowd]
            await until(lambda: sum(end.done() for end in ends) == len(crowd) - at_once - waiting)
            assert {end.result() for end in ends if end.done()} == {frames.BUSY}
            honest = await running.client(OTHER, CALL)
            await until(lambda: running.front.reasons["words"] == len(crowd) + 1)
            budget = running.front._words_line._turnstile._budget
            budget._left = 2.0
            await until(lambda: handed.look() == at_once + 2)
            ours = {honest.writer.get_extra_info("sockname")}
            assert ours & {sock.getpeername() for sock in handed.socks[at_once:]}, "addresses take turns"
            client, _ = await running.pair(STRANGER)
            assert client.is_open, "and everybody else gets in as ever"
            for end in ends:
                end.cancel()


async def test_without_a_host_nobody_waits_in_vain() -> None:
    with ExitStack() as stack:
        async with running_front() as running:
            handed = Handed(running, stack)
            await running.pair()
            running.front._port = 0
            assert await (await running.client(first=CALL)).ended() == frames.BUSY and not handed.look()


def test_the_line_is_short_enough_for_a_client_to_wait() -> None:
    per_second, at_once = limits.WORDS
    assert per_second * process.PATIENCE_S + at_once < process.AT_ONCE, "silent ones leave room for others"
    assert limits.ADDRESS_WORDS_WAITING / per_second < 5 and at_once <= limits.WORDS_WAITING
