"""Reads the host's socket: every message is received and timestamped at once, and the loop takes them in that order.

A ROUTER takes messages from its connections in turn, not in order of arrival: the order of two messages is known only
if the first is received before the second arrives. The loop is busy for milliseconds at a time, so a thread receives
meanwhile. While the loop waits, it is quicker and cheaper if the loop itself receives: where epoll can wake up the
first waiter alone (Linux), the thread sleeps on unless the loop is busy. Both use the socket under a lock, which ZeroMQ
allows. The socket's descriptor is edge-triggered, and any use of the socket may consume the edge: whoever has used the
socket therefore receives what is there before releasing the lock.
"""

import asyncio
import logging
import os
import select
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import zmq
from zmq.backend import zmq_poll

from netcode.protocol import limits
from netcode.protocol.sockets import POLL_S, next_beat

LOG = logging.getLogger("kickdoor.receiver")
BUDGET = 64
"""Messages that the loop takes before other work gets its turn."""
_READABLE = int(zmq.POLLIN)
_NOW, _NOW_AND_MORE = int(zmq.NOBLOCK), int(zmq.NOBLOCK | zmq.SNDMORE)
"""Flags as plain numbers: combining pyzmq's enums runs Python code several times for each message."""


class Receiver:
    """Receives from a bound ROUTER. take(frames, stamp) is called in the loop, in the order of the stamps (ns,
    monotonic), with the routing id as bytes and the other frames of a message; taken() after some of them."""

    def __init__(
        self, sock: Any, take: Callable[[list[Any], int], None], taken: Callable[[], None] = lambda: None
    ) -> None:
        self._take, self._taken = take, taken
        self._send_part = partial(zmq.backend.Socket.send, sock)  # skips a layer for options, which a ROUTER lacks
        self._receive_part: Callable[..., Any] = partial(zmq.backend.Socket.recv, sock)
        self._is_readable = partial(zmq_poll, [(sock, _READABLE)], 0)  # skips the enums that getting an option needs
        self._lock = threading.Lock()
        self._waiting: deque[tuple[list[Any], int]] = deque()
        self._scheduled = False
        self._open = True
        self._room = threading.Event()
        self._room.set()
        self._loop = asyncio.get_running_loop()
        self._poll = self._loop.call_at(next_beat(self._loop.time(), POLL_S), self._polled)
        self._waker, self._wakeup = socket.socketpair()
        self._descriptor: int = sock.getsockopt(zmq.FD)
        self._loop_receives = self._let_loop_receive()
        self._thread = threading.Thread(target=self._listen, name="receiver", daemon=True)
        self._thread.start()

    def send(self, messages: Sequence[tuple[bytes, bytes]]) -> list[zmq.ZMQError | None]:
        """Send messages (routing id and frame), each if its connection can take it now. Return for each the error, or
        None: zmq.Again if the connection could not take it.

        All are sent under one lock: otherwise the receiving thread would wake up and wait for the lock after each of
        them."""
        with self._lock:
            try:
                return [self._send(address, frame) for address, frame in messages]
            finally:
                self._receive()

    def _send(self, address: bytes, frame: bytes) -> zmq.ZMQError | None:
        try:
            self._send_part(address, _NOW_AND_MORE)
            self._send_part(frame, _NOW)
        except zmq.ZMQError as problem:
            return problem
        return None

    @property
    def has_more(self) -> bool:
        """Whether messages that were received wait for the loop."""
        return bool(self._waiting)

    @property
    def listens(self) -> bool:
        """Whether the thread that receives runs."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop receiving and drop what waits. The owner of the socket closes it."""
        if not self._open:
            return
        self._open = False
        self._poll.cancel()
        if self._loop_receives:
            self._loop.remove_reader(self._descriptor)
        self._room.set()
        self._waker.send(b"!")
        self._thread.join()
        self._waker.close()
        self._wakeup.close()

    # ------------------------------------------------------------------------------------------------------ the thread
    def _listen(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._descriptor, selectors.EVENT_READ)
            selector.register(self._wakeup, selectors.EVENT_READ)
            if self._loop_receives:
                _wake_one(selector, self._descriptor)
            while self._open:
                self._room.wait()
                selector.select()
                with self._lock:
                    if self._open:
                        self._receive()

    def _receive(self, ready: bool = False) -> None:
        """Receive and timestamp all messages that are there, as long as there is room. The caller holds the lock.
        ready: one is probably there, so receive without asking first."""
        while ready or self._is_readable():
            ready = False
            if len(self._waiting) >= limits.RECEIVED_MESSAGES:
                self._room.clear()
                break
            try:
                frames = self._receive_one()
            except zmq.Again:
                break
            self._waiting.append((frames, time.monotonic_ns()))
        if self._waiting and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon_threadsafe(self._deliver)

    def _receive_one(self) -> list[Any]:
        frames = [self._receive_part(_NOW)]
        while True:
            frame = self._receive_part(_NOW, False)
            frames.append(frame)
            if not frame.more:
                return frames

    # -------------------------------------------------------------------------------------------------------- the loop
    def _let_loop_receive(self) -> bool:
        """Let the loop receive while it waits, if this system and this loop allow that."""
        selector = getattr(self._loop, "_selector", None)
        if not hasattr(select, "EPOLLEXCLUSIVE") or not isinstance(selector, selectors.EpollSelector):
            return False
        self._loop.add_reader(self._descriptor, self._readable)
        _wake_one(selector, self._descriptor)
        return True

    def _readable(self) -> None:
        scheduled = True
        try:
            with self._lock:
                scheduled, self._scheduled = self._scheduled, True  # what is received here is delivered here
                self._receive(ready=True)
        finally:
            if not scheduled:
                self._deliver()

    def _deliver(self) -> None:
        """Hand over what was received. The loop goes on receiving after any error; its exception handler reports the
        error."""
        try:
            for _ in range(min(BUDGET, len(self._waiting))):
                if not self._open:
                    return
                frames, stamp = self._waiting.popleft()
                try:
                    self._take(frames, stamp)
                except Exception:  # the messages of others are still handled
                    LOG.exception("a message met an internal error and is dropped")
            self._taken()
        finally:
            if self._open:
                self._go_on()

    def _go_on(self) -> None:
        with self._lock:  # the thread may be adding a message that nobody is scheduled to deliver
            self._scheduled = bool(self._waiting)
            if self._scheduled:
                self._loop.call_soon(self._deliver)
            elif not self._room.is_set():
                self._receive()
                self._room.set()

    def _polled(self) -> None:
        self._poll = self._loop.call_at(next_beat(self._loop.time(), POLL_S), self._polled)
        with self._lock:
            self._receive()


def _wake_one(selector: selectors.BaseSelector, descriptor: int) -> None:
    """Let the descriptor wake this selector (an epoll) only if no thread that watches it for longer is waiting."""
    with select.epoll.fromfd(os.dup(selector.fileno())) as epoll:  # type: ignore[attr-defined]
        epoll.unregister(descriptor)
        epoll.register(descriptor, select.EPOLLIN | select.EPOLLEXCLUSIVE)
