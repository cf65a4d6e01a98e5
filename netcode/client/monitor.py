"""Watches the socket of a client from a separate thread: the events of its connection, and the amount of received data
that libzmq keeps.

libzmq limits how many messages wait (RCVHWM) and how long each part is (MAXMSGSIZE), but not how many parts a message
has, and a client sees no part of a message before its last one has come. So the bytes that the system has received for
a connection are compared with those of the messages that the client has taken. A thread does this, since libzmq reads
some hundred megabytes a second, also while the loop draws a table. Only Linux says how many bytes it has received.
"""

import asyncio
import contextlib
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import zmq

from netcode.protocol import limits

if sys.platform == "linux":
    import fcntl
    import termios

PAUSE_MS = 5
"""Pause between two counts of the bytes of a connection."""
_EVENT = struct.Struct("=hi")
"""An event of a socket and its value: the first frame of a monitor's report (zmq_socket_monitor of libzmq)."""
_COUNT, _RECEIVED_AT = struct.Struct("=Q"), 128
"""The offset of tcpi_bytes_received in tcp_info (Linux 4.1 and later)."""
_WAITING = struct.Struct("=i")
_CURVE, _SHORT, _SHORT_HEAD, _LONG_HEAD = 33, 255, 2, 9
"""Bytes: the overhead of CURVE for a message, the longest body of a short ZMTP frame, and the headers of short and long
frames."""
_AT_ONCE = 1024 * 1024
_HEARTBEAT = 64
"""More bytes than the answer to a ZMTP heartbeat has. A client does not receive that answer as a message."""


class Monitor(threading.Thread):
    """Reports to the loop until the monitor of the socket is disabled; then wait for its end (`join`).

    event(event, value, heard, after_ms): of the socket, with the bytes that had come over its connection (-1: unknown)
    and the time since it was made. flooded(): libzmq kept more data of the host than it may; the thread has shut the
    connection down."""

    def __init__(self, reports: Any, event: Callable[[int, int, int, int], None], flooded: Callable[[], None]) -> None:
        """reports: the monitor of the socket, with EVENT_CONNECTED and EVENT_MONITOR_STOPPED among its events; it is
        closed at the end."""
        super().__init__(name="monitor", daemon=True)
        self._reports, self._event, self._flooded = reports, event, flooded
        self._loop = asyncio.get_running_loop()
        self._taken = self._taken_before = 0
        """Bytes of the messages that the client has taken: in total, and before the present connection."""
        self._connection: socket.socket | None = None
        self._since = 0.0
        self._connected_at = 0.0

    def took(self, size: int) -> None:
        """Note that the client has taken a message of this many bytes. The loop calls it."""
        sealed = size + _CURVE
        self._taken += sealed + (_SHORT_HEAD if sealed <= _SHORT else _LONG_HEAD)

    def run(self) -> None:
        """Watch."""
        goes_on = True
        while goes_on:
            poller = zmq.Poller()
            poller.register(self._reports, zmq.POLLIN)
            if self._connection is not None:
                poller.register(self._connection, zmq.POLLIN)
            ready = dict(poller.poll())
            if self._reports in ready:
                goes_on = self._report()
            else:
                self._look()
                self._reports.poll(PAUSE_MS)
        self._forget()
        self._reports.close(linger=0)

    def _report(self) -> bool:
        """Pass on the events of the socket. Return False after the last one."""
        event, value = _EVENT.unpack(self._reports.recv_multipart()[0])
        heard, after = self._heard(), time.monotonic() - self._connected_at
        if event != zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self._forget()
        if event == zmq.EVENT_CONNECTED:
            self._watch(value)
        elif event != zmq.EVENT_MONITOR_STOPPED:
            self._tell(self._event, event, value, heard, int(after * 1000))
        return event != zmq.EVENT_MONITOR_STOPPED

    def _heard(self) -> int:
        """Return how many bytes have come over the connection, -1 if this system does not say."""
        if self._connection is None:
            return -1
        try:
            return _received_on(self._connection)
        except (OSError, struct.error):
            return -1

    def _watch(self, descriptor: int) -> None:
        """Watch this connection of libzmq from now on, if it is still there."""
        self._connected_at = time.monotonic()
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                self._connection = socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM)
                self._taken_before, self._since = self._taken, time.monotonic()

    def _look(self) -> None:
        """Shut the connection down if libzmq keeps more unread bytes than an honest host may have sent."""
        if self._connection is None:
            return
        heartbeats = (time.monotonic() - self._since) * 1000 / limits.ZMTP_HEARTBEAT_MS
        try:
            kept = _read_on(self._connection) - (self._taken - self._taken_before)
            if kept <= limits.CLIENT_KEPT_BYTES + heartbeats * _HEARTBEAT:
                return
        except (OSError, struct.error):  # it has ended, or this system does not say
            self._forget()
            return
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
            while self._connection.recv(_AT_ONCE):  # libzmq would still read the data that the system has received
                pass
        self._forget()
        self._tell(self._flooded)

    def _forget(self) -> None:
        """Release the connection: while this thread also holds it, the host does not notice its end."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _tell(self, callback: Callable[..., None], *what: int) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(callback, *what)


def _read_on(connection: socket.socket) -> int:
    """Return how many bytes have been read of a connection. Raises OSError or struct.error if this system does not
    say."""
    if sys.platform != "linux":
        raise OSError
    come = _received_on(connection)
    waiting: tuple[int] = _WAITING.unpack(fcntl.ioctl(connection, termios.FIONREAD, bytes(_WAITING.size)))
    return come - waiting[0]


def _received_on(connection: socket.socket) -> int:
    """Return how many bytes have come over a connection, read or not. Raises as `_read_on`."""
    if sys.platform != "linux":
        raise OSError
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED_AT + _COUNT.size)
    received: tuple[int] = _COUNT.unpack_from(info, _RECEIVED_AT)
    return received[0]
