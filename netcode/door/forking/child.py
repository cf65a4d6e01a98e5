"""The process of one guest, from the fork to the guest's program."""

import fcntl
import gc
import os
import random
import signal
import socket
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import NoReturn

import msgspec

from netcode.door.confinement.confine import Refused, confine, restrain
from netcode.door.messages import Start
from netcode.processes.streams import guard_streams
from netcode.protocol.credentials import parse_join

NOT_CONFINED = 71
"""The exit code of a process that could not be confined (EX_OSERR of sysexits.h)."""
BROKEN = 70
"""The exit code of a program that raised an error (EX_SOFTWARE)."""
HANDED_OUT = b"+"
"""The message that comes with the socket on which the guest's connections arrive. Any other message is a sentence that
says why there is no socket."""
_HOME_VARIABLES = ("HOME", "TMPDIR")
_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def run_child(
    start: Start, descriptors: list[int], parent: int, run: Callable[[Start], int], confined: bool
) -> NoReturn:  # fmt: skip
    """Run the process of this guest to its end. descriptors: those that came with `Start`. parent: the forker."""
    code = BROKEN
    try:
        _forget_parent()
        control = _take_streams(start, descriptors)
        start = _confined(start, control, parent, confined)
        _settle_python(start)
        code = run(start)
    except Refused:
        code = NOT_CONFINED
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:
        code = BROKEN  # the program itself describes the error in its crash file
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
        os._exit(code & 0xFF)


def _forget_parent() -> None:
    """Undo the forker's settings (signals, garbage collection), and give this process its own umask and random seed."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with suppress(OSError, ValueError):  # the C library reserves a few
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.umask(0o077)
    random.seed()
    gc.enable()


def _take_streams(start: Start, descriptors: list[int]) -> socket.socket:
    """Make the terminal, or the three pipes, the standard streams of this process. Close every other descriptor but the
    last one, a socket, and return that."""
    os.setsid()
    streams = [os.dup(one) for one in (descriptors[:1] * 3 if start.terminal else descriptors[:3])]
    control = fcntl.fcntl(descriptors[-1], fcntl.F_DUPFD_CLOEXEC, 10)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.dup2(control, 3, inheritable=False)
    os.closerange(4, max(map(int, os.listdir("/proc/self/fd" if os.path.exists("/proc/self/fd") else "/dev/fd"))) + 1)
    if start.terminal:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    return socket.socket(fileno=3)


def _confined(start: Start, control: socket.socket, parent: int, confined: bool) -> Start:
    """Confine this process. Return the `Start` for its program. If it cannot be confined, tell the listener why; raises
    Refused."""

    def hand_out(heard: socket.socket) -> None:
        socket.send_fds(control, [HANDED_OUT], [heard.fileno()])

    with control:
        try:
            if confined:
                confine(start.folder, parent, hand_out)
                return msgspec.structs.replace(start, alone=True)
            return _at(start, restrain(start.folder, parent, hand_out))
        except Refused as problem:
            with suppress(OSError):
                control.send(str(problem).encode())
            raise


def _at(start: Start, port: int) -> Start:
    """Return `start` with this port of the host in its join string, if it has a string."""
    join = str(replace(parse_join(start.join), port=port)) if start.join else ""
    return msgspec.structs.replace(start, join=join)


def _settle_python(start: Start) -> None:
    """Make Python's standard streams and environment those of this process; they still are the forker's."""
    os.environ.clear()
    os.environ.update(start.environment)
    os.environ.update(dict.fromkeys(_HOME_VARIABLES, start.folder))
    for number, (name, mode) in enumerate(_STREAMS):
        stream = os.fdopen(number, mode, encoding="utf-8", errors="replace", closefd=False)
        for attribute in (name, f"__{name}__"):  # the screen's toolkit uses the names with underscores
            setattr(sys, attribute, stream)
    guard_streams()
