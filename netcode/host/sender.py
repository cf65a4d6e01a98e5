"""Sends the host's messages without ever waiting: a client that does not read gets the newest view later."""

import logging
import time
from collections.abc import Callable, Collection

import zmq

from netcode.host.receiver import Receiver
from netcode.protocol import codec, limits, wire
from netcode.table.session import Out, Session

LOG = logging.getLogger("kickdoor.sender")


class Sender:
    """Sends over the host's socket. gone(session): called when its connection is lost."""

    def __init__(self, socket: Receiver, gone: Callable[[Session], None]) -> None:
        self._socket, self._gone = socket, gone
        self._lagging: dict[bytes, int] = {}
        self.awaited = False
        """Whether somebody with a seat or in the lobby was told that the host stops and comes back."""

    def send(self, *outs: Out) -> None:
        """Send messages, each if its connection can take it now. Raises codec.WireError if one does not fit a wire
        frame; then none is sent."""
        messages = []
        for out in outs:
            try:
                frame = codec.pack(out.message)
            except codec.WireError:
                frame = _shortened(out.message)
            messages.append((out.address, frame))
        for out, problem in zip(outs, self._socket.send(messages)):
            if problem is None:
                if type(out.message) is wire.Bye:
                    self.awaited |= _is_awaited(out, out.message)
                if self._lagging:
                    self._lagging.pop(out.address, None)
            else:
                self._not_sent(out, problem)

    def _not_sent(self, out: Out, problem: zmq.ZMQError) -> None:
        session = out.session
        if problem.errno == zmq.EAGAIN:  # the client does not read: from now on it only needs the newest view
            now = time.monotonic_ns() // 1_000_000
            if session is not None:
                session.whole = True
                if isinstance(out.message, wire.Delta) and out.message.events:
                    session.told = min(session.told, out.message.no - 1)
                if now - self._lagging.setdefault(out.address, now) > limits.LAGGING_MS:
                    self._gone(session)
        elif problem.errno != zmq.EHOSTUNREACH:
            raise problem
        elif session is not None and session.address == out.address:
            self._gone(session)

    def any_lags(self, addresses: Collection[bytes]) -> bool:
        """Return whether one of these connections could not take the last message."""
        return bool(self._lagging) and not self._lagging.keys().isdisjoint(addresses)

    def forget(self, address: bytes) -> None:
        """Forget a connection that nobody uses any more."""
        self._lagging.pop(address, None)


def _is_awaited(out: Out, message: wire.Bye) -> bool:
    """Return whether this tells a player, or a visitor of the lobby, that the host stops and comes back."""
    return message.reason == "stopping" and (out.session is None or out.session.role == "player")


def _shortened(message: wire.Down) -> bytes:
    """Return the wire frame of a message that is too long: a Delta with too many events loses the oldest of them.
    Raises codec.WireError if that does not help."""
    while True:
        try:
            return codec.pack(message)
        except codec.WireError:
            if not isinstance(message, wire.Delta) or not message.events:
                raise
            dropped = len(message.events) // 2 + 1
            message.no, message.events = message.no + dropped, message.events[dropped:]
