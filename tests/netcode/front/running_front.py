"""A front in the event loop of a test, clients that send it bytes, and a host that only accepts, reads and closes."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from netcode.front.channel import hand_over, heard, make_channel, tell
from netcode.front.door import SERVER_GREETING
from netcode.front.front import Front
from netcode.front.settings import Settings
from netcode.host.front_process import listen, standard_settings
from tests.netcode.front.zmtp_stream import HANDSHAKE, WELCOME_FRAME
from tests.patience import PATIENCE_S

ROOM = DOOR = 1000


@dataclass(eq=False)
class InnerConnection:
    """A connection that the host has accepted. got: what was received; ended: an end of file came; broke: a reset."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    got: bytes = b""
    ended: bool = False
    broke: bool = False
    reads: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def name(self) -> str:
        """The address it comes from."""
        return str(self.writer.get_extra_info("peername")[0])

    @property
    def port(self) -> str:
        """The port it comes from."""
        return str(self.writer.get_extra_info("peername")[1])

    def reset(self) -> None:
        """Break the connection."""
        _reset(self.writer)

    async def read(self) -> None:
        """Collect what comes until the other side ends, as long as `reads` is set."""
        try:
            while True:
                await self.reads.wait()
                data = await self.reader.read(4096)
                if not data:
                    break
                self.got += data
            self.ended = True
        except ConnectionError:
            self.broke = True


class FakeHost:
    """A fake host for a front. welcomes: it answers the HELLO of a connection, as if the client knew its key."""

    welcomes = True

    def __init__(self, channel: socket.socket, pid: int = 1, reads: bool = True) -> None:
        self.channel, self.pid, self.reads = channel, pid, reads
        self.connections: list[InnerConnection] = []
        self.said: list[list[str]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Listen, and tell the front where."""
        sock = listen("127.0.0.1", 0)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._server = await asyncio.start_server(self._accept, sock=sock)
        tell(self.channel, "host", sock.getsockname()[1], ROOM, self.pid)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = InnerConnection(reader, writer)
        writer.write(SERVER_GREETING + WELCOME_FRAME * self.welcomes)
        if self.reads:
            connection.reads.set()
        else:
            self.pause(writer)
        self.connections.append(connection)
        self._tasks.append(asyncio.ensure_future(connection.read()))

    @staticmethod
    def pause(writer: asyncio.StreamWriter) -> None:
        """Do not read this connection until `resume`."""
        cast(asyncio.Transport, writer.transport).pause_reading()

    @staticmethod
    def resume(inner: InnerConnection) -> None:
        """Read this connection from now on."""
        cast(asyncio.Transport, inner.writer.transport).resume_reading()
        inner.reads.set()

    def tell(self, *words: object) -> None:
        """Send this to the front."""
        tell(self.channel, *words)

    def heard(self) -> list[list[str]]:
        """Return everything that the front has sent so far."""
        self.said += heard(self.channel)
        return self.said

    def close(self) -> None:
        """End at once, as a process that is killed."""
        self._server.close()
        for task in self._tasks:
            task.cancel()
        for connection in self.connections:
            if not connection.writer.transport.is_closing():  # one that is lost already has no loop any more
                connection.writer.transport.abort()


@dataclass
class RunningFront:
    """A front, where it listens, its host, and the end of its channel that an SSH door has."""

    front: Front
    port: int
    host: FakeHost
    channel: socket.socket
    door: socket.socket
    clients: list["FrontClient"] = field(default_factory=list)
    """All of them, since a stream without references closes itself."""

    async def client(self, address: str = "127.0.0.1", first: bytes = HANDSHAKE) -> "FrontClient":
        """Return a client that connects from this address and sends these bytes."""
        sock = socket.socket()
        sock.bind((address, 0))
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.port))
        client = FrontClient(*await asyncio.open_connection(sock=sock))
        client.send(first)
        self.clients.append(client)
        return client

    async def guest(self, label: str, first: bytes = HANDSHAKE) -> "FrontClient":
        """Return a client whose connection is handed over with this label, and that sends these bytes."""
        mine, theirs = socket.socketpair()
        hand_over(self.door, theirs, "guest", label)
        theirs.close()
        client = FrontClient(*await asyncio.open_connection(sock=mine))
        client.send(first)
        self.clients.append(client)
        return client

    async def pair(self, address: str = "127.0.0.1") -> tuple["FrontClient", InnerConnection]:
        """Return a client and the connection that the host has got for it, after the handshake."""
        before = len(self.host.connections)
        client = await self.client(address)
        whole = HANDSHAKE if self.host.reads else b""

        def found() -> list[InnerConnection]:  # an earlier client that sent less may be connected only now
            return [one for one in self.host.connections[before:] if one.got == whole]

        await until(found)
        await client.welcomed()
        return client, found()[-1]

    async def next_host(self, pid: int) -> FakeHost:
        """Start another host, as after a crash."""
        self.host = FakeHost(self.channel, pid)
        await self.host.open()
        return self.host


class FrontClient:
    """One client of a front."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)

    async def welcomed(self) -> None:
        """Read the greeting, and the answer to a HELLO."""
        whole = SERVER_GREETING + WELCOME_FRAME
        async with asyncio.timeout(PATIENCE_S):
            assert await self.reader.readexactly(len(whole)) == whole

    def reset(self) -> None:
        """Break the connection."""
        _reset(self.writer)

    async def ended(self) -> bytes:
        """Wait until the front ends the connection; return what came before."""
        got = b""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while data := await self.reader.read(65536):
                    got += data
            except ConnectionError:
                got += b""
        self.writer.transport.abort()
        return got

    @property
    def is_open(self) -> bool:
        """Whether nothing has ended the connection yet."""
        return not self.reader.at_eof() and self.reader.exception() is None


def _reset(writer: asyncio.StreamWriter) -> None:
    """Break a connection, so that the other side meets an error."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@asynccontextmanager
async def running_front(
    reads: bool = True, by_address: bool = True, room: int = ROOM, **changes: Any
) -> AsyncIterator[RunningFront]:
    """Run a front before a fake host. reads: whether the host reads; room: the number of connections it allows;
    changes: settings other than the standard ones."""
    (fronts_end, channel), (guests, door) = make_channel(), make_channel()
    settings: Settings = standard_settings()._replace(**changes)
    front, host = Front(settings, fronts_end, room, DOOR, by_address, guests), FakeHost(channel, reads=reads)
    listener = listen("127.0.0.1", 0)
    listener.setblocking(False)
    port = listener.getsockname()[1]
    await host.open()
    await front.open(listener)
    running = RunningFront(front, port, host, channel, door)
    try:
        yield running
    finally:
        running.host.close()
        await front.close(0.2)
        for end in (fronts_end, channel, guests, door):
            end.close()


async def until(what: Any, timeout: float = PATIENCE_S) -> None:
    """Poll until this holds. timeout: s."""
    async with asyncio.timeout(timeout):
        while not what():
            await asyncio.sleep(0.002)
