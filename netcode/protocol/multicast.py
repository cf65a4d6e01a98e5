"""How host and client use zeroconf, the library for multicast DNS: on which interfaces, and what it may log."""

import logging
from collections.abc import Iterable

from netcode.protocol.interfaces import LocalAddress


def interfaces_of(addresses: Iterable[LocalAddress]) -> list[str | int]:
    """Return the interfaces of these addresses as zeroconf takes them: IPv4 addresses, and indexes for IPv6.

    zeroconf's own choice of all interfaces has loopback among them, where packets of IPv6 go nowhere."""
    usable = [one for one in addresses if one.multicast or one.kind == "loopback"]
    fours = [one.ip for one in usable if one.version == 4]
    return [*dict.fromkeys(fours), *dict.fromkeys(one.index for one in usable if one.version == 6)]


def quiet() -> None:
    """Keep zeroconf's log out of ours: it quotes packets of strangers, and an interface that went down is no fault."""
    logging.getLogger("zeroconf").disabled = True
