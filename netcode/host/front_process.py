"""Starts the front (netcode/front), again when it ends or hangs; keeps the public port and the link meanwhile.

The parent of host and front holds the listening socket and both ends of the link, so neither a crash of the host nor
one of the front frees the port or loses what the two tell each other.
"""

import logging
import os
import selectors
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from netcode.front.link import Link, is_available, make_link
from netcode.host.addresses import PortInUse, address_of, bind_error
from netcode.host.config import HostConfig
from netcode.processes.child import Watchdog
from netcode.processes.forked import Service, can_fork, fork_service
from netcode.processes.start import start_service
from netcode.protocol import limits

if TYPE_CHECKING:
    from netcode.front.settings import Settings

LOG = logging.getLogger("kickdoor.front_process")
RESTART_S, RESTART_PAUSE_S = 5.0, 1.0
"""A front that ends within RESTART_S of its start is started again after RESTART_PAUSE_S; another one at once."""
BUSY_PAUSE_S = 0.2
"""How long to wait between two tries of a port that is in use."""
HEARTBEAT_S, MISSED_BEATS = 1.0, 15
"""How often a front shows that it runs (s), and how many heartbeats it may miss in a row before it is killed."""
END_S = 3.0
"""How long a front may take to end (s)."""


def standard_settings() -> "Settings":
    """Return the limits of a front."""
    from netcode.front.settings import Allowance, Settings

    return Settings(
        newcomer=Allowance(
            limits.NEWCOMER_FRAMES, limits.ZMTP_HEARTBEATS, limits.NEWCOMER_BYTES, limits.NEWCOMER_FRAME_BYTES
        ),
        guest=Allowance(limits.GUEST_FRAMES, limits.ZMTP_HEARTBEATS, limits.GUEST_BYTES, limits.HOST_MESSAGE_BYTES),
        seated=Allowance(limits.SEATED_FRAMES, limits.ZMTP_HEARTBEATS, limits.SEATED_BYTES, limits.HOST_MESSAGE_BYTES),
        address_bytes=limits.ADDRESS_BYTES, unseated_bytes=limits.UNSEATED_BYTES,
        door_bytes=limits.DOOR_BYTES, callers=limits.CALLERS, address_callers=limits.ADDRESS_CALLERS,
        handshakes=limits.HANDSHAKES, newcomers=limits.NEWCOMERS, address_newcomers=limits.ADDRESS_NEWCOMERS,
        guests=limits.GUESTS, address_guests=limits.ADDRESS_GUESTS,
        unheard=limits.UNHEARD_FRAMES, unread_bytes=limits.FRONT_UNREAD_BYTES,
        handshake_s=limits.HOST_HANDSHAKE_MS / 1000, hello_s=limits.HELLO_MS / 1000,
        linger_s=limits.FRONT_LINGER_MS / 1000,
        keepalive=(limits.KEEPALIVE_IDLE_S, limits.KEEPALIVE_S, limits.KEEPALIVE_PROBES),
    )  # fmt: skip


def listen(address: str, port: int) -> socket.socket:
    """Return a socket that listens at address (an IP; :: for all) and port (0: any free one). Raises OSError."""
    ipv6 = ":" in address
    sock = socket.socket(socket.AF_INET6 if ipv6 else socket.AF_INET)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if ipv6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # :: takes IPv4 too
        sock.bind((address, port))
        sock.listen(limits.FRONT_BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


@contextmanager
def fronted(
    config: HostConfig, patience_s: float = 0.0, link: Link | None = None, copied: bool = False
) -> Iterator[tuple[HostConfig, "FrontProcess | None"]]:
    """Run the front that a configuration wants: yield the configuration of the host behind it, and the front.

    If it wants none, or another process has started it, yield the configuration as it is, and None. patience_s: how
    long a port in use is tried. link: what a host that runs already has inherited. copied: the first front may be a
    copy of this process, which has opened nothing yet. Raises BindError, ConfigError."""
    if not config.front or config.link is not None:
        yield config, None
        return
    if not is_available():
        LOG.warning("this system cannot run a front, so clients connect to the host itself (--no-front: do not say so)")
        yield config, None
        return
    front = FrontProcess(_listen_patiently(address_of(config.bind), config.port, patience_s), link=link)
    try:
        front.start(copied and can_fork())
        yield replace(config, port=front.port, link=front.link.fileno()), front
    finally:
        front.close()


def _listen_patiently(address: str, port: int, patience_s: float) -> socket.socket:
    """Listen, and try a port in use for so long. Raises BindError."""
    until = time.monotonic() + patience_s
    while True:
        try:
            return listen(address, port)
        except OSError as problem:
            error = bind_error(problem.errno, problem.strerror, address, port)
            if not isinstance(error, PortInUse) or time.monotonic() > until:
                raise error from None
        time.sleep(BUSY_PAUSE_S)


class FrontProcess:
    """Runs the process of netcode/front. link: the host's end, for the host to inherit; port: the public one."""

    def __init__(self, listener: socket.socket, settings: "Settings | None" = None, link: Link | None = None) -> None:
        self.port: int = listener.getsockname()[1]
        self._settings = settings or standard_settings()
        self._listener = listener
        self._fronts_end, self.link = link or make_link()
        self._child: Service | None = None
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="front", daemon=True)

    def start(self, copied: bool = False) -> None:
        """Start the front. copied: as a copy of this process. Raises OSError."""
        self._spawn(copied)
        self._thread.start()

    def signal(self, number: int) -> None:
        """Send the front a signal, if it runs."""
        if self._child is not None and self._child.poll() is None:
            self._child.send_signal(number)

    def close(self) -> None:
        """End the front, when the host has ended, and free the port."""
        with self._lock:
            self._closing.set()
            child = self._child
        if child is not None and child.stdin is not None:
            child.stdin.close()
            try:
                child.wait(END_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        for end in (self._listener, self._fronts_end, self.link):
            end.close()

    def _spawn(self, copied: bool = False) -> None:
        descriptors = (self._listener.fileno(), self._fronts_end.fileno())
        self._child = (fork_service if copied else start_service)(
            "netcode.front.process", *map(str, descriptors), pass_fds=descriptors
        )
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(self._settings.to_json().encode() + b"\n")
            self._child.stdin.flush()
        except OSError as problem:
            LOG.warning("the front ended before it got its settings: %s", problem)

    def _watch(self) -> None:
        """Start another front whenever one has ended."""
        while self._child is not None:
            began = time.monotonic()
            _wait(self._child)
            code = self._child.wait()
            if self._closing.is_set():
                return
            LOG.warning("the front ended (code %s) and is started again", code)
            if time.monotonic() - began < RESTART_S:
                self._closing.wait(RESTART_PAUSE_S)
            with self._lock:
                if self._closing.is_set():
                    return
                try:
                    self._spawn()
                except OSError as problem:
                    LOG.error("the front cannot be started: %s", problem)
                    self._closing.wait(RESTART_PAUSE_S)


def _wait(child: Service) -> None:
    """Wait until a front closes its output, or kill it because it hangs. It writes something for each heartbeat."""
    dog = Watchdog(HEARTBEAT_S, MISSED_BEATS)
    assert child.stdout is not None
    with selectors.DefaultSelector() as selector, child.stdout:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            if selector.select(dog.wait_s()):
                if not os.read(child.stdout.fileno(), 4096):
                    return
                dog.heartbeat()
            else:
                dog.tick()
                if dog.hangs:
                    LOG.warning("the front does not react any more (for %d s) and is killed", dog.patience)
                    child.kill()
                    return
