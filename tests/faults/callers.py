"""Attacks on the front by connecting: as fast as one process can, or with handshakes and hellos as often as a host
takes them. `attacker.py` runs them."""

import contextlib
import itertools
import os
import socket
import struct
import time
from collections import deque
from collections.abc import Callable
from functools import partial

import zmq

from netcode.protocol import codec
from netcode.protocol.credentials import new_pair, parse_join
from netcode.protocol.sockets import dealer
from tests.faults.raw_zmtp import command, greeting
from tests.netcode.raw_client import hello

AT_ONCE = 100
"""Connections that are opened before the attacker does anything else."""
TURN_S = 0.005
"""How often an attacker with a limited line opens connections (s)."""
KEPT = 400
"""Connections that a waiting attacker keeps open."""
GUESTS, BURST, ANSWER_S = 180, 5, 1.0
"""How many connections say hello at a time, how many hellos of a new key a host takes at once, and how long a
connection waits for an answer before one with a new key replaces it (s)."""
LINE_BYTES = 1_250_000
"""Bytes that the line of an attacker at home can send in a second: ten megabits."""
CONNECTION_BYTES, DATA_BYTES = 194, 66
"""Bytes sent for opening and breaking a connection (SYN, ACK, RST), and the overhead of data: Ethernet, IP and TCP."""
STRANGER = "127.0.0.9"
"""A loopback address that no player uses."""
_ABRUPT = struct.pack("ii", 1, 0)
Ready = Callable[[], None]


def churn(
    join: str, ready: Ready, address: str = "127.0.0.1", first: bytes = b"", kept: int = 0, line: float = float("inf")
) -> None:
    """Connections without any string, opened and dropped from one address as fast as the line allows. first: what each
    of them sends; kept: how many stay open; line: bytes a second."""
    port, waiting = parse_join(join).port, deque[socket.socket]()
    pause = (CONNECTION_BYTES + (DATA_BYTES + len(first) if first else 0)) / line
    at_once = AT_ONCE if not pause else max(1, int(TURN_S / pause))
    ready()
    next_at = time.monotonic()
    while True:
        next_at = max(next_at + at_once * pause, time.monotonic())
        for _ in range(at_once):
            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABRUPT)  # otherwise all ports would soon be in use
            sock.setblocking(False)
            with contextlib.suppress(OSError):
                sock.bind((address, 0))
                sock.connect_ex(("127.0.0.1", port))
                if first:
                    sock.send(first)
            waiting.append(sock)
        while len(waiting) > kept:
            waiting.popleft().close()
        time.sleep(max(0.0, next_at - time.monotonic()) if pause else 0)


def hellos(string: str, ready: Ready, address: str = "") -> None:
    """Valid hellos with ever new keys, as many of each as a host takes, on many connections at a time."""
    target, context = parse_join(string), zmq.Context[zmq.Socket[bytes]]()
    endpoint = target.endpoint.replace("tcp://", f"tcp://{address}:0;") if address else target.endpoint
    poller, since = zmq.Poller(), dict[zmq.Socket[bytes], float]()
    frames = itertools.cycle(codec.pack(hello(string, f"N{number}", role="watch")) for number in range(1000))

    def begin() -> None:
        sock = dealer(context, new_pair(), target.key)
        sock.setsockopt(zmq.IMMEDIATE, 0)  # what is sent before the handshake waits for its end
        sock.connect(endpoint)
        for _ in range(BURST):
            sock.send(next(frames), zmq.NOBLOCK)
        poller.register(sock, zmq.POLLIN)
        since[sock] = time.monotonic()

    for _ in range(GUESTS):
        begin()
    ready()
    while True:
        answered = {sock for sock, _ in poller.poll(50)}
        for sock in [one for one, at in since.items() if one in answered or time.monotonic() - at > ANSWER_S]:
            poller.unregister(sock)
            del since[sock]
            sock.close(linger=0)
            begin()


_RANDOM_HELLO = greeting() + command(b"HELLO", os.urandom(194))
CHURNS: dict[str, Callable[[str, Ready], None]] = {
    "churn": churn,
    "churn_elsewhere": partial(churn, address=STRANGER),
    "churn_kept": partial(churn, kept=KEPT),
    "churn_greeting": partial(churn, first=greeting(), kept=KEPT),
    "churn_hello": partial(churn, first=_RANDOM_HELLO, kept=KEPT),
    "churn_hello_elsewhere": partial(churn, address=STRANGER, first=_RANDOM_HELLO, kept=KEPT),
}
"""Attacks by connections at full rate, from the address of the players or from another one, by name."""
HELLOS: dict[str, Callable[[str, Ready], None]] = {
    "hellos": hellos, "hellos_elsewhere": partial(hellos, address=STRANGER),
}  # fmt: skip
LINES: dict[str, Callable[[str, Ready], None]] = {
    "churn_line": partial(churn, line=LINE_BYTES),
    "churn_hello_line": partial(churn, first=_RANDOM_HELLO, kept=KEPT, line=LINE_BYTES),
}
"""Attacks by connections at the rate that an attacker's line at home allows: 6,400 and 2,300 a second."""
