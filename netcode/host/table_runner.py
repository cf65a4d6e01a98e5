"""One table as its host serves it: who is connected, what waits for the disk, when to look again, and what happens when
the program itself fails there. Knows no ZeroMQ.

Whatever is raised inside a table stays inside it. With a journal the table is taken up again as it stands there, and
its players come back by themselves, with one sentence; what was being done is not done, and an action that led to it is
refused from then on. Without a journal, or if that happens again and again, the table closes and says so.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.state.actions import Refusal
from netcode.host.fair_queue import Lane, QueuedMessage
from netcode.host.load_monitor import LoadMonitor
from netcode.host.registry import Registry, TableEntry
from netcode.host.sender import Sender
from netcode.journal import Row
from netcode.protocol import limits, wire
from netcode.table.session import Session
from netcode.table.table import Out, Table

LOG = logging.getLogger("kickdoor.table_runner")
BACKGROUND = 8
"""How much more the loop's time counts for a table at which nobody sits or looks on: bots among themselves play with
what the others leave."""
OVERDUE_S = 0.05
"""How soon we try again what was due and could not be done."""
FAULTS, FAULTS_S = 3, 60.0
"""After how many faults within a minute a table is still taken up again."""
AGAIN = (
    "a fault of the program: the table was taken up again from its journal, nothing that was answered is lost; "
    "the host has noted it"
)
GIVEN_UP = "a fault of the program: this table had to be closed; the host has noted it"
REFUSED = "An error of the program: this cannot be done here, nothing has changed; the host has noted it."


@dataclass
class HostServices:
    """What a table needs of its host. where: which table a connection belongs to; want_bots(table): it may want some;
    ended(table): it is no more. acts: how many actions have been judged."""

    registry: Registry
    load: LoadMonitor
    post: Sender
    loop: asyncio.AbstractEventLoop
    where: dict[bytes, "TableRunner"]
    want_bots: Callable[["TableRunner"], None]
    ended: Callable[["TableRunner"], None]
    acts: int = 0

    def from_thread(self, call: Callable[..., None], *args: object) -> None:
        """Let the loop do it."""
        self.loop.call_soon_threadsafe(call, *args)


class TableRunner(Lane):
    """A table at the host. broken: it met a fault of the program and waits for its journal."""

    def __init__(self, entry: TableEntry, services: HostServices) -> None:
        super().__init__()
        self.entry, self.broken, self.over = entry, False, False
        self.sessions: dict[bytes, Session] = {}
        self._s = services
        self._held: deque[list[Out]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._ticked_at = 0.0

    # ------------------------------------------------------------------------------------------------------- coming in
    def takes(self) -> bool:
        """Whether messages may be put into its lane; what is not taken is sent again by those who sent it."""
        seating = self.entry.table.seating
        self.weight = 1 if seating.humans() or seating.spectators else BACKGROUND
        return not (self.broken or self.over or self.entry.table.closed)

    def handle(self, item: QueuedMessage) -> None:
        """Do what a message asks for."""
        self._s.acts += isinstance(item.message, wire.Act)
        self._guarded(type(item.message).__name__, lambda: self._handle(item), item)

    def _handle(self, item: QueuedMessage) -> None:
        table, message, session = self.entry.table, item.message, item.session
        if isinstance(message, wire.Hello):
            session = table.hello(message, item.key, item.address, item.stamp)
            if session is not None:
                self._let_in(item.address, session)
        elif session is not None and session.address == item.address:
            if isinstance(message, wire.GetPack):
                self._give_pack(session, message, item.stamp)
            table.message(session, message, item.stamp)

    def _let_in(self, address: bytes, session: Session) -> None:
        for old in [at for at, one in self.sessions.items() if one is session]:
            self.forget(old)
        self.sessions[address] = session
        self._s.where[address] = self

    def forget(self, address: bytes) -> None:
        """This connection is not (or no longer) somebody's at this table."""
        self.sessions.pop(address, None)
        self._s.post.forget(address)
        if self._s.where.get(address) is self:
            del self._s.where[address]

    def _give_pack(self, session: Session, wish: wire.GetPack, stamp: int) -> None:
        if session.wait_ms(wish, stamp // 1_000_000) or session.address is None:
            return  # the client asks again
        blob = self.entry.cards.blob(wish.set_id)
        if blob is None:
            text = "this table does not play with that pack"
            self._s.post.send(Out(session.address, wire.Error("no_such_pack", text)))
            return
        part = blob[wish.offset : wish.offset + limits.PART_BYTES]
        self._s.post.send(Out(session.address, wire.PackPart(wish.set_id, wish.offset, len(blob), part), session))

    def unreachable(self, session: Session) -> None:
        """The connection of a session is gone."""
        if session.address is None or session.address not in self.sessions:
            self._guarded("a lost connection", lambda: self.entry.table.unreachable(session, time.monotonic_ns()))

    def bots_died(self) -> None:
        """The host's bots ended: ask for each of them anew."""
        self._guarded("want of bots", self.entry.table.seating.want_missing_bots)

    def stop(self) -> None:
        """The host stops: good-bye, the game stays in the journal."""
        if self.broken:
            self._close([], "")
        else:
            self._guarded("the end", lambda: self.entry.table.close("closing", "the host is stopping"))

    # ------------------------------------------------------------------------------------------------------- going out
    def _guarded(self, what: str, call: Callable[[], None], item: QueuedMessage | None = None) -> None:
        """Let the table do something, then send what it has to say."""
        if self.broken or self.over:
            return
        try:
            with self._s.load.handling(f"{what} at table {self.entry.id}"):
                call()
                self._flush(*self.entry.table.take())
        except Exception:
            LOG.exception("table %s met a fault of the program (%s)", self.entry.id, what)
            self._fault(item)
            return
        if not self.over:
            self._s.want_bots(self)
            self._schedule()

    def _flush(self, rows: Sequence[Row], out: list[Out]) -> None:
        """Send, but what is to be remembered goes to the disk first."""
        journal = self._s.registry.journal
        if rows and journal is not None:
            self._held.append(out)
            tell, began = self._s.from_thread, time.monotonic_ns()
            journal.commit(
                self.entry.id, rows, lambda: tell(self._committed, began), lambda text: tell(self._spoiled, text)
            )
        elif self._held:
            self._held[-1].extend(out)
        else:
            self._send(out)

    def _send(self, out: list[Out]) -> None:
        for one in out:
            self._s.post.send(one)
        if self.entry.table.closed and not self._held and not self.over:
            self._end()

    def _committed(self, began: int) -> None:
        """What the table did is on disk: now it may be told. began: when it was given to the journal, ns."""
        self._s.load.kept(time.monotonic_ns() - began)
        out = self._held.popleft() if self._held else []
        try:
            with self._s.load.handling(f"telling at table {self.entry.id}"):
                self._send(out)
        except Exception:
            LOG.exception("table %s met a fault of the program (telling)", self.entry.id)
            if not self.broken:
                self._fault(None)

    def drop(self) -> None:
        """Nothing more may be told, it would be of what nobody will remember: the journal has failed."""
        self.broken = True
        self._held.clear()

    # ------------------------------------------------------------------------------------------------------------ time
    def _schedule(self) -> None:
        """Wake up when the table has something to do, at the latest a second after the last time (or soon, if somebody
        lags): messages, however many, do not put it off."""
        if self._timer is not None:
            self._timer.cancel()
        now = time.monotonic()
        lagging = any(self._s.post.lags(address) for address in self.sessions)
        wait = max(0.0, self._ticked_at + (0.25 if lagging else 1.0) - now)
        due = self.entry.table.next_ms()
        if due is not None:
            left = due / 1000 - now + 0.001
            wait = min(wait, left if left > 0 else OVERDUE_S)
        self._timer = self._s.loop.call_later(wait, self.tick)

    def tick(self) -> None:
        """Do what is due; from then on it is done by itself."""
        self._ticked_at = time.monotonic()
        self._guarded("a tick", lambda: self.entry.table.tick(time.monotonic_ns()))
        for address in [at for at, one in self.sessions.items() if one.address != at]:
            self.forget(address)

    # ---------------------------------------------------------------------------------------------------------- faults
    def _spoiled(self, text: str) -> None:
        """What the table did cannot be kept, so it was not done."""
        if self._held:
            self._held.popleft()
        if not self.broken and not self.over:
            LOG.error("table %s met a fault of the program: %s", self.entry.id, text)
            self._fault(None)

    def _fault(self, item: QueuedMessage | None) -> None:
        """The program failed in this table. item: the message that it was doing."""
        now = self._s.loop.time()
        self.entry.faults = [at for at in self.entry.faults if now - at < FAULTS_S] + [now]
        self.broken = True
        self.clear()
        if self._timer is not None:
            self._timer.cancel()
        journal, there = self._s.registry.journal, list(self.sessions)
        if journal is None or len(self.entry.faults) > FAULTS:
            self._close(there, GIVEN_UP)
        else:
            journal.commit(self.entry.id, [], lambda: self._s.from_thread(self._mend, there, item))

    def _mend(self, there: list[bytes], item: QueuedMessage | None) -> None:
        """Everything the table did is on disk: take it up again."""
        mending = self._s.loop.run_in_executor(None, self._s.registry.mended, self.entry)
        mending.add_done_callback(lambda done: self._mended(done, there, item))

    def _mended(self, done: "asyncio.Future[Table]", there: list[bytes], item: QueuedMessage | None) -> None:
        """It is as it was, or cannot be."""
        if self.over or done.cancelled():
            return
        problem = done.exception()
        if problem is not None:
            LOG.error("table %s cannot be taken up again", self.entry.id, exc_info=problem)
            self._close(there, GIVEN_UP)
            return
        self.entry.table = done.result()
        if item is not None and isinstance(item.message, wire.Act):
            self._refuse(item.message)
        self.broken = False
        for address in there:
            self.forget(address)
            self._s.post.send(Out(address, wire.Error("unknown_session", AGAIN)))
        self.tick()

    def _refuse(self, act: wire.Act) -> None:
        """The action that led to a fault is answered, so that it is not sent again and again."""
        for session in self.entry.table.seating.sessions():
            if session.s == act.s and act.n > session.n:
                session.remember(act.n, wire.Refused(act.n, Refusal("internal", REFUSED)))

    def _close(self, there: list[bytes], text: str) -> None:
        """Give the table up; its journal, if it has one, stays as it is."""
        for address in there:
            self._s.post.send(Out(address, wire.Bye("fault", text)))
        self._end()

    def _end(self) -> None:
        self.over = True
        self.clear()
        if self._timer is not None:
            self._timer.cancel()
        for address in list(self.sessions):
            self.forget(address)
        self._s.ended(self)
