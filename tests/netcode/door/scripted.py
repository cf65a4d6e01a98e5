"""A guests' program for tests: `Start.what` says what it does on its terminal."""

import os
import signal
import socket
import sys
import time
import tty
from itertools import count

from netcode.door.confinement.limits import FILE_BYTES
from netcode.door.confinement.namespaces import PORT
from netcode.door.messages import Start


def preload() -> None:
    """Nothing to load."""


def _echo(start: Start) -> int:
    """Say back what is typed, until `q`."""
    if start.terminal:
        tty.setraw(0)
    os.write(1, b"ready\r\n")
    while data := os.read(0, 4096):
        if data == b"q":
            return 0
        os.write(1, data)
    return 0


def _sizes(start: Start) -> int:
    """Say the size of the terminal at each change, and how many there were."""
    changes = 0

    def changed(number: int, frame: object) -> None:
        nonlocal changes
        changes += 1
        size = os.get_terminal_size(0)
        os.write(1, f"[{size.columns}x{size.lines} after {changes}]".encode())

    signal.signal(signal.SIGWINCH, changed)
    changed(0, None)
    while True:
        signal.pause()


def _flood(start: Start) -> int:
    while True:
        os.write(1, b"x" * 8192)


def _deaf(start: Start) -> int:
    """Do not read what is typed until there is a file `read` in the folder; then say how much it was."""
    tty.setraw(0)
    os.write(1, b"ready\r\n")
    while not os.path.exists("read"):
        time.sleep(0.02)
    total = 0
    while total < 2_000_000:
        total += len(os.read(0, 65536))
    os.write(1, f"read {total}".encode())
    return 0


def _stubborn(start: Start) -> int:
    """Ignore every signal that asks it to end."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.write(1, b"ready\r\n")
    while True:
        signal.pause()


def _polite(start: Start) -> int:
    """End in order when the line goes."""
    signal.signal(signal.SIGHUP, lambda number, frame: sys.exit(3))
    os.write(1, b"ready\r\n")
    while True:
        signal.pause()


def _crash(start: Start) -> int:
    os.write(1, b"\x1b[?1049h\x1b[?1003hplaying")
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def _raise(start: Start) -> int:
    raise ValueError("an internal error")


def _facts(start: Start) -> int:
    """Say what the process got from the door."""
    open_ones = [number for number in range(256) if _is_open(number)]
    import random  # as any part of a client would

    print(f"random={random.random()} open={open_ones} tty={os.isatty(0)} cwd={os.getcwd()} env={sorted(os.environ)}")
    print(f"leader={os.getsid(0) == os.getpid()} sys={sys.__stdout__.encoding}")
    return 5


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _call(start: Start) -> int:
    """Call the host this many times, as `join` says, and keep the lines open."""
    kept = []
    for _ in range(20):
        kept.append(socket.create_connection(("127.0.0.1", PORT)))
        os.write(1, b"called ")
    time.sleep(600)
    return 0


def _fill(start: Start) -> int:
    """Write files without end, each no longer than it may be."""
    for number in count():
        with open(f"f{number}", "wb") as file:
            file.truncate(FILE_BYTES)
        time.sleep(0.05)
    return 0


def _folders(start: Start) -> int:
    """Make folders without end."""
    for number in count():
        os.mkdir(f"f{number}")
        if number % 100 == 0:
            time.sleep(0.01)
    return 0


_WHAT = {
    "join": _echo, "sizes": _sizes, "flood": _flood, "deaf": _deaf, "stubborn": _stubborn, "polite": _polite,
    "crash": _crash, "raise": _raise, "facts": _facts, "call": _call, "fill": _fill, "folders": _folders,
}  # fmt: skip


def run(start: Start) -> int:
    """Do what the session is for."""
    return _WHAT[start.what](start)
