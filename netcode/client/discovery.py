"""Find hosts on the local network by listening to their packets (netcode/protocol/beacon.py).

A host counts as found only after the encrypted handshake with the key of the join string: anybody can send packets.
"""

import asyncio
import logging
import socket
import struct
from dataclasses import replace

import zmq
from msgspec import Struct

from netcode.client.transport import Transport
from netcode.protocol import codec, limits
from netcode.protocol.beacon import BeaconError, beacon_address, fingerprint, is_multicast, read_packet
from netcode.protocol.credentials import Join, new_pair

LOG = logging.getLogger("kickdoor.discovery")


class FoundHost(Struct, frozen=True):
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
    table, machine = codec.clean(beacon.table, limits.TABLE_CHARS), codec.clean(beacon.machine, limits.BEACON_CHARS)
    return FoundHost(host, beacon.port, beacon.key.hex(), table, machine)


async def listen(
    seconds: float = limits.LISTEN_S, key: bytes = b"", enough: int = limits.HEARD_HOSTS
) -> list[FoundHost]:
    """Return the hosts that announce themselves within this time, each once; with a key, only those whose fingerprint
    matches.

    Ends early when `enough` are found. Raises BeaconError."""
    found: dict[FoundHost, None] = {}
    wanted = fingerprint(key).hex() if key else ""
    sock = _open(*beacon_address())
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            while len(found) < enough:
                packet, (host, _) = await loop.sock_recvfrom(sock, limits.BEACON_BYTES + 1)
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


async def find(join: Join, seconds: float = limits.LISTEN_S) -> Join | None:
    """Return the join string with the address its host has now; None if the host is not heard.

    An address counts only if the host there has the key; one that merely claims it is skipped. Raises BeaconError."""
    tried: set[tuple[str, int]] = set()
    deadline = asyncio.get_running_loop().time() + seconds
    while (left := deadline - asyncio.get_running_loop().time()) > 0 and len(tried) < limits.TRIED_ADDRESSES:
        for one in await listen(min(left, limits.BEACON_S * 1.5), join.key):
            address = (one.host, one.port)
            if address not in tried and len(tried) < limits.TRIED_ADDRESSES:
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
        return await asyncio.wait_for(handshake, limits.TRIED_ADDRESS_S)
    except TimeoutError:
        return False
    finally:
        transport.close(linger_ms=0)
