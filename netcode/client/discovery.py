"""Finding hosts on the local network: listens to their packets (netcode/protocol/beacon.py).

A host counts as found only after the encrypted handshake with the key of the join string: anybody can send packets.
"""

import asyncio
import logging
import socket
import struct
from dataclasses import dataclass, replace

import zmq

from netcode.client.transport import Transport
from netcode.protocol import codec
from netcode.protocol.beacon import (
    EVERY_S,
    PACKET_BYTES,
    BeaconError,
    beacon_address,
    fingerprint,
    is_multicast,
    read_packet,
)
from netcode.protocol.credentials import Join, new_pair

LOG = logging.getLogger("kickdoor.discovery")
LISTEN_S, PROBE_S = 3.0, 2.0
MAX_HOSTS, MAX_TRIED = 64, 4
"""How many different hosts are listened to; how many addresses are tried for one key."""


@dataclass(frozen=True)
class FoundHost:
    """A host that announces itself. key: the fingerprint of its key, ten hexadecimal digits."""

    host: str
    port: int
    key: str
    table: str
    machine: str


def heard(packet: bytes, host: str) -> FoundHost | None:
    """Return the host that announces itself by a packet from this address; None if the packet is invalid."""
    try:
        beacon = read_packet(packet)
    except codec.WireError:
        return None
    return FoundHost(
        host, beacon.port, beacon.key.hex(), codec.clean(beacon.table, 24), codec.clean(beacon.machine, 24)
    )


async def listen(seconds: float = LISTEN_S, key: bytes = b"", enough: int = MAX_HOSTS) -> list[FoundHost]:
    """Return the hosts that announce themselves within this time, each once; with a key only those that may have it.

    Ends early when `enough` are found. Raises BeaconError."""
    found: dict[FoundHost, None] = {}
    wanted = fingerprint(key).hex() if key else ""
    sock = _open(*beacon_address())
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            while len(found) < enough:
                packet, (host, _) = await loop.sock_recvfrom(sock, PACKET_BYTES + 1)
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
        if is_multicast(address):
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
    """Return the join string with the address its host has now; None if the host is not heard.

    An address counts only if the host there has the key: one that merely claims to is skipped. Raises BeaconError."""
    tried: set[tuple[str, int]] = set()
    deadline = asyncio.get_running_loop().time() + seconds
    while (left := deadline - asyncio.get_running_loop().time()) > 0 and len(tried) < MAX_TRIED:
        for one in await listen(min(left, EVERY_S * 1.5), join.key):
            address = (one.host, one.port)
            if address not in tried and len(tried) < MAX_TRIED:
                tried.add(address)
                target = replace(join, host=one.host, port=one.port)
                if await has_key(target):
                    return target
    return None


async def has_key(target: Join) -> bool:
    """Whether the host at this address has the server's key of this join string: the encrypted handshake succeeds."""
    handshake: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def linked(connected: bool, text: str, code: str) -> None:
        if not handshake.done():
            handshake.set_result(connected or code == "banned")

    try:
        transport = Transport(target, new_pair(), None, lambda frame: None, linked)
    except zmq.ZMQError:
        return False
    try:
        return await asyncio.wait_for(handshake, PROBE_S)
    except TimeoutError:
        return False
    finally:
        transport.close(linger_ms=0)
