"""Which address of its host a client connects to: a name may have several (AAAA and A), and a link-local address exists
on each interface.

ZeroMQ takes the first address of a name and never another one.
"""

import asyncio
import ipaddress
import socket
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest

from netcode.protocol.credentials import place_text
from netcode.protocol.origins import loopback_address

Place = tuple[str, int]
"""A name or an IP address, and a port."""
ATTEMPT_S = 0.25
"""How long an address is tried alone before the next one is tried too (RFC 8305, section 5)."""
FIRST_S = 1.0
"""How long the host that a client was sent to is tried alone before the other hosts of its club."""
ADDRESSES = 16
"""The most addresses of a name that are tried."""
CONNECT_S = 4.0
"""How long the last address may take to answer (s)."""
_door: int | None = None


@contextmanager
def through_a_door(port: int) -> Iterator[None]:
    """Reach every host through an SSH door, which takes the calls of this process: 127.0.0.1 at this port is the host
    behind it, and other hosts of its club are at addresses that stand for theirs."""
    global _door
    before, _door = _door, port
    try:
        yield
    finally:
        _door = before


def reached(place: Place) -> Place:
    """Return where this process calls the host at this place."""
    if _door is None or place == ("127.0.0.1", _door):
        return place
    return loopback_address(place_text(*place)), _door


def is_plain(host: str) -> bool:
    """Whether this is an IP address that leads to one machine, from any interface."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return not (address.version == 6 and address.is_link_local)


async def addresses_of(host: str) -> list[str]:
    """Return the IP addresses of a host in the order in which to try them. Raises OSError if it has none.

    A zone in a link-local address is an interface of the machine that wrote it; this machine may call its own
    differently. So the other interfaces follow."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return _by_turns(str(info[4][0]) for info in found)[:ADDRESSES]
    if address.version == 4 or not address.is_link_local:
        return [str(address)]
    plain, _, zone = host.partition("%")
    interfaces = socket.if_nameindex()
    zones = [str(index) if sys.platform == "win32" else name for index, name in interfaces if name != "lo"]
    zones = [name for name in zones if name == zone] + [name for name in zones if name != zone]
    if not zones:
        raise OSError("this machine is on no network")
    return [f"{plain}%{name}" for name in zones][:ADDRESSES]


def _by_turns(addresses: Iterable[str]) -> list[str]:
    """Return these addresses, each once, with IPv6 and IPv4 in turns."""
    each = list(dict.fromkeys(addresses))
    if not each:
        return []
    first = [one for one in each if (":" in one) == (":" in each[0])]
    others = [one for one in each if one not in first]
    return [one for pair in zip_longest(first, others) for one in pair if one is not None]


async def places_of(places: Iterable[Place]) -> list[Place]:
    """Return the IP addresses and ports of these hosts, in the order in which to try them. Raises OSError if there are
    none. A door answers for every host, so through one only the first is called: if it ends the call, the next."""
    every = list(places)
    if _door is not None:
        return [reached(every[0])]
    found = await asyncio.gather(*(addresses_of(host) for host, _ in every), return_exceptions=True)
    known = [(one, port) for (_, port), some in zip(every, found) if isinstance(some, list) for one in some]
    if not known:
        raise next((one for one in found if isinstance(one, OSError)), OSError("no address"))
    return known[:ADDRESSES]


async def first_to_answer(places: Sequence[Place], start_s: float = ATTEMPT_S) -> Place | None:
    """Return the first of these addresses at which something listens, None if nothing does. The next address is tried
    after ATTEMPT_S (the second after start_s), or at once if this one refuses."""
    waiting, tries = list(places), dict[asyncio.Task[bool], Place]()
    head_s = start_s
    try:
        while waiting or tries:
            if waiting:
                place = waiting.pop(0)
                tries[asyncio.ensure_future(_answers(*place))] = place
            timeout = head_s if waiting else None
            head_s = ATTEMPT_S
            done, _ = await asyncio.wait(tries, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                place = tries.pop(task)
                if task.result():
                    return place
    finally:
        for task in tries:
            task.cancel()
    return None


async def _answers(address: str, port: int) -> bool:
    with suppress(OSError):
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(address, port)
        writer.close()
        return True
    return False
