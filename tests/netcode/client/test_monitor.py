"""The unread data in a client's ZeroMQ is bounded, and an honest host never reaches the bound."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import zmq

from netcode.client import monitor
from netcode.client.flood import BAD_HOST, FLOODED
from netcode.client.transport import Transport
from netcode.host.key_authenticator import KeyAuthenticator
from netcode.protocol import limits, sockets
from netcode.protocol.credentials import Join, new_pair
from netcode.protocol.sockets import router
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how many bytes it has received")


class Line:
    """A client's connection to a host that only sends."""

    def __init__(self) -> None:
        self._context: Any = zmq.Context()
        self._gate = KeyAuthenticator(self._context, lambda key, where: True)
        pair = new_pair()
        self.host = router(self._context, pair, ipv6=False)
        port = self.host.bind_to_random_port("tcp://127.0.0.1")
        self.frames: list[bytes] = []
        self.links: list[tuple[bool, str, str]] = []
        target = Join("127.0.0.1", port, "t", pair.public, b"")
        self.client = Transport(target, new_pair(), None, self.frames.append, lambda *link: self.links.append(link))
        self._address = b""

    async def up(self) -> None:
        """Wait until the host knows its client."""
        await until(lambda: self.links == [(True, "", "")])
        await until(lambda: self.client.send(b"hello"))
        await until(lambda: bool(self.host.poll(0)))
        self._address = self.host.recv_multipart()[0]

    def send(self, *parts: bytes) -> bool:
        """Send a message to the client; return whether its connection took it."""
        try:
            self.host.send_multipart([self._address, *parts], zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def close(self) -> None:
        """End both."""
        self.client.close(linger_ms=0)
        self._gate.close()
        self._context.destroy(linger=0)


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    found = Line()
    await found.up()
    yield found
    found.close()


async def until(wanted: Any) -> None:
    """Let the loop run until this holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not wanted():
            await asyncio.sleep(0.001)


async def test_the_longest_wire_frames_may_wait(line: Line) -> None:
    frame, sent = bytes(limits.DOWN_BYTES), 0
    for _ in range(600):  # the loop does not run meanwhile
        sent += line.send(frame)
        line.host.poll(1, zmq.POLLOUT)
    assert sent > limits.CLIENT_RECEIVE_QUEUE
    await until(lambda: len(line.frames) == sent)
    assert line.links == [(True, "", "")]


async def test_answers_to_heartbeats_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game has many answers to heartbeats. Here one comes each millisecond, and the client may keep few
    bytes."""
    seen: list[int] = []
    true_read_of = monitor._read_on

    def read_of(connection: socket.socket) -> int:
        seen.append(true_read_of(connection))
        return seen[-1]

    monkeypatch.setattr(monitor, "_read_on", read_of)
    monkeypatch.setattr(limits, "CLIENT_KEPT_BYTES", 4096)
    monkeypatch.setattr(limits, "ZMTP_HEARTBEAT_MS", 1)
    monkeypatch.setitem(sockets._CLIENT, zmq.HEARTBEAT_IVL, 1)
    line = Line()
    await line.up()
    await until(lambda: seen and seen[-1] > 4 * limits.CLIENT_KEPT_BYTES)
    assert line.links == [(True, "", "")]
    line.close()


@pytest.mark.parametrize(("parts", "size"), [(2, 10), (300, 65536), (80_000, 0)])
async def test_a_message_of_many_parts_ends_the_connection(line: Line, parts: int, size: int) -> None:
    line.send(*[bytes(size)] * parts)
    await until(lambda: len(line.links) > 1)
    assert line.links[1] == (False, FLOODED, BAD_HOST)
    assert not line.frames


async def test_a_connection_that_the_host_ends_is_not_held_open(line: Line) -> None:
    line.host.close(linger=0)
    await until(lambda: len(line.links) > 1)
    assert line.links[1][2] == "offline"
    await until(lambda: line.client._monitor._connection is None)
