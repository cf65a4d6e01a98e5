"""An SSH door under attack, by strangers and by a guest, while another guest plays on."""

import contextlib
import fcntl
import importlib.util
import os
import random
import select
import socket
import struct
import tempfile
import termios
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.door import LOBBY, Guest, memory, open_door, ssh

LASTS_S = 4.0
"""How long an attack lasts (s)."""
KEY_S = 1.0
"""The promise: the longest median time of the other guest's keys (s). More attacks may run at the same time."""
GROWTH_MIB = 120.0
"""The promise: how much more memory all processes of the door may have afterwards (MiB)."""
PASTE = b"y" * (1 << 20)
DOWN, UP = b"\x1b[B", b"\x1b[A"


def is_possible() -> bool:
    """Return whether the extra `serve` is installed."""
    return importlib.util.find_spec("asyncssh") is not None


# ------------------------------------------------------------------------------------------ attacks: (port, evil guest)
def crowd(port: int, evil: Guest) -> None:
    """Open connections and say nothing, or nonsense; keep them until the door ends them."""
    kept = list[socket.socket]()
    for number in range(200):
        with contextlib.suppress(OSError):
            kept.append(socket.create_connection(("127.0.0.1", port), 0.2))
            kept[-1].sendall((b"", b"SSH-2.0-half\r\n", bytes(64), b"GET / HTTP/1.1\r\n\r\n")[number % 4])
    time.sleep(0.5)
    for sock in kept:
        sock.close()


def paste(port: int, evil: Guest) -> None:
    """Paste a megabyte, as fast as the terminal takes it."""
    until, left = time.monotonic() + 1.0, memoryview(PASTE)
    os.set_blocking(evil.end, False)
    while left and time.monotonic() < until:
        readable, writable, _ = select.select([evil.end], [evil.end], [], 0.1)
        with contextlib.suppress(BlockingIOError):
            if readable:
                os.read(evil.end, 65536)
            if writable:
                left = left[os.write(evil.end, left[:4096]) :]
    os.set_blocking(evil.end, True)


def deaf(port: int, evil: Guest) -> None:
    """Press keys, and read nothing of what they change."""
    for number in range(400):
        if not select.select([], [evil.end], [], 0.1)[1]:
            break
        os.write(evil.end, (DOWN, UP)[number % 2])
        time.sleep(0.002)


def resize(port: int, evil: Guest) -> None:
    """Change the size of the terminal without end; read on meanwhile."""
    for number in range(500):
        size = struct.pack("HHHH", 10 + number % 60, 20 + number % 200, 0, 0)
        fcntl.ioctl(evil.end, termios.TIOCSWINSZ, size)
        if select.select([evil.end], [], [], 0.002)[0]:
            os.read(evil.end, 65536)


ATTACKS: tuple[Callable[[int, Guest], None], ...] = (crowd, paste, deaf, resize)


def at_door(rng: random.Random) -> list[str]:
    """Attack a door of its own; return which promises it has broken."""
    attack = rng.choice(ATTACKS)
    with tempfile.TemporaryDirectory() as name, open_door(Path(name)) as (pid, door), contextlib.ExitStack() as stack:
        folder, port = Path(name), int(door["port"])
        guests = list[Guest]()
        for who in ("good", "evil"):
            guests.append(Guest([*ssh(folder, port, who), f"{who}@127.0.0.1", "lobby"], folder, LOBBY).open_form())
            stack.callback(guests[-1].close)
        good, evil = guests
        before, broken = memory(pid), list[str]()
        took, until = list[float](), time.monotonic() + LASTS_S
        while time.monotonic() < until and not broken:
            with contextlib.suppress(RuntimeError, OSError):  # the door may end the attacker
                attack(port, evil)
            try:
                good.settle()
                took += [good.press(key) for key in (DOWN, UP)]
            except RuntimeError as problem:
                broken.append(f"{attack.__name__} at a door: the other guest has lost the game: {problem}")
        if took and (middle := sorted(took)[len(took) // 2]) > KEY_S:
            broken.append(f"{attack.__name__} at a door: a key of the other guest took {middle:.2f} s")
        if (grown := memory(pid) - before) > GROWTH_MIB:
            broken.append(f"{attack.__name__} at a door: its memory grew by {grown:.0f} MiB")
        if not Path(f"/proc/{pid}").exists():
            broken.append(f"{attack.__name__} at a door: the door has ended")
    return broken
