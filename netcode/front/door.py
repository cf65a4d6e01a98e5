"""The door: accepts connections, and holds each until its client has sent a CURVE HELLO. Then a relay takes over. Or a
client shows short words: its first bytes are those of a call (netcode/short_words/frames.py), and it gets in line.

Anybody can open connections as fast as the network allows. So before HELLO a connection costs only a descriptor and a
few system calls: it has no transport, and no connection to the host. ZMTP peers wait for each other within their
greetings, so the door sends a host's greeting itself; the relay later drops the one that the host sends.
"""

import asyncio
import ipaddress
import logging
import selectors
import socket
import struct
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from netcode.front.framing import GREETING, HELLO, Framing, Violation
from netcode.front.settings import Settings
from netcode.short_words.frames import CALL, MAGIC

LOG = logging.getLogger("kickdoor.front")
ACCEPTS = 8
"""Connections that are accepted before other work gets its turn: each takes as long as a frame of a player."""
PAUSE_S = 0.1
"""How long the door accepts nobody after the system could not open a descriptor."""
SERVER_GREETING = b"\xff" + bytes(7) + b"\x01\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + bytes(32)
"""What libzmq 4.3 sends as a greeting: version 3.1, mechanism CURVE."""
_ABRUPTLY = struct.pack("ii", 1, 0)
_SILENT, _SIGNED, _GREETED = range(3)


class Caller:
    """A connection at the door. address: its client's; due: when it must have said HELLO (s of the loop's clock); step:
    how far it has got, one of the three above; frames: the whole frames that it has sent so far; call: the bytes of a
    call for short words that it has sent so far."""

    __slots__ = ("address", "call", "due", "frames", "framing", "got", "sock", "step", "watched")

    def __init__(self, sock: socket.socket, address: str, due: float) -> None:
        self.sock, self.address, self.due = sock, address, due
        self.step, self.got = _SILENT, 0
        self.framing, self.frames = Framing(HELLO), list[bytes]()
        self.call = b""
        self.watched = False

    def take(self, data: bytes) -> None:
        """Take in what the client has sent. Raises Violation."""
        if self.call or (not self.got and data.startswith(MAGIC[:1])):
            self.call += data
            if len(self.call) > CALL or self.call[: len(MAGIC)] != MAGIC[: len(self.call)]:
                raise Violation("words")
        else:
            self.frames += [frame.data for frame in self.framing.feed(data)]
        self.got += len(data)

    @property
    def how_far(self) -> int:
        """Which step the client has reached."""
        if self.call or self.framing.is_greeted:
            return _GREETED
        return int(self.framing.is_signed)


