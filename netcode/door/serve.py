"""`kickdoor serve`: the door's process. It starts the host and the forker, listens, and ends everything in order.

    ssh ── LISTENER (this process) ── FORKER ── one CLIENT for each guest
                     └─ HOST, to whose front the clients' connections are handed

It holds the door's key and knows its guests; it never reads a game.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from netcode.door.announcement import for_people, record, words_now
from netcode.door.config import DoorConfig, check
from netcode.door.confinement.means import POSSIBLE, missing
from netcode.door.door_log import DoorLog
from netcode.door.gate import Gate
from netcode.door.host_keys import host_key
from netcode.door.identities import Identities
from netcode.door.interfaces import HostingError, Tables
from netcode.door.listener import Listener, Parts
from netcode.door.sessions import Sessions
from netcode.host.addresses import BindError, address_of, bind_error, socket_address
from netcode.host.config import ConfigError
from netcode.protocol.credentials import data_folder, lock_folder
from netcode.reporting import complain, log_faults_of_loop, log_to_stderr, say

LOG = logging.getLogger("kickdoor.door")
ENDED, FAILED, NOT_STARTED = 0, 1, 2
BACKLOG = 256
CLOSING = "The door closes now, and your seat is kept. Come back with the same command when it is open again."
END_S = 5.0
"""How long guests' programs may take to end."""
ASK_S = 10.0
"""Within this time a second Ctrl-C ends the door although somebody is playing."""
SAVE_S = 300.0
"""How often the times of guests' last visits are saved (s)."""
AS_ROOT = "Their programs run as root: start this as another user."
MakeTables = Callable[[DoorConfig, Path], Tables]
"""Makes the host behind the door; gets the door's folder."""


def run_door(config: DoorConfig, make_tables: MakeTables) -> int:
    """Serve until told to end. Returns the exit code: 2 if it could not start, 1 if the host has failed."""
    log_to_stderr("kickdoor serve: %(message)s")
    logging.getLogger("asyncssh").setLevel(logging.ERROR)
    try:
        check(config)
        _check_confinement(config)
        with _bound(config) as sock, _locked(_folder(sock)) as folder:
            return asyncio.run(_serve(config, sock, folder, make_tables))
    except (ConfigError, BindError, HostingError) as problem:
        complain(f"kickdoor serve: {problem}")
    except OSError as problem:
        complain(f"kickdoor serve: {problem.filename or 'the system'}: {problem.strerror or problem}")
    return NOT_STARTED


def _check_confinement(config: DoorConfig) -> None:
    """Raise ConfigError if guests' programs cannot be confined, and nobody has said that they need not be."""
    if not config.confined:
        who = f"{AS_ROOT} " if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
        complain(f"kickdoor serve: guests are not confined, as --unconfined says. {who}{' '.join(POSSIBLE)}")
        return
    if lacking := missing():
        text = "; ".join(lacking)
        raise ConfigError(f"guests cannot be confined here: {text}. {' '.join(POSSIBLE)} --unconfined does so anyway")


@contextlib.contextmanager
def _bound(config: DoorConfig) -> Iterator[socket.socket]:
    """Yield a socket that is bound to the door's address and listens. Raises BindError, ConfigError."""
    address = address_of(config.bind)
    sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    with sock:
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if sock.family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # :: takes IPv4 too
            sock.bind(socket_address(address, config.port))
            sock.listen(BACKLOG)
        except OSError as problem:
            raise bind_error(problem.errno, problem.strerror, address, config.port) from None
        yield sock


def _folder(sock: socket.socket) -> Path:
    """Return the folder of the door at this port. Raises OSError."""
    folder = data_folder() / "serve" / str(sock.getsockname()[1])
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.chmod(folder, 0o700)
    return folder


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[Path]:
    """Yield a folder that only this process uses. Raises HostingError, OSError."""
    lock = lock_folder(folder)
    if lock is None:
        raise HostingError(f"another door uses {folder}")
    try:
        yield folder
    finally:
        lock.close()


async def _serve(config: DoorConfig, sock: socket.socket, folder: Path, make_tables: MakeTables) -> int:
    return await Serving(config, sock, folder, make_tables).run()


