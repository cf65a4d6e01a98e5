"""The host's end of the channel to the front: who is behind each connection, and which of them are let in.

ZeroMQ identifies a connection by its routing id, and sees the front as the peer of each. The front identifies a
connection by a name (see netcode/front/channel.py), and knows the client's address.
"""

import asyncio
import logging
import os
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

import zmq

from netcode.front.channel import HEARD, ChannelFull, has_loopback_addresses, heard_with_sockets, tell

LOG = logging.getLogger("kickdoor.front_connections")
Rank = Literal["newcomer", "guest", "seated"]
HEARD_S = 0.5
"""How often the front is told how many messages have arrived."""
OWN_FILES = 96
"""Descriptors that a host needs besides its connections: journal, packs, pipes, sockets of its own."""


class FrontConnections:
    """What the host knows of the connections that the front has opened. Create it inside a running loop.

    channel: the descriptor of the host's end; whoever made it closes it. by_address: connections are named by loopback
    addresses, else by ports (default: what this system allows). words(sock, call): takes over a client that shows short
    words."""

    def __init__(self, channel: int, by_address: bool | None = None) -> None:
        self.words: Callable[[socket.socket, bytes], None] = lambda sock, call: sock.close()
        self._end = end = socket.socket(fileno=os.dup(channel))
        self._by_address = has_loopback_addresses() if by_address is None else by_address
        self._addresses: dict[str, str] = {}
        """The client's network address of each connection, by its name."""
        self._names: dict[bytes, str] = {}
        self._routes: dict[str, bytes] = {}
        """Name and routing id of the connections that have said hello."""
        self._heard: Counter[str] = Counter()
        self._port = 0
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(end, self._read)
        self._timer = self._loop.call_later(HEARD_S, self._tell_heard)

    def listening(self, port: int) -> None:
        """Tell the front where the host listens."""
        self._port = port
        self._tell("host", port, _room(), os.getpid())

    def close(self) -> None:
        """Leave the channel to the next host."""
        self._timer.cancel()
        self._loop.remove_reader(self._end)
        self._end.close()

    # ---------------------------------------------------------------------------------------------------- connections
    def hello(self, route: bytes, frame: Any) -> str:
        """Note which connection a hello came from; return the client's network address ("": unknown). route: its
        routing id; frame: the frame of the message."""
        name = self._name_of(frame)
        if not name:
            return ""
        if self._names.get(route) != name:
            self._forget(self._routes.get(name))
            self._names[route], self._routes[name] = name, route
        return self._addresses[name]

    def is_open(self, route: bytes) -> bool:
        """Whether a connection that has said hello is still open."""
        return route in self._names

    def rank(self, route: bytes, rank: Rank) -> None:
        """Set the rank of a connection that has said hello."""
        name = self._names.get(route)
        if name is not None:
            self._tell(rank, name)

    def heard(self, route: bytes) -> None:
        """Count a message of a connection."""
        name = self._names.get(route)
        if name is not None:
            self._heard[name] += 1

    def send_away(self, frame: Any) -> None:
        """End the connection of this frame: it sent what our client never sends."""
        name = self._name_of(frame)
        if name:
            self._tell("close", name)

    def admits(self, address: str) -> bool:
        """Return whether the front has opened a connection from this loopback address. Returns True where connections
        have no addresses of their own, since they cannot be told apart."""
        return not self._by_address or self._knows(address)

    def _knows(self, name: str) -> bool:
        if name not in self._addresses:
            self._read()  # the front announces a connection before it opens it
        return name in self._addresses

    def _name_of(self, frame: Any) -> str:
        """Return the name of the connection of a frame, "" if the front did not open it."""
        name = _peer_address(frame) if self._by_address else _peer_port(frame)
        return name if self._knows(name) else ""

    def _forget(self, route: bytes | None) -> None:
        if route is not None:
            self._routes.pop(self._names.pop(route, ""), None)

    # ------------------------------------------------------------------------------------------------------- channel
    def _read(self) -> None:
        while datagrams := heard_with_sockets(self._end):
            for (what, *rest), sock in datagrams:
                if sock is not None:
                    self._take_words(sock, rest)
                elif what == "new" and len(rest) == 2:
                    self._addresses[rest[0]] = rest[1]
                elif what == "gone" and len(rest) == 1:
                    self._addresses.pop(rest[0], None)
                    self._forget(self._routes.get(rest[0]))
                elif what == "started":
                    self._addresses.clear()
                    self._names.clear()
                    self._routes.clear()
                    if self._port:
                        self.listening(self._port)
                else:
                    LOG.error("the front said something that the host does not understand: %s", what)

    def _take_words(self, sock: socket.socket, rest: list[str]) -> None:
        try:
            call = bytes.fromhex("".join(rest))
        except ValueError:
            sock.close()
        else:
            self.words(sock, call)

    def _tell_heard(self) -> None:
        self._timer = self._loop.call_later(HEARD_S, self._tell_heard)
        pairs = list(self._heard.items())
        self._heard.clear()
        for at in range(0, len(pairs), HEARD):
            self._tell("heard", *(word for pair in pairs[at : at + HEARD] for word in pair))

    def _tell(self, *words: object) -> None:
        try:
            tell(self._end, *words)
        except ChannelFull as problem:
            LOG.warning("the front could not be told %s: %s", words[0], problem)


def _peer_address(frame: Any) -> str:
    try:
        return str(frame.get("Peer-Address"))
    except zmq.ZMQError:
        return ""


def _peer_port(frame: Any) -> str:
    """Return the port of the peer, "" if it is unknown. ZeroMQ gives only the descriptor, which may have been closed or
    reused since."""
    try:
        with socket.socket(fileno=os.dup(frame.get(zmq.SRCFD))) as sock:
            return str(sock.getpeername()[1])
    except (OSError, zmq.ZMQError):
        return ""


def _room() -> int:
    """Return how many connections this process can have."""
    import resource  # POSIX only

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, (1 << 20 if soft == resource.RLIM_INFINITY else soft) - OWN_FILES)
