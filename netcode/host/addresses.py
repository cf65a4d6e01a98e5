"""The addresses of a host: where it listens, and where this machine and others reach it."""

import errno
import ipaddress
import re
import socket
from collections.abc import Sequence
from typing import Any

from netcode.host.config import ConfigError

_PLACE = re.compile(
    r"(?:\[(?P<bracketed>[0-9A-Fa-f:.]+(?:%[\w.-]+)?)\]|(?P<host>[A-Za-z0-9.-]{1,255}))(?::(?P<port>[0-9]{1,5}))?"
)
_ALIASES = {"localhost": "127.0.0.1", "*": "0.0.0.0", "": "127.0.0.1"}


class BindError(RuntimeError):
    """The host cannot listen there. The text is one line for people."""


class PortInUse(BindError):
    """Another program listens there; it may end."""


def address_of(bind: str) -> str:
    """Return the IP address to listen at. bind: as --bind gives it. Raises ConfigError."""
    name = _ALIASES.get(bind, re.sub(r"%25(?=.)", "%", bind.strip("[]")))
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        text = f"--bind {bind} is not an address: 127.0.0.1 (this machine only), 0.0.0.0 (all) or one of yours"
        raise ConfigError(text) from None
    zone = getattr(address, "scope_id", None)
    if address.version == 6 and address.is_link_local and zone is None:
        raise ConfigError(f"--bind {bind} exists on each interface: name yours as well, as in {address}%eth0")
    if zone is not None:
        _check_zone(bind, zone)
    return str(address)


def _check_zone(bind: str, zone: str) -> None:
    """Raise ConfigError if this machine has no interface of this name or number."""
    try:
        (socket.if_indextoname(int(zone)) if zone.isdecimal() else socket.if_nametoindex(zone))
    except (OSError, OverflowError):
        names = ", ".join(name for _, name in socket.if_nameindex())
        raise ConfigError(f"--bind {bind}: this machine has no interface {zone} (it has {names})") from None


def is_own_address(host: str) -> bool:
    """Return whether this is an IPv4 address of this machine, one at which a socket can be bound."""
    try:
        own = "127.0.0.1" if host == "localhost" else str(ipaddress.IPv4Address(host))
        with socket.socket() as probe:
            probe.bind((own, 0))
    except (ValueError, OSError):
        return False
    return True


def is_loopback(bind: str) -> bool:
    """Return whether a host bound there can be reached from this machine only."""
    return ipaddress.ip_address(address_of(bind)).is_loopback


def local_address(bind: str) -> str:
    """Return the address under which this machine reaches a host bound there."""
    address = ipaddress.ip_address(address_of(bind))
    if not address.is_unspecified:
        return str(address)
    return "127.0.0.1" if address.version == 4 else "::1"


def public_addresses(bind: str) -> list[str]:
    """Return the addresses of a host bound there: those under which others may reach it, the most likely one first,
    then those of loopback."""
    address = ipaddress.ip_address(address_of(bind))
    if not address.is_unspecified:
        return [str(address)]
    from netcode.protocol.interfaces import local_addresses  # a host with one address asks for no others

    found = [str(one) for one in local_addresses() if one.version == 4 or address.version == 6]
    return found or [local_address(bind)]


def reached_at(bind: str, given: Sequence[str], port: int) -> list[tuple[str, int]]:
    """Return where a host bound there is reached, as hosts and ports: at the addresses that --address gives, otherwise
    at those of this machine. port: its own. Raises ConfigError."""
    return [_given(text, port) for text in given] or [(address, port) for address in public_addresses(bind)]


def _given(text: str, port: int) -> tuple[str, int]:
    """Return the host and the port of an --address."""
    found = _PLACE.fullmatch(text)
    if found is None or not 0 <= int(found["port"] or port) < 65536:
        raise ConfigError(f"--address {text} is none: NAME, NAME:PORT, an IP address, or [IPv6]:PORT")
    return (found["bracketed"] or found["host"]), int(found["port"] or port)


def split_loopback(addresses: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return these addresses in two lists: those for others, and those that lead nobody else here. If others have none,
    all are in the first: one may reach them through SSH."""
    others = [one for one in addresses if not ipaddress.ip_address(one).is_loopback]
    return (others, [one for one in addresses if one not in others]) if others else (list(addresses), [])


def socket_address(address: str, port: int) -> Any:
    """Return an IP address, perhaps with a zone, and a port as `socket.bind` takes them. Raises OSError."""
    return socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)[0][4]


def bind_error(number: int | None, text: str | None, address: str, port: int) -> BindError:
    """Return the exception for a host that cannot listen at this address and port. number, text: the system's error."""
    match number:
        case errno.EADDRINUSE:
            busy = f"port {port} on {address} is in use: choose another with --port, or --port 0 for any free one"
            return PortInUse(busy)
        case errno.EADDRNOTAVAIL | errno.ENODEV:
            which = "use --bind 127.0.0.1 (this machine only) or 0.0.0.0 (all)"
            return BindError(f"this machine has no address {address}: {which}")
        case errno.EACCES if port < 1024:
            return BindError(f"port {port} is reserved for administrators: choose one above 1023 with --port")
    return BindError(f"cannot listen on {address} port {port}: {text}")
