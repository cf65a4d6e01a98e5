"""A host whose event loop a test interrupts after every callback: no sockets, no threads, and a simulated clock.

    host = SteppedHost(at=17, then=lambda host: host.hang_up("Kim"))
    host.run(script)                    # async def script(host): ...

The same script makes the same callbacks in the same order, so a test can let something happen between every two.
"""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from unittest.mock import patch

import zmq

from netcode.host.lobby import Lobby
from netcode.host.registry import LoadedPacks, Registry, TablePlan
from netcode.host.server import Server
from netcode.journal import Row
from netcode.protocol import codec, wire
from netcode.protocol.credentials import KeyPair, new_pair
from netcode.protocol.deltas import Folder

SETS = ("munchkins-and-mazes",)
LOADED: dict[tuple[object, ...], LoadedPacks] = {}
"""The packs and rules that all hosts share."""
PAIR = new_pair()


_Loop: Any = asyncio.BaseEventLoop


class SteppedLoop(_Loop):
    """An event loop that calls `stepped` after every callback, and whose clock jumps to the next timer."""

    def __init__(self, stepped: Callable[[], None]) -> None:
        super().__init__()
        self._stepped, self._selector, self.now = stepped, self, 1000.0

    def time(self) -> float:
        """Return the time of this loop (s)."""
        return self.now

    def select(self, timeout: float | None) -> list[Any]:
        """Let the time pass until the next timer. Called by the loop when nothing else is to be done."""
        assert timeout is not None, "nothing will ever happen again"
        self.now += timeout
        return []

    def _process_events(self, events: list[Any]) -> None:
        """There are no sockets."""

    def _write_to_self(self) -> None:
        """There are no other threads to wake it up."""

    def _step(self, callback: Callable[..., Any], *args: Any) -> None:
        callback(*args)
        self._stepped()

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        """See asyncio."""
        return super().call_soon(self._step, callback, *args, context=context)

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        """See asyncio."""
        return self.call_soon(callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        """See asyncio."""
        return super().call_at(when, self._step, callback, *args, context=context)

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        """Run the function at once."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as problem:
            future.set_exception(problem)
        return future


class Frame:
    """A frame as ZeroMQ hands it over."""

    def __init__(self, data: bytes, key: str = "") -> None:
        self.bytes, self._key = data, key

    def get(self, name: str) -> str:
        return self._key if name == "User-Id" else "127.0.0.1"


class FakeJournal:
    """A journal whose commits are on disk one callback later."""

    failed: Callable[[str], None]
    stands: Callable[[str], None]
    lost: Callable[[str, str], None]
    standing = ""

    def __init__(self, loop: SteppedLoop) -> None:
        self._loop = loop

    def commit(
        self, table: str, rows: Sequence[Row], done: Callable[[], None], rejected: Callable[[str], None] = print
    ) -> None:
        self._loop.call_soon(done)

    def write_now(self, table: str, rows: Sequence[Row]) -> bool:
        return False

    def new_epoch(self) -> int:
        return 1

    def close(self) -> None:
        """Nothing to close."""


class FakeWire:
    """The messages of a host, by connection. gone: lost connections; stuck: those that take nothing."""

    def __init__(self) -> None:
        self.sent: dict[bytes, list[bytes]] = {}
        self.gone: set[bytes] = set()
        self.stuck: set[bytes] = set()
        self.has_more = False

    def send(self, messages: Sequence[tuple[bytes, bytes]]) -> list[zmq.ZMQError | None]:
        return [self._send(address, frame) for address, frame in messages]

    def _send(self, address: bytes, frame: bytes) -> zmq.ZMQError | None:
        if address in self.gone:
            return zmq.ZMQError(errno.EHOSTUNREACH)
        if address in self.stuck:
            return zmq.Again()
        self.sent.setdefault(address, []).append(frame)
        return None

    def close(self) -> None:
        """Nothing to close."""


class SocketlessServer(Server):
    """A server without sockets."""

    wire: FakeWire

    def bind(self, address: str, port: int) -> int:
        self.serve(FakeWire())
        return 0

    def serve(self, wire: FakeWire) -> None:
        """Send everything to this wire."""
        self.wire = wire
        self._begin(wire)  # type: ignore[arg-type]

    def release(self) -> None:
        self._context.term()


class SteppedHost:
    """A host with one table for three and a lobby. at: after how many callbacks `then` is called (-1: never)."""

    def __init__(self, at: int = -1, then: Callable[["SteppedHost"], None] = lambda host: None) -> None:
        self.steps, self._at, self._then = 0, at, then
        self.loop = SteppedLoop(self._stepped)
        self.address: dict[str, bytes] = {}
        """The connection of each client now."""
        self.ended = False
        self._connections = 0

    def _stepped(self) -> None:
        self.steps += 1
        if self.steps == self._at:
            self._then(self)

    def run(self, script: Callable[["SteppedHost"], Awaitable[None]]) -> None:
        """Run the host and this script to their ends."""
        with (
            patch("time.monotonic", self.loop.time), patch("time.monotonic_ns", lambda: int(self.loop.time() * 1e9)),
            patch("netcode.host.server.Probe"),  # it wakes up ten times a second, and touches nothing
        ):  # fmt: skip
            try:
                self.loop.run_until_complete(self._run(script))
            finally:
                self.loop.close()

    async def _run(self, script: Callable[["SteppedHost"], Awaitable[None]]) -> None:
        registry = Registry(FakeJournal(self.loop), 20)  # type: ignore[arg-type]
        registry._cache = LOADED
        self.table = registry.open(TablePlan(sets=SETS, seats=3, pace="relaxed"), registry.cards(SETS, ()))
        self.lobby = Lobby(registry, bytes(16), {SETS[0]: SETS[0]}, _load(), "here")
        self.server = SocketlessServer(registry, KeyPair(PAIR.public, PAIR.secret), self.lobby)
        self.server.bind("", 0)
        serving = asyncio.ensure_future(self.server.run())
        serving.add_done_callback(lambda _: setattr(self, "ended", True))
        await script(self)
        self.server.stop()
        await asyncio.wait_for(serving, 60)

    # ------------------------------------------------------------------------------------------------- what clients do
    def say(self, name: str, make: Callable[[bytes], wire.Up]) -> None:
        """Let a client send a message, which arrives in a callback of its own. make: from its session id (empty if it
        has none)."""
        self.loop.call_soon(self._arrives, name, self.address[name], make)

    def _arrives(self, name: str, address: bytes, make: Callable[[bytes], wire.Up]) -> None:
        if address not in self.server.wire.gone and not self.ended:
            frame = Frame(codec.pack(make(self.session(name))), f"key of {name}".ljust(40, "."))
            self.server._read([address, frame], int(self.loop.time() * 1e9))
            self.loop.call_soon(self.server._work_now)

    def hello(self, name: str, token: bytes, table: str = "", role: Any = "player") -> None:
        """Let a client say hello on a new connection."""
        self._connections += 1
        self.address[name] = b"%04d" % self._connections
        self.say(name, lambda _: wire.Hello(wire.WIRE, wire.WIRE, table or self.table.id, token, name, role))

    def heard(self, name: str, kind: Any) -> list[Any]:
        """Return the messages of this kind that a client got on its newest connection."""
        sent, folder = self.server.wire.sent.get(self.address[name], []), Folder()
        told = [
            folder.fold(one, 0, wire.Timers()) if isinstance(one, wire.Delta) else one
            for one in map(codec.unpack_down, sent)
        ]
        return [one for one in told if isinstance(one, kind)]

    def session(self, name: str) -> bytes:
        """Return a client's session id, empty if it has none."""
        for frame in self.server.wire.sent.get(self.address.get(name, b""), []):
            if b"welcome" in frame or b"entered" in frame:  # the others are not worth the time to unpack them
                message = codec.unpack_down(frame)
                if isinstance(message, wire.Welcome | wire.Entered):
                    return message.s
        return b""

    # ---------------------------------------------------------------------------------------------- what befalls them
    def hang_up(self, name: str) -> None:
        """Let a client's connection be lost."""
        if name in self.address:
            self.server.wire.gone.add(self.address[name])

    def stop_reading(self, name: str) -> None:
        """Let a client take no message any more."""
        if name in self.address:
            self.server.wire.stuck.add(self.address[name])


def _load() -> Any:
    from netcode.host.load_monitor import LoadMonitor

    return LoadMonitor()
