"""The host behind the door: one that the door starts (`Hosting`, in a club `ClubHosting`), or one that runs elsewhere
(`RemoteHost`).

All take the connections of guests (`hand`). The front of the door's own host gets the sockets themselves, each with a
label in place of a network address (netcode/front/guests.py). For a host elsewhere, the door relays the bytes
(host_relays.py); a host on another machine sees the address of this one for all guests.
"""

import asyncio
import logging
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from netcode.door.host_relays import HostRelays, connect
from netcode.door.interfaces import HostingError, Strings, Tables
from netcode.front.channel import hand_over, make_channel
from netcode.host import exit_codes
from netcode.host.config import HostConfig
from netcode.host.host_folders import club_folder
from netcode.processes.start import start_service
from netcode.processes.watchdog import NOT_STARTED, Process, Restarts, Watchdog
from netcode.protocol.credentials import JoinError, parse_join, parse_place, place_text
from netcode.protocol.origins import loopback_address

LOG = logging.getLogger("kickdoor.door.hosting")
SUPERVISOR = "netcode.host.supervisor_process"
START_S = 60.0
"""How long the first host may take to serve (s): it may restore many games."""
END_S = 20.0
"""How long supervisor, host and front may take to end together (s)."""
OFTEN, OFTEN_S, PAUSE_S = 3, 60.0, 2.0
"""A supervisor that crashes more than OFTEN times within OFTEN_S pauses for PAUSE_S before each start."""
WAITING = 256
"""Sockets that may wait while the front takes none."""
INSIDE = "127.0.0.1"
"""Where a guest's program calls the door's own host."""
FINAL = (exit_codes.ENDED, exit_codes.JOURNAL_FAILED, exit_codes.NOT_STARTED)
"""Exit codes of a supervisor that has said why it ended."""


class _SupervisorProcess(Watchdog):
    """Runs the supervisor in a child. guests: the descriptor of the front's end of the channel. serves(strings): called
    when a host serves. ended(code): called when the supervisor has ended and no other one follows. Both are called in
    the watching thread."""

    name, end_s = "the host of the door", END_S

    def __init__(
        self, config: HostConfig, guests: int, serves: Callable[[Strings], None], ended: Callable[[int], None]
    ) -> None:
        super().__init__()
        self._config, self._guests, self._serves, self._ended = config, guests, serves, ended
        self._served = False
        self._restarts = Restarts(OFTEN, OFTEN_S, PAUSE_S)

    def start(self) -> Process:
        """Start a supervisor."""
        return start_service(SUPERVISOR, str(self._guests), pass_fds=(self._guests,))

    def settings(self) -> bytes:
        """Return the configuration of its host."""
        return msgspec.json.encode(self._config) + b"\n"

    def heard(self, line: bytes) -> None:
        """Note the strings of a host that serves, or those that were renewed at its table."""
        try:
            ((what, strings),) = msgspec.json.decode(line, type=dict[str, dict[str, str | list[str]]]).items()
            found = msgspec.convert(strings, Strings)
            port = parse_join(found.join).port
        except (msgspec.MsgspecError, JoinError, ValueError):
            LOG.warning("the host of the door wrote a line that is no message: it is ignored")
            return
        if self._served and what == "serves":
            LOG.warning("the host was started again; guests return to their tables by themselves")
        self._served = True
        self._config = replace(self._config, port=port, new=False)  # the next host serves at the same port
        self._serves(found)

    def again(self, code: int) -> float | None:
        """Restart a supervisor that was killed or crashed, if its host has ever served."""
        if code in FINAL or code == NOT_STARTED or not self._served:
            self._ended(code)
            return None
        LOG.warning("the supervisor of the host ended (code %s) and is started again", code)
        return self._restarts.pause()


