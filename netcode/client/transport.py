"""The ZeroMQ side of a client: one DEALER socket, drained from the loop, and the monitor that reports its state."""

import struct
from collections.abc import Callable
from typing import Any

import zmq

from netcode.protocol import limits
from netcode.protocol.credentials import Join, KeyPair
from netcode.protocol.sockets import MONITORED_EVENTS, ZAP_DENIED, SocketReader, dealer

_EVENT = struct.Struct("=hi")
"""An event of a socket and its value: the first frame of a monitor's report (zmq_socket_monitor of libzmq)."""
_OLD = "the join string is old, damaged, or of another host"


class Transport:
    """Connects, reconnects, and calls back.

    received(frame): a wire frame came. linked(up, text, code): the encrypted connection came up, or failed; text says
    why for people, code as a word (banned: trying again is useless; else offline).
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
        self._monitor = self._sock.get_monitor_socket(MONITORED_EVENTS)
        self._readers = [SocketReader(self._monitor, self._watch), SocketReader(self._sock, self._read)]
        self._sock.connect(target.endpoint)

    def send(self, frame: bytes) -> bool:
        """Send a wire frame if the connection can take it now; return whether it did."""
        try:
            self._sock.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        self._readers[1].again()
        return True

    def close(self, linger_ms: int = limits.CLIENT_LINGER_MS) -> None:
        """Disconnect. linger_ms: how long unsent frames may still leave."""
        if self._sock.closed:
            return
        for reader in self._readers:
            reader.close()
        self._sock.disable_monitor()
        self._monitor.close(linger=0)  # pyzmq only drops it; left open, it would block term()
        self._sock.close(linger=linger_ms)
        if self._own_context is not None:
            self._own_context.term()

    def _read(self, sock: Any) -> None:
        frames = sock.recv_multipart(zmq.NOBLOCK)
        if len(frames) == 1:
            self._received(frames[0])

    def _watch(self, sock: Any) -> None:
        event, value = _EVENT.unpack(sock.recv_multipart(zmq.NOBLOCK)[0])
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
