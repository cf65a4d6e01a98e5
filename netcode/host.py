"""The host's loop: one ROUTER, frames in order of arrival, the journal before any answer, newest view wins for slow
seats."""

import asyncio
import errno
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import zmq

from netcode import codec, wire
from netcode.bots import BotKeeper
from netcode.journal import Journal
from netcode.keys import Join, KeyPair
from netcode.packs import PackFiles
from netcode.session import RATES, Bucket, Session
from netcode.sockets import Drain, Gate, router
from netcode.table import Out, Table

LOG = logging.getLogger("kickdoor.host")
PART = 32 * 1024
LAGGING_MS = 30_000
BYE_S = 0.5
"""How long good-byes get to be read: what a client has not read when the connection goes is lost."""
KEYS_KEPT = 512
SLOW_MS = 50
OVERDUE_S = 0.05
"""How soon we try again what was due and could not be done."""


class BindError(RuntimeError):
    """The host cannot listen there; one line for people."""


class Host:
    """Serves one table on one address. `table`, `journal`, `packs` are given; `bots` gets its address once it is
    known."""

    def __init__(self, table: Table, pair: KeyPair, packs: list[PackFiles], journal: Journal | None = None) -> None:
        self.table, self.port = table, 0
        self._pair, self._journal = pair, journal
        self._blobs = {pack.set_id: pack.blob() for pack in packs}
        self._context = zmq.Context()
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[str] = self._loop.create_future()
        self._sessions: dict[bytes, Session] = {}
        self._knocks: dict[str, Bucket] = {}
        self._faults: dict[bytes, Bucket] = {}
        self._lagging: dict[bytes, int] = {}
        self._held: deque[list[Out]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._ticked_at = 0.0
        self.bots: BotKeeper | None = None
        if journal is not None:
            journal.failed = lambda text: self._from_thread(self._fail, text)

    # --------------------------------------------------------------------------------------------------- coming, going
    def bind(self, address: str, port: int) -> int:
        """Listen at address (an IP, 0.0.0.0 or :: for all) and port (0: any free one); returns the port.

        Raises BindError."""
        ipv6 = ":" in address
        self._gate = Gate(self._context, lambda key, where: True)
        self._sock: Any = router(self._context, self._pair, ipv6)
        where = f"tcp://[{address}]" if ipv6 else f"tcp://{address}"
        try:
            self._sock.bind(f"{where}:{port or '*'}")
        except zmq.ZMQError as problem:
            raise BindError(_why_not_bound(problem, address, port)) from None
        endpoint: Any = self._sock.getsockopt(zmq.LAST_ENDPOINT)
        self.port = int(endpoint.rstrip(b"\0").rpartition(b":")[2])
        self._drain = Drain(self._sock, self._read)
        return self.port

    def keep_bots(self, keeper: BotKeeper) -> None:
        """Let the host's own bots be run by this keeper from now on."""
        self.bots = keeper
        keeper.died = self._bots_died
        self._want_bots()

    async def run(self) -> str:
        """Serve until the table is closed or `stop` is called; returns why (a fault of the journal, or "")."""
        self._ticked()
        why = await self._done
        if self.table.closed and not why:
            await asyncio.sleep(BYE_S)
        await self._shut()
        return why

    def stop(self) -> None:
        """Say good-bye to everybody and end `run`."""
        if not self._done.done():
            self.table.close("closing", "the host is stopping")
            self._flush()

    def _fail(self, text: str) -> None:
        self._held.clear()
        if not self._done.done():
            self._done.set_result(text)

    async def _shut(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.bots is not None:
            self.bots.close()
        if self._journal is not None:
            self._journal.close()
        self.release()

    def release(self) -> None:
        """Let go of sockets and port; what was sent last gets half a second to leave."""
        if hasattr(self, "_drain"):
            self._drain.close()
        self._gate.close()
        self._sock.close(linger=500)
        self._context.term()

    # ------------------------------------------------------------------------------------------------------- coming in
    def _read(self, sock: Any) -> None:
        frames = sock.recv_multipart(zmq.NOBLOCK, copy=False)
        stamp = time.monotonic_ns()
        if len(frames) == 2:
            self._received(frames[0].bytes, frames[1].bytes, _key_of(frames[1]), stamp)
        took = (time.monotonic_ns() - stamp) // 1_000_000
        if took > SLOW_MS:
            LOG.warning("one message took %d ms: arrivals may have been taken out of order", took)

    def _received(self, address: bytes, frame: bytes, key: str, stamp: int) -> None:
        if self.table.closed:
            return
        try:
            message = codec.unpack_up(frame)
        except codec.WireError as problem:
            self._fault(address, wire.Error(problem.code, problem.text[:300]), stamp)
            return
        if isinstance(message, wire.Hello):
            self._hello(address, message, key, stamp)
        else:
            session = self._sessions.get(address)
            if session is None or session.s != message.s or session.address != address:
                text = "the host does not know this session: say hello again"
                self._fault(address, wire.Error("unknown_session", text), stamp)
                return
            if isinstance(message, wire.GetPack):
                self._give_pack(session, message, stamp)
            self.table.message(session, message, stamp)
        self._flush()

    def _fault(self, address: bytes, error: wire.Error, stamp: int) -> None:
        """Answer what is none of ours, but no more than twice a second for each connection."""
        if len(self._faults) > KEYS_KEPT:
            self._faults.clear()
        if not self._faults.setdefault(address, Bucket(2, 5)).take(stamp // 1_000_000):
            self._send(Out(address, error))

    def _hello(self, address: bytes, hello: wire.Hello, key: str, stamp: int) -> None:
        if len(self._knocks) > KEYS_KEPT:
            self._knocks.clear()
        wait = self._knocks.setdefault(key, Bucket(*RATES[wire.Hello])).take(stamp // 1_000_000)
        if wait:
            self._send(Out(address, wire.Error("rate_limited", "too many attempts: wait a moment", -1, wait)))
            return
        if hello.table != self.table.config.table:
            text = f"there is no table {codec.clean(hello.table, 24)} here: the join string may be of an older host"
            self._send(Out(address, wire.Error("no_such_table", text)))
            return
        session = self.table.hello(hello, key, address, stamp)
        if session is not None:
            self._sessions = {at: one for at, one in self._sessions.items() if one is not session}
            self._sessions[address] = session

    def _give_pack(self, session: Session, wish: wire.GetPack, stamp: int) -> None:
        blob = self._blobs.get(wish.set_id)
        if session.wait_ms(wish, stamp // 1_000_000):
            return  # the client asks again
        if session.address is None:
            return
        if blob is None:
            self._send(Out(session.address, wire.Error("no_such_pack", "this table does not play with that pack")))
            return
        part = blob[wish.offset : wish.offset + PART]
        self._send(Out(session.address, wire.PackPart(wish.set_id, wish.offset, len(blob), part), session))

    # ------------------------------------------------------------------------------------------------------- going out
    def _flush(self) -> None:
        """Send what the table has to say, but what is to be remembered goes to the disk first."""
        rows, out = self.table.take()
        if rows and self._journal is not None:
            self._held.append(out)
            self._journal.commit(rows, lambda: self._from_thread(self._committed))
        elif self._held:
            self._held[-1].extend(out)
        else:
            self._send_all(out)
        self._want_bots()
        self._schedule()

    def _from_thread(self, call: Callable[..., None], *args: Any) -> None:
        self._loop.call_soon_threadsafe(call, *args)

    def _committed(self) -> None:
        if self._held:
            self._send_all(self._held.popleft())

    def _send_all(self, out: list[Out]) -> None:
        for one in out:
            self._send(one)
        if self.table.closed and not self._held and not self._done.done():
            self._done.set_result("")

    def _send(self, out: Out) -> None:
        session = out.session
        try:
            self._sock.send_multipart([out.address, _frame(out.message)], zmq.NOBLOCK)
            self._lagging.pop(out.address, None)
        except zmq.Again:  # it does not read: from now on only the newest view counts
            now = time.monotonic_ns() // 1_000_000
            if session is not None:
                session.whole = True
                if now - self._lagging.setdefault(out.address, now) > LAGGING_MS:
                    self._gone(session)
        except zmq.ZMQError as problem:
            if problem.errno != zmq.EHOSTUNREACH:
                raise
            if session is not None and session.address == out.address:
                self._gone(session)
        self._drain.again()

    def _gone(self, session: Session) -> None:
        if session.address is not None:
            self._sessions.pop(session.address, None)
            self._lagging.pop(session.address, None)
        self._loop.call_soon(self._tell_gone, session)

    def _tell_gone(self, session: Session) -> None:
        if session.address is None or session.address not in self._sessions:
            self.table.unreachable(session, time.monotonic_ns())
            self._flush()

    # ------------------------------------------------------------------------------------------------------------ time
    def _schedule(self) -> None:
        """Wake up when the table has something to do, at the latest a second after the last time (or soon, if somebody
        lags): messages, however many, do not put it off."""
        if self._timer is not None:
            self._timer.cancel()
        now = time.monotonic()
        wait = max(0.0, self._ticked_at + (0.25 if self._lagging else 1.0) - now)
        due = self.table.next_ms()
        if due is not None:
            left = due / 1000 - now + 0.001
            wait = min(wait, left if left > 0 else OVERDUE_S)
        self._timer = self._loop.call_later(wait, self._ticked)

    def _ticked(self) -> None:
        if self.table.closed:
            return
        self._ticked_at = time.monotonic()
        self.table.tick(time.monotonic_ns())
        self._sessions = {at: one for at, one in self._sessions.items() if one.address == at}
        self._flush()

    # ------------------------------------------------------------------------------------------------------------ bots
    def _want_bots(self) -> None:
        wanted = self.table.seating.wanted
        if self.bots is not None and wanted:
            self.table.seating.wanted = []
            for one in wanted:
                target = Join(self.bots.address, self.port, self.table.config.table, self._pair.public, one.token)
                self.bots.send(target, self.table.seating.seats[one.seat].name, one.level)

    def _bots_died(self) -> None:
        self.table.seating.want_missing_bots()
        self._flush()


def _frame(message: wire.Down) -> bytes:
    """The frame of a message; an Update with more past than fits tells the newest part of it."""
    while True:
        try:
            return codec.pack(message)
        except codec.WireError:
            if not isinstance(message, wire.Update) or not message.events:
                raise
            message.events = message.events[len(message.events) // 2 + 1 :]


def _key_of(frame: Any) -> str:
    """The CURVE key of whoever sent a frame."""
    try:
        return str(frame.get("User-Id"))
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
