"""Everything that knows how ZeroMQ wants to be treated: socket options, draining from the loop, the gate for CURVE
keys. The host's own socket is read in arrivals.py.

Sockets are plain (not zmq.asyncio, which doubles the latency) and drained from the loop's reader of their file
descriptor. That descriptor is edge-triggered and wakes up for sends too, so a drain reads until nothing is left, and
everybody who sends must call `again` afterwards.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

import zmq
from zmq.auth.base import Authenticator
from zmq.utils import z85

from netcode.protocol.credentials import KeyPair

DOMAIN = b"table"
ZAP_DENIED = 400
"""ZAP's answer to a key that is not let in; 500: it could not be judged."""
LOG = logging.getLogger("kickdoor.sockets")

_BOTH = {
    zmq.LINGER: 0,
    zmq.TCP_KEEPALIVE: 1, zmq.TCP_KEEPALIVE_IDLE: 30, zmq.TCP_KEEPALIVE_INTVL: 10, zmq.TCP_KEEPALIVE_CNT: 3,
}  # fmt: skip
# Heartbeats are the client's affair: with its own it tells the host after how long to hang up (TTL). A host with
# heartbeats is ended by an assertion of libzmq 4.3.5 if one falls due for a connection that broke while it was too busy
# to read from it, as in a flood.
_HOST = {
    zmq.MAXMSGSIZE: 16 * 1024, zmq.SNDHWM: 32, zmq.RCVHWM: 64,
    zmq.ROUTER_MANDATORY: 1, zmq.ROUTER_HANDOVER: 0, zmq.HANDSHAKE_IVL: 3000, zmq.BACKLOG: 64,
}  # fmt: skip
_CLIENT = {
    zmq.HEARTBEAT_IVL: 2000, zmq.HEARTBEAT_TIMEOUT: 6000, zmq.HEARTBEAT_TTL: 8000,
    zmq.MAXMSGSIZE: 256 * 1024, zmq.SNDHWM: 16, zmq.RCVHWM: 64, zmq.IMMEDIATE: 1, zmq.HANDSHAKE_IVL: 5000,
    zmq.RECONNECT_IVL: 100, zmq.RECONNECT_IVL_MAX: 1000, zmq.CONNECT_TIMEOUT: 5000, zmq.IPV6: 1,
}  # fmt: skip
MONITORED_EVENTS = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_CONNECT_RETRIED
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_AUTH
)  # fmt: skip


class CurveMissing(RuntimeError):
    """This libzmq cannot encrypt; the text says what to do."""


def need_curve() -> None:
    """Raises CurveMissing unless ZeroMQ can encrypt: nothing here runs without."""
    if not zmq.has("curve"):
        raise CurveMissing("this pyzmq was built without CURVE encryption: install the pyzmq wheel from PyPI")


def router(context: zmq.Context[zmq.Socket[bytes]], pair: KeyPair, ipv6: bool) -> zmq.Socket[bytes]:
    """The host's socket, not yet bound. It fails closed: without a gate nobody gets in."""
    sock = context.socket(zmq.ROUTER)
    for option, value in {**_BOTH, **_HOST, zmq.IPV6: int(ipv6)}.items():
        sock.setsockopt(option, value)
    sock.curve_server = True
    sock.curve_publickey, sock.curve_secretkey = z85.encode(pair.public), z85.encode(pair.secret)
    sock.setsockopt(zmq.ZAP_DOMAIN, DOMAIN)
    sock.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
    return sock


def dealer(context: zmq.Context[zmq.Socket[bytes]], pair: KeyPair, server_key: bytes) -> zmq.Socket[bytes]:
    """A client's socket, not yet connected."""
    sock = context.socket(zmq.DEALER)
    for option, value in {**_BOTH, **_CLIENT}.items():
        sock.setsockopt(option, value)
    sock.curve_publickey, sock.curve_secretkey = z85.encode(pair.public), z85.encode(pair.secret)
    sock.curve_serverkey = z85.encode(server_key)
    return sock


class SocketReader:
    """Reads a socket dry whenever there is something, in the loop, never blocking it for long.

    read(sock) takes one message; it is called only when there is one. After `budget` messages others get their turn. A
    slow poll backs up the descriptor, so that a lost edge costs a moment and not the game; where the loop cannot watch
    descriptors (Windows' default loop) the poll is all there is, and quick.
    """

    def __init__(self, sock: Any, read: Callable[[Any], None], budget: int = 64) -> None:
        self._sock = sock
        self._read = read
        self._budget = budget
        self._loop = asyncio.get_running_loop()
        self._fd: int = sock.getsockopt(zmq.FD)
        self._pending: asyncio.Handle | None = None
        self._poll_s = 0.25
        try:
            self._loop.add_reader(self._fd, self._drain)
        except NotImplementedError:
            self._poll_s = 0.01
        self._poll: asyncio.TimerHandle | None = self._loop.call_later(0, self._polled)

    def again(self) -> None:
        """Look once more, soon: to be called after each send."""
        if self._pending is None and self._poll is not None:
            self._pending = self._loop.call_soon(self._drain)

    def close(self) -> None:
        """Stop reading. The socket stays its owner's to close."""
        if self._poll is None:
            return
        self._poll.cancel()
        self._poll = None
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        with contextlib.suppress(NotImplementedError):
            self._loop.remove_reader(self._fd)

    def _polled(self) -> None:
        self._poll = self._loop.call_later(self._poll_s, self._polled)
        self._drain()

    def _drain(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        for _ in range(self._budget):
            if self._poll is None or self._sock.closed:
                return
            if not self._sock.getsockopt(zmq.EVENTS) & zmq.POLLIN:
                return
            try:
                self._read(self._sock)
            except zmq.Again:
                return
        self.again()


class KeyAuthenticator(Authenticator):
    """Answers ZeroMQ's question whether a client key may connect (ZAP). admit(key in Z85, address) judges; if it fails,
    nobody gets in for that once, and the gate lives on."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], admit: Callable[[str, str], bool]) -> None:
        super().__init__(context)
        self._admit = admit
        self._address = ""
        self._tasks: set[asyncio.Task[None]] = set()
        self.configure_curve_callback(domain=DOMAIN.decode(), credentials_provider=self)
        self.start()
        self._drain = SocketReader(self.zap_socket, self._take, budget=1)

    def callback(self, domain: str, key: bytes) -> bool:
        """Called by the library with the client's key in Z85."""
        return domain.encode() == DOMAIN and self._admit(key.decode("ascii"), self._address)

    def close(self) -> None:
        """No more answers: from now on nobody gets in."""
        self._drain.close()
        for task in self._tasks:
            task.cancel()
        self.stop()

    def _take(self, sock: Any) -> None:
        message = sock.recv_multipart(zmq.NOBLOCK)
        task = asyncio.ensure_future(self._judge(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _judge(self, message: list[bytes]) -> None:
        self._address = message[3].decode(errors="replace") if len(message) > 3 else ""
        try:
            await self.handle_zap_message(message)
        except Exception:
            LOG.exception("a key could not be judged and was refused")
            with contextlib.suppress(zmq.ZMQError):
                self._send_zap_reply(message[1] if len(message) > 1 else b"", b"500", b"internal error")
        self._drain.again()
