"""The host's socket between a thread that does nothing but read and stamp, and the loop that does all the rest.

A ROUTER hands out what has arrived on its connections in turn, not in the order of arrival: only what is read before
the next one comes is surely told apart from it. The loop is busy for milliseconds at a time, so a thread reads. The
socket passes between the two under a lock, which ZeroMQ allows. Its descriptor tells of news once, and any use of the
socket may take that sign away: so whoever has used it looks for news before letting go.
"""

import asyncio
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import zmq

from netcode.protocol import limits

BUDGET = 64
"""Messages the loop takes before others get their turn."""
POLL_S = 0.25
"""How often the loop looks by itself, so that a lost sign costs a moment and not the game."""


class Receiver:
    """Reads a bound socket. take(frames, stamp) is called in the loop, in the order of the stamps (ns, monotonic)."""

    def __init__(self, sock: Any, take: Callable[[list[Any], int], None]) -> None:
        self._sock, self._take = sock, take
        self._lock = threading.Lock()
        self._waiting: deque[tuple[list[Any], int]] = deque()
        self._told = False
        self._open = True
        self._room = threading.Event()
        self._room.set()
        self._loop = asyncio.get_running_loop()
        self._poll = self._loop.call_later(POLL_S, self._polled)
        self._bell, self._rung = socket.socketpair()
        sign: int = sock.getsockopt(zmq.FD)
        self._thread = threading.Thread(target=self._listen, args=(sign,), name="arrivals", daemon=True)
        self._thread.start()

    def send(self, parts: Sequence[bytes]) -> None:
        """Send if the connection can take it now. Raises zmq.Again, zmq.ZMQError."""
        with self._lock:
            try:
                self._sock.send_multipart(parts, zmq.NOBLOCK)
            finally:
                self._gather()

    def close(self) -> None:
        """Stop reading; what is still waiting is not taken any more. The socket stays its owner's to close."""
        if not self._open:
            return
        self._open = False
        self._poll.cancel()
        self._room.set()
        self._bell.send(b"!")
        self._thread.join()
        self._bell.close()
        self._rung.close()

    # ------------------------------------------------------------------------------------------------------ the thread
    def _listen(self, sign: int) -> None:
        with selectors.DefaultSelector() as signs:
            signs.register(sign, selectors.EVENT_READ)
            signs.register(self._rung, selectors.EVENT_READ)
            while self._open:
                self._room.wait()
                signs.select()
                with self._lock:
                    if self._open:
                        self._gather()

    def _gather(self) -> None:
        """Read and stamp all there is, as far as there is room. To be called with the lock."""
        while self._sock.getsockopt(zmq.EVENTS) & zmq.POLLIN:
            if len(self._waiting) >= limits.RECEIVED_MESSAGES:
                self._room.clear()
                break
            try:
                frames = self._sock.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                break
            self._waiting.append((frames, time.monotonic_ns()))
        if self._waiting and not self._told:
            self._told = True
            self._loop.call_soon_threadsafe(self._give)

    # -------------------------------------------------------------------------------------------------------- the loop
    def _give(self) -> None:
        for _ in range(min(BUDGET, len(self._waiting))):
            if not self._open:
                return
            frames, stamp = self._waiting.popleft()
            self._take(frames, stamp)
        self._told = bool(self._waiting)
        if self._told:
            self._loop.call_soon(self._give)
        else:
            with self._lock:
                self._gather()
            self._room.set()

    def _polled(self) -> None:
        self._poll = self._loop.call_later(POLL_S, self._polled)
        with self._lock:
            self._gather()
