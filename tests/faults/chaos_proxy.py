"""A TCP proxy in the test's loop that makes connections slow, jittery, narrow, deaf (one way or both), or cuts them."""

import asyncio
import random
import socket
import struct
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from netcode.protocol.credentials import Join, parse_join

Way = Literal["up", "down"]
CHUNK, WAITING = 16 * 1024, 64


@dataclass
class Weather:
    """The treatment of bytes. delay_s, jitter_s: seconds; order is kept, since it is TCP. rate: bytes per second (0: no
    limit). deaf: the directions in which nothing gets through. cut_after: bytes after which the connection is cut (0:
    never). resets: cut by a reset instead of a FIN."""

    delay_s: float = 0.0
    jitter_s: float = 0.0
    rate: int = 0
    deaf: frozenset[Way] = frozenset()
    cut_after: int = 0
    resets: bool = False


class Proxy:
    """Listens at `port` of loopback and forwards to another loopback port. weather: may be changed at any time.
    came, passed: bytes that were sent, and that got through, by direction."""

    def __init__(self, target: int, seed: int = 1) -> None:
        self.target, self.port = target, 0
        self.weather = Weather()
        self.came: dict[Way, int] = {"up": 0, "down": 0}
        self.passed: dict[Way, int] = {"up": 0, "down": 0}
        self.connections = 0
        self._rng = random.Random(seed)
        self._cleared = asyncio.Event()
        self._pairs: set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Cut all connections and stop listening."""
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def change(self, **weather: Any) -> None:
        """Replace the weather; fields that are not named have no disturbance."""
        self.weather = Weather(**weather)
        self._cleared.set()
        self._cleared = asyncio.Event()

    def cut(self, reset: bool = False) -> None:
        """Cut the present connections; accept new ones."""
        for pair in list(self._pairs):
            self._cut(pair, reset)

    def _cut(self, pair: tuple[asyncio.StreamWriter, asyncio.StreamWriter], reset: bool) -> None:
        self._pairs.discard(pair)
        for writer in pair:
            if reset:
                own = writer.get_extra_info("socket")
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, onward = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()  # the target does not listen: the client sees the same as without the proxy
            return
        self.connections += 1
        pair = (writer, onward)
        self._pairs.add(pair)
        ways: tuple[tuple[Way, asyncio.StreamReader, asyncio.StreamWriter], ...]
        ways = (("up", reader, onward), ("down", there, writer))
        for way, source, sink in ways:
            waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(WAITING)
            self._spawn(self._take(way, source, waiting))
            self._spawn(self._give(way, waiting, sink, pair))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take(
        self, way: Way, source: asyncio.StreamReader, waiting: "asyncio.Queue[tuple[float, bytes]]"
    ) -> None:
        loop = asyncio.get_running_loop()
        data = b"?"
        while data:
            with suppress(ConnectionError):
                data = b""
                data = await source.read(CHUNK)
            self.came[way] += len(data)
            due = loop.time() + self.weather.delay_s + self._rng.random() * self.weather.jitter_s
            await waiting.put((due, data))

    async def _give(
        self, way: Way, waiting: "asyncio.Queue[tuple[float, bytes]]", sink: asyncio.StreamWriter,
        pair: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
    ) -> None:  # fmt: skip
        loop = asyncio.get_running_loop()
        through = 0
        while True:
            due, data = await waiting.get()
            await asyncio.sleep(max(0.0, due - loop.time()))
            while way in self.weather.deaf:
                await self._cleared.wait()
            weather = self.weather
            if weather.cut_after and through + len(data) >= weather.cut_after:
                sink.write(data[: weather.cut_after - through])
                self._cut(pair, weather.resets)
                return
            if not data:
                self._cut(pair, False)
                return
            if weather.rate:
                await asyncio.sleep(len(data) / weather.rate)
            with suppress(ConnectionError):
                sink.write(data)
                await sink.drain()
            through += len(data)
            self.passed[way] += len(data)


@asynccontextmanager
async def proxy_to(join: str, seed: int = 1) -> AsyncIterator[tuple[Proxy, Join]]:
    """Open a proxy before this table's host; yield it and a join string that leads through it."""
    target = parse_join(join)
    proxy = Proxy(target.port, seed)
    await proxy.open()
    try:
        yield proxy, replace(target, port=proxy.port)
    finally:
        await proxy.close()
