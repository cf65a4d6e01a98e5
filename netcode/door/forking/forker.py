"""Forks the guests' program, tells of beginnings and ends, and passes signals on.

What arrives is checked by its types; a message that cannot be read, or a fork that fails, harms no guest who plays."""

import array
import gc
import logging
import os
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import msgspec

from netcode.door.forking.child import run_child
from netcode.door.messages import MESSAGE_BYTES, Ended, FromForker, Signal, Start, Started, ToForker

LOG = logging.getLogger("kickdoor.door.forker")
NOT_STARTED = 71
"""The status of a client that was never started (EX_OSERR of sysexits.h)."""
DESCRIPTORS = 4
"""The most descriptors that come with a message: three pipes and the socket for the guest's connections."""
GOODBYE_S = 4.0
"""How long clients may take to end when the listener is gone. Those that still run then are killed with this
process."""

_decoder = msgspec.msgpack.Decoder(ToForker)
_encoder = msgspec.msgpack.Encoder()


class Forker:
    """Forks one child for each `Start`. run: what the child does with it; its result is the exit code."""

    def __init__(self, channel: socket.socket, run: Callable[[Start], int], confined: bool) -> None:
        self._channel, self._run, self._confined = channel, run, confined
        self._sessions: dict[int, int] = {}
        """The session of each child."""
        self._told: deque[bytes] = deque()
        """Messages that the listener has no room for yet: two for each session at most."""
        self._woken, self._waker = socket.socketpair()
        self._selector = selectors.DefaultSelector()

    def serve(self) -> int:
        """Serve until the listener closes the channel; then end the children. Return the exit code."""
        for end in (self._woken, self._waker):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        self._selector.register(self._channel, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        gc.collect()
        gc.freeze()
        while self._turn(None):
            pass
        self._end_all()
        return 0

    def _turn(self, timeout: float | None) -> bool:
        """Do what there is to do. Return whether the listener is still there."""
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._told else 0)
        self._selector.modify(self._channel, wanted)
        self._selector.select(timeout)
        with suppress(BlockingIOError):
            self._woken.recv(4096)
        here = self._read()
        self._reap()
        return self._flush() and here

    def _read(self) -> bool:
        """Do what one message says. Return whether the listener is still there."""
        try:
            data, ancillary, flags, _ = self._channel.recvmsg(
                MESSAGE_BYTES, socket.CMSG_SPACE(DESCRIPTORS * array.array("i").itemsize), socket.MSG_CMSG_CLOEXEC
            )
        except BlockingIOError:
            return True
        except OSError:
            return False
        descriptors = _descriptors(ancillary)
        try:
            if not data and not descriptors:
                return False  # the end; the listener sends no empty messages
            if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
                LOG.error("a message to the forker is too long")
            else:
                self._obey(data, descriptors)
        finally:
            for one in descriptors:
                os.close(one)
        return True

    def _obey(self, data: bytes, descriptors: list[int]) -> None:
        try:
            message = _decoder.decode(data)
        except msgspec.MsgspecError as problem:
            LOG.error("a message to the forker cannot be read: %s", type(problem).__name__)
            return
        if isinstance(message, Signal):
            self._signal(message)
        else:
            self._start(message, descriptors)

    def _start(self, start: Start, descriptors: list[int]) -> None:
        if len(descriptors) != (2 if start.terminal else 4):
            self._tell(Ended(start.session, NOT_STARTED, f"{len(descriptors)} descriptors came with it"))
            return
        if start.session in self._sessions.values():
            LOG.error("session %d has begun already", start.session)
            return
        parent = os.getpid()
        try:
            child = os.fork()
        except OSError as problem:
            self._tell(Ended(start.session, NOT_STARTED, f"the system forks no process: {problem.strerror}"))
            return
        if child == 0:
            run_child(start, descriptors, parent, self._run, self._confined)
        self._sessions[child] = start.session
        self._tell(Started(start.session, child))

    def _signal(self, message: Signal) -> None:
        for child, session in self._sessions.items():
            if session == message.session and message.number in signal.valid_signals():
                os.kill(child, message.number)

    def _reap(self) -> None:
        """Tell of every child that has ended. One that was stopped is killed: nobody could continue it."""
        while self._sessions:
            try:
                child, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:
                return
            if child == 0:
                return
            if os.WIFSTOPPED(status):
                os.kill(child, signal.SIGKILL)
            elif (session := self._sessions.pop(child, None)) is not None:
                self._tell(Ended(session, os.waitstatus_to_exitcode(status)))

    def _tell(self, message: FromForker) -> None:
        self._told.append(_encoder.encode(message))

    def _flush(self) -> bool:
        """Send what waits. Return whether the listener is still there."""
        while self._told:
            try:
                self._channel.send(self._told[0])
            except BlockingIOError:
                return True
            except OSError:
                return False
            self._told.popleft()
        return True

    def _end_all(self) -> None:
        """Let the children end in order: the listener is gone."""
        self._channel.close()
        for child in self._sessions:
            os.kill(child, signal.SIGHUP)
            os.kill(child, signal.SIGCONT)
        until = time.monotonic() + GOODBYE_S
        while self._sessions and (left := until - time.monotonic()) > 0:
            with selectors.DefaultSelector() as selector:
                selector.register(self._woken, selectors.EVENT_READ)
                selector.select(left)
            with suppress(BlockingIOError):
                self._woken.recv(4096)
            self._reap()
        for child in self._sessions:
            os.kill(child, signal.SIGKILL)


def _descriptors(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    found = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return found.tolist()
