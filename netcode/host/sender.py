"""What leaves the host: frames packed and sent without ever waiting; who does not read gets the newest view later."""

import logging
import time
from collections.abc import Callable

import zmq

from netcode.host.receiver import Receiver
from netcode.protocol import codec, limits, wire
from netcode.table.session import Session
from netcode.table.table import Out

LOG = logging.getLogger("kickdoor.sender")


class Sender:
    """Sends over the host's socket. gone(session): its connection is no more."""

    def __init__(self, line: Receiver, gone: Callable[[Session], None]) -> None:
        self._line, self._gone = line, gone
        self._lagging: dict[bytes, int] = {}

    def send(self, out: Out) -> None:
        """Send if the connection can take it now. Raises codec.WireError for what does not fit a frame."""
        session = out.session
        try:
            self._line.send([out.address, _frame(out.message)])
            self._lagging.pop(out.address, None)
        except zmq.Again:  # it does not read: from now on only the newest view counts
            now = time.monotonic_ns() // 1_000_000
            if session is not None:
                session.whole = True
                if now - self._lagging.setdefault(out.address, now) > limits.LAGGING_MS:
                    self._gone(session)
        except zmq.ZMQError as problem:
            if problem.errno != zmq.EHOSTUNREACH:
                raise
            if session is not None and session.address == out.address:
                self._gone(session)

    def lags(self, address: bytes) -> bool:
        """Whether this connection has not read what was sent last."""
        return address in self._lagging

    def forget(self, address: bytes) -> None:
        """Nobody is there any more."""
        self._lagging.pop(address, None)


def _frame(message: wire.Down) -> bytes:
    """The frame of a message; an Update with more past than fits tells the newest part of it."""
    while True:
        try:
            return codec.pack(message)
        except codec.WireError:
            if not isinstance(message, wire.Update) or not message.events:
                raise
            message.events = message.events[len(message.events) // 2 + 1 :]