class Hosting:
    """A host that the door starts, with its front and its supervisor in child processes. Create it inside a running
    loop; config: of the host; its folder must be given, since a host without a journal cannot be restarted."""

    def __init__(self, config: HostConfig) -> None:
        self._loop = asyncio.get_running_loop()
        self.over: asyncio.Future[int] = self._loop.create_future()
        self.renewed: Callable[[], None] = lambda: None
        self._serving: asyncio.Future[Strings] = self._loop.create_future()
        self._fronts_end, self._end = make_channel()
        self._waiting: deque[tuple[socket.socket, str]] = deque()
        self._ending = False
        self._process = _SupervisorProcess(
            replace(config, json=True, keep=True, front=True, qr=False), self._fronts_end.fileno(),
            self._from_thread(self._serve), self._from_thread(self._is_over),
        )  # fmt: skip

    @property
    def strings(self) -> Strings:
        """The strings as they are now, after `start`."""
        return self._serving.result()

    @property
    def pid(self) -> int:
        """The supervisor's process, 0 if there is none now."""
        return self._process.process.pid if self._process.process is not None else 0

    async def start(self) -> None:
        """Start the host. Returns when it serves. Raises HostingError."""
        await asyncio.to_thread(self._process.begin)
        serving, over = self._serving, self.over
        await asyncio.wait((serving, over), timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
        if not serving.done():
            why = "the reason is above" if over.done() else f"it does not serve after {START_S:.0f} s"
            await self.end()
            raise HostingError(f"the host behind the door was not started: {why}")

    def hand(self, sock: socket.socket, label: str) -> None:
        """Give the front a guest's connection, and close it here. Raises OSError if the front takes none for so long
        that too many wait."""
        if self._ending or len(self._waiting) >= WAITING:
            sock.close()
            raise OSError("the host takes no connection now")
        self._waiting.append((sock, label))
        if len(self._waiting) == 1:
            self._send()

    def _send(self) -> None:
        """Send the sockets that wait, as far as the front reads; go on when it does again."""
        while self._waiting:
            sock, label = self._waiting[0]
            try:
                hand_over(self._end, sock, "guest", label)
            except BlockingIOError:
                self._loop.add_writer(self._end, self._send)
                return
            except OSError as problem:
                LOG.warning("a guest's connection could not be handed over: %s", problem)
            self._waiting.popleft()
            sock.close()
        self._loop.remove_writer(self._end)

    async def end(self) -> None:
        """Let host and front end in order, and wait until they have."""
        if self._ending:
            return
        self._ending = True
        self._loop.remove_writer(self._end)
        await asyncio.to_thread(self._process.close)
        for sock, _ in self._waiting:
            sock.close()
        self._waiting.clear()
        self._end.close()
        self._fronts_end.close()
        if not self.over.done():
            self.over.cancel()

    # ------------------------------------------------------------------------------------------------- what it says
    def _from_thread(self, call: Callable[[Any], None]) -> Callable[[Any], None]:
        def later(what: object) -> None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(call, what)

        return later

    def _serve(self, strings: Strings) -> None:
        before = self._serving.result() if self._serving.done() else strings
        if self._serving.done():
            self._serving = self._loop.create_future()
        self._serving.set_result(strings)
        if strings != replace(before, club=strings.club):
            self.renewed()

    def _is_over(self, code: int) -> None:
        if not self.over.done():
            self.over.set_result(code)


class RemoteHost:
    """A host that runs elsewhere, or on this machine by itself. Create it inside a running loop. join, watch, lobby:
    its strings. A host at an IPv4 address of this machine sees an address of 127.0.0.0/8 for each guest; a host
    elsewhere sees this machine's address for all of them."""

    def __init__(self, join: str, watch: str = "", lobby: str = "") -> None:
        self._strings = Strings(join, watch, lobby)
        target = parse_join(join)
        self._place = (target.host, target.port)
        self.renewed: Callable[[], None] = lambda: None
        self.over: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._relays = HostRelays()

    @property
    def strings(self) -> Strings:
        """The strings that were given; a host elsewhere tells no others."""
        return self._strings

    async def start(self) -> None:
        """Look whether the host is there. Raises HostingError."""
        try:
            _, writer = await connect("door", self._place)
        except (OSError, TimeoutError) as problem:
            why = "does not answer" if isinstance(problem, TimeoutError) else f"cannot be reached: {problem}"
            raise HostingError(f"the host of --join, {self._place[0]} port {self._place[1]}, {why}") from None
        writer.transport.abort()

    def hand(self, sock: socket.socket, label: str) -> None:
        """Relay a guest's connection; the socket is ours from now on. Raises OSError if there are too many."""
        self._relays.take(sock, label, self._place)

    async def end(self) -> None:
        """End all connections; the host goes on."""
        await self._relays.end()
        if not self.over.done():
            self.over.cancel()


class ClubHosting(Hosting):
    """A host of a club that the door starts, and the way to the club's other hosts. A guest's program calls each of
    them at a loopback address that stands for the host's real one. Only the hosts that the door's host has read in the
    club's directory can be reached."""

    def __init__(self, config: HostConfig) -> None:
        super().__init__(config)
        self._relays = HostRelays()

    def hand(self, sock: socket.socket, label: str) -> None:
        """Give a guest's connection to the door's own host, or relay it to the host that it calls. If that host cannot
        be reached, the door's own host answers instead: it knows where the table is now. Raises OSError."""
        called = sock.getsockname()[0] if sock.family == socket.AF_INET else INSIDE
        own = (parse_join(one) for one in self.strings.joins)
        if called == INSIDE or called in {loopback_address(place_text(one.host, one.port)) for one in own}:
            super().hand(sock, label)
            return
        place = next((one for one in self.strings.club if loopback_address(one) == called), None)
        if place is None:
            sock.close()
            raise OSError("no host of the club is at the address that it calls")
        self._relays.take(sock, label, parse_place(place), super().hand)

    async def end(self) -> None:
        """End the relays, and the door's own host in order."""
        await self._relays.end()
        await super().end()


def own_host(config: HostConfig, folder: Path) -> HostConfig:
    """Return the configuration of a host behind a door: its journal is in the door's folder, and it listens at any free
    port of this machine only. A host of a club keeps the address and port of `config`, since other hosts send people to
    it. Its folder is beside those of this user's other hosts, with which it shares the key."""
    served = replace(config, keep=True, json=True, front=True)
    if config.club:
        return replace(served, data=str(club_folder(f"door-{folder.name}")))
    return replace(served, bind="127.0.0.1", port=0, data=str(folder / "host"))


class Asked(Protocol):
    """What the door's options (config.py) ask of the host. join, watch, lobby: strings of a host that runs elsewhere;
    if `join` is "", start a host with the configuration `host`."""

    @property
    def join(self) -> str: ...

    @property
    def watch(self) -> str: ...

    @property
    def lobby(self) -> str: ...

    @property
    def host(self) -> HostConfig: ...


def tables_for(asked: Asked, folder: Path) -> Tables:
    """Return the host behind a door. folder: the door's."""
    if asked.join:
        return RemoteHost(asked.join, asked.watch, asked.lobby)
    return (ClubHosting if asked.host.club else Hosting)(own_host(asked.host, folder))
