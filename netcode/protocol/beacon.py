"""The UDP packets that announce a host on the local network; client/discovery.py listens to them.

A packet holds 40 bits of a hash of the server's key (enough to tell hosts apart, and no more), the port, the name of a
table and of the machine: never the key, never a token. Anybody can send such packets, so a client trusts one only after
the encrypted handshake with the key of its join string. Nothing depends on them, since a join
string has an address. They stay on the local network and do not pass through SSH, a VPN or most guest networks.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Callable
from hashlib import blake2b
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder

from netcode.protocol import codec, limits

LOG = logging.getLogger("kickdoor.beacon")
GROUP, PORT = "239.255.77.88", 7789
VARIABLE = "KICKDOOR_BEACON"


class BeaconError(ValueError):
    """The packets cannot be sent or received. The text is one line for people."""


class Beacon(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a packet. key: the fingerprint of the server's key; table: an id; machine: the host's name."""

    kickdoor: Annotated[int, Meta(ge=1, le=1)]
    key: Annotated[bytes, Meta(min_length=5, max_length=5)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    table: Annotated[str, Meta(max_length=limits.TABLE_CHARS)]
    machine: Annotated[str, Meta(max_length=limits.BEACON_CHARS)]


_decoder = Decoder(Beacon)


def fingerprint(key: bytes) -> bytes:
    """Return 40 bits that identify a server's key."""
    return blake2b(key, digest_size=5, person=b"kickdoor-beacon").digest()


def read_packet(packet: bytes) -> Beacon:
    """Return the content of a packet. Raises codec.WireError for an invalid one."""
    beacon: Beacon = codec.unpack(packet, limits.BEACON_BYTES, _decoder)
    return beacon


def beacon_address() -> tuple[str, int]:
    """Return where packets go and are listened for: $KICKDOOR_BEACON as ADDRESS:PORT, or a multicast group.

    Raises BeaconError."""
    text = os.environ.get(VARIABLE, f"{GROUP}:{PORT}")
    address, _, port = text.rpartition(":")
    try:
        socket.inet_aton(address)
        number = int(port)
    except (OSError, ValueError):
        number = 0
    if not 0 < number < 65536:
        raise BeaconError(f"{VARIABLE} is {text!r}: it names an IPv4 address and a port, as in {GROUP}:{PORT}")
    return address, number


def is_multicast(address: str) -> bool:
    """Whether this IPv4 address is a multicast group."""
    return 224 <= int(address.partition(".")[0]) <= 239


class Announcer:
    """Sends a packet every limits.BEACON_S and never blocks."""

    def __init__(self, key: bytes, port: int, machine: str, table_name: Callable[[], str], via: str = "") -> None:
        """table_name(): the name of a table, "" if there is none. via: the address of the interface to send from (""
        for the usual one). Create it inside a running loop. Raises BeaconError."""
        self._address = beacon_address()
        self._key, self._port = fingerprint(key), port
        self._machine, self._table_name = codec.clean(machine, limits.BEACON_CHARS), table_name
        self._warned = False
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        with contextlib.suppress(OSError):  # some systems forbid broadcasts, and then only a multicast group works
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        if via and is_multicast(self._address[0]):
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(via))
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_soon(self._send)

    def close(self) -> None:
        """Send no more packets."""
        self._timer.cancel()
        self._socket.close()

    def _send(self) -> None:
        self._timer = self._loop.call_later(limits.BEACON_S, self._send)
        beacon = Beacon(1, self._key, self._port, self._table_name(), self._machine)
        try:
            self._socket.sendto(codec.packed(beacon), self._address)
        except OSError as problem:  # no network just now, or a full buffer: the next packet may get through
            if not self._warned:
                self._warned = True
                LOG.warning("the table cannot be announced on the network: %s", problem.strerror)
