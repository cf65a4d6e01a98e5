"""ZeroMQ for host and clients: sockets with their options, and reading them from the loop.

The host's own socket is read in netcode/host/receiver.py. Sockets are plain (zmq.asyncio doubles the latency) and read
when the loop sees their file descriptor ready. That descriptor is edge-triggered and fires for sends too. So a reader
reads until nothing is left, and a sender must call `again` afterwards.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import zmq
from zmq.utils import z85

from netcode.protocol import limits
from netcode.protocol.credentials import KeyPair

DOMAIN = b"table"
ZAP_DENIED = 400
"""The ZAP status of a refused key; 500 is the status of a key that could not be judged (ZeroMQ RFC 27)."""

_BOTH = {
    zmq.LINGER: 0,
    zmq.TCP_KEEPALIVE: 1, zmq.TCP_KEEPALIVE_IDLE: limits.KEEPALIVE_IDLE_S,
    zmq.TCP_KEEPALIVE_INTVL: limits.KEEPALIVE_S, zmq.TCP_KEEPALIVE_CNT: limits.KEEPALIVE_PROBES,
}  # fmt: skip
# Only clients send ZMTP heartbeats; each tells the host by its TTL when to drop the connection. A host that sends them
# is aborted by an assertion of libzmq 4.3.5 if one is due on a connection that broke while the host was too busy to
# read from it, as in a flood.
_HOST = {
    zmq.MAXMSGSIZE: limits.HOST_MESSAGE_BYTES, zmq.SNDHWM: limits.HOST_SEND_QUEUE,
    zmq.RCVHWM: limits.RECEIVE_QUEUE, zmq.ROUTER_MANDATORY: 1, zmq.ROUTER_HANDOVER: 0,
    zmq.HANDSHAKE_IVL: limits.HOST_HANDSHAKE_MS, zmq.BACKLOG: limits.BACKLOG,
}  # fmt: skip
_CLIENT = {
    zmq.HEARTBEAT_IVL: limits.ZMTP_HEARTBEAT_MS, zmq.HEARTBEAT_TIMEOUT: limits.ZMTP_TIMEOUT_MS,
    zmq.HEARTBEAT_TTL: limits.ZMTP_TTL_MS, zmq.RCVHWM: limits.CLIENT_RECEIVE_QUEUE,
    zmq.MAXMSGSIZE: limits.CLIENT_MESSAGE_BYTES, zmq.SNDHWM: limits.CLIENT_SEND_QUEUE, zmq.IMMEDIATE: 1,
    zmq.HANDSHAKE_IVL: limits.CLIENT_HANDSHAKE_MS, zmq.CONNECT_TIMEOUT: limits.CLIENT_HANDSHAKE_MS,
    zmq.RECONNECT_IVL: limits.RECONNECT_MIN_MS, zmq.RECONNECT_IVL_MAX: limits.RECONNECT_MAX_MS, zmq.IPV6: 1,
}  # fmt: skip
MONITORED_EVENTS = (
    zmq.EVENT_CONNECTED | zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_CONNECT_RETRIED
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_MONITOR_STOPPED
)  # fmt: skip


POLL_S = 0.2
"""How often a socket is polled in addition to its descriptor, so that a missed edge delays a message by no more than
this."""
TURN_S = 0.005
"""How much processor time is spent on reading a socket in one turn; a single message may take longer."""
REST = 3.0
"""How long the socket then rests while more messages wait, as a multiple of the reading time. So a sender at full line
speed gets a quarter of the loop."""


class CurveMissing(RuntimeError):
    """This libzmq lacks encryption. The text says what to do."""


def need_curve() -> None:
    """Raise CurveMissing if ZeroMQ cannot encrypt: host and clients never run without encryption."""
    if not zmq.has("curve"):
        raise CurveMissing("this pyzmq was built without CURVE encryption: install the pyzmq wheel from PyPI")


def router(context: zmq.Context[zmq.Socket[bytes]], pair: KeyPair, ipv6: bool) -> zmq.Socket[bytes]:
    """Return the host's socket, not yet bound. Without a KeyAuthenticator it lets nobody in."""
    sock = context.socket(zmq.ROUTER)
    for option, value in {**_BOTH, **_HOST, zmq.IPV6: int(ipv6)}.items():
        sock.setsockopt(option, value)
    sock.curve_server = True
    sock.curve_publickey, sock.curve_secretkey = z85.encode(pair.public), z85.encode(pair.secret)
    sock.setsockopt(zmq.ZAP_DOMAIN, DOMAIN)
    sock.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
    return sock