class Serving:
    """One run of the door."""

    def __init__(self, config: DoorConfig, sock: socket.socket, folder: Path, make_tables: MakeTables) -> None:
        self._config, self._sock, self._folder = config, sock, folder
        self._tables = make_tables(config, folder)
        self._key = host_key(folder)
        self._identities = Identities(folder)
        self._log = DoorLog(folder)
        self._ending = asyncio.Event()
        self._sessions: Sessions | None = None
        self._asked_at = -ASK_S
        self._had_terminal = sys.stdin is not None and sys.stdin.isatty()
        self._code = ENDED

    async def run(self) -> int:
        """Serve until told to end. Returns the exit code. Raises ConfigError, HostingError, OSError."""
        loop = asyncio.get_running_loop()
        log_faults_of_loop(loop)
        self._gate = gate = Gate(self._config, self._identities, self._tables)
        self._handle_signals(loop)
        await self._tables.start()
        self._sessions = sessions = Sessions(
            self._config.program, self._hand, confined=self._config.confined, most=self._config.guests
        )
        sessions.open()
        try:
            listener = Listener(self._sock, Parts(gate, sessions, self._log, self._key))
            self._log.note(f"open on port {self._sock.getsockname()[1]}")
            self._announce()
            self._tables.renewed = self._announce_renewed
            self._tables.over.add_done_callback(self._host_is_over)
            await self._until_the_end()
            listener.close()
            await sessions.close(CLOSING, END_S)
            listener.end_connections()
        finally:
            await self._tables.end()
            self._log.note("closed")
            self._save()
            self._log.close()
        return self._code

    def _hand(self, connection: socket.socket, label: str) -> None:
        """Give the host a connection of a guest's program, which closes its own copy. Raises OSError."""
        self._tables.hand(connection.dup(), label)

    async def _until_the_end(self) -> None:
        while not self._ending.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), SAVE_S)
            self._save()

    def _save(self) -> None:
        try:
            self._identities.save()
        except OSError as problem:
            LOG.error("it cannot be written who was here: %s", problem.strerror)

    def _announce(self) -> None:
        port = int(self._sock.getsockname()[1])
        made = record(self._config, port, self._key, self._tables.strings)
        say(msgspec.json.encode(made).decode() if self._config.json else for_people(made))

    def _announce_renewed(self) -> None:
        """Say the new words: the table's owner has renewed them, or the join string."""
        if self._config.json:
            self._announce()
        elif sentence := words_now(self._config, self._tables.strings):
            say(sentence)

    def _host_is_over(self, over: "asyncio.Future[int]") -> None:
        if not self._ending.is_set() and not over.cancelled():
            complain(f"kickdoor serve: the host behind the door has ended (code {over.result()})")
            self._code = FAILED
            self._ending.set()

    # -------------------------------------------------------------------------------------------------------- signals
    def _handle_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        handlers: dict[signal.Signals, Callable[[], Any]] = {
            signal.SIGTERM: self._ending.set, signal.SIGINT: self._interrupted, signal.SIGHUP: self._hung_up,
        }  # fmt: skip
        for number, handler in handlers.items():
            if not (number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN):
                loop.add_signal_handler(number, handler)

    def _interrupted(self) -> None:
        """End, or first ask if somebody is in."""
        now = asyncio.get_running_loop().time()
        names = [one.guest.name for one in self._sessions.all()] if self._sessions is not None else []
        if not names or not self._had_terminal or now - self._asked_at < ASK_S:
            self._ending.set()
            return
        self._asked_at = now
        are = "is" if len(names) == 1 else "are"
        say(f"{', '.join(names)} {are} in. Their seats are kept. Ctrl-C again within {ASK_S:.0f} s closes the door.")

    def _hung_up(self) -> None:
        """Read the file of keys again; end if it was the terminal that has gone."""
        if self._had_terminal and not sys.stdin.isatty():
            self._ending.set()
            return
        try:
            self._gate.read_keys()
            self._identities.let_codes_be_tried()
            self._log.note("read the keys again")
        except (ConfigError, OSError) as problem:
            complain(f"kickdoor serve: {problem}; everything stays as it was")
