"""The listener: takes SSH connections, and begins a session for each guest that the gate lets in.

It offers a session and nothing else: no other command than our words, no subsystem (sftp), no forwarding of ports,
sockets, agents or screens. Each of these is refused because the library asks and nobody here answers yes.
"""

import asyncio
import logging
import socket
from collections.abc import Sequence
from contextlib import suppress

import asyncssh
from msgspec import Struct

from netcode.door import wishes
from netcode.door.admission import Admission, Stranger, plain_address
from netcode.door.announcement import command
from netcode.door.door_log import DoorLog
from netcode.door.gate import Entry, Gate, Login, Question, inside
from netcode.door.guest_session import GuestSession
from netcode.door.identities import identity_of
from netcode.door.interfaces import HostingError
from netcode.door.line import BEGIN_S, Line, options, refusal
from netcode.door.session import Guest
from netcode.door.sessions import DoorFull, Sessions
from netcode.protocol.credentials import JoinError, parse_join
from netcode.protocol.origins import label_of
from netcode.token_bucket import TokenBucket

LOG = logging.getLogger("kickdoor.door.listener")
AT_ONCE = 16
"""Connections that are taken before others get their turn."""
FULL_S = 0.5
"""How long newcomers wait when this process has no free descriptor."""
TOLD, TOLD_S = 64, 1.0
"""How many refused connections at a time are told why, and how long they have to read it (s). Others are only
closed."""
IDLE_S = 30.0
"""How long a guest's connection may have no session."""
BEGINNINGS = (0.5, 8.0)
"""The rate at which one identity may begin sessions (per second), and the largest burst."""
IDENTITIES = 4096
"""Identities whose rates are remembered."""


class Parts(Struct):
    """What a listener works with. key: the door's private key."""

    gate: Gate
    sessions: Sessions
    log: DoorLog
    key: asyncssh.SSHKey


class Listener:
    """Listens on a socket until `close`."""

    def __init__(self, sock: socket.socket, parts: Parts) -> None:
        self.parts, self._sock = parts, sock
        self._loop = asyncio.get_running_loop()
        self.admission = Admission(self._loop.time)
        self._options = options(parts.key)
        self._beginnings: dict[str, TokenBucket] = {}
        self._connecting: set[asyncio.Task[None]] = set()
        self._connections: set[Visitor] = set()
        self._told: set[socket.socket] = set()
        """Connections that are refused, and have some time to read why."""
        sock.setblocking(False)
        self._loop.add_reader(sock, self._take)

    def close(self) -> None:
        """Take no more connections."""
        self._loop.remove_reader(self._sock)
        self._sock.close()
        for sock in list(self._told):
            self._told_enough(sock)

    def end_connections(self) -> None:
        """End every connection: after the sessions have ended."""
        for one in list(self._connections):
            one.line.disconnect(asyncssh.DISC_BY_APPLICATION, "the door closes")

    def _take(self) -> None:
        for _ in range(AT_ONCE):
            try:
                sock, peer = self._sock.accept()
            except (BlockingIOError, ConnectionError):
                return
            except OSError as problem:
                LOG.error("a connection cannot be taken: %s", problem.strerror)
                self._loop.remove_reader(self._sock)
                self._loop.call_later(FULL_S, self._take_again)
                return
            address = plain_address(peer)
            if why := self.admission.refusal(address):
                self.parts.log.refused(why, address)
                self._refuse(sock, why)
                continue
            visitor = Visitor(self, address)
            self._connections.add(visitor)
            task = self._loop.create_task(self._connect(sock, visitor))
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)

    def _refuse(self, sock: socket.socket, why: str) -> None:
        """Say why, in the way that an ssh client shows, if few enough others are being told; then close."""
        if len(self._told) >= TOLD:
            sock.close()
            return
        with suppress(OSError):
            sock.setblocking(False)
            sock.send(refusal(f"this door takes no more connections now ({why}); try again in a minute"))
            sock.shutdown(socket.SHUT_WR)
        self._told.add(sock)
        self._loop.call_later(TOLD_S, self._told_enough, sock)

    def _told_enough(self, sock: socket.socket) -> None:
        self._told.discard(sock)
        sock.close()

    def _take_again(self) -> None:
        if self._sock.fileno() >= 0:
            self._loop.add_reader(self._sock, self._take)

    async def _connect(self, sock: socket.socket, visitor: "Visitor") -> None:
        sock.setblocking(False)
        try:
            await self._loop.connect_accepted_socket(lambda: visitor.line, sock)
        except OSError as problem:
            LOG.debug("a connection has ended early: %s", problem)
            sock.close()
            visitor.gone()

    def new_line(self, visitor: "Visitor") -> Line:
        """Return the connection of a visitor."""
        chosen = asyncssh.SSHServerConnectionOptions(self._options, server_factory=lambda: visitor)
        return Line(self._loop, chosen)

    def forget(self, visitor: "Visitor") -> None:
        """Note that a connection has ended."""
        self._connections.discard(visitor)

    # ------------------------------------------------------------------------------------------------------- sessions
    def guest(self, visitor: "Visitor", session: GuestSession) -> Guest:
        """Return the guest whose session begins. Raises UnknownWish, DoorFull, HostingError, OSError."""
        entry = visitor.login.entry
        assert entry is not None, "sessions are for those who have come in"
        what = wishes.read_command(session.command)
        self._count_beginning(entry.identity)
        join = self._way(entry, what)
        identities = self.parts.gate.identities
        here = [one.guest.identity for one in self.parts.sessions.all()]
        known = identities.enter(entry.identity, visitor.login.user, entry.join, here)
        reader = identity_of(f"help {entry.identity}".encode())  # reading the page does not end the reader's game
        identity = reader if what == "help" else entry.identity
        return Guest(
            identity, known.name, str(identities.folder(identity).resolve()), join,
            label_of(entry.identity), session.environment(), session.size, what, visitor.door(),
            identities.give_code(entry.identity) if entry.keyless else "",
        )  # fmt: skip

    def _way(self, entry: Entry, what: str) -> str:
        """Return the string for what a guest wants. Raises UnknownWish."""
        strings = self.parts.gate.tables.strings
        word = what.partition(" ")[0]
        chosen = {"watch": strings.watch, "lobby": strings.lobby, "table": strings.lobby}.get(word, entry.join)
        try:
            return inside(parse_join(chosen))
        except JoinError:
            raise wishes.UnknownWish(f"the host behind this door has nothing for `{word}`") from None

    def _count_beginning(self, identity: str) -> None:
        """Raises DoorFull if an identity comes in too often."""
        bucket = self._beginnings.pop(identity, None) or TokenBucket(BEGINNINGS, self._loop.time())
        self._beginnings[identity] = bucket
        if len(self._beginnings) > IDENTITIES:
            del self._beginnings[next(iter(self._beginnings))]
        if bucket.take(self._loop.time()):
            raise DoorFull("you come in too often; try again in a few seconds")

    def left(self, identity: str, address: str) -> None:
        """Note that a session has ended."""
        self.parts.log.guest("out", identity, address)
        if self.parts.sessions.of(identity) is None:
            self.parts.gate.identities.left(identity)


