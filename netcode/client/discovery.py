"""Finding a host on the own network: it announces itself by small UDP packets, and whoever has its join string finds
where it is now.

A packet holds forty bits of a hash of the server's key (so that it can be told from others, and no more), the port, the
name of a table and of the machine: never the key, never a token. Anybody can send such packets; therefore a place
counts only after the encrypted handshake with the key of the join string. Nothing waits for these packets, and nothing
needs them. They stay on the own network: they reach nobody through SSH, a VPN or most guest networks.
"""

import asyncio
import contextlib
import logging
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Annotated

import zmq
from msgspec import Meta, Struct

from netcode.client.transport import Transport
from netcode.protocol import codec
from netcode.protocol.credentials import Join, new_pair

LOG = logging.getLogger("kickdoor.discovery")
GROUP, PORT = "239.255.77.88", 7789
EVERY_S, LISTEN_S, PROBE_S = 1.0, 3.0, 2.0
SIZE, MOST, TRIED = 200, 64, 4
"""Bytes of a packet; how many different ones are listened to; how many places are tried for one key."""
VARIABLE = "KICKDOOR_BEACON"
_LIMITS = {"max_array_len": 0, "max_map_len": 8, "max_str_len": 64, "max_bin_len": 8, "max_ext_len": 0}


class BeaconError(ValueError):
    """Announcing or listening is not possible; one line for people."""


class Beacon(Struct, frozen=True, forbid_unknown_fields=True):
    """What a packet says."""

    kickdoor: Annotated[int, Meta(ge=1, le=1)]
    key: Annotated[bytes, Meta(min_length=5, max_length=5)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    table: Annotated[str, Meta(max_length=24)]
    machine: Annotated[str, Meta(max_length=24)]


@dataclass(frozen=True)
class Found:
    """A host that announces itself. key: the fingerprint of its key, ten hexadecimal figures."""

    host: str
    port: int
    key: str
    table: str
    machine: str


def fingerprint(key: bytes) -> bytes:
    """Forty bits by which a server's key is known again."""
    return blake2b(key, digest_size=5, person=b"kickdoor-beacon").digest()


def place() -> tuple[str, int]:
    """Where packets go and are listened for: $KICKDOOR_BEACON as ADDRESS:PORT, or a group of the own network.

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


def _is_group(address: str) -> bool:
    return 224 <= int(address.partition(".")[0]) <= 239


class Announcer:
    """Sends a packet each second, without ever waiting for anything. tables(): the name of a table, "" if there is
    none. via: the address of the interface to send from ("": the usual one). Make it inside a running loop; raises
    BeaconError."""

    def __init__(self, key: bytes, port: int, machine: str, tables: Callable[[], str], via: str = "") -> None:
        self._where = place()
        self._key, self._port, self._machine, self._tables = fingerprint(key), port, codec.clean(machine, 24), tables
        self._quiet = False
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        with contextlib.suppress(OSError):  # where it cannot be done a group is all there is
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        if via and _is_group(self._where[0]):
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(via))
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_soon(self._send)

    def close(self) -> None:
        """No more packets."""
        self._timer.cancel()
        self._socket.close()

    def _send(self) -> None:
        self._timer = self._loop.call_later(EVERY_S, self._send)
        beacon = Beacon(1, self._key, self._port, self._tables(), self._machine)
        try:
            self._socket.sendto(codec.packed(beacon), self._where)
        except OSError as problem:  # no network just now, or a full buffer: the next one may get through
            if not self._quiet:
                self._quiet = True
                LOG.warning("the table cannot be announced on the network: %s", problem.strerror)


def heard(packet: bytes, host: str) -> Found | None:
    """What a packet from this address says; None if it is none of ours."""
    try:
        beacon: Beacon = codec.unpack(packet, SIZE, _LIMITS, Beacon)
    except codec.WireError:
        return None
    return Found(host, beacon.port, beacon.key.hex(), codec.clean(beacon.table, 24), codec.clean(beacon.machine, 24))


async def listen(seconds: float = LISTEN_S, key: bytes = b"", enough: int = MOST) -> list[Found]:
    """Who announces themselves within this time, each once; with a key only hosts that may have it. Ends early when
    `enough` are found. Raises BeaconError."""
    found: dict[Found, None] = {}
    wanted = fingerprint(key).hex() if key else ""
    sock = _open(*place())
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            while len(found) < enough:
                packet, (host, _) = await loop.sock_recvfrom(sock, SIZE + 1)
                one = heard(packet, host)
                if one is not None and wanted in ("", one.key):
                    found.setdefault(one)
    except TimeoutError:
        LOG.debug("%d hosts heard", len(found))
    finally:
        sock.close()
    return list(found)


def _open(address: str, port: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if _is_group(address):
            sock.bind(("", port))
            member = struct.pack("4s4s", socket.inet_aton(address), socket.inet_aton("0.0.0.0"))
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        else:
            sock.bind((address if address.startswith("127.") else "", port))
    except OSError as problem:
        sock.close()
        raise BeaconError(f"this machine cannot listen for tables on port {port}: {problem.strerror}") from None
    return sock


async def find(join: Join, seconds: float = LISTEN_S) -> Join | None:
    """Where the host of this join string is now; None if it is not heard of. A place counts only if it has the key:
    whoever merely claims to is passed over. Raises BeaconError."""
    tried: set[tuple[str, int]] = set()
    deadline = asyncio.get_running_loop().time() + seconds
    while (left := deadline - asyncio.get_running_loop().time()) > 0 and len(tried) < TRIED:
        for one in await listen(min(left, EVERY_S * 1.5), join.key):
            there = (one.host, one.port)
            if there not in tried and len(tried) < TRIED:
                tried.add(there)
                target = replace(join, host=one.host, port=one.port)
                if await has_key(target):
                    return target
    return None


async def has_key(target: Join) -> bool:
    """Whether somebody there has the server's key of this string: the encrypted handshake succeeds."""
    up: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def linked(connected: bool, text: str, code: str) -> None:
        if not up.done():
            up.set_result(connected or code == "banned")

    try:
        line = Transport(target, new_pair(), None, lambda frame: None, linked)
    except zmq.ZMQError:
        return False
    try:
        return await asyncio.wait_for(up, PROBE_S)
    except TimeoutError:
        return False
    finally:
        line.close(linger_ms=0)
