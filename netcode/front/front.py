"""The front itself: accepts clients, opens connections to the host, and ranks or ends them as the host says."""

import asyncio
import logging
import random
import socket
from collections import Counter, deque
from collections.abc import Coroutine
from typing import Any

from netcode.front.admission import Admission
from netcode.front.channel import NAMES, ChannelFull, hand_over, has_loopback_addresses, heard, tell
from netcode.front.door import Caller, Door, close
from netcode.front.guests import GuestChannel
from netcode.front.relay import ClientSide, HostSide, Rank, Relay, prepare_client
from netcode.front.settings import Settings
from netcode.front.turnstile import Turnstile
from netcode.front.words_line import WordsLine

LOG = logging.getLogger("kickdoor.front")
SWEEP_S = 0.25
"""The pause between two searches for newcomers that are late (s)."""
HELD_S = 5.0
"""How long a newcomer waits for a host that is being started; its own ZeroMQ gives up then."""
WARN_S = 10.0
"""The pause between two warnings that clients cannot be connected (s)."""
BUFFER_BYTES = 64 * 1024
"""The system's buffer for a connection to the host, in each direction (bytes)."""
RANKS: tuple[Rank, ...] = ("newcomer", "guest", "seated")


class Front:
    """Relays between clients and one host after another.

    channel: the front's end of the channel to the host. room: how many connections this process can have; door: how
    many more may wait that have not said HELLO. by_address: name connections by loopback addresses; else by ports.
    guests: the front's end of a channel to an SSH door, if there is one."""

    def __init__(
        self, settings: Settings, channel: socket.socket, room: int, door: int, by_address: bool | None = None,
        guests: socket.socket | None = None,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.reasons: Counter[str] = Counter()
        """Why connections ended."""
        self._channel, self._room = channel, room
        self._by_address = has_loopback_addresses() if by_address is None else by_address
        self._admission = Admission(settings, room)
        self._door = Door(settings, door, self._enter, self._enter_with_words, self.reasons)
        self._guests = GuestChannel(guests, self._door.take, self.reasons) if guests is not None else None
        self._words_line = WordsLine(settings, self._hand_over)
        self._turnstile = Turnstile(settings.handshakes)
        self._loop = asyncio.get_running_loop()
        self._rng = random.SystemRandom()
        self._port = self._pid = 0
        self._named: dict[str, Relay] = {}
        self._held: dict[Relay, None] = {}
        """Newcomers that wait for a host."""
        self._untold: deque[tuple[str, ...]] = deque([("started",)])
        """Datagrams that the host has not taken yet. There is at most one for each connection, since no connection is
        opened while the host takes nothing."""
        self._warned_at = -WARN_S
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def open(self, listener: socket.socket) -> None:
        """Begin to accept clients, and ask the host where it listens."""
        self._loop.add_reader(self._channel, self._read_channel)
        self._tell_untold()
        self._door.open(listener)
        if self._guests is not None:
            self._guests.open()
        self._sweep()

    async def close(self, patience_s: float) -> None:
        """Accept nobody any more, end all connections in order, and wait for the host to close its sides."""
        if self._guests is not None:
            self._guests.close()
        self._door.close()
        self._turnstile.close()
        self._words_line.close()
        if self._timer is not None:
            self._timer.cancel()
        for relay in self._admission.relays():
            relay.end("closing")
        until = self._loop.time() + patience_s
        while len(self._admission) and self._loop.time() < until:
            await asyncio.sleep(0.01)
        self._loop.remove_reader(self._channel)

    def figures(self) -> dict[str, object]:
        """Return the numbers of connections, and why others ended."""
        return {"front": self._admission.counts(), "door": len(self._door), "ended": dict(self.reasons)}

    # ------------------------------------------------------------------------------------------------------- clients
    def _enter(self, caller: Caller) -> None:
        """Begin a relay for a client that has sent HELLO, and end the connection that has to make room for it."""
        relay = Relay(self, caller.address, caller.framing, caller.frames)
        if not self._admission.has_room:
            self.reasons["full"] += 1
            self._warn("there is no room for another connection beside %d others", len(self._admission))
            close(caller.sock, abruptly=True)
            return
        goes = self._admission.add(relay, self._loop.time())
        if goes is not None:
            goes.end("room", abruptly=True)
        self._do(self._begin(relay, caller.sock))

    def _enter_with_words(self, caller: Caller) -> None:
        """Let a client with short words wait for its turn."""
        self.reasons["words"] += 1
        self._words_line.add(caller.sock, caller.address, caller.call)

    def _hand_over(self, sock: socket.socket, call: bytes) -> None:
        """Give a client with short words to the host. Raises OSError."""
        if not self._port or self._untold:
            raise ChannelFull("there is no host now")
        hand_over(self._channel, sock, "words", call.hex())

    async def _begin(self, relay: Relay, sock: socket.socket) -> None:
        """Read this client from now on, and open a connection to the host for it."""
        try:
            prepare_client(sock, self.settings)
            await self._loop.connect_accepted_socket(lambda: ClientSide(relay), sock)
        except OSError as problem:
            LOG.debug("a client was gone before its socket was set up: %s", problem)
            sock.close()
            relay.client_gone()
        await self._lead(relay)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _warn(self, text: str, what: object) -> None:
        """Log a warning, at most one of these every WARN_S."""
        if self._loop.time() - self._warned_at > WARN_S:
            self._warned_at = self._loop.time()
            LOG.warning(text, what)

    def _sweep(self) -> None:
        """Send away the newcomers whose time is over, and reschedule."""
        self._timer = self._loop.call_later(SWEEP_S, self._sweep)
        now = self._loop.time()
        self._door.sweep(now)
        for relay in self._admission.late(now):
            relay.end("late")
        self._tell_untold()

    # ---------------------------------------------------------------------------------------------- what relays need
    def wait_for_turn(self, relay: Relay) -> None:
        """Let a newcomer finish the handshake when it is its turn."""
        self._turnstile.add(relay)

    def count_bytes(self, relay: Relay, sent: int, now: float) -> None:
        """Count bytes of an unseated connection. Raises Violation."""
        self._admission.count_bytes(relay, sent, now)

    def ended(self, relay: Relay, reason: str) -> None:
        """Note that a client is gone."""
        self.reasons[reason] += 1
        self._held.pop(relay, None)
        self._admission.ended(relay)

    def closed(self, relay: Relay) -> None:
        """Forget a connection."""
        self._admission.closed(relay)
        if relay.name and self._named.get(relay.name) is relay:
            self._forget(relay.name)

    # ------------------------------------------------------------------------------------------------------- the host
    async def _lead(self, relay: Relay) -> None:
        """Open a connection to the host for a newcomer; or let it wait for the host."""
        if relay.over:
            relay.not_connected()
        elif self._port:
            relay.opening = True
            await self._connect(relay, self._port)
        else:
            relay.opening = False  # if its client leaves, forget it at once
            relay.due = self._loop.time() + HELD_S
            self._held[relay] = None

    async def _connect(self, relay: Relay, port: int) -> None:
        sock = socket.socket()
        try:
            self._name(relay, sock)
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                sock.setsockopt(socket.SOL_SOCKET, buffer, BUFFER_BYTES)
            await self._loop.sock_connect(sock, ("127.0.0.1", port))
            await self._loop.create_connection(lambda: HostSide(relay), sock=sock)
        except OSError as problem:
            sock.close()
            await self._not_connected(relay, port, problem)

    def _name(self, relay: Relay, sock: socket.socket) -> None:
        """Bind the socket, name the connection after where it is bound, and tell the host. Raises OSError."""
        address = "127.0.0.1"
        while self._by_address and (address in self._named or address == "127.0.0.1"):
            address = str(NAMES[self._rng.randrange(1, NAMES.num_addresses - 1)])
        sock.bind((address, 0))
        relay.name = address if self._by_address else str(sock.getsockname()[1])
        if self._untold:
            raise ChannelFull("the host does not read its channel")
        tell(self._channel, "new", relay.name, relay.address)
        self._named[relay.name] = relay

    async def _not_connected(self, relay: Relay, port: int, problem: OSError) -> None:
        """Let a newcomer wait for the next host if this one has ended. End it if the connection failed for another
        reason."""
        if relay.name in self._named:
            self._forget(relay.name)
        relay.name = ""
        if isinstance(problem, ConnectionRefusedError) and not relay.over:
            if port == self._port:
                self._port = 0  # it has ended; the next one says where it listens
            await self._lead(relay)
            return
        if not relay.over:
            self._warn("a client could not be connected to the host: %s", problem)
        relay.end("refused", abruptly=True)
        relay.not_connected()

    def _forget(self, name: str) -> None:
        del self._named[name]
        self._untold.append(("gone", name))
        self._tell_untold()

    def _tell_untold(self) -> None:
        """Tell the host as much as it takes now."""
        while self._untold:
            try:
                tell(self._channel, *self._untold[0])
            except ChannelFull:
                return  # the next sweep tries again
            self._untold.popleft()

    def _read_channel(self) -> None:
        for words in heard(self._channel):
            try:
                self._hear(*words)
            except (ValueError, TypeError) as problem:
                LOG.error("the host said something that the front does not understand: %s", problem)

    def _hear(self, what: str, *words: str) -> None:
        """Do what the host says. Raises ValueError, TypeError."""
        if what == "host":
            self._new_host(*map(int, words))
        elif what == "heard":
            for name, count in zip(words[::2], map(int, words[1::2])):
                if name in self._named:
                    self._named[name].unheard = max(0, self._named[name].unheard - count)
        elif (relay := self._named.get(words[0])) is None:
            return  # it is gone, and the host does not know yet
        elif what == "close":
            relay.end("sent away", abruptly=True)
        elif what not in RANKS:
            raise ValueError(what)
        elif not self._admission.promote(relay, what, self._loop.time()):
            relay.end("room")

    def _new_host(self, port: int, room: int, pid: int) -> None:
        """Use the host that listens at this port and can have this many connections. If it is a new one, end the
        connections to the old one."""
        self._admission.room = min(room, self._room)
        if pid != self._pid:
            for relay in list(self._named.values()):
                relay.end("host")
        self._port, self._pid = port, pid
        held, self._held = list(self._held), {}
        for relay in held:
            self._do(self._lead(relay))
