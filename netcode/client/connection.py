"""The connection to a host that clients of tables (client.py) and of lobbies (lobby_client.py) are built on."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, Self

import zmq

from netcode.client.absence import TABLE, Absence
from netcode.client.flood import BAD_HOST, FLOODED, Flooded, FloodLimit
from netcode.client.transport import Transport
from netcode.protocol import codec, limits, wire
from netcode.protocol.clean_text import clean_name
from netcode.protocol.consistency import Consistency
from netcode.protocol.credentials import (
    Join,
    JoinError,
    KeyPair,
    SavedSeat,
    claim_seat,
    data_folder,
    new_pair,
    parse_join,
    place_text,
)
from netcode.protocol.names import name_problem

SEAT_IN_USE = "seat_in_use"
"""The error code with which a host refuses a seat because another connection has it."""
REDIRECTED = "another host of this club has the table: going there"
MOVED = "another host of this club has the table"
TOO_MANY_HOPS = "the hosts of this club send us to one that lets nobody in, or cannot be reached: try again later"
Stage = Literal["offline", "joining", "synced", "closed"]


class ClientError(Exception):
    """The client cannot continue; the text is one line for people. code: as in wire.Error, or offline, join, closed,
    busy."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def knocking_text(name: str, fingerprint: str) -> str:
    """Return the text for somebody who knocks at a table."""
    return (
        f"You have knocked as {name}. The table's owner decides whether you come in; they see the fingerprint of your "
        f"key: {fingerprint}"
    )


def distrust(place: str) -> str:
    """Return the sentence for people when a client leaves a host that sent something impossible. place: the field, in
    our own words; "" if unknown."""
    where = f" ({place})" if place else ""
    return (
        f"the host says what cannot be{where}, so the connection was closed: update kickdoor here and at the host, or "
        f"play at another host"
    )


def distrust_for(error: BaseException) -> str:
    """Return the sentence for people when this side leaves a host because of an internal error at its table."""
    from netcode.reporting import fault_place  # not needed for the first screen

    return (
        f"what the host says cannot be used here ({fault_place(error)}), so the connection was closed: update kickdoor "
        f"here and at the host, or play at another host"
    )


