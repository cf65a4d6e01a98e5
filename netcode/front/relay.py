"""One connection: a client's socket and the one that the front opens to the host for it.

libzmq 4.3.5 aborts its process if a connection breaks while it is not read and a heartbeat of the peer is still in its
buffer (stream_engine_base.cpp: `out_event` after `_io_error`). A break is a reset, or an end in both directions. So the
host gets whole frames only, then an end of file, and the socket to it stays open and read until the host has closed its
side, whatever the client does.
"""

import asyncio
import logging
import socket
from typing import Literal, Protocol, cast

from netcode.front.framing import GREETING, Frame, Framing, Violation
from netcode.front.settings import Allowance, Settings
from netcode.token_bucket import TokenBucket

LOG = logging.getLogger("kickdoor.front")
Rank = Literal["newcomer", "guest", "seated"]
NEVER = float("inf")
_HELLO, _ANSWERED, _INITIATE, _LET_IN, _READY, _MESSAGE = range(6)
"""How far a connection has got: HELLO has come; the host has answered it, which it does only if the client knows its
key; INITIATE has come and waits for its turn; its turn has come; the host has answered it; a message has come."""
READ_BYTES = 16 * 1024
"""The most bytes that are read from a client at once, so that the others do not wait for long."""
_KEEPALIVE_IDLE: int = getattr(socket, "TCP_KEEPIDLE", None) or getattr(socket, "TCP_KEEPALIVE")  # noqa: B009 (macOS)
_up, _down = memoryview(bytearray(READ_BYTES)), memoryview(bytearray(4 * READ_BYTES))


class Watch(Protocol):
    """What a relay needs of the front."""

    settings: Settings

    def wait_for_turn(self, relay: "Relay") -> None:
        """The client can finish the handshake: call let_in when it is its turn."""

    def count_bytes(self, relay: "Relay", sent: int, now: float) -> None:
        """Count bytes of a client. Raises Violation if there are too many of its address, or in all."""

    def ended(self, relay: "Relay", reason: str) -> None:
        """The client is gone, or was sent away; the connection to the host may last a little longer."""

    def closed(self, relay: "Relay") -> None:
        """Both connections are closed."""


