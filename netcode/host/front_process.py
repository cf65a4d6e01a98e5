"""Starts the front (netcode/front), restarts it when it ends or hangs, and holds the public port and the channel.

The parent of host and front holds the listening socket and both ends of the channel, so a crash of either one neither
frees the port nor loses messages between them.
"""

import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from netcode.front.channel import Channel, is_available, make_channel
from netcode.front.settings import Allowance, Settings
from netcode.host.addresses import PortInUse, address_of, bind_error, socket_address
from netcode.host.config import HostConfig
from netcode.processes.start import start_service
from netcode.processes.watchdog import Process, Restarts, Watchdog
from netcode.protocol import limits

LOG = logging.getLogger("kickdoor.front_process")
OFTEN, OFTEN_S, PAUSE_S = 1, 5.0, 1.0
"""A front that ends more than OFTEN times within OFTEN_S pauses for PAUSE_S before each start."""
BUSY_PAUSE_S = 0.2
"""How long to wait between two tries of a port that is in use."""
MISSED_BEATS = 15
"""How many heartbeats a front may miss in a row before it is killed."""
END_S = 3.0
"""How long a front may take to end (s)."""


def standard_settings() -> Settings:
    """Return the limits of a front."""
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
        label_connections=limits.LABEL_CONNECTIONS,
        words=limits.WORDS, words_waiting=limits.WORDS_WAITING, address_words_waiting=limits.ADDRESS_WORDS_WAITING,
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
        sock.bind(socket_address(address, port))
        sock.listen(limits.FRONT_BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


@contextmanager
def fronted(
    config: HostConfig, patience_s: float = 0.0, channel: Channel | None = None
) -> Iterator[tuple[HostConfig, "FrontProcess | None"]]:
    """Make the front that a configuration asks for, and end it in the end. Yields the configuration of the host behind
    it, and the front, which has a port and waits for `begin`.

    If no front is asked for, or another process has started it, yields the unchanged configuration and None.
    patience_s: how long to retry a port in use. channel: the one to use, if it was made already. Raises BindError,
    ConfigError."""
    if not config.front or config.channel is not None:
        yield config, None
        return
    if not is_available():
        LOG.warning("this system cannot run a front, so clients connect to the host itself (--no-front silences this)")
        yield config, None
        return
    listener = _listen_patiently(address_of(config.bind), config.port, patience_s)
    front = FrontProcess(listener, channel or make_channel(), config.guests)
    try:
        yield replace(config, port=front.port, channel=front.channel.fileno()), front
    finally:
        front.close()


def _listen_patiently(address: str, port: int, patience_s: float) -> socket.socket:
    """Listen; retry a port in use for this long. Raises BindError."""
    until = time.monotonic() + patience_s
    while True:
        try:
            return listen(address, port)
        except OSError as problem:
            error = bind_error(problem.errno, problem.strerror, address, port)
            if not isinstance(error, PortInUse) or time.monotonic() > until:
                raise error from None
        time.sleep(BUSY_PAUSE_S)


class FrontProcess(Watchdog):
    """Runs the process of netcode/front. channel: the host's end, for the host to inherit; port: the public one;
    guests: the descriptor of the front's end of a channel to an SSH door, which whoever made it closes."""

    name, end_s = "the front", END_S

    def __init__(self, listener: socket.socket, channel: Channel, guests: int | None = None) -> None:
        self.patience = MISSED_BEATS
        super().__init__()
        self._guests = () if guests is None else (guests,)
        self.port: int = listener.getsockname()[1]
        self._listener = listener
        self._fronts_end, self.channel = channel
        self._restarts = Restarts(OFTEN, OFTEN_S, PAUSE_S)

    def start(self) -> Process:
        """Start a front."""
        descriptors = (self._listener.fileno(), self._fronts_end.fileno(), *self._guests)
        return start_service("netcode.front.process", *map(str, descriptors), pass_fds=descriptors)

    def settings(self) -> bytes:
        """Return the limits of a front."""
        return standard_settings().to_json().encode() + b"\n"

    def again(self, code: int) -> float:
        """Restart the front, whatever the reason for its end."""
        LOG.warning("the front ended (code %s) and is started again", code)
        return self._restarts.pause()

    def close(self) -> None:
        """End the front and free the port. Call it when the host has ended."""
        super().close()
        for end in (self._listener, self._fronts_end, self.channel):
            end.close()