def dealer(context: zmq.Context[zmq.Socket[bytes]], pair: KeyPair, server_key: bytes) -> zmq.Socket[bytes]:
    """Return a client's socket, not yet connected."""
    sock = context.socket(zmq.DEALER)
    for option, value in {**_BOTH, **_CLIENT}.items():
        sock.setsockopt(option, value)
    sock.curve_publickey, sock.curve_secretkey = z85.encode(pair.public), z85.encode(pair.secret)
    sock.curve_serverkey = z85.encode(server_key)
    return sock


def next_beat(now: float, period: float) -> float:
    """Return the next multiple of this period (s), so that all periodic work of a loop wakes it up together."""
    return (now // period + 1) * period


class SocketReader:
    """Reads a socket from the loop until it is empty, without blocking the loop for long.

    read(sock) receives one message; it is called only when there is one. After `budget` messages the loop gets a turn,
    and after TURN_S the socket rests for a while. A slow poll backs up the descriptor (POLL_S). Where the loop cannot
    watch descriptors (Windows' default loop), a fast poll replaces it.
    """

    def __init__(self, sock: Any, read: Callable[[Any], None], budget: int = 64) -> None:
        self._sock = sock
        self._read = read
        self._budget = budget
        self._loop = asyncio.get_running_loop()
        self._fd: int = sock.getsockopt(zmq.FD)
        self._pending: asyncio.Handle | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._poll_s = POLL_S
        try:
            self._loop.add_reader(self._fd, self._drain)
        except NotImplementedError:
            self._poll_s = 0.01
        self._poll: asyncio.TimerHandle | None = self._loop.call_later(0, self._polled)

    def again(self) -> None:
        """Read again soon. Call it after each send."""
        if self._pending is None and self._rest is None and self._poll is not None:
            self._pending = self._loop.call_soon(self._drain)

    def close(self) -> None:
        """Stop reading. The owner of the socket closes it."""
        if self._poll is None:
            return
        self._poll.cancel()
        self._poll = None
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        with contextlib.suppress(NotImplementedError):
            self._loop.remove_reader(self._fd)

    def _polled(self) -> None:
        self._poll = self._loop.call_at(next_beat(self._loop.time(), self._poll_s), self._polled)
        self._drain()

    def _drain(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        if self._rest is not None:
            return
        began = time.thread_time()
        for _ in range(self._budget):
            if not self._is_readable():
                return
            try:
                self._read(self._sock)
            except zmq.Again:
                return
            took = time.thread_time() - began
            if took > TURN_S:
                if self._is_readable():
                    self._leave_alone(took * REST)
                return
        self.again()

    def _is_readable(self) -> bool:
        """Whether there is a message to read and a receiver for it."""
        return self._poll is not None and not self._sock.closed and self._sock.getsockopt(zmq.EVENTS) & zmq.POLLIN

    def _leave_alone(self, seconds: float) -> None:
        """Read nothing for this long. The descriptor is not watched meanwhile, because it would wake the loop up in
        vain."""
        with contextlib.suppress(NotImplementedError):
            self._loop.remove_reader(self._fd)
        self._rest = self._loop.call_later(seconds, self._rested)

    def _rested(self) -> None:
        self._rest = None
        with contextlib.suppress(NotImplementedError):
            self._loop.add_reader(self._fd, self._drain)
        self._drain()