class Relay:
    """A client's connection and its way to the host. address: the client's; name: that of the connection to the host.

    step: how far it has got, one of the six above. idle_since: since when the client has owed the next step (s of the
    loop's clock), NEVER: it is somebody else's turn. due: when a newcomer must have taken its next step, same clock.
    opening: the connections are being set up. over: the client is gone, or was sent away. unheard: frames that the host
    has not reported as messages yet."""

    def __init__(self, watch: Watch, address: str, framing: Framing, frames: list[bytes]) -> None:
        """framing, frames: what the client has sent so far, up to its HELLO."""
        self.watch, self.name, self.address = watch, "", address
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self.rank: Rank = "newcomer"
        self.over, self.opening = False, True
        self.step, self.idle_since = _HELLO, NEVER
        self.due = now + watch.settings.handshake_s
        self.unheard = 0
        sent = sum(map(len, frames))
        self._door_bytes = watch.settings.door_bytes - sent
        """The bytes that it may still send before they count for its address too."""
        self._framing = framing
        self._held, self._held_at_turnstile = frames, list[bytes]()
        self._greeting_left = GREETING
        """Bytes of the host's greeting that are still to come: the door has sent one already."""
        self.client: asyncio.Transport | None = None
        self.inner: asyncio.Transport | None = None
        self._linger: asyncio.TimerHandle | None = None
        self._allow(watch.settings.newcomer, now)
        self._sent.take(now, sent)

    def _allow(self, allowance: Allowance, now: float) -> None:
        self._framing.longest = allowance.longest
        self._frames = TokenBucket(allowance.frames, now)
        self._heartbeats = TokenBucket(allowance.heartbeats, now)
        self._sent = TokenBucket(allowance.sent, now)

    def promote(self, rank: Rank, now: float) -> None:
        """Give the connection the allowance of this rank."""
        if rank == self.rank:
            return
        self.rank = rank
        self._allow(getattr(self.watch.settings, rank), now)
        if rank == "newcomer":
            self.idle_since, self.due = now, now + self.watch.settings.hello_s

    # ----------------------------------------------------------------------------------------------------- the client
    def client_sent(self, data: memoryview) -> None:
        """Pass on the frames that these bytes of the client complete, or end the connection."""
        if self.over:
            return
        now = self._loop.time()
        try:
            self._count(data, now)
        except Violation as violation:
            self.end(str(violation), abruptly=True)

    def _count(self, data: memoryview, now: float) -> None:
        if self._sent.take(now, len(data)):
            raise Violation("bytes")
        at_the_door = min(len(data), self._door_bytes)
        self._door_bytes -= at_the_door
        if self.rank != "seated" and len(data) > at_the_door:
            self.watch.count_bytes(self, len(data) - at_the_door, now)
        for frame in self._framing.feed(data):
            if frame.stage == "message":
                self._count_message(frame.heartbeat, now)
            if self.step < _LET_IN:
                self._hold(frame)
            else:
                self._pass_on(frame.data)

    def _hold(self, frame: Frame) -> None:
        """Hold an INITIATE back, and what follows it, until the host has answered and it is this client's turn."""
        self._held_at_turnstile.append(frame.data)  # a newcomer's allowance bounds them
        if self.step == _ANSWERED:
            self._wait_for_turn()

    def _wait_for_turn(self) -> None:
        self.step, self.idle_since = _INITIATE, NEVER
        self.watch.wait_for_turn(self)

    def let_in(self, now: float) -> None:
        """Let the client finish the handshake."""
        if self.over:
            return
        self.step, self.due = _LET_IN, now + self.watch.settings.hello_s
        held, self._held_at_turnstile = self._held_at_turnstile, []
        try:
            for data in held:
                self._pass_on(data)
        except Violation as violation:
            self.end(str(violation), abruptly=True)

    def _count_message(self, heartbeat: bool, now: float) -> None:
        if self._frames.take(now):
            raise Violation("frames")
        if heartbeat:
            if self._heartbeats.take(now):
                raise Violation("heartbeats")
            return
        self.step, self.idle_since = max(self.step, _MESSAGE) if self.step >= _LET_IN else self.step, NEVER
        self.unheard += 1
        if self.unheard > self.watch.settings.unheard:
            raise Violation("unheard")

    def _pass_on(self, data: bytes) -> None:
        if self.inner is None:
            self._held.append(data)  # a newcomer's allowance bounds them
            return
        if self.inner.get_write_buffer_size() + len(data) > self.watch.settings.unread_bytes:
            raise Violation("unread")
        self.inner.write(data)

    def client_gone(self) -> None:
        """The client has closed its connection, or it broke."""
        self.client = None
        if self._linger is not None:
            self._linger.cancel()
        self.end("left")
        self._close_if_done()

    # ------------------------------------------------------------------------------------------------------- the host
    def connected(self, inner: asyncio.Transport) -> None:
        """The connection to the host is open: send what has been held back."""
        self.inner, self.opening = inner, False
        self.due = self._loop.time() + self.watch.settings.handshake_s
        held, self._held = self._held, []
        if self.over:
            _finish(inner)
        else:
            inner.write(b"".join(held))

    def not_connected(self) -> None:
        """The connection to the host could not be opened."""
        self.opening = False
        self._close_if_done()

    def host_sent(self, data: bytes) -> None:
        """Pass on what the host sends after its greeting; drop it if the client is gone."""
        if self._greeting_left:
            dropped = min(self._greeting_left, len(data))
            self._greeting_left -= dropped
            data = data[dropped:]
        if not data or self.client is None or self.over:
            return
        if self.rank == "newcomer":
            self._answered()
        self.client.write(data)
        if self.inner is not None and self.client.get_write_buffer_size() > self.watch.settings.unread_bytes:
            self.inner.pause_reading()

    def _answered(self) -> None:
        """The host has sent something: the next step is the client's."""
        if self.step in (_HELLO, _LET_IN):
            self.step += 1
        if self.step == _ANSWERED and self._held_at_turnstile:
            self._wait_for_turn()
        elif self.idle_since == NEVER and self.step != _INITIATE:
            self.idle_since = self._loop.time()

    def client_reads(self) -> None:
        """The client has read what waited for it."""
        if self.inner is not None and not self.inner.is_closing():
            self.inner.resume_reading()

    def inner_gone(self) -> None:
        """The host has closed its side, or it is no longer there."""
        self.inner = None
        self.end("host")
        self._close_if_done()

    # ------------------------------------------------------------------------------------------------------ the end
    def end(self, reason: str, abruptly: bool = False) -> None:
        """End both connections in order. abruptly: do not wait for the client to read what was sent last."""
        if self.over:
            return
        self.over = True
        self._held, self._held_at_turnstile = [], []
        self.watch.ended(self, reason)
        if self.inner is not None:
            self.inner.resume_reading()
            _finish(self.inner)
        if self.client is not None:
            if abruptly:
                self.client.abort()
            else:
                _finish(self.client)
                self._linger = self._loop.call_later(self.watch.settings.linger_s, self.client.abort)
        self._close_if_done()

    def _close_if_done(self) -> None:
        if self.over and self.client is None and self.inner is None and not self.opening:
            self.watch.closed(self)


def _finish(transport: asyncio.Transport) -> None:
    """Send the end of the stream. If the peer is gone already, its transport will soon report that."""
    try:
        transport.write_eof()
    except OSError as problem:
        LOG.debug("a connection broke before its end was said: %s", problem)


class ClientSide(asyncio.BufferedProtocol):
    """Reads a client. Reading never pauses; the bytes that a client may send are limited instead."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the relay read this client."""
        client = cast(asyncio.Transport, transport)
        client.set_write_buffer_limits(high=READ_BYTES)
        self._relay.client = client
        if self._relay.over:
            client.abort()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the buffer that all clients share: each read is processed before the next one."""
        return _up

    def buffer_updated(self, nbytes: int) -> None:
        """Take what was read."""
        self._relay.client_sent(_up[:nbytes])

    def resume_writing(self) -> None:
        """The client has read what waited for it."""
        self._relay.client_reads()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._relay.client_gone()


class HostSide(asyncio.BufferedProtocol):
    """Reads the host, for one relay."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Pass on what the client has sent so far."""
        self._relay.connected(cast(asyncio.Transport, transport))

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the buffer that all connections to the host share."""
        return _down

    def buffer_updated(self, nbytes: int) -> None:
        """Take what was read."""
        self._relay.host_sent(bytes(_down[:nbytes]))

    def connection_lost(self, exc: Exception | None) -> None:
        """The host has closed its side."""
        self._relay.inner_gone()


def prepare_client(sock: socket.socket, settings: Settings) -> None:
    """Set the options of a client's socket. A local one needs none."""
    if sock.family == getattr(socket, "AF_UNIX", None):
        return
    idle, pause, probes = settings.keepalive
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    sock.setsockopt(socket.IPPROTO_TCP, _KEEPALIVE_IDLE, idle)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, pause)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, probes)