class Visitor(asyncssh.SSHServer):
    """One connection, as the library asks about it. address: the ssh client's."""

    def __init__(self, listener: Listener, address: str) -> None:
        self._listener, self.address = listener, address
        self.login = Login(listener.parts.gate, address)
        self._loop = asyncio.get_running_loop()
        self.line = listener.new_line(self)
        self.line.keeper = self
        self._stranger = Stranger(address, self.line.abort)
        listener.admission.add(self._stranger)
        self._session: GuestSession | None = None
        self._timer: asyncio.TimerHandle | None = self._loop.call_later(BEGIN_S, self.line.abort)

    # ---------------------------------------------------------------------------------------------------- who it is
    def begin_auth(self, username: str) -> bool:
        """Note the user name."""
        self._set_timer(None)
        self.login.begin(username)
        return True

    def public_key_auth_supported(self) -> bool:
        """Whether keys are looked at."""
        return self.login.wants_keys

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Whether a signature with this key is of any use."""
        return self.login.may_sign(key)

    def signed(self, public_data: bytes) -> bool:
        """Note a right signature. Returns whether it is enough to come in."""
        return self.login.signed(public_data)

    def password_auth_supported(self) -> bool:
        """Return False: passwords are asked for by keyboard-interactive authentication."""
        return False

    def kbdint_auth_supported(self) -> bool:
        """Whether the guest may be asked."""
        return self.login.asks

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Question | bool:
        """Return what to ask."""
        return self.login.question()

    async def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> Question | bool:
        """Return whether the guest comes in, or what to ask next."""
        return await self.login.answer(list(responses))

    def auth_completed(self) -> None:
        """Begin to be a guest."""
        if self.login.entry is None:  # nothing leads here; whoever it is has no identity
            LOG.error("somebody was let in without an identity: their connection ends")
            self.line.abort()
            return
        self._stranger.let_in = True
        self._listener.parts.log.guest("in", self.login.entry.identity, self.address)
        self._wait_for_session()

    # ---------------------------------------------------------------------------------------------------- its session
    def session_requested(self) -> "tuple[asyncssh.SSHServerChannel[bytes], GuestSession] | bool":
        """Return a session: one at a time."""
        if self._session is not None or self.login.entry is None:
            return False
        self._set_timer(None)
        channel = self.line.channel()
        self._session = GuestSession(self, channel)
        return channel, self._session

    async def begin(self, session: GuestSession) -> None:
        """Begin the guest's program."""
        parts = self._listener.parts
        try:
            guest = self._listener.guest(self, session)
            started = await parts.sessions.start(guest, session)
        except (wishes.UnknownWish, DoorFull, HostingError) as problem:
            session.refuse(f"{problem}")
            return
        except OSError as problem:
            LOG.error("a session cannot begin: %s", problem.strerror)
            session.refuse("the door cannot open a screen for you now; its log says why")
            return
        started.over.add_done_callback(lambda over: self._listener.left(guest.identity, self.address))
        session.begun(started)

    def session_over(self) -> None:
        """Note that the channel of the session is closed."""
        self._session = None
        self._wait_for_session()

    def gone(self) -> None:
        """Note that the connection has ended."""
        self._set_timer(None)
        self._listener.admission.remove(self._stranger)
        self._listener.forget(self)

    # ---------------------------------------------------------------------------------------------------------- parts
    def door(self) -> str:
        """Return the command with which this guest comes here: by the address at which they arrived."""
        here = self.line.get_extra_info("sockname")
        return command(plain_address(here), here[1])

    def _wait_for_session(self) -> None:
        def end() -> None:
            self.line.disconnect(asyncssh.DISC_BY_APPLICATION, "nothing was asked for")

        self._set_timer(self._loop.call_later(IDLE_S, end))

    def _set_timer(self, timer: asyncio.TimerHandle | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

