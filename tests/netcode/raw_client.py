"""A client for tests that sends a host anything, also messages that our own client never sends."""

import asyncio
from typing import Any

import zmq

from netcode.protocol import codec, limits, wire
from netcode.protocol.credentials import KeyPair, parse_join
from netcode.protocol.deltas import Folder
from netcode.protocol.sockets import dealer


def hello(join: str, name: str = "Eve", **fields: Any) -> wire.Hello:
    """Return the first message for a join string. fields: values that replace its own."""
    target = parse_join(join)
    first = {"lo": wire.WIRE, "hi": wire.WIRE, "table": target.table, "token": target.token, **fields}
    return wire.Hello(name=name, **first)


class RawClient:
    """A DEALER socket connected to the host of a join string.

    heartbeat_ms: how often ZeroMQ's own heartbeat is sent.
    """

    def __init__(
        self, join: str, pair: KeyPair, server_key: bytes | None = None, heartbeat_ms: int = limits.ZMTP_HEARTBEAT_MS
    ) -> None:
        target = parse_join(join)
        self.context: Any = zmq.Context()
        self._folder = Folder()
        self.socket = dealer(self.context, pair, server_key or target.key)
        self.socket.setsockopt(zmq.HEARTBEAT_IVL, heartbeat_ms)
        self.socket.connect(target.endpoint)

    def send(self, message: wire.Up | bytes) -> None:
        """Send a message or bare bytes; wait up to five seconds for the connection."""
        self.socket.setsockopt(zmq.SNDTIMEO, 5000)
        self.socket.send(message if isinstance(message, bytes) else codec.pack(message))

    async def answer(self, kind: type | tuple[type, ...], timeout: float = 5.0) -> Any:
        """Return the next message of a type (or of one of several), or an Update made of a Delta, and skip others; None
        if none comes in time (s)."""
        deadline = asyncio.get_running_loop().time() + timeout
        while (left := deadline - asyncio.get_running_loop().time()) > 0:
            if await asyncio.to_thread(self.socket.poll, int(min(left, 0.5) * 1000)):
                message: wire.Told = codec.unpack_down(self.socket.recv())
                if isinstance(message, wire.Delta):
                    message = self._folder.fold(message, 0, wire.Timers())
                if isinstance(message, kind):
                    return message
        return None

    def __enter__(self) -> "RawClient":
        return self

    def __exit__(self, *problem: object) -> None:
        self.context.destroy(linger=0)
