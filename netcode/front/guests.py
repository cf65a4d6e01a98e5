"""Takes the connections of guests that an SSH door (netcode/door) hands over.

Each comes as a datagram `guest LABEL` with a socket. Everywhere in the front, and for the host, the label is the
client's network address: forty guests are forty addresses. The parent of front and door holds both ends of the
channel, so each of the two can be started again alone; a door that is gone says nothing more, and the connections that
it has handed over end as any other does. The front trusts the door with labels and with nothing else: what is not a
connected stream is closed, and what one label, or all of them, may do is limited as for addresses.
"""

import asyncio
import ipaddress
import logging
import re
import socket
from collections import Counter
from collections.abc import Callable

from netcode.front.channel import heard_with_sockets
from netcode.front.door import ACCEPTS, plain

LOG = logging.getLogger("kickdoor.front")
LABEL = re.compile(r"[a-z0-9:.-]{1,64}")
"""What a label may be."""
WARN_S = 10.0
"""The pause between two warnings about what the door sends (s)."""


def address_of_label(label: str) -> str:
    """Return what a label counts as: the address itself if it is one, as for any other client. Raises ValueError."""
    if not LABEL.fullmatch(label):
        raise ValueError("no label")
    try:
        ipaddress.ip_address(label)
    except ValueError:
        return label
    return plain(label)


class GuestChannel:
    """The front's end of the channel to a door. take(sock, address): takes over a connection; reasons: counts what was
    not taken."""

    def __init__(
        self, end: socket.socket, take: Callable[[socket.socket, str], None], reasons: "Counter[str]"
    ) -> None:
        self._end, self._take, self._reasons = end, take, reasons
        self._loop = asyncio.get_running_loop()
        self._warned_at = -WARN_S
        end.setblocking(False)

    def open(self) -> None:
        """Begin to take connections."""
        self._loop.add_reader(self._end, self._read)

    def close(self) -> None:
        """Take no more of them; those that wait are left to the next front."""
        self._loop.remove_reader(self._end)

    def _read(self) -> None:
        """Take some of the connections that wait, as many as the door for others accepts at once."""
        try:
            datagrams = heard_with_sockets(self._end, ACCEPTS)
        except OSError as problem:
            LOG.debug("the channel of guests: %s", problem)
            return
        for words, sock in datagrams:
            try:
                self._take_one(words, sock)
            except (ValueError, OSError) as problem:
                self._refuse(sock, problem)

    def _take_one(self, words: list[str], sock: socket.socket | None) -> None:
        """Take one connection. Raises ValueError, OSError."""
        if len(words) != 2 or words[0] != "guest":
            raise ValueError("no guest")
        address = address_of_label(words[1])
        if sock is None:
            raise ValueError("no socket came along")
        if sock.type != socket.SOCK_STREAM:
            raise ValueError("the socket is no stream")
        sock.getpeername()  # raises OSError if it is not connected
        self._take(sock, address)

    def _refuse(self, sock: socket.socket | None, problem: Exception) -> None:
        if sock is not None:
            sock.close()
        self._reasons["no guest"] += 1
        if self._loop.time() - self._warned_at > WARN_S:
            self._warned_at = self._loop.time()
            LOG.warning("the door has sent what is no guest: %s", problem)
