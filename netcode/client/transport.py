"""The ZeroMQ side of a client: one DEALER socket, drained from the loop, and the monitor that watches it."""

from collections.abc import Callable
from typing import Any

import zmq

from netcode.client.flood import BAD_HOST, FLOODED
from netcode.client.monitor import Monitor
from netcode.protocol import limits
from netcode.protocol.credentials import Join, KeyPair
from netcode.protocol.sockets import MONITORED_EVENTS, ZAP_DENIED, SocketReader, dealer

_OLD = "the join string is old, damaged, or of another host"


class Transport:
    """Connects, reconnects, and calls back.

    received(frame): a wire frame came. linked(up, text, code): the encrypted connection came up, or failed; text: the
    reason for people; code: the reason as a word (banned, BAD_HOST: trying again is useless; else offline).
    """

    def __init__(
        self,
        target: Join,
        pair: KeyPair,
        context: Any,
        received: Callable[[bytes], None],
        linked: Callable[[bool, str, str], None],
    ) -> None:
        """Raises zmq.ZMQError for an impossible address."""
        self._own_context: Any = zmq.Context() if context is None else None
        self._received, self._linked = received, linked
        self._where = f"{target.host}:{target.port}"
        self._refused = self._was_up = False
        used: Any = self._own_context if context is None else context
        self._sock = dealer(used, pair, target.key)
        self._monitor = Monitor(self._sock.get_monitor_socket(MONITORED_EVENTS), self._watch, self._flooded)
        self._reader = SocketReader(self._sock, self._read)
        self._monitor.start()
        try:
            self._sock.connect(target.endpoint)
        except zmq.ZMQError:
            self.close(linger_ms=0)
            raise

    @property
    def refused(self) -> bool:
        """Whether the last attempt to connect ended in the handshake."""
        return self._refused

    def send(self, frame: bytes) -> bool:
        """Send a wire frame if the connection can take it now; return whether it did."""
        try:
            self._sock.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        self._reader.again()
        return True

    def close(self, linger_ms: int = limits.CLIENT_LINGER_MS) -> None:
        """Disconnect. linger_ms: how long unsent frames may still leave."""
        if self._sock.closed:
            return
        self._reader.close()
        self._sock.disable_monitor()
        self._monitor.join()
        self._sock.close(linger=linger_ms)
        if self._own_context is not None:
            self._own_context.term()

    def _read(self, sock: Any) -> None:
        frame = sock.recv(zmq.NOBLOCK)
        if sock.getsockopt(zmq.RCVMORE):
            self._flooded()  # each message of an honest host has one part
            return
        self._monitor.took(len(frame))
        self._received(frame)

    def _flooded(self) -> None:
        if not self._sock.closed:
            self.close(linger_ms=0)
            self._linked(False, FLOODED, BAD_HOST)

    def _watch(self, event: int, value: int) -> None:
        if self._sock.closed:
            return
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self._refused, self._was_up = False, True
            self._linked(True, "", "")
        elif self._refused:
            return  # retries after a refused key bring no news
        elif event == zmq.EVENT_CONNECT_RETRIED:
            where = f"nobody answers at {self._where}: is the host running, is the address right?"
            self._linked(False, where, "offline")
        elif event == zmq.EVENT_DISCONNECTED and self._was_up:
            self._was_up = False
            self._linked(False, f"the connection to {self._where} was lost", "offline")
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH and value == ZAP_DENIED:
            self._refused = True
            self._linked(False, f"{self._where} does not let you in: you were sent away for good", "banned")
        elif event == zmq.EVENT_DISCONNECTED:  # also a wrong key, or a forwarded port with nothing behind it
            self._linked(False, f"{self._where} hung up: no host there now, or {_OLD}", "offline")
        else:
            self._refused = True
            self._linked(False, f"{self._where} refused the key: {_OLD}", "offline")
