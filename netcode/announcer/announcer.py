"""Announces a host by multicast DNS on every interface on which it can be reached, and follows changes of these."""

import asyncio
import ipaddress
import logging
from contextlib import suppress

from msgspec import Struct
from zeroconf import Error, IPVersion, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from netcode.protocol.announcement import SERVICE, Announcement
from netcode.protocol.interfaces import LocalAddress, local_addresses
from netcode.protocol.multicast import interfaces_of, quiet

LOG = logging.getLogger("kickdoor.announcer")
LOOK_S = 3.0
"""How often the addresses of this machine are looked at: a network or a VPN may come up later."""
GOODBYE_S = 1.0
"""How long the network is told at the end that the host has gone (s)."""


class Order(Struct, frozen=True):
    """What to announce. address: the IP at which the host listens."""

    address: str
    announcement: Announcement


def announced_addresses(address: str) -> list[LocalAddress]:
    """Return the addresses to announce for a host that listens at this IP. Loopback is announced only to itself."""
    bound = ipaddress.ip_address(address)
    found = local_addresses()
    if not bound.is_unspecified:
        zone = getattr(bound, "scope_id", None)
        plain = address.partition("%")[0]
        return [one for one in found if one.ip == plain and zone in (None, one.interface, str(one.index))]
    return [one for one in found if one.kind != "loopback" and (one.version == 4 or bound.version == 6)]


class Announcer:
    """Announces one host until it is told to stop. Create and use it inside a running loop."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._woken = asyncio.Event()
        self._stopped = self._warned = False
        self._zeroconf: AsyncZeroconf | None = None
        self._shown: tuple[Order, list[LocalAddress]] | None = None
        """What was announced last, and at which addresses."""
        quiet()

    def change(self, order: Order) -> None:
        """Announce this from now on."""
        self._order = order
        self._woken.set()

    def stop(self) -> None:
        """Say that the host has gone, and let `run` return."""
        self._stopped = True
        self._woken.set()

    async def run(self) -> None:
        """Announce until `stop` is called. A network that cannot be used is tried again."""
        while not self._stopped:
            self._woken.clear()
            try:
                await self._announce(self._order, announced_addresses(self._order.address))
            except (OSError, RuntimeError, Error) as problem:
                self._warn(problem)
                await self._close()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), LOOK_S)
        await self._close()

    async def _announce(self, order: Order, addresses: list[LocalAddress]) -> None:
        if (order, addresses) == self._shown:
            return
        interfaces = interfaces_of(addresses)
        if not interfaces:
            await self._close()  # no network at present
            return
        info = _service(order.announcement, addresses)
        if self._zeroconf is None:
            self._zeroconf = AsyncZeroconf(interfaces=interfaces, ip_version=IPVersion.All)
            # The name holds the fingerprint of the host's key: a stranger who uses it too must not rename this host.
            await self._zeroconf.async_register_service(info, cooperating_responders=True)
        else:
            await self._zeroconf.async_update_interfaces(interfaces)
            await self._zeroconf.async_update_service(info)
        self._shown = order, addresses

    async def _close(self) -> None:
        zeroconf, self._zeroconf, self._shown = self._zeroconf, None, None
        if zeroconf is not None:
            with suppress(TimeoutError, OSError):
                await asyncio.wait_for(zeroconf.async_close(), GOODBYE_S)

    def _warn(self, problem: Exception) -> None:
        if not self._warned:
            self._warned = True
            reason = problem.strerror if isinstance(problem, OSError) else "multicast DNS does not work here"
            LOG.warning("the table cannot be announced on the network: %s", reason)


def _service(told: Announcement, addresses: list[LocalAddress]) -> ServiceInfo:
    parsed = [one.ip for one in addresses]
    return ServiceInfo(
        SERVICE, told.name, port=told.port, properties=told.text, server=told.server, parsed_addresses=parsed
    )
