"""Accepts the connections that one guest's client makes to its host, and hands them on."""

import asyncio
import logging
import socket
from collections.abc import Callable

from netcode.door.forking.child import HANDED_OUT
from netcode.token_bucket import TokenBucket

LOG = logging.getLogger("kickdoor.door.calls")
CONNECTIONS = (0.5, 8.0)
"""The rate of one guest's new connections (per second) and the largest burst. The front limits how many are open."""
SENTENCE_BYTES = 500
FULL_S = 1.0
"""How long a guest's calls wait when this process has no descriptor left."""


class Calls:
    """Takes the socket that a guest's process sends through `control`, and hands on each connection that arrives.

    hand: gets a connection and the guest's label, before the connection is closed here. failed: gets the sentence of a
    process that cannot be confined. Connections wait until the process is confined."""

    def __init__(
        self, control: socket.socket, label: str, hand: Callable[[socket.socket, str], None],
        failed: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._control, self._label, self._hand, self._failed = control, label, hand, failed
        self._heard: socket.socket | None = None
        """The socket on which the guest's connections arrive."""
        self._loop = asyncio.get_running_loop()
        self._allowed = TokenBucket(CONNECTIONS, self._loop.time())
        self._later: asyncio.TimerHandle | None = None
        control.setblocking(False)
        self._loop.add_reader(control, self._take)

    def close(self) -> None:
        """Take no more connections."""
        if self._later is not None:
            self._later.cancel()
        for sock in (self._control, self._heard):
            if sock is not None and sock.fileno() >= 0:
                self._loop.remove_reader(sock)
                sock.close()

    def _take(self) -> None:
        """Read `control`. It brings the listening socket, or the sentence that says why the process cannot be confined.
        Its end says that the process is confined."""
        try:
            said, descriptors, _, _ = socket.recv_fds(self._control, SENTENCE_BYTES, 1)
        except BlockingIOError:
            return
        except OSError:
            said, descriptors = b"", []
        for one in descriptors:
            heard = socket.socket(fileno=one)
            if self._heard is None and said[:1] == HANDED_OUT and _listens(heard):
                self._heard = heard
                heard.setblocking(False)
            else:
                heard.close()
        if sentence := said.removeprefix(HANDED_OUT):
            self._failed(sentence.decode(errors="replace"))
        if not said:
            self._loop.remove_reader(self._control)
            self._control.close()
            if self._heard is not None:
                self._loop.add_reader(self._heard, self._accept)

    def _accept(self) -> None:
        assert self._heard is not None, "nothing is heard before there is a socket"
        if wait := self._allowed.take(self._loop.time()):
            self._pause(wait)
            return
        try:
            connection, _ = self._heard.accept()
        except (BlockingIOError, ConnectionError):
            return
        except OSError as problem:
            LOG.warning("a connection of a guest cannot be taken: %s", problem.strerror)
            self._pause(FULL_S)
            return
        with connection:
            try:
                self._hand(connection, self._label)
            except OSError as problem:
                LOG.warning("the host takes no connection of a guest: %s", problem.strerror or problem)

    def _pause(self, seconds: float) -> None:
        if self._heard is not None:
            self._loop.remove_reader(self._heard)
            self._later = self._loop.call_later(seconds, self._loop.add_reader, self._heard, self._accept)


def _listens(sock: socket.socket) -> bool:
    try:
        return sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1 and sock.family == socket.AF_INET
    except OSError:
        return False
