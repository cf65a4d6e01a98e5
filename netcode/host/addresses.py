"""The addresses of a host: where it listens, and where this machine and others reach it."""

import errno
import ipaddress
import logging
import socket

from netcode.host.config import ConfigError

LOG = logging.getLogger("kickdoor.host")
_ALIASES = {"localhost": "127.0.0.1", "*": "0.0.0.0", "": "127.0.0.1"}


class BindError(RuntimeError):
    """The host cannot listen there. The text is one line for people."""


class PortInUse(BindError):
    """Another program listens there; it may end."""


def address_of(bind: str) -> str:
    """Return the IP address to listen at. bind: as --bind gives it. Raises ConfigError."""
    name = _ALIASES.get(bind, bind.strip("[]"))
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        text = f"--bind {bind} is not an address: 127.0.0.1 (this machine only), 0.0.0.0 (all) or one of yours"
        raise ConfigError(text) from None


def is_loopback(bind: str) -> bool:
    """Return whether a host bound there can be reached from this machine only."""
    return ipaddress.ip_address(address_of(bind)).is_loopback


def local_address(bind: str) -> str:
    """Return the address under which this machine reaches a host bound there."""
    address = ipaddress.ip_address(address_of(bind))
    if not address.is_unspecified:
        return str(address)
    return "127.0.0.1" if address.version == 4 else "::1"


def announcing_interface(bind: str) -> str:
    """Return the IPv4 address of the interface to announce the host from, "" for the system's choice."""
    address = address_of(bind)
    return "" if ipaddress.ip_address(address).is_unspecified or ":" in address else address


def public_addresses(bind: str) -> list[str]:
    """Return the addresses under which others may reach a host bound there, the most likely one first."""
    address = ipaddress.ip_address(address_of(bind))
    if not address.is_unspecified:
        return [str(address)]
    found = _outgoing_address(socket.AF_INET, "192.0.2.1")
    if address.version == 6:
        found += _outgoing_address(socket.AF_INET6, "2001:db8::1")
    try:
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except socket.gaierror as problem:
        LOG.info("the name of this machine has no address: %s", problem)
    return list(dict.fromkeys([*found, "127.0.0.1"]))


def _outgoing_address(family: socket.AddressFamily, towards: str) -> list[str]:
    """Return the address from which this machine would send to others. Sends nothing."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((towards, 9))
        except OSError:
            return []  # no route out of this machine
        return [str(probe.getsockname()[0])]


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
