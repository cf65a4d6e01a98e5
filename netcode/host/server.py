"""The host's loop: one ROUTER for all its tables; frames come stamped in order of arrival and wait in the lane of their
table; the lobby beside them. What a table does with its messages, and when it fails, is in hosted.py.
"""

import asyncio
import errno
import logging
import time
from collections.abc import Callable
from typing import Any

import zmq

from netcode.host.bot_supervisor import BotSupervisor
from netcode.host.fair_queue import FairQueue, QueuedMessage
from netcode.host.load_monitor import LoadMonitor, Probe
from netcode.host.lobby import Lobby, TableRequest
from netcode.host.receiver import Receiver
from netcode.host.registry import Registry, RegistryFull
from netcode.host.sender import Sender
from netcode.host.table_runner import HostServices, TableRunner
from netcode.protocol import codec, limits, wire
from netcode.protocol.credentials import Join, KeyPair
from netcode.protocol.sockets import KeyAuthenticator, router
from netcode.table.seats import NO_FIT
from netcode.table.session import Bucket, Session
from netcode.table.table import Out

LOG = logging.getLogger("kickdoor.server")
SLOW_MS = 50


class BindError(RuntimeError):
    """The host cannot listen there; one line for people."""


class Server:
    """Serves the tables of a house on one address. lobby: how people come to more of them (None: they do not).
    keep: stay when the last table is closed. `keep_bots` gives it bots once its address is known."""

    def __init__(
        self,
        registry: Registry,
        pair: KeyPair,
        lobby: Lobby | None = None,
        *,
        load: LoadMonitor | None = None,
        keep: bool = False,
    ) -> None:
        self.registry, self.lobby, self.port, self.keep = registry, lobby, 0, keep
        self.load = load or LoadMonitor()
        self._pair = pair
        self._context = zmq.Context()
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[str] = self._loop.create_future()
        self._stopping = False
        self._tables: dict[str, TableRunner] = {}
        self._where: dict[bytes, TableRunner] = {}
        self._queue: FairQueue[TableRunner] = FairQueue()
        self._working: asyncio.Handle | None = None
        self._knocks: dict[str, Bucket] = {}
        self._frames: dict[bytes, Bucket] = {}
        self._faults: dict[bytes, Bucket] = {}
        self._creating = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self.bots: BotSupervisor | None = None
        if registry.journal is not None:
            registry.journal.failed = lambda text: self._from_thread(self._fail, text)

    # --------------------------------------------------------------------------------------------------- coming, going
    def bind(self, address: str, port: int) -> int:
        """Listen at address (an IP, 0.0.0.0 or :: for all) and port (0: any free one); returns the port.

        Raises BindError."""
        ipv6 = ":" in address
        self._gate = KeyAuthenticator(self._context, self._admits)
        self._sock: Any = router(self._context, self._pair, ipv6)
        where = f"tcp://[{address}]" if ipv6 else f"tcp://{address}"
        try:
            self._sock.bind(f"{where}:{port or '*'}")
        except zmq.ZMQError as problem:
            raise BindError(_why_not_bound(problem, address, port)) from None
        endpoint: Any = self._sock.getsockopt(zmq.LAST_ENDPOINT)
        self.port = int(endpoint.rstrip(b"\0").rpartition(b":")[2])
        self._arrivals = Receiver(self._sock, self._read)
        self._post = Sender(self._arrivals, self._gone)
        self._services = HostServices(
            self.registry, self.load, self._post, self._loop, self._where, self._want_bots, self._ended
        )  # fmt: skip
        for entry in self.registry.tables.values():
            self._tables[entry.id] = TableRunner(entry, self._services)
        return self.port

    def _admits(self, key: str, where: str) -> bool:
        """Whether a client with this key may connect at all: not if it is banned from every table there is."""
        banned = [key in entry.table.seating.banned for entry in self.registry.tables.values()]
        return not banned or not all(banned)

    def keep_bots(self, keeper: BotSupervisor) -> None:
        """Let the host's own bots be run by this keeper from now on."""
        self.bots = keeper
        keeper.died = self._bots_died
        for one in self._tables.values():
            self._want_bots(one)

    async def run(self) -> str:
        """Serve until the last table is closed or `stop` is called; returns why (a fault of the journal, or "")."""
        probe = Probe(self.load)
        for one in list(self._tables.values()):
            one.tick()
        why = await self._done
        probe.close()
        if not why:
            await asyncio.sleep(limits.GOODBYE_S)
        await self._shut()
        return why

    def stop(self) -> None:
        """Say good-bye to everybody and end `run`."""
        if self._stopping:
            return
        self._stopping = True
        for one in list(self._tables.values()):
            one.stop()
        self._see_whether_done()

    def _fail(self, text: str) -> None:
        for one in self._tables.values():
            one.drop()
        if not self._done.done():
            self._done.set_result(text)

    async def _shut(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self.bots is not None:
            self.bots.close()
        if self.registry.journal is not None:
            self.registry.journal.close()
        self.release()

    def release(self) -> None:
        """Let go of sockets and port; what was sent last gets half a second to leave."""
        if hasattr(self, "_arrivals"):
            self._arrivals.close()
        self._gate.close()
        self._sock.close(linger=500)
        self._context.term()

    def _ended(self, one: TableRunner) -> None:
        """A table is no more."""
        self._tables.pop(one.entry.id, None)
        self.registry.remove(one.entry, forget=one.entry.table.ended)
        self._see_whether_done()

    def figures(self) -> dict[str, object]:
        """How many tables and connections there are, actions so far, and how busy the loop is."""
        known = {"tables": len(self._tables), "connections": len(self._where), "acts": self._services.acts}
        return {**known, **self.load.figures()}

    def _see_whether_done(self) -> None:
        if not self._tables and (self._stopping or not self.keep) and not self._done.done():
            if self.lobby is not None:
                self._send_all(self.lobby.close())
            self._done.set_result("")

    # ------------------------------------------------------------------------------------------------------- coming in
    def _read(self, frames: list[Any], stamp: int) -> None:
        """One message that was stamped as it came: measured, put where it belongs. What it asks for is done in
        `_work`."""
        if len(frames) != 2 or self._done.done() or self._stopping:
            return
        address, frame = frames[0].bytes, frames[1]
        one = self._where.get(address)
        session = one.sessions.get(address) if one is not None else None
        if (session is None or not session.own) and self._floods(address, stamp):
            return
        try:
            message = codec.unpack_up(frame.bytes)
        except codec.WireError as problem:
            self._fault(address, wire.Error(problem.code, problem.text[:300]), stamp)
            return
        key = _property(frame, "User-Id")
        if isinstance(message, wire.Hello):
            self._knock(message, QueuedMessage(address, message, key, stamp), _property(frame, "Peer-Address"))
        elif isinstance(message, wire.LobbyUp):
            self._in_lobby(address, message, stamp)
        elif one is None or session is None or session.s != message.s or session.address != address:
            text = "the host does not know this session: say hello again"
            self._fault(address, wire.Error("unknown_session", text), stamp)
        else:
            self._put(one, QueuedMessage(address, message, key, stamp, session))

    def _floods(self, address: bytes, stamp: int) -> bool:
        """Whether a connection has sent more than anybody needs: then frames are not even unpacked."""
        if len(self._frames) > limits.TRACKED_KEYS:
            self._frames.clear()
        return self._frames.setdefault(address, Bucket(*limits.CONNECTION_RATE)).take(stamp // 1_000_000) > 0

    def _fault(self, address: bytes, error: wire.Error, stamp: int) -> None:
        """Answer what is none of ours, but no more than twice a second for each connection."""
        if len(self._faults) > limits.TRACKED_KEYS:
            self._faults.clear()
        if not self._faults.setdefault(address, Bucket(*limits.ERROR_RATE)).take(stamp // 1_000_000):
            self._post.send(Out(address, error))

    def _knock(self, hello: wire.Hello, item: QueuedMessage, where: str) -> None:
        """A hello: at the lobby's door, at a table's, or at none."""
        if len(self._knocks) > limits.TRACKED_KEYS:
            self._knocks.clear()
        wait = self._knocks.setdefault(item.key, Bucket(*hello.rate)).take(item.stamp // 1_000_000)
        if wait:
            error = wire.Error("rate_limited", "too many attempts: wait a moment", -1, wait)
            self._post.send(Out(item.address, error))
        elif hello.table == wire.LOBBY and self.lobby is not None:
            self._send_all(self.lobby.hello(hello, item.key, item.address, where, item.stamp // 1_000_000))
        elif (one := self._tables.get(hello.table)) is not None:
            self._put(one, item)
        else:  # the same words as for a wrong token: who has one table's string learns nothing of others
            self._post.send(Out(item.address, wire.Error("bad_token", NO_FIT)))

    def _put(self, one: TableRunner, item: QueuedMessage) -> None:
        if one.takes() and self._queue.put(one, item) and self._working is None:
            self._working = self._loop.call_soon(self._work)

    def _work(self) -> None:
        """Handle the next message."""
        self._working = None
        found = self._queue.next()
        if found is None:
            return
        one, item = found
        began = time.monotonic_ns()
        one.handle(item)
        took = time.monotonic_ns() - began
        self._queue.used(one, took)
        if took > SLOW_MS * 1_000_000:
            LOG.warning("one message took %d ms: all others waited for it", took // 1_000_000)
        if self._queue:
            self._working = self._loop.call_soon(self._work)

    # ------------------------------------------------------------------------------------------------------- the lobby
    def _in_lobby(self, address: bytes, message: wire.LobbyUp, stamp: int) -> None:
        if self.lobby is None:
            self._fault(address, wire.Error("unknown_session", "this host has no lobby"), stamp)
            return
        try:
            with self.load.handling("the lobby"):
                self._send_all(self.lobby.message(address, message, stamp // 1_000_000))
        except Exception:  # the tables go on
            LOG.exception("the lobby met a fault of the program")
            self._fault(address, wire.Error("internal", "a fault of the program; the host has noted it"), stamp)
        wanted, self.lobby.wanted = self.lobby.wanted, []
        for one in wanted:
            task = self._loop.create_task(self._create(self.lobby, one))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _create(self, lobby: Lobby, wanted: TableRequest) -> None:
        """Open a table that somebody in the lobby wants; packs and rules are made ready beside the loop."""
        async with self._creating:
            try:
                cards = await asyncio.to_thread(self.registry.cards, wanted.plan.sets, wanted.plan.options)
                entry = self.registry.open(wanted.plan, cards)
            except (RegistryFull, ValueError) as problem:
                self._send_all(lobby.failed(wanted, str(problem)))
                return
            except Exception:
                LOG.exception("a table could not be opened")
                self._send_all(lobby.failed(wanted, "a fault of the program; the host has noted it"))
                return
            one = self._tables[entry.id] = TableRunner(entry, self._services)
            one.tick()

            def answer() -> None:
                self._send_all(lobby.created(wanted, entry))

            if self.registry.journal is None:
                answer()
            else:
                self.registry.journal.commit(entry.id, [], lambda: self._from_thread(answer))

    # ------------------------------------------------------------------------------------------------------- going out
    def _send_all(self, out: list[Out]) -> None:
        for one in out:
            self._post.send(one)

    def _from_thread(self, call: Callable[..., None], *args: object) -> None:
        self._loop.call_soon_threadsafe(call, *args)

    def _gone(self, session: Session) -> None:
        address = session.address
        one = self._where.get(address) if address is not None else None
        if one is not None and address is not None:
            one.forget(address)
            self._loop.call_soon(one.unreachable, session)

    # ------------------------------------------------------------------------------------------------------------ bots
    def _want_bots(self, one: TableRunner) -> None:
        seating = one.entry.table.seating
        wanted = seating.wanted
        if self.bots is not None and wanted:
            seating.wanted = []
            for bot in wanted:
                target = Join(self.bots.address, self.port, one.entry.id, self._pair.public, bot.token)
                self.bots.send(target, seating.seats[bot.seat].name, bot.level)

    def _bots_died(self) -> None:
        for one in list(self._tables.values()):
            one.bots_died()


def _property(frame: Any, name: str) -> str:
    """What ZeroMQ knows of whoever sent a frame: their CURVE key (User-Id), their address (Peer-Address)."""
    try:
        return str(frame.get(name))
    except zmq.ZMQError:
        return ""


def _why_not_bound(problem: zmq.ZMQError, address: str, port: int) -> str:
    match problem.errno:
        case errno.EADDRINUSE:
            return f"port {port} on {address} is in use: choose another with --port, or --port 0 for any free one"
        case errno.EADDRNOTAVAIL | errno.ENODEV:
            return f"this machine has no address {address}: try --bind 127.0.0.1 (only here) or 0.0.0.0 (all)"
        case errno.EACCES if port < 1024:
            return f"port {port} needs special rights: choose one above 1023 with --port"
    return f"cannot listen on {address} port {port}: {problem.strerror}"