class Connection(ABC):
    """A connection to a host that is restored when it breaks. stage, reason, code: its status, described in client.py.

    A subclass defines its hello, when it is let in, its regular work, and how it handles messages.
    """

    left = "you left"
    """The reason given when this side closes."""
    away = TABLE
    """What is said when the host is away."""
    shares = False
    """Whether it takes a saved seat that another process of this user has, instead of asking for another seat."""
    follows = True
    """Whether it goes to other hosts of a club; the bots of a host stay with that."""
    trusted = True
    """Whether the host is our own. An internal error while handling its message is raised then; any other host is
    left."""

    def __init__(
        self, join: str | Join, name: str, *, home: Path | None = None, keep: bool = True, context: Any = None,
        pair: KeyPair | None = None,
    ) -> None:  # fmt: skip
        """home: the folder for our key and our saved seats (default: credentials.data_folder()). keep=False: use this
        pair; without one, a new key each time. Raises ClientError for a damaged join string or a name without a
        letter."""
        try:
            self.target = parse_join(join) if isinstance(join, str) else join
        except JoinError as problem:
            raise ClientError("join", str(problem)) from None
        self.name = clean_name(name)
        if unreadable := name_problem(self.name):
            raise ClientError("bad_name", unreadable)
        self.stage: Stage = "offline"
        self.reason, self.code = "", "offline"
        self._keep, self._home, self._context = keep, home, context
        self._loop = asyncio.get_running_loop()
        self._saved_seat = SavedSeat(pair or new_pair())
        self._transport: Transport | None = None
        self._up = False
        self._subscribers: list[Callable[..., None]] = []
        self._changed = asyncio.Event()
        self._absence = Absence(f"{self.target.host}:{self.target.port}", self.away)
        self._offline_at = self._loop.time()
        self._heard_at = self._hello_at = -60.0
        self._give_up_at = -60.0
        self._consistency = Consistency()
        """The host's description of its table; all its later messages must fit this."""
        self._timer: asyncio.TimerHandle | None = None
        self._flood = FloodLimit(self._loop.time())
        self._hops = 0
        """How often we were sent to another host since one has let us in."""
        self._hop: asyncio.TimerHandle | None = None

    # ----------------------------------------------------------------------------------------------- coming and going
    async def _enter(self, timeout: float, stuck: str) -> None:
        """Connect, and return when everything is up to date. timeout: seconds, longer if we have to knock. stuck: the
        error text if the host is there but does not let us in. Raises ClientError; the client is closed then."""
        if self._keep:
            try:
                self._saved_seat = claim_seat(
                    self.target, self.name, self._home or data_folder(), self.shares
                )
            except OSError as problem:
                raise ClientError("join", f"the folder for your seats cannot be used: {problem}") from None
        self._connect()
        self._patience(timeout)
        try:
            await self._until_in()
        except TimeoutError:
            code, text = self.code, self.reason or f"{self.target.host}:{self.target.port} is there but {stuck}"
        else:
            if self.stage == "synced":
                return
            code, text = self.code, self.reason
        await self.close()
        raise ClientError(code, text)

    def _patience(self, seconds: float) -> None:
        """Wait at least this long, from now on, until we are let in."""
        self._give_up_at = max(self._give_up_at, self._loop.time() + seconds)

    async def _until_in(self) -> None:
        """Wait until we are let in, or refused. Raises TimeoutError."""
        while self.stage not in ("synced", "closed"):
            left = self._give_up_at - self._loop.time()
            if left <= 0:
                raise TimeoutError
            with contextlib.suppress(TimeoutError):  # the host may have told us to wait longer
                await asyncio.wait_for(self._until(lambda: self.stage in ("synced", "closed")), left)

    async def close(self) -> None:
        """Disconnect; our seat at the host stays ours. Closing twice does no harm."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._hop is not None:
            self._hop.cancel()
        self._absence.over()
        self._disconnect()
        self._saved_seat.release()
        self._set_stage("closed", self.left, "closed")

    def _disconnect(self, linger_ms: int = limits.CLIENT_LINGER_MS) -> None:
        """Close the socket, if it is open. linger_ms: how long unsent frames may still leave."""
        if self._transport is not None:
            transport, self._transport = self._transport, None
            transport.close(linger_ms)

    def _connect(self) -> None:
        try:
            self._transport = Transport(
                self.target, self._saved_seat.pair, self._context, self._received, self._linked
            )
        except zmq.ZMQError as problem:
            self._set_stage("closed", f"{self.target.host}:{self.target.port} cannot be reached: {problem}", "join")
            return
        if self._timer is None:
            self._tick()

    def _connect_anew(self) -> None:
        """Connect with a fresh socket, which reports the next refusal too."""
        if self.stage == "offline" and self._transport is not None:
            self._transport.close(linger_ms=0)
            self._connect()

    def _linked(self, up: bool, text: str, code: str = "offline") -> None:
        """The encrypted connection came up or broke; text, code: why."""
        self._up = up
        if code == BAD_HOST:
            self._disconnect(linger_ms=0)
        if self.stage == "closed":
            return
        if up:
            place = self._transport.place if self._transport is not None else None
            self._prefer([place] if place is not None else [])
            self._heard_at = self._loop.time()
            self._hello_at = -60.0  # a hello on the previous connection is lost
            self._set_stage("joining", "")
            self._hello()
        else:
            text = self._missing(text) if code == "offline" and self._has_been_in() else text
            self._set_stage("closed" if code in ("banned", BAD_HOST) else "offline", text, code)

    # ------------------------------------------------------------------------------------------------ hosts of a club
    def _prefer(self, places: Iterable[tuple[str, int]]) -> None:
        """Try these addresses before the others that we know."""
        self.target = self.target.at([*places, *self.target.places])
        self._absence.where = place_text(self.target.host, self.target.port)

    def _know_places(self, places: Iterable[wire.Place]) -> None:
        """Note where the hosts of this club are, as one of them has told when it let us in. Those that it does not name
        are gone."""
        self._hops = 0
        known = [(one.host, one.port) for one in places]
        if known and self.follows:
            self.target = self.target.at([(self.target.host, self.target.port), *known])
            if self._transport is not None:
                self._transport.know(self.target)

    def _leave_silent(self) -> None:
        """Try the other hosts of the club before the one that does not answer."""
        first, *others = self.target.places
        self.target = self.target.at([*others, first])

    def _redirect(self, there: wire.Elsewhere) -> None:
        """Go to another host of the club, which has our table. A few times at once; then it may be a host that is
        gone, and another one is about to take over."""
        self._hops += 1
        if not self.follows:
            self._disconnect(linger_ms=0)
            self._set_stage("closed", MOVED, "closing")
        elif self._hops > limits.HOPS:
            self._disconnect(linger_ms=0)
            self._set_stage("closed", TOO_MANY_HOPS, "offline")
        elif self._hop is None:
            pause = limits.HOP_S if self._hops > limits.HOPS_AT_ONCE else 0.0
            self._hop = self._loop.call_later(pause, self._connect_to, [(one.host, one.port) for one in there.places])

    def _connect_to(self, places: list[tuple[str, int]], text: str = REDIRECTED) -> None:
        """Connect there. text: why, for people."""
        self._hop = None
        if self.stage == "closed":
            return
        self._prefer(places)
        self._disconnect(linger_ms=0)
        self._linked(False, text)
        self._connect()

    def _missing(self, text: str) -> str:
        """Return a sentence about a host that we knew and cannot reach; find out whether another one is there. text:
        the state of the connection."""
        if self._transport is not None and self._transport.refused:
            self._absence.ask_who_is_there(self.target, self._say_absence, self._connect_anew)
        else:
            self._absence.foreign = False
        return self._absence.words(text)

    def _say_absence(self) -> None:
        if self.stage == "offline":
            self._set_stage("offline", self._absence.words())

    def _long_gone(self) -> None:
        """Say that the host has been gone for ten minutes, or end."""
        self._absence.long = self._has_been_in()
        self._set_stage("offline", self._absence.words())

    def _set_stage(self, stage: Stage, reason: str, code: str = "offline") -> None:
        if self.stage == "closed" or (stage, reason) == (self.stage, self.reason):
            return
        self.stage, self.reason, self.code = stage, reason, code
        self._stage_changed()

    def _received(self, frame: bytes) -> None:
        """Take a wire frame from the host. End the connection if the frame is impossible for a host, or too much;
        nothing is read afterwards."""
        if self.stage == "closed":
            return
        try:
            self._flood.frame(len(frame), self._loop.time())
            message = codec.unpack_down(frame)
            self._consistency.check(message)
            self._heard_at = self._loop.time()
            self._flood.message(message, self._heard_at)
            self._take(message)
        except codec.WireError as problem:
            self._end_distrusted(problem)
        except Flooded:
            self._set_stage("closed", FLOODED, BAD_HOST)
        if self.stage == "closed":
            self._disconnect(linger_ms=0)

    def _end_distrusted(self, problem: codec.WireError) -> None:
        """End the connection for good, because the host has sent something impossible. Its own words are not
        repeated."""
        self._disconnect(linger_ms=0)
        self._set_stage("closed", distrust(problem.place), BAD_HOST)

    def end_for(self, error: BaseException) -> None:
        """End the connection for good, because a message of the host has led to an internal error."""
        self._disconnect(linger_ms=0)
        self._set_stage("closed", distrust_for(error), BAD_HOST)

    def _send(self, message: wire.Up) -> bool:
        """Send a message if the connection can take it now; return whether it did."""
        return self._transport is not None and self._transport.send(codec.pack(message))

    def _tick(self) -> None:
        """Run due work and reschedule: say hello until we are let in, then stay in touch."""
        self._timer = self._loop.call_later(limits.CLIENT_TICK_S, self._tick)
        now = self._loop.time()
        if self.stage != "offline":
            self._offline_at = now
        elif now - self._offline_at > limits.BOT_GIVES_UP_S:
            self._long_gone()
        if not self._up or self.stage == "closed":
            return
        if not self._is_let_in():
            if now - self._hello_at > limits.RESEND_S:
                self._hello()
        elif self._is_host_silent(now):
            self._host_is_silent(now)
        else:
            self._keep_in_touch(now)

    def _is_host_silent(self, now: float) -> bool:
        """Whether the host has sent nothing for too long."""
        return now - self._heard_at > self._heartbeat_s() * limits.SILENT_HEARTBEATS

    def _has_been_in(self) -> bool:
        """Whether the host has ever let us in, so that we wait for it."""
        return False

    # ----------------------------------------------------------------------------------------- what subclasses define
    @abstractmethod
    def _stage_changed(self) -> None:
        """Tell the subscribers that the stage has changed."""

    @abstractmethod
    def _hello(self) -> None:
        """Send our hello."""

    @abstractmethod
    def _take(self, message: wire.Down) -> None:
        """Take a message of the host that fits its earlier messages. Raises WireError if it turns out not to fit."""

    @abstractmethod
    def _is_let_in(self) -> bool:
        """Whether the host has answered our hello."""

    @abstractmethod
    def _heartbeat_s(self) -> float:
        """How often the host expects to hear from us, in seconds."""

    @abstractmethod
    def _keep_in_touch(self, now: float) -> None:
        """Send due messages. now: seconds of the loop's clock."""

    @abstractmethod
    def _host_is_silent(self, now: float) -> None:
        """React to a host that has been silent for too long."""

    # ------------------------------------------------------------------------------------------------------ listening
    async def wait_for(self, condition: Callable[[Self], bool], timeout: float | None = 10.0) -> None:
        """Wait until condition(self) holds, even if only for a moment. timeout: seconds; None: as long as it takes.

        Raises asyncio.TimeoutError, and ClientError if the client is closed before."""
        await asyncio.wait_for(self._until(lambda: condition(self) or self.stage == "closed"), timeout)
        if self.stage == "closed" and not condition(self):
            raise ClientError(self.code, self.reason)

    def _subscribe(self, callback: Callable[..., None]) -> Callable[[], None]:
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback) if callback in self._subscribers else None

    def _tell(self, *what: object) -> None:
        """Call all subscribers, and wake up the tasks that wait for a condition."""
        for callback in list(self._subscribers):
            try:
                callback(*what)
            except Exception as problem:  # the other subscribers are still called
                if not self.trusted:
                    self.end_for(problem)
                    continue
                context = {"message": "a subscriber of the client failed", "exception": problem}
                self._loop.call_exception_handler(context)
        self._changed.set()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._changed.clear()
            await self._changed.wait()
