"""The ZeroMQ side of a client: one DEALER socket, drained from the loop, and the monitor that watches it."""

import asyncio
from collections.abc import Callable
from typing import Any

import zmq

from netcode.client.flood import BAD_HOST, FLOODED
from netcode.client.monitor import Monitor
from netcode.client.route import ATTEMPT_S, FIRST_S, first_to_answer, is_plain, places_of, reached
from netcode.protocol import limits
from netcode.protocol.credentials import Join, KeyPair, place_text
from netcode.protocol.sockets import MONITORED_EVENTS, ZAP_DENIED, SocketReader, dealer

_OLD = "the join string is old, damaged, or of another host"
_FROZEN = "the host there is frozen or overloaded, or it is another program"
_NOBODY = "a tunnel (ssh -L) or a forwarded port with no host behind it; is the host running, is the port right?"
_LATE = 0.8
"""The part of the time for a handshake after which an end of the connection means that the time was over."""


class Transport:
    """Connects, reconnects, and calls back.

    received(frame): a wire frame came. linked(up, text, code): the encrypted connection came up, or failed; text: the
    reason for people; code: the reason as a word (banned, BAD_HOST: trying again is useless; else offline).
    """

    def __init__(
        self,
        target: Join,
        pair: KeyPair,
        context: Any,
        received: Callable[[bytes], None],
        linked: Callable[[bool, str, str], None],
    ) -> None:
        """Raises zmq.ZMQError for an impossible address."""
        self._own_context: Any = zmq.Context() if context is None else None
        self._received, self._linked = received, linked
        self._where = f"{target.host}:{target.port}"
        self._was_up = self._refused = self._sure = False
        """Whether there was a connection, whether a connection was accepted and then ended, and whether we know why."""
        used: Any = self._own_context if context is None else context
        self._sock = dealer(used, pair, target.key)
        self._monitor = Monitor(self._sock.get_monitor_socket(MONITORED_EVENTS), self._watch, self._flooded)
        self._reader = SocketReader(self._sock, self._read)
        self._monitor.start()
        self._endpoint = ""
        self.know(target)
        self._route: asyncio.Task[None] | None = None
        try:
            if self._fixed:
                self._connect(target.endpoint)
            else:
                self._reroute()
        except zmq.ZMQError:
            self.close(linger_ms=0)
            raise

    @property
    def refused(self) -> bool:
        """Whether the last attempt to connect ended in the handshake."""
        return self._refused

    @property
    def place(self) -> tuple[str, int] | None:
        """Which of the target's addresses it connects to, None if that is none of them as it is written there."""
        at = self._target.at
        return next((one for one in self._target.places if at([reached(one)]).endpoint == self._endpoint), None)

    def know(self, target: Join) -> None:
        """Use these addresses from the next lost connection on."""
        self._target = target
        here = (target.host, target.port)
        self._fixed = is_plain(target.host) and not target.others and reached(here) == here
        """Whether there is one address only."""

    def send(self, frame: bytes) -> bool:
        """Send a wire frame if the connection can take it now; return whether it did."""
        try:
            self._sock.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        self._reader.again()
        return True

    def close(self, linger_ms: int = limits.CLIENT_LINGER_MS) -> None:
        """Disconnect. linger_ms: how long unsent frames may still leave."""
        if self._sock.closed:
            return
        if self._route is not None:
            self._route.cancel()
        self._reader.close()
        self._sock.disable_monitor()
        self._monitor.join()
        self._sock.close(linger=linger_ms)
        if self._own_context is not None:
            self._own_context.term()

    def _connect(self, endpoint: str) -> None:
        """Connect there, and no longer to another address."""
        if endpoint != self._endpoint:
            if self._endpoint:
                self._sock.disconnect(self._endpoint)
            self._sock.connect(endpoint)
            self._endpoint = endpoint

    def _reroute(self, after: float = 0.0) -> None:
        """Find the address of the host at which something listens, unless that goes on already. after: s."""
        if self._route is None or self._route.done():
            self._route = asyncio.get_running_loop().create_task(self._find_route(after))

    def _next(self) -> None:
        """Try the other addresses before the one that has just failed, if there are any."""
        first, *others = self._target.places
        if others:
            self._target = self._target.at([*others, first])
            self._where = place_text(self._target.host, self._target.port)
            self._refused = self._sure = False
            self._reroute(limits.HOP_S)

    async def _find_route(self, after: float) -> None:
        await asyncio.sleep(after)
        while not self._sock.closed:
            try:
                places = await places_of(self._target.places)
                start_s = FIRST_S if self._target.others else ATTEMPT_S
                place = places[0] if len(places) == 1 else await first_to_answer(places, start_s)
                if place:
                    self._connect(self._target.at([place]).endpoint)
                    return
                problem = self._nobody()
            except OSError as error:
                problem = f"the address of {self._target.host} is not known here: {error.strerror or error}"
            except zmq.ZMQError as error:
                problem = f"{self._where} cannot be reached: {error}"
            self._linked(False, problem, "offline")
            await asyncio.sleep(limits.RECONNECT_MAX_MS / 1000)

    def _nobody(self) -> str:
        return f"nobody answers at {self._where}: is the host running, is the address right?"

    def _read(self, sock: Any) -> None:
        frame = sock.recv(zmq.NOBLOCK)
        if sock.getsockopt(zmq.RCVMORE):
            self._flooded()  # each message of an honest host has one part
            return
        self._monitor.took(len(frame))
        self._received(frame)

    def _flooded(self) -> None:
        if not self._sock.closed:
            self.close(linger_ms=0)
            self._linked(False, FLOODED, BAD_HOST)

    def _watch(self, event: int, value: int, heard: int, after_ms: int) -> None:
        if self._sock.closed:
            return
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self._refused, self._sure, self._was_up = False, False, True
            self._linked(True, "", "")
        elif self._sure:
            return  # retries after that bring no news
        elif event == zmq.EVENT_CONNECT_RETRIED:
            if not self._refused:
                self._linked(False, self._nobody(), "offline")
            if not self._fixed:
                self._reroute()  # the host may listen at another address of its name by now
        elif event == zmq.EVENT_DISCONNECTED and self._was_up:
            self._was_up = False
            self._linked(False, f"the connection to {self._where} was lost", "offline")
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH and value == ZAP_DENIED:
            self._refused = self._sure = True
            self._linked(False, f"{self._where} does not let you in: you were sent away for good", "banned")
        else:  # the next try may tell more, if the connection ended before anybody could look at it
            late = after_ms >= limits.CLIENT_HANDSHAKE_MS * _LATE
            self._refused, self._sure = self._refused or event != zmq.EVENT_DISCONNECTED, heard >= 0 or late
            self._linked(False, not_connected(self._where, heard, late), "offline")
            if self._sure:
                self._next()


def not_connected(where: str, heard: int, late: bool) -> str:
    """Return why there is no encrypted connection although one was accepted. heard: the bytes that came, -1 if that is
    unknown; late: whether the time for a handshake was over."""
    if late:
        return f"{where} takes the call and says {'nothing more' if heard > 0 else 'nothing'}: {_FROZEN}"
    if heard == 0:
        return f"{where} takes the call and hangs up at once: {_NOBODY}"
    if heard > 0:
        return f"{where} refused the key: {_OLD}"
    return f"{where} hung up: no host there now, or {_OLD}"
