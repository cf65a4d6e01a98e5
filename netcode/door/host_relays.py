"""Relays the connections of guests to hosts that run elsewhere, byte by byte."""

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from netcode.host.addresses import is_own_address
from netcode.protocol.origins import loopback_address

LOG = logging.getLogger("kickdoor.door.host_relays")
RELAYS = 1024
"""The most connections to hosts elsewhere at the same time."""
EACH = 16
"""The most of one guest."""
CONNECT_S = 3.0
"""How long a host elsewhere may take to accept a connection (s)."""
READ_BYTES = 64 * 1024
"""Up to twice this many bytes wait in each direction of a relay."""
LINGER_S = 5.0
"""How long the other direction of a relay may last when one has ended (s)."""
Place = tuple[str, int]
"""A name or an IP address, and a port."""
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Otherwise = Callable[[socket.socket, str], None]
"""Takes over the connection of the guest with this label."""


class HostRelays:
    """The connections of a door's guests to hosts elsewhere. Create it inside a running loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._relays: set[asyncio.Task[None]] = set()
        self._each: Counter[str] = Counter()

    def take(self, sock: socket.socket, label: str, place: Place, otherwise: Otherwise | None = None) -> None:
        """Relay a guest's connection to this host; the socket is ours from now on. otherwise: gets it if the host
        cannot be reached; without this it is closed. Raises OSError if there are too many."""
        if len(self._relays) >= RELAYS or self._each[label] >= EACH:
            sock.close()
            raise OSError("too many connections are relayed to other hosts")
        task = self._loop.create_task(_relay(sock, label, place, otherwise))
        self._relays.add(task)
        self._each[label] += 1
        task.add_done_callback(lambda done: self._over(done, label))

    def _over(self, done: "asyncio.Task[None]", label: str) -> None:
        self._relays.discard(done)
        self._each[label] -= 1
        if not self._each[label]:
            del self._each[label]

    async def end(self) -> None:
        """End all connections; the hosts go on."""
        for task in list(self._relays):
            task.cancel()
        await asyncio.gather(*self._relays, return_exceptions=True)


async def connect(label: str, place: Place) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a host for the guest with this label. A host on this machine sees an address of 127.0.0.0/8 that
    stands for them; any other one sees this machine's. Raises OSError, TimeoutError."""
    source = (loopback_address(label), 0) if is_own_address(place[0]) else None
    async with asyncio.timeout(CONNECT_S):
        return await asyncio.open_connection(*place, limit=READ_BYTES, local_addr=source)


async def _relay(sock: socket.socket, label: str, place: Place, otherwise: Otherwise | None) -> None:
    """Relay a guest's connection, which is closed at the end; see `HostRelays.take`."""
    try:
        far_reader, far_writer = await connect(label, place)
    except (OSError, TimeoutError) as problem:
        LOG.debug("a guest's connection was not relayed: %s", problem)
        if otherwise is None:
            sock.close()
        else:
            with suppress(OSError):
                otherwise(sock, label)
        return
    except BaseException:
        sock.close()
        raise
    try:
        sock.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=sock, limit=READ_BYTES)
    except BaseException:
        sock.close()
        far_writer.transport.abort()
        raise
    await _both_ways((reader, writer), (far_reader, far_writer))


async def _both_ways(near: Stream, far: Stream) -> None:
    """Relay both directions until both have ended, or one has and the other does not follow."""
    ways = [asyncio.ensure_future(_pump(near[0], far[1])), asyncio.ensure_future(_pump(far[0], near[1]))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(ways, timeout=LINGER_S)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        for _, writer in (near, far):
            writer.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what comes, no faster than it is read at the other end, up to the end of the stream."""
    writer.transport.set_write_buffer_limits(high=READ_BYTES)
    with suppress(OSError):
        while data := await reader.read(READ_BYTES):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
