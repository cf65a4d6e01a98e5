"""Runs one table in its host: connections, messages that wait for the journal, timer, recovery from internal errors.

Knows no ZeroMQ.

An exception inside a table stays inside it. With a journal the table is restored from there: its clients reconnect by
themselves and show one sentence. The action that failed is not carried out, and is refused when it is sent again. A
table that fails again and again is restored after growing pauses (faults.py). Without a journal it closes and says so.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from math import ceil

from msgspec import Struct, field

from core.state.actions import Refusal
from netcode.host.fair_queue import Lane, QueuedMessage
from netcode.host.front_connections import Rank
from netcode.host.load_monitor import LoadMonitor
from netcode.host.registry import Registry, TableEntry
from netcode.host.sender import Sender
from netcode.journal import Row
from netcode.protocol import limits, wire
from netcode.table.seats import NO_FIT
from netcode.table.session import Out, Session
from netcode.table.table import Table

LOG = logging.getLogger("kickdoor.table_runner")
BACKGROUND_WEIGHT = 8
"""The factor by which the loop's time counts for a table of bots without spectators, so that people's tables come
first."""
TICK_S, LAGGING_TICK_S = 1.0, 0.25
"""The longest time between two ticks of a table (s); and while one of its clients does not read."""
OVERDUE_S = 0.05
"""How soon a table ticks again if something is due that it could not do."""
RESTORED = (
    "an internal error: the table was restored from its journal, and nothing that was confirmed is lost; "
    "the host has logged it"
)
GOES_ON = "the journal can be written again: the game goes on, and nothing that was confirmed is lost"
PAUSED = (
    "internal errors follow one another: the table is restored from its journal again in %d s, and nothing that was "
    "confirmed is lost; the host has logged them"
)
BLOCKED = "this caused an internal error twice: it is not tried again for a while; the host has logged it"
WAIT_MS = 5000
"""The longest time after which a client asks a pausing table again, and is told how long the pause still lasts."""
CLOSED = "an internal error: this table had to be closed; the host has logged it"
UNRESTORABLE = (
    "an internal error: this table cannot be restored now; its journal is kept for the next start of the host, which "
    "has logged why"
)
STOPPING = ("stopping", "the host is stopping and keeps this table: join again with the same string when it is back")
LOST = ("closing", "the host has stopped. It kept no journal, so this table does not come back")
REFUSED = "An internal error: this action cannot be done, and nothing has changed. The host has logged it."


class HostServices(Struct):
    """What a table runner needs of its host. runners: the runner of each connection. want_bots(runner): its table may
    need bots. ended(runner): its table has ended. rank(address, rank): a connection has this rank now. is_busy():
    whether other messages wait. acts: how many actions have been handled. lost: the ids of the tables that an internal
    error has closed."""

    registry: Registry
    load: LoadMonitor
    sender: Sender
    loop: asyncio.AbstractEventLoop
    runners: dict[bytes, "TableRunner"]
    want_bots: Callable[["TableRunner"], None]
    ended: Callable[["TableRunner"], None]
    rank: Callable[[bytes, Rank], None]
    is_busy: Callable[[], bool]
    acts: int = 0
    lost: list[str] = field(default_factory=list)

    def from_thread(self, call: Callable[..., None], *args: object) -> None:
        """Call this in the loop. Safe from any thread."""
        self.loop.call_soon_threadsafe(call, *args)


class TableRunner(Lane):
    """A table of the host. broken: it failed and waits for its journal; over: it has ended."""

    def __init__(self, entry: TableEntry, services: HostServices) -> None:
        super().__init__()
        self.entry, self.id, self.broken, self.over = entry, entry.id, False, False
        self.sessions: dict[bytes, Session] = {}
        self._knockers: set[bytes] = set()
        """The connections of those who wait to be let in."""
        self._host = services
        self._unwritten: deque[list[Out]] = deque()
        """The messages that wait for each commit to the journal."""
        self._timer: asyncio.TimerHandle | None = None
        self._pause: asyncio.TimerHandle | None = None
        self._restoring: asyncio.Future[Table] | None = None
        self._stands = ""
        """Why the table stands still until its journal can be written again; "": it does not."""
        self._waiting: list[bytes] = []
        """Connections that have asked for their seats during a pause, the newest last."""
        self._ticked_at = 0.0

    # ------------------------------------------------------------------------------------------------------- coming in
    def accepts(self) -> bool:
        """Return whether the lane takes messages now; clients send again what it does not take."""
        journal = self._host.registry.journal
        if journal is not None and journal.standing:
            return False
        return not (self.broken or self.over or self.entry.table.closed)

    def pausing(self, hello: wire.Hello, item: QueuedMessage) -> wire.Error | None:
        """Return what to answer to a hello while the table pauses after internal errors, or stands still; None: it
        does not."""
        if self._pause is None and not self._stands:
            return None
        if not self.entry.table.seating.knows(hello.token, item.key):
            return wire.Error("bad_token", NO_FIT)
        self._waiting = [*self._waiting, item.address][-limits.QUEUED_MESSAGES :]
        if self._pause is None:
            return wire.Error("rate_limited", self._stands, -1, WAIT_MS)
        left = max(0.0, self._pause.when() - self._host.loop.time())
        return wire.Error("rate_limited", PAUSED % ceil(left), -1, min(WAIT_MS, int(left * 1000) + 200))

    def handle(self, item: QueuedMessage) -> None:
        """Hand a message to the table."""
        self._host.acts += isinstance(item.message, wire.Act)
        if self.broken or self.over or (self.entry.faults.caused and self._refuse_blocked(item)):
            return
        self._run(type(item.message).__name__, self._hand_over, item)

    def _refuse_blocked(self, item: QueuedMessage) -> bool:
        """Refuse a message of a kind that led to errors again and again; return whether it is one."""
        message, session = item.message, item.session
        blocked = self.entry.faults.blocked_ms(self._host.loop.time(), item.key, type(message).__name__)
        n = message.n if isinstance(message, wire.Act) else -1
        if not blocked or (session is not None and n in session.replies):
            return False
        self._host.sender.send(Out(item.address, wire.Error("rate_limited", BLOCKED, n, blocked), session))
        return True

    def _hand_over(self, item: QueuedMessage) -> None:
        message, session = item.message, item.session
        if isinstance(message, wire.Hello):
            session = self.entry.table.hello(message, item.key, item.address, item.stamp, item.where)
            if session is not None:
                self._connect(item.address, session)
        elif session is not None and session.address == item.address:
            if isinstance(message, wire.GetPack):
                self._send_pack_part(session, message, item.stamp)
            self.entry.table.message(session, message, item.stamp)

    def _connect(self, address: bytes, session: Session) -> None:
        for old in [at for at, one in self.sessions.items() if one is session]:
            self.forget(old)
        self.sessions[address] = session
        self._host.runners[address] = self
        self._host.rank(address, "seated" if session.seat >= 0 else "guest")
        self._weigh()

    def _weigh(self) -> None:
        """Give the table a low priority if it has neither people nor spectators."""
        seating = self.entry.table.seating
        self.weight = 1 if seating.humans() or seating.spectators else BACKGROUND_WEIGHT

    def _rank_knockers(self) -> None:
        """Tell the front who waits to be let in: they rank as guests while they wait."""
        knocks = self.entry.table.seating.admission.knocks
        if not knocks and not self._knockers:
            return
        knockers = {knock.address for knock in knocks.values()}
        for address in self._knockers ^ knockers:
            if address not in self.sessions:
                self._host.rank(address, "guest" if address in knockers else "newcomer")
        self._knockers = knockers

    def forget(self, address: bytes) -> None:
        """Forget a connection: no session of this table uses it."""
        if self.sessions.pop(address, None) is not None:
            self._host.rank(address, "newcomer")
        self._host.sender.forget(address)
        if self._host.runners.get(address) is self:
            del self._host.runners[address]

    def _send_pack_part(self, session: Session, request: wire.GetPack, stamp: int) -> None:
        if session.wait_ms(request, stamp // 1_000_000) or session.address is None:
            return  # the client asks again
        blob = self.entry.cards.blob(request.set_id)
        if blob is None:
            text = "this table does not play with that pack"
            self._host.sender.send(Out(session.address, wire.Error("no_such_pack", text)))
            return
        part = blob[request.offset : request.offset + limits.PART_BYTES]
        self._host.sender.send(
            Out(session.address, wire.PackPart(request.set_id, request.offset, len(blob), part), session)
        )

    def unreachable(self, session: Session) -> None:
        """Tell the table that the connection of a session is lost."""
        if self.broken or self.over:
            return
        if session.address is None or session.address not in self.sessions:
            self._run("a lost connection", lambda: self.entry.table.unreachable(session, time.monotonic_ns()))

    def bots_died(self) -> None:
        """Ask for new bots: the host's bot process has ended."""
        if not (self.broken or self.over):
            self._run("missing bots", self.entry.table.seating.want_missing_bots)

    def stop(self) -> None:
        """Say good-bye, since the host stops; the game stays in the journal."""
        if self.broken:
            self._close([], STOPPING[1] if self._stands else "", STOPPING[0] if self._stands else "fault")
        elif not self.over:
            self._run("the end", lambda: self.entry.table.close(*self._goodbye()))

    def _goodbye(self) -> tuple[str, str]:
        """Return what everybody is told when the host stops: the reason (see wire.Bye) and a sentence."""
        table = self.entry.table
        if table.config.solo:
            return "closing", "the host is stopping"
        return STOPPING if table.kept else LOST

    # ------------------------------------------------------------------------------------------------------- going out
    def _run(self, what: str, work: Callable[..., None], item: QueuedMessage | None = None) -> None:
        """Let the table do something, then send its messages. what: for the log; item: the message being handled,
        which `work` is given."""
        began = time.monotonic_ns()
        try:
            try:
                work(item) if item is not None else work()
                self._rank_knockers()
                self._flush(*self.entry.table.take())
            finally:
                self._host.load.handled(f"{what} at table {self.id}", began)
            if not (self.over or self.broken):
                if self.entry.table.seating.wanted:
                    self._host.want_bots(self)
                self._schedule()
        except Exception:
            LOG.exception("table %s met an internal error (%s)", self.entry.id, what)
            self._fail(item)

    def _flush(self, rows: Sequence[Row], out: list[Out]) -> None:
        """Send these messages once these rows are in the journal."""
        journal = self._host.registry.journal
        if rows and journal is not None:
            call, began = self._host.from_thread, time.monotonic_ns()
            waits = self._unwritten or self.items or self._host.is_busy()
            self._unwritten.append(out)
            if not waits and journal.write_now(self.id, rows):
                self._committed(began)
                return
            journal.commit(
                self.id, rows, lambda: call(self._committed, began), lambda text: call(self._rejected, text)
            )
        elif self._unwritten:
            self._unwritten[-1].extend(out)
        else:
            self._send(out)

    def _send(self, out: list[Out]) -> None:
        if out:
            self._host.sender.send(*out)
        if self.entry.table.closed and not self._unwritten and not self.over:
            self._end()

    def _committed(self, began: int) -> None:
        """Send the messages whose rows are on disk. began: when the journal got the rows, ns."""
        self._host.load.committed(time.monotonic_ns() - began)
        out = self._unwritten.popleft() if self._unwritten else []
        try:
            with self._host.load.handling(f"sending at table {self.id}"):
                self._send(out)
        except Exception:
            LOG.exception("table %s met an internal error (sending)", self.entry.id)
            if not self.broken:
                self._fail(None)

    def drop(self) -> None:
        """Send nothing more: the journal has failed, and what was not written must not be told."""
        self.broken = True
        self._unwritten.clear()

    def stand(self, text: str) -> None:
        """Stand still, since the journal cannot be written now: send nothing that waits for it, and tell everybody why.
        Clients ask for their seats until the table goes on."""
        if self.over or self._stands:
            return
        self._stands, self.broken, self._restoring = text, True, None
        self._unwritten = deque([] for _ in self._unwritten)
        self.clear()
        self._cancel_timers()
        self._send_back(list(self.sessions), text)

    def go_on(self) -> None:
        """Go on after `stand`: restore the table, so that its clocks begin anew."""
        if self._stands and not self.over:
            self._stands = ""
            self._settle([], None, GOES_ON)

    def freeze(self) -> None:
        """Take no more messages: the table is handed over when everything so far is written and sent."""
        self.broken = True
        self.clear()
        self._cancel_timers()

    def let_go(self, text: str) -> None:
        """End the table, since another host has it now. Nothing is written or removed. Its clients say hello again, and
        are told where it is."""
        if not self.over:
            self.broken = True
            self._unwritten.clear()
            self._send_back(list(self.sessions), text)
            self._end()

    # ------------------------------------------------------------------------------------------------------------ time
    def _schedule(self) -> None:
        """Set the timer for the next tick: when something is due, or TICK_S after the last tick at the latest, however
        many messages arrive."""
        now = self._host.loop.time()
        at = self._ticked_at + (LAGGING_TICK_S if self._host.sender.any_lags(self.sessions) else TICK_S)
        due = self.entry.table.next_ms()
        if due is not None:
            due_at = due / 1000 + 0.001
            at = min(at, due_at if due_at > now else now + OVERDUE_S)
        if self._timer is not None:
            if self._timer.when() == at:
                return
            self._timer.cancel()
        self._timer = self._host.loop.call_at(at, self.tick)

    def tick(self) -> None:
        """Run due work and reschedule."""
        self._ticked_at, self._timer = self._host.loop.time(), None
        if not (self.broken or self.over):
            self._weigh()
            self._run("a tick", lambda: self.entry.table.tick(time.monotonic_ns()))
        for address in [at for at, one in self.sessions.items() if one.address != at]:
            self.forget(address)

    # -------------------------------------------------------------------------------------------------------- failures
    def _rejected(self, text: str) -> None:
        """Restore the table to the state without the rows that the journal could not write."""
        if self._unwritten:
            self._unwritten.popleft()
        if not self.broken and not self.over and not self._stands:
            LOG.error("table %s met an internal error: %s", self.entry.id, text)
            self._fail(None)

    def _fail(self, item: QueuedMessage | None) -> None:
        """Restore the table after an internal error, at once or after a pause; close it if it has no journal. item:
        the message being handled."""
        self.broken = True
        self.clear()
        self._cancel_timers()
        connections = list(self.sessions)
        if self._host.registry.journal is None:
            self._lose(connections, CLOSED)
            return
        now, faults = self._host.loop.time(), self.entry.faults
        key, kind = (item.key, type(item.message).__name__) if item is not None else ("", "")
        pause = faults.count(now, key, kind)
        if pause:
            self._restore_later(pause, connections)
        else:
            self._settle(connections, item)

    def _restore_later(self, pause: float, connections: list[bytes]) -> None:
        """Restore the table after this pause (s). The clients of these connections are told, and ask for their seats
        again."""
        LOG.warning("table %s pauses for %d s before it is restored", self.entry.id, pause)
        self._pause = self._host.loop.call_later(pause, self._settle, [], None)
        self._send_back(connections, PAUSED % ceil(pause))

    def _settle(self, connections: list[bytes], item: QueuedMessage | None, why: str = RESTORED) -> None:
        """Restore the table once everything written so far is on disk: then an empty commit is done. why: what people
        are told."""
        self._pause = None
        journal = self._host.registry.journal
        assert journal is not None
        journal.commit(self.entry.id, [], lambda: self._host.from_thread(self._restore, connections, item, why))

    def _restore(self, connections: list[bytes], item: QueuedMessage | None, why: str) -> None:
        if self.over or self._stands or not self.broken or self._restoring is not None:
            return
        self._restoring = restoring = self._host.loop.run_in_executor(None, self._host.registry.restored, self.entry)
        restoring.add_done_callback(lambda done: self._restored(done, connections, item, why))

    def _restored(
        self, done: "asyncio.Future[Table]", connections: list[bytes], item: QueuedMessage | None, why: str
    ) -> None:
        if self.over or done.cancelled():
            return
        problem = done.exception()
        if done is not self._restoring:
            return  # the table stood still meanwhile: it is restored again
        self._restoring = None
        if problem is not None:
            self._not_restored(problem, connections)
            return
        self.entry.table = done.result()
        self.entry.faults.runs(self._host.loop.time())
        if item is not None and isinstance(item.message, wire.Act):
            self._refuse(item.message)
        self.broken = False
        self._send_back(connections, why)
        self.tick()

    def _not_restored(self, problem: BaseException, connections: list[bytes]) -> None:
        """Try again after a pause, or leave the table to the next start of the host."""
        LOG.error("table %s cannot be restored", self.entry.id, exc_info=problem)
        pause = self.entry.faults.unrestorable(self._host.loop.time())
        if pause is None:
            self._lose(connections, UNRESTORABLE)
        else:
            self._restore_later(pause, connections)

    def _send_back(self, connections: list[bytes], text: str) -> None:
        """Make these clients, and those that have asked meanwhile, say hello again, and tell them why."""
        waiting, self._waiting = self._waiting, []
        for address in dict.fromkeys([*connections, *waiting]):
            self.forget(address)
            self._host.sender.send(Out(address, wire.Error("unknown_session", text)))

    def _refuse(self, act: wire.Act) -> None:
        """Remember a refusal for the action that failed, so that the client stops sending it."""
        for session in self.entry.table.seating.sessions():
            if session.s == act.s and act.n > session.n:
                session.remember(act.n, wire.Refused(act.n, Refusal("internal", REFUSED)))

    def _lose(self, connections: list[bytes], text: str) -> None:
        """Close the table because of an internal error; the host will end with an exit code that says so."""
        self._host.lost.append(self.entry.id)
        self._close(connections, text)

    def _close(self, connections: list[bytes], text: str, reason: str = "fault") -> None:
        """End the table without writing anything; its journal, if it has one, stays as it is."""
        for address in dict.fromkeys([*connections, *self._waiting]):
            self._host.sender.send(Out(address, wire.Bye(reason, text)))
        self._end()

    def _end(self) -> None:
        self.over = True
        self.clear()
        self._cancel_timers()
        for address in list(self.sessions):
            self.forget(address)
        self._host.ended(self)

    def _cancel_timers(self) -> None:
        for timer in (self._timer, self._pause):
            if timer is not None:
                timer.cancel()
        self._pause = None
