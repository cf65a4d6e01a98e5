"""What front, host and SSH door tell each other: short datagrams over pairs of local sockets that they inherit.

The parent of the two keeps both ends open, so the channel outlives both. A connection is named by the loopback address
from which the front connects to the host, or by the port where there is only one such address.

From the front: `started`; `new NAME ADDRESS` before a connection is opened for a client at this address; `gone NAME`;
`words CALL` with the socket of a client that shows short words, and what it sent first, in hexadecimal digits.
From the host: `host PORT ROOM PID`, where it listens and how many connections it can have; `seated`, `guest`,
`newcomer` or `close NAME`; `heard NAME COUNT ...`, how many messages of each connection have arrived.
From an SSH door, over a channel of its own: `guest LABEL` with the socket of a guest's client (guests.py). The front
answers nothing there.
"""

import ipaddress
import os
import socket

DATAGRAM_BYTES = 1500
"""The longest datagram; macOS takes 2048."""
HEARD = 24
"""The most connections in one `heard`, so that it fits in a datagram."""
WAITING_BYTES = 256 * 1024
"""Datagrams that may wait on either side."""


READ_AT_ONCE = 1024
"""Datagrams that are read before other work gets its turn."""


NAMES = ipaddress.ip_network("127.128.0.0/9")
"""Loopback addresses that name connections to the host."""


Channel = tuple[socket.socket, socket.socket]
"""The front's end and the host's end."""


class ChannelFull(OSError):
    """The other side does not read."""


def is_available() -> bool:
    """Return whether this system can run a front: it needs descriptors that a child process inherits."""
    return os.name == "posix"


def make_channel() -> Channel:
    """Return a new channel."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for end in ends:
        end.setblocking(False)
        for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, buffer, WAITING_BYTES)
    return ends


def tell(end: socket.socket, *words: object) -> None:
    """Send one datagram without waiting. Raises ChannelFull if the other side does not read."""
    try:
        end.send(" ".join(map(str, words)).encode())
    except OSError as problem:  # macOS says ENOBUFS where Linux says EAGAIN
        raise ChannelFull(str(problem)) from None


def hand_over(end: socket.socket, sock: socket.socket, *words: object) -> None:
    """Send one datagram with a copy of a socket, without waiting. Raises OSError if the other side does not read."""
    socket.send_fds(end, [" ".join(map(str, words)).encode()], [sock.fileno()])


def heard_with_sockets(
    end: socket.socket, at_once: int = READ_AT_ONCE
) -> list[tuple[list[str], socket.socket | None]]:
    """Return the datagrams that wait, each as its words and the socket that came with it (None: none, or something
    else); at most `at_once` of them."""
    found: list[tuple[list[str], socket.socket | None]] = []
    while len(found) < at_once:
        try:
            data, descriptors, _, _ = socket.recv_fds(end, DATAGRAM_BYTES, 1)
        except (BlockingIOError, InterruptedError):
            break
        found.append((data.decode("ascii", "replace").split(" "), _socket(descriptors)))
    return found


def _socket(descriptors: list[int]) -> socket.socket | None:
    """Return the socket that came with a datagram; close anything that is none."""
    if not descriptors:
        return None
    try:
        return socket.socket(fileno=descriptors[0])
    except OSError:
        os.close(descriptors[0])
        return None


def heard(end: socket.socket) -> list[list[str]]:
    """Return the datagrams that wait, each as its words; at most READ_AT_ONCE of them."""
    found: list[list[str]] = []
    while len(found) < READ_AT_ONCE:
        try:
            data = end.recv(DATAGRAM_BYTES)
        except (BlockingIOError, InterruptedError):
            break
        found.append(data.decode("ascii", "replace").split(" "))
    return found


def has_loopback_addresses() -> bool:
    """Return whether every address of 127.0.0.0/8 is this machine, as on Linux; on macOS only 127.0.0.1 is."""
    with socket.socket() as probe:
        try:
            probe.bind((str(NAMES[1]), 0))
        except OSError:
            return False
        return True