class Door:
    """The connections that have not said HELLO. room: how many there may be; enter(caller): takes over one that has,
    with its socket; words(caller): one that has shown short words; reasons: counts why connections ended."""

    def __init__(
        self, settings: Settings, room: int, enter: Callable[[Caller], None], words: Callable[[Caller], None],
        reasons: Counter[str],
    ) -> None:  # fmt: skip
        self._settings, self._enter, self._words, self._reasons = settings, enter, words, reasons
        self._room = min(room, settings.callers)
        self._loop = asyncio.get_running_loop()
        self._listener: socket.socket | None = None
        self._callers: dict[str, tuple[dict[Caller, None], ...]] = {}
        """The callers of each address, grouped by their step, the oldest first in each group."""
        self._counts = Counter[str]()
        self._selector = selectors.DefaultSelector()
        """Watches the connections at the door: the loop's own readers are slower when so many come and go."""
        self._loop.add_reader(self._selector.fileno(), self._read_all)

    def __len__(self) -> int:
        return self._counts.total()

    def open(self, listener: socket.socket) -> None:
        """Begin to accept."""
        self._listener = listener
        self._loop.add_reader(listener, self._accept)

    def close(self) -> None:
        """Accept nobody any more, and end all connections at the door."""
        if self._listener is not None:
            self._loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None
        for caller in self._all():
            self._end(caller, "closing")
        self._loop.remove_reader(self._selector.fileno())
        self._selector.close()

    def sweep(self, now: float) -> None:
        """End the connections whose time is over."""
        for caller in self._all():
            if now > caller.due:
                self._end(caller, "late")

    def _all(self) -> list[Caller]:
        return [caller for steps in self._callers.values() for callers in steps for caller in callers]

    # ----------------------------------------------------------------------------------------------------------- coming
    def _accept(self) -> None:
        """Accept some of the connections that wait."""
        assert self._listener is not None
        now = self._loop.time()
        for _ in range(ACCEPTS):
            try:
                sock, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionError:
                continue  # it is gone already
            except OSError as problem:
                self._pause(problem)
                return
            self._read(Caller(sock, plain(str(peer[0])), now + self._settings.handshake_s))

    def take(self, sock: socket.socket, address: str) -> None:
        """Take over a connection that somebody else has accepted. address: what its client counts as."""
        self._read(Caller(sock, address, self._loop.time() + self._settings.handshake_s))

    def _pause(self, problem: OSError) -> None:
        """Accept nobody for a moment: the system is short of something."""
        LOG.warning("no connection can be accepted for a moment: %s", problem)
        assert self._listener is not None
        self._loop.remove_reader(self._listener)
        self._loop.call_later(PAUSE_S, self._resume)

    def _resume(self) -> None:
        if self._listener is not None:
            self._loop.add_reader(self._listener, self._accept)

    def _read_all(self) -> None:
        """Read from all connections at the door that have sent something."""
        for key, _ in self._selector.select(0):
            if key.data.watched:  # it may have been ended just now
                self._read(key.data)

    def _read(self, caller: Caller) -> None:
        """Read what a client sends, up to the end of its HELLO."""
        try:
            data = caller.sock.recv(GREETING + 2 + HELLO - caller.got, socket.MSG_DONTWAIT)
            if not data:
                self._end(caller, "left")
                return
            caller.take(data)
            if not caller.step and caller.framing.is_signed:
                caller.sock.send(SERVER_GREETING, socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError):
            self._keep(caller, caller.step)
        except OSError:
            self._end(caller, "left")
        except Violation as violation:
            self._end(caller, str(violation), abruptly=True)
        else:
            if caller.framing.has_hello:
                self._forget(caller)
                self._enter(caller)
            elif len(caller.call) == CALL:
                self._forget(caller)
                self._words(caller)
            else:
                self._keep(caller, caller.how_far)

    def _keep(self, caller: Caller, step: int) -> None:
        """Keep a connection at the door, at this step."""
        if caller.watched:
            steps = self._callers[caller.address]
            del steps[caller.step][caller]
        else:
            self._make_room(caller.address)
            steps = self._callers.setdefault(caller.address, ({}, {}, {}))
            self._counts[caller.address] += 1
            self._selector.register(caller.sock.fileno(), selectors.EVENT_READ, caller)
            caller.watched = True
        caller.step = step
        steps[step][caller] = None

    # ------------------------------------------------------------------------------------------------------------ going
    def _make_room(self, address: str) -> None:
        """End one connection, if necessary, to make room for one of this address. If the address itself has too many,
        end one of its own; otherwise, one of the address that has the most. Choose the one at the earliest step, and
        the oldest at this step."""
        settings = self._settings
        most = settings.label_connections if is_label(address) else settings.address_callers
        if self._counts[address] < most:
            if len(self) < self._room:
                return
            address = max(self._counts, key=self._counts.__getitem__)
        for callers in self._callers[address]:
            for caller in callers:
                self._end(caller, "room", abruptly=True)
                return

    def _forget(self, caller: Caller) -> None:
        if not caller.watched:
            return
        caller.watched = False
        self._selector.unregister(caller.sock.fileno())
        steps = self._callers[caller.address]
        del steps[caller.step][caller]
        self._counts[caller.address] -= 1
        if not self._counts[caller.address]:
            del self._counts[caller.address], self._callers[caller.address]

    def _end(self, caller: Caller, reason: str, abruptly: bool = False) -> None:
        self._reasons[reason] += 1
        self._forget(caller)
        close(caller.sock, abruptly)


def close(sock: socket.socket, abruptly: bool) -> None:
    """Close a socket. abruptly: by a reset, so that the system keeps nothing of it."""
    if abruptly:
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABRUPTLY)
        except OSError as problem:
            LOG.debug("a client was gone before it was sent away: %s", problem)
    sock.close()


@lru_cache(1024)
def is_label(address: str) -> bool:
    """Return whether this names a guest of an SSH door, and no network address."""
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return True
    return False


@lru_cache(1024)
def plain(address: str) -> str:
    """Return what an address counts as: an IPv4 address as itself, an IPv6 address as its network."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv4Address) or found.is_loopback:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, 64), strict=False).network_address)
