"""A client's connection: one DEALER socket drained from the loop, and what its monitor tells of the state of the
wire."""

from collections.abc import Callable
from typing import Any

import zmq
from zmq.utils.monitor import parse_monitor_message

from netcode.protocol.credentials import Join, KeyPair
from netcode.protocol.sockets import MONITORED_EVENTS, ZAP_DENIED, SocketReader, dealer

_OLD = "the join string is old, damaged, or of another host"


class Transport:
    """Connects, reconnects by itself, and calls back: received(frame) for each frame, linked(up, text, code) when the
    encrypted connection stands (up) or has failed, with the reason for people and as a word (banned: trying again is of
    no use; else offline). Raises zmq.ZMQError for an impossible address."""

    def __init__(
        self,
        target: Join,
        pair: KeyPair,
        context: Any,
        received: Callable[[bytes], None],
        linked: Callable[[bool, str, str], None],
    ) -> None:
        self._own: Any = zmq.Context() if context is None else None
        self._received, self._linked = received, linked
        self._where = f"{target.host}:{target.port}"
        self._refused = self._stood = False
        own: Any = self._own if context is None else context
        self._sock = dealer(own, pair, target.key)
        self._monitor = self._sock.get_monitor_socket(MONITORED_EVENTS)
        self._drains = [SocketReader(self._monitor, self._watch), SocketReader(self._sock, self._read)]
        self._sock.connect(target.endpoint)

    def send(self, frame: bytes) -> bool:
        """Send if the connection can take it now; says whether it did."""
        try:
            self._sock.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        self._drains[1].again()
        return True

    def close(self, linger_ms: int = 200) -> None:
        """Hang up, giving what was sent last a moment to leave."""
        if self._sock.closed:
            return
        for drain in self._drains:
            drain.close()
        self._sock.disable_monitor()
        self._monitor.close(linger=0)  # pyzmq only forgets it; open, it would keep term() waiting for ever
        self._sock.close(linger=linger_ms)
        if self._own is not None:
            self._own.term()

    def _read(self, sock: Any) -> None:
        frames = sock.recv_multipart(zmq.NOBLOCK)
        if len(frames) == 1:
            self._received(frames[0])

    def _watch(self, sock: Any) -> None:
        told = parse_monitor_message(sock.recv_multipart(zmq.NOBLOCK))
        event = told["event"]
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self._refused, self._stood = False, True
            self._linked(True, "", "")
        elif self._refused:
            return  # retries after a refused key say nothing new
        elif event == zmq.EVENT_CONNECT_RETRIED:
            where = f"nobody answers at {self._where}: is the host running, is the address right?"
            self._linked(False, where, "offline")
        elif event == zmq.EVENT_DISCONNECTED and self._stood:
            self._stood = False
            self._linked(False, f"the connection to {self._where} was lost", "offline")
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH and told["value"] == ZAP_DENIED:
            self._refused = True
            self._linked(False, f"{self._where} does not let you in: you were sent away for good", "banned")
        elif event == zmq.EVENT_DISCONNECTED:  # a wrong key ends like this too, and so does a forwarded port to nowhere
            self._linked(False, f"{self._where} hung up: no host there now, or {_OLD}", "offline")
        else:
            self._refused = True
            self._linked(False, f"{self._where} refused the key: {_OLD}", "offline")
