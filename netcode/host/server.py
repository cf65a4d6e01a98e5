"""The host's socket and loop: one ROUTER for all tables, rate limits, routing of messages to tables and the lobby.

What a table does with a message, and what happens when it fails, is in table_runner.py.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

import zmq

from netcode.host.addresses import bind_error
from netcode.host.bot_supervisor import BotSupervisor
from netcode.host.club_member import ClubMember
from netcode.host.creation import shared_origin
from netcode.host.fair_queue import FairQueue, QueuedMessage
from netcode.host.front_connections import FrontConnections, Rank
from netcode.host.hello_queue import HelloQueue
from netcode.host.key_authenticator import KeyAuthenticator
from netcode.host.load_monitor import LoadMonitor, Probe
from netcode.host.lobby import Lobby, TableRequest
from netcode.host.receiver import Receiver
from netcode.host.registry import Registry, RegistryFull, TableEntry
from netcode.host.sender import Sender
from netcode.host.table_runner import HostServices, TableRunner
from netcode.journal import ForgetRow, SharedHome
from netcode.protocol import codec, limits, wire
from netcode.protocol.credentials import Join, KeyPair
from netcode.protocol.limits import Rate
from netcode.protocol.sockets import router
from netcode.reporting import complain
from netcode.short_words.messages import Address
from netcode.table.seats import NO_FIT
from netcode.table.session import Out, Session
from netcode.token_bucket import TokenBucket, of_ms

LOG = logging.getLogger("kickdoor.server")


class _RateLimits:
    """One rate for each key or connection."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: dict[Hashable, TokenBucket] = {}

    def wait_ms(self, who: Hashable, stamp: int) -> int:
        """Return 0 if `who` may send now, else how many ms it has to wait. stamp: ns."""
        if len(self._buckets) > limits.TRACKED_KEYS:
            self._buckets.clear()
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = of_ms(self._rate)
        return bucket.take(stamp // 1_000_000)


class Server:
    """Serves the tables of a registry at one address. lobby: lets people open more tables (None: there is no lobby).
    keep: keep running when the last table is closed. front: the channel to the front through which clients come (None:
    they come directly). Call `use_bots` once the address is known."""

    def __init__(
        self,
        registry: Registry,
        pair: KeyPair,
        lobby: Lobby | None = None,
        *,
        load: LoadMonitor | None = None,
        keep: bool = False,
        front: FrontConnections | None = None,
    ) -> None:
        self.registry, self.lobby, self.port, self.keep = registry, lobby, 0, keep
        self.load = load or LoadMonitor()
        self._pair, self._front = pair, front
        self._context = zmq.Context()
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[str] = self._loop.create_future()
        self._stopping = False
        self._tables: dict[str, TableRunner] = {}
        self._runners: dict[bytes, TableRunner] = {}
        """The table of each connection that is in a session."""
        self._queue = FairQueue()
        self._newcomers = HelloQueue(self._let_in, lambda route: front is None or front.is_open(route))
        self._working: asyncio.Handle | None = None
        self._hellos = _RateLimits(wire.Hello.rate)
        self._frames = _RateLimits(limits.CONNECTION_RATE)
        self._errors = _RateLimits(limits.ERROR_RATE)
        self._creating = asyncio.Lock()
        self.club: ClubMember | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.bots: BotSupervisor | None = None
        if registry.journal is not None:
            registry.journal.failed = lambda text: self._from_thread(self._journal_failed, text)
            registry.journal.stands = lambda text: self._from_thread(self._journal_stands, text)
            registry.journal.lost = lambda table, text: self._from_thread(self._let_go, table, text)

    # -------------------------------------------------------------------------------------------------- start and stop
    def bind(self, address: str, port: int) -> int:
        """Listen at address (an IP; 0.0.0.0 or :: for all) and port (0: any free one). Returns the port.

        Raises BindError."""
        ipv6 = ":" in address
        self._authenticator = KeyAuthenticator(self._context, self._admits)
        self._sock: Any = router(self._context, self._pair, ipv6)
        where = f"tcp://[{address}]" if ipv6 else f"tcp://{address}"
        try:
            self._sock.bind(f"{where}:{port or '*'}")
        except zmq.ZMQError as problem:
            raise bind_error(problem.errno, problem.strerror, address, port) from None
        endpoint: Any = self._sock.getsockopt(zmq.LAST_ENDPOINT)
        self.port = int(endpoint.rstrip(b"\0").rpartition(b":")[2])
        self._begin(Receiver(self._sock, self._read, self._work_now))
        return self.port

    def _begin(self, receiver: Receiver) -> None:
        """Serve the tables: messages arrive through this receiver."""
        self._receiver = receiver
        self._sender = Sender(self._receiver, self._gone)
        self._services = HostServices(
            self.registry, self.load, self._sender, self._loop, self._runners, self._want_bots, self._ended, self._rank,
            lambda: bool(self._queue) or receiver.has_more,
        )  # fmt: skip
        for entry in self.registry.tables.values():
            self._tables[entry.id] = TableRunner(entry, self._services)
        if self._front is not None:
            self._front.listening(self.port)

    def _admits(self, key: str, address: str) -> bool:
        """Return whether a client with this key may connect: not if every table has banned it."""
        if self._front is not None and not self._front.admits(address) and not self._is_bot(key):
            return False  # somebody on this machine bypassed the front
        banned = [key in entry.table.seating.admission.banned for entry in self.registry.tables.values()]
        return not banned or not all(banned)

    def _is_bot(self, key: str) -> bool:
        return self.bots is not None and key in self.bots.keys

    def use_bots(self, supervisor: BotSupervisor) -> None:
        """Let this supervisor run the host's bots from now on."""
        self.bots = supervisor
        supervisor.died = self._bots_died
        for runner in self._tables.values():
            self._want_bots(runner)

    async def run(self) -> str:
        """Serve until the last table is closed or `stop` is called. Returns why the journal failed, or ""."""
        probe = Probe(self.load)
        for runner in list(self._tables.values()):
            runner.tick()
        self._do(self.registry.load_later())
        if self.club is not None:
            self.club.begin()
        failure = await self._done
        probe.close()
        if not failure:
            await asyncio.sleep(limits.GOODBYE_S)
        await self._shut_down()
        return failure

    def stop(self) -> None:
        """Say good-bye to everybody and end `run`. In a club, first hand all tables over."""
        if self.club is None:
            self._stop()
        elif not self.club.draining:
            self.club.draining = True
            self._do(self._drain(self.club))

    async def _drain(self, club: ClubMember) -> None:
        await club.hand_over(list(self._tables.values()))
        self._stop()

    def _stop(self) -> None:
        if self._stopping:
            return
        self._stopping = True
        for runner in list(self._tables.values()):
            runner.stop()
        self._end_if_done()

    def _journal_failed(self, text: str) -> None:
        for runner in self._tables.values():
            runner.drop()
        if not self._done.done():
            self._done.set_result(text)

    def _journal_stands(self, text: str) -> None:
        """Let all tables stand still for this reason; "": let them go on."""
        LOG.warning("%s", text or "the journal can be written again: the tables go on")
        for runner in list(self._tables.values()):
            runner.stand(text) if text else runner.go_on()

    def _let_go(self, table: str, text: str) -> None:
        """End a table that another host has now."""
        LOG.warning("table %s: %s", table, text)
        if (runner := self._tables.get(table)) is not None:
            runner.let_go(text)

    def join_club(self, journal: SharedHome, places: list[str]) -> None:
        """Be a host of a club from now on, whose database has this journal. Call it before `run`. places: where others
        reach this host, as HOST:PORT."""
        self.club = ClubMember(journal, self.registry, self.load, places, self._serve, self.stop)
        if self.lobby is not None:
            self.lobby.club = self.club

    def words_elsewhere(self, number: int) -> list[Address] | None:
        """Return where short words of this number are that this host does not have; see ClubMember.words_at."""
        return self.club.words_at(number) if self.club is not None else None

    def _serve(self, entry: TableEntry) -> None:
        """Serve a table that was not there when this host began."""
        self.registry.tables[entry.id] = entry
        runner = self._tables[entry.id] = TableRunner(entry, self._services)
        runner.tick()
        if self._stopping:  # the other tables have said good-bye already
            runner.stop()

    async def _shut_down(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self.club is not None:
            self.club.close()
        if self.bots is not None:
            self.bots.close()
        if self.registry.journal is not None:
            self.registry.journal.close()
        self.release()

    def release(self) -> None:
        """Close the sockets and free the port."""
        if hasattr(self, "_receiver"):
            self._receiver.close()
        self._newcomers.close()
        if self._front is not None:
            self._front.close()
        self._authenticator.close()
        self._sock.close(linger=limits.HOST_LINGER_MS)
        self._context.term()

    def _ended(self, runner: TableRunner) -> None:
        """Remove a table that has ended."""
        self._tables.pop(runner.entry.id, None)
        self.registry.remove(runner.entry, forget=runner.entry.table.ended)
        if self.lobby is not None and (result := runner.entry.table.lifecycle.result()):
            complain(f"kickdoor host: table {runner.entry.id}: {result}")
        self._end_if_done()

    def _end_if_done(self) -> None:
        if not self._tables and (self._stopping or not self.keep) and not self._done.done():
            if self.lobby is not None:
                self._send_all(self.lobby.close(self._stopping))
            self._done.set_result("")

    @property
    def sound(self) -> bool:
        """Whether the threads that receive messages and write the journal run; without them the loop runs in vain."""
        journal = self.registry.journal
        return self._receiver.listens and (journal is None or journal.writes)

    @property
    def awaited(self) -> bool:
        """Whether people with seats or in the lobby have heard that the host stops: they wait for it."""
        return self._sender.awaited

    @property
    def lost(self) -> list[str]:
        """The ids of tables that an internal error has closed."""
        return self._services.lost

    def figures(self) -> dict[str, object]:
        """Return the numbers of tables, connections and actions so far, and how busy the loop is."""
        counts = {"tables": len(self._tables), "connections": len(self._runners), "acts": self._services.acts}
        return {**counts, **self.load.figures()}

    # ------------------------------------------------------------------------------------------------------- coming in
    def _read(self, frames: list[Any], stamp: int) -> None:
        """Check a message that was received, and queue it for its table or hand it to the lobby. stamp: ns."""
        if self._done.done() or self._stopping:
            return
        address, frame = frames[0], frames[1]
        if self._front is not None:
            self._front.heard(address)
        if len(frames) != 2:
            if self._front is not None:
                self._front.send_away(frame)
            return
        runner = self._runners.get(address)
        session = runner.sessions.get(address) if runner is not None else None
        own = session is not None and session.own
        if not own and self._frames.wait_ms(address, stamp):
            return  # a flood: not even unpacked
        try:
            message = codec.unpack_up(frame.bytes)
        except codec.WireError as problem:
            self._send_error(address, wire.Error(problem.code, problem.text[: limits.TEXT_CHARS]), stamp)
            return
        key = session.key if session is not None else _property(frame, "User-Id")
        if isinstance(message, wire.Hello):
            where = self._where(address, frame)
            self._hello(message, QueuedMessage(address, message, key, stamp, where=where), where)
        elif isinstance(message, wire.LobbyUp):
            self._in_lobby(address, message, stamp)
        elif runner is None or session is None or session.s != message.s or session.address != address:
            text = "the host does not know this session: say hello again"
            self._send_error(address, wire.Error("unknown_session", text), stamp)
        else:
            self._queue_for(runner, QueuedMessage(address, message, key, stamp, session))

    def _send_error(self, address: bytes, error: wire.Error, stamp: int) -> None:
        """Reply to a message that belongs to no session, within limits.ERROR_RATE."""
        if not self._errors.wait_ms(address, stamp):
            self._sender.send(Out(address, error))

    def _hello(self, hello: wire.Hello, item: QueuedMessage, where: str) -> None:
        """Pass a hello to the lobby or to its table, or refuse it. where: the client's network address."""
        wait = self._hellos.wait_ms(item.key, item.stamp)
        if wait:
            error = wire.Error("rate_limited", "too many attempts: wait a moment", -1, wait)
            self._sender.send(Out(item.address, error))
        elif hello.table == wire.LOBBY and self.lobby is not None:
            self._newcomers.put(item, where)
        elif (runner := self._tables.get(hello.table)) is None:  # the same text as for a wrong token reveals no table
            there = self.club.where(hello.table, hello.hi) if self.club is not None else None
            self._sender.send(Out(item.address, there or wire.Error("bad_token", NO_FIT)))
        elif (pausing := runner.pausing(hello, item)) is not None:
            self._sender.send(Out(item.address, pausing))
        elif self._is_bot(item.key) or runner.entry.table.seating.has_place(item.key):
            self._queue_for(runner, item)
        else:
            self._newcomers.put(item, where)

    def _let_in(self, item: QueuedMessage, where: str) -> None:
        """Pass the hello of a newcomer to the lobby or to its table. where: the client's network address."""
        hello = item.message
        if self._done.done() or self._stopping or not isinstance(hello, wire.Hello):
            return
        if hello.table == wire.LOBBY and self.lobby is not None:
            out = self.lobby.hello(hello, item.key, item.address, where, item.stamp // 1_000_000)
            self._rank_visitors(self.lobby)
            self._send_all(out)
        elif (runner := self._tables.get(hello.table)) is not None and runner.accepts():
            runner.handle(item)

    def _where(self, address: bytes, frame: Any) -> str:
        """Return the network address of the client that sent a hello."""
        peer = _property(frame, "Peer-Address")
        return (self._front.hello(address, frame) or peer) if self._front is not None else peer

    def _rank(self, address: bytes, rank: Rank) -> None:
        """Tell the front the rank of a connection."""
        if self._front is not None:
            self._front.rank(address, rank)

    def _rank_visitors(self, lobby: Lobby) -> None:
        """Tell the front who has come to the lobby, and whom the lobby has forgotten."""
        changes, lobby.changes = lobby.changes, []
        for address, here in changes:
            self._rank(address, "guest" if here else "newcomer")

    def _queue_for(self, runner: TableRunner, item: QueuedMessage) -> None:
        if runner.accepts():
            self._queue.put(runner, item)

    def _work_now(self) -> None:
        """Handle the message that was read last before the loop does anything else."""
        if self._queue:
            self._work()

    def _work(self) -> None:
        """Handle one message, then let the loop receive before the next one."""
        if self._working is not None:
            self._working.cancel()
            self._working = None
        try:
            self._queue.handle_next()
        finally:
            if self._queue:
                self._working = self._loop.call_soon(self._work)

    # ------------------------------------------------------------------------------------------------------- the lobby
    def _in_lobby(self, address: bytes, message: wire.LobbyUp, stamp: int) -> None:
        if self.lobby is None:
            self._send_error(address, wire.Error("unknown_session", "this host has no lobby"), stamp)
            return
        try:
            with self.load.handling("the lobby"):
                self._send_all(self.lobby.message(address, message, stamp // 1_000_000))
        except Exception:  # the tables are not affected
            LOG.exception("the lobby met an internal error")
            self._send_error(address, wire.Error("internal", "an internal error; the host has logged it"), stamp)
        requests, self.lobby.requests = self.lobby.requests, []
        for request in requests:
            self._do(self._create(self.lobby, request))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this as a task until it is done or the server stops."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _create(self, lobby: Lobby, request: TableRequest) -> None:
        """Open a table that a visitor of the lobby wants. A thread loads its packs."""
        journal = self.registry.journal
        if journal is not None and journal.standing:
            self._send_all(lobby.failed(request, journal.standing))
            return
        async with self._creating:
            name = self.registry.new_id()
            try:
                cards = await asyncio.to_thread(self.registry.cards, request.plan.sets, request.plan.options)
                forbidden = await self._claim(name, request)
                entry = None if forbidden else self.registry.open(request.plan, cards, name)
            except (RegistryFull, ValueError) as problem:
                entry, forbidden = None, str(problem)
            except Exception:
                LOG.exception("a table could not be opened")
                entry, forbidden = None, "an internal error; the host has logged it"
            if entry is None:
                if journal is not None and self.club is not None:
                    journal.commit(name, [ForgetRow()], lambda: None)
                self._send_all(lobby.failed(request, forbidden))
                return
            self._serve(entry)

            def answer() -> None:
                self._send_all(lobby.created(request, entry))

            if journal is None:
                answer()
            else:
                journal.commit(entry.id, [], lambda: self._from_thread(answer))

    async def _claim(self, name: str, request: TableRequest) -> str:
        """Take an id for a table in the club, if there is one; return why its creator may open none now, or ""."""
        if self.club is None:
            return ""
        return await self.club.open_for(name, request.plan.creator, shared_origin(request.visitor.where))

    # ------------------------------------------------------------------------------------------------------- going out
    def _send_all(self, out: list[Out]) -> None:
        self._sender.send(*out)

    def _from_thread(self, call: Callable[..., None], *args: object) -> None:
        self._loop.call_soon_threadsafe(call, *args)

    def _gone(self, session: Session) -> None:
        """Note that the connection of a session is lost."""
        address = session.address
        runner = self._runners.get(address) if address is not None else None
        if runner is not None and address is not None:
            runner.forget(address)
            self._loop.call_soon(runner.unreachable, session)

    # ------------------------------------------------------------------------------------------------------------ bots
    def _want_bots(self, runner: TableRunner) -> None:
        """Start the bots that a table wants."""
        seating = runner.entry.table.seating
        wanted = seating.wanted
        if self.bots is not None and wanted:
            seating.wanted = []
            for bot in wanted:
                target = Join(self.bots.address, self.port, runner.entry.id, self._pair.public, bot.token)
                self.bots.send(target, seating.seats[bot.seat].name, bot.level)

    def _bots_died(self) -> None:
        for runner in list(self._tables.values()):
            runner.bots_died()


def _property(frame: Any, name: str) -> str:
    """Return what ZeroMQ knows of the sender of a frame: the CURVE key (User-Id) or the address (Peer-Address)."""
    try:
        return str(frame.get(name))
    except zmq.ZMQError:
        return ""
