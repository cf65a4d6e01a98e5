"""The addresses of this machine on each of its interfaces, and which of them others may reach.

Only a host that listens on all addresses, an announced host and a search of the network need this module.
"""

import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Collection, Iterable
from typing import Literal

import ifaddr
from msgspec import Struct

if sys.platform == "linux":
    import fcntl

Kind = Literal["lan", "tunnel", "inner", "loopback"]
"""What an interface leads to: a network of neighbours, one far end (a VPN), programs on this machine (containers,
virtual machines), or this machine itself."""
_KINDS: tuple[Kind, ...] = ("lan", "tunnel", "inner", "loopback")
_SIOCGIFFLAGS = 0x8913
_UP, _LOOPBACK, _POINT_TO_POINT, _RUNNING, _NO_ARP, _MULTICAST = 0x1, 0x8, 0x10, 0x40, 0x80, 0x1000
"""Flags of an interface (netdevice(7) of Linux)."""
_INNER = re.compile(
    r"(docker|br-|virbr|vmnet|vboxnet|lxc|lxd|podman|cni|flannel|cali|awdl|llw)|.*(Hyper-V|VirtualBox|VMware|WSL)", re.I
)
_TUNNEL = re.compile(
    r"(tun|tap|wg|ppp|utun|ipsec|gif|stf|sit|gre|ip6tnl|tailscale|zt|vpn)|.*(VPN|TAP-|Wintun|WireGuard|Tailscale)", re.I
)
"""Names of interfaces on Linux, macOS and Windows, for what their flags do not tell."""
_PORT = re.compile(r"(veth|vnet|tap)")
"""Ports of inner networks: their link-local addresses lead nowhere else."""


class LocalAddress(Struct, frozen=True):
    """An address of this machine. ip: without its zone; prefix: how many bits name its network; index: the number of
    its interface."""

    ip: str
    prefix: int
    interface: str
    index: int
    kind: Kind = "lan"
    multicast: bool = True

    @property
    def link_local(self) -> bool:
        """Whether it is valid on its own link only."""
        return ipaddress.ip_address(self.ip).is_link_local

    @property
    def version(self) -> int:
        """4 or 6."""
        return 6 if ":" in self.ip else 4

    def __str__(self) -> str:
        return f"{self.ip}%{self.interface}" if self.version == 6 and self.link_local else self.ip


def local_addresses() -> list[LocalAddress]:
    """Return the addresses of all interfaces that are up, the one that others most likely reach first."""
    found = []
    for adapter in ifaddr.get_adapters():
        names = {str(adapter.name), str(adapter.nice_name)}
        for one in adapter.ips:
            ip = one.ip if isinstance(one.ip, str) else one.ip[0]
            name = one.nice_name if sys.platform == "win32" else str(adapter.name).partition(":")[0]  # eth0:1 is eth0
            flags = _flags(name)
            if not flags & _UP or not flags & _RUNNING:
                continue
            address = ipaddress.ip_address(ip)
            kind = "loopback" if address.is_loopback else kind_of(names, flags)
            index = adapter.index or 0
            zone = str(index) if sys.platform == "win32" else name
            found.append(LocalAddress(ip, one.network_prefix, zone, index, kind, bool(flags & _MULTICAST)))
    outgoing = (outgoing_address(socket.AF_INET, "192.0.2.1"), outgoing_address(socket.AF_INET6, "2001:db8::1"))
    return in_order(found, outgoing)


def kind_of(names: Iterable[str], flags: int) -> Kind:
    """Return what an interface with these names and flags leads to. A link without ARP has no neighbours."""
    if flags & _LOOPBACK:
        return "loopback"
    if any(_INNER.match(name) for name in names):
        return "inner"
    if flags & (_POINT_TO_POINT | _NO_ARP) or any(_TUNNEL.match(name) for name in names):
        return "tunnel"
    return "lan"


def in_order(addresses: Iterable[LocalAddress], outgoing: Collection[str] = ()) -> list[LocalAddress]:
    """Return these addresses, each once, the one that others most likely reach first, loopback last.

    A neighbour has a better chance than the far end of a VPN, even if the default route leads there. outgoing: the
    addresses from which this machine sends to the internet."""

    def rank(one: LocalAddress) -> tuple[bool, bool, int, int, bool, int]:
        loopback = one.kind == "loopback"
        return (loopback, one.link_local, _KINDS.index(one.kind), one.version, one.ip not in outgoing, one.index)

    useful = (one for one in addresses if not (one.link_local and (one.kind != "lan" or _PORT.match(one.interface))))
    return list(dict.fromkeys(sorted(useful, key=rank)))


def outgoing_address(family: socket.AddressFamily, towards: str) -> str:
    """Return the address from which this machine would send to others, "" without a route. Sends nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((towards, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def _flags(interface: str) -> int:
    """Return the flags of an interface; where the system does not say, those of an ordinary one that is up."""
    unknown = _UP | _RUNNING | _MULTICAST
    if sys.platform != "linux":
        return unknown
    request = struct.pack("16s16x", interface.encode()[:15])
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            answer = fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request)
    except OSError:
        return unknown
    flags: int = struct.unpack_from("=H", answer, 16)[0]
    return flags
