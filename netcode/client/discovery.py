"""Find hosts on the local network by multicast DNS (netcode/protocol/announcement.py).

Anybody can announce anything there. So a search remembers all that it hears about a host, whoever contradicts it later,
and tries each address itself: false hosts may be added to a true one, but cannot replace it. With a join string a host
counts as found only after the encrypted handshake with the key of the string.
"""

import asyncio
import errno
import ipaddress
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice, zip_longest
from typing import Any

import zmq
from zeroconf import (
    DNSAddress,
    DNSOutgoing,
    DNSQuestion,
    DNSService,
    DNSText,
    Error,
    IPVersion,
    RecordUpdateListener,
)
from zeroconf.asyncio import AsyncZeroconf

from netcode.client.found_host import FoundHost
from netcode.client.transport import Transport
from netcode.protocol import limits
from netcode.protocol.announcement import SERVICE, Announcement, fingerprint, key_in, read_announcement
from netcode.protocol.credentials import Join, new_pair
from netcode.protocol.interfaces import LocalAddress, local_addresses
from netcode.protocol.multicast import interfaces_of, quiet

_QUESTIONS_S = (
    (0.0, True), (0.05, False), (0.25, True), (0.5, True), (0.9, False), (1.5, True), (2.5, False), (4.0, True),
    (8.0, False), (15.0, True),
)  # fmt: skip
"""When a search asks (s), and whether hosts may answer it alone: such an answer comes at once, and gets through a flood
of packets to everybody, but another program of this machine may get it."""
_TEXT_BYTES = 512
"""How much of a TXT record is read; hosts of ours send less than 100 bytes."""
_PTR, _IN = 12, 1
"""Type and class of the question (RFC 1035)."""


class DiscoveryError(OSError):
    """This machine cannot search the network. The text is one line for people."""


# ------------------------------------------------------------------------------------------------------ what was heard
class Claims(RecordUpdateListener):
    """What was announced: names of hosts, each with ports, texts and addresses. All of it is bounded, and nothing that
    was heard is taken back: a stranger can add to what a host says, and not replace it."""

    def __init__(
        self, wanted: str, usable: Callable[[str, int | None], Iterable[str]], heard: Callable[[str], None]
    ) -> None:
        """wanted: the only fingerprint to listen to, "" for all; usable(ip, index of the interface): the
        addresses to try; heard(name): there is something new about this host."""
        self._wanted, self._usable, self._heard = wanted, usable, heard
        self._ports: OrderedDict[str, dict[tuple[str, int], None]] = OrderedDict()
        self._texts: OrderedDict[str, bytes] = OrderedDict()
        self._addresses: OrderedDict[str, dict[str, None]] = OrderedDict()
        self._names: OrderedDict[str, dict[str, None]] = OrderedDict()
        """The hosts that claim to be at the name of a server."""

    def async_update_records(self, zc: Any, now: float, records: Iterable[Any]) -> None:
        """Take the records of a packet (as zeroconf calls it)."""
        news: dict[str, None] = {}
        for record in (update.new for update in records):
            name = record.name.lower()
            if isinstance(record, DNSService) and self._is_wanted(name):
                server = record.server.lower()
                _add(_entry(self._names, server), name)
                if _add(_entry(self._ports, name), (server, record.port)):
                    news[name] = None
            elif isinstance(record, DNSText) and self._is_wanted(name):
                if self._texts.get(name) != record.text:
                    self._texts[name] = record.text[:_TEXT_BYTES]
                    _bound(self._texts)
                    news[name] = None
            elif isinstance(record, DNSAddress) and name.startswith("kickdoor-"):
                addresses = _entry(self._addresses, name)
                known = len(addresses)
                for address in self._usable(_ip(record.address), record.scope_id):
                    _add(addresses, address)
                if len(addresses) > known:
                    news.update(self._names.get(name, {}))
        for name in news:
            self._heard(name)

    def async_update_records_complete(self) -> None:
        """Nothing is left to do after a packet."""

    def of(self, name: str) -> Iterator[tuple[Announcement, str, tuple[str, ...]]]:
        """Yield what a host announces, the name of its server, and its addresses, once for each port it claims."""
        text = self._texts.get(name)
        if text is None:
            return
        for server, port in self._ports.get(name, {}):
            told = read_announcement(name, port, _properties(text))
            if told is not None:
                yield told, server, tuple(self._addresses.get(server, ()))

    def _is_wanted(self, name: str) -> bool:
        key = key_in(name)
        return bool(key) and self._wanted in ("", key)


def _entry(names: OrderedDict[str, dict[Any, None]], name: str) -> dict[Any, None]:
    """Return what is known of this name; the name heard least lately makes room."""
    entry = names.setdefault(name, {})
    names.move_to_end(name)
    _bound(names)
    return entry


def _bound(names: OrderedDict[str, Any]) -> None:
    while len(names) > limits.HOST_CLAIMS:
        names.popitem(last=False)


def _add(entry: dict[Any, None], claim: object) -> bool:
    """Note a claim; return whether it is new, and there is room for it."""
    is_new = claim not in entry and len(entry) < limits.CLAIMED_ADDRESSES
    if is_new:
        entry[claim] = None
    return is_new


def _ip(packed: bytes) -> str:
    return str(ipaddress.ip_address(packed)) if len(packed) in (4, 16) else ""


def _properties(text: bytes) -> dict[bytes, bytes | None]:
    """Return the properties in a TXT record (RFC 6763, section 6); the first of each name counts."""
    found: dict[bytes, bytes | None] = {}
    at = 0
    while at < len(text):
        name, is_set, value = text[at + 1 : at + 1 + text[at]].partition(b"=")
        found.setdefault(name.lower(), value if is_set else None)
        at += 1 + text[at]
    return found


def usable_addresses(ip: str, index: int | None, own: Iterable[LocalAddress]) -> list[str]:
    """Return an announced address as it can be tried from this machine, none if it should not be: strangers must not
    send this machine to an address outside of private networks and of its own.

    index: of the interface on which it was heard, None if that is not known. Then a link-local address is tried on each
    interface."""
    try:
        address = ipaddress.ip_address(ip)
    except ValueError:
        return []
    if address.version == 6 and address.is_link_local:
        zones = dict.fromkeys(one.interface for one in own if one.version == 6 and index in (None, one.index))
        return [f"{address}%{zone}" for zone in zones]
    if address.is_multicast or address.is_unspecified or address.is_reserved:
        return []
    mine = any(address in ipaddress.ip_network(f"{one.ip}/{one.prefix}", strict=False)
               for one in own if one.version == address.version)  # fmt: skip
    return [str(address)] if mine or (address.is_private and not address.is_loopback) else []


# ---------------------------------------------------------------------------------------------------- who answers there
class Probes:
    """Tries to connect to addresses, many at a time, each machine in turn: a machine with a thousand false hosts
    delays only itself. An address that is slow to answer is tried again after the others."""

    def __init__(self, answers: Callable[[str, int], None]) -> None:
        """answers(address, port): something listens there. Create it inside a running loop."""
        self._answers = answers
        self._waiting: OrderedDict[str, deque[tuple[int, float]]] = OrderedDict()
        self._known: set[tuple[str, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, address: str, port: int) -> None:
        """Try this address, if it was not tried before."""
        if (address, port) not in self._known and len(self._known) < limits.HOST_CLAIMS * 4:
            self._known.add((address, port))
            self._put(address, port, limits.PROBE_S)

    def close(self) -> None:
        """Try no more."""
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()

    def _put(self, address: str, port: int, patience_s: float) -> None:
        self._waiting.setdefault(address, deque()).append((port, patience_s))
        if len(self._tasks) < limits.PROBES:
            task = asyncio.get_running_loop().create_task(self._work())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self) -> None:
        while self._waiting:
            address, ports = self._waiting.popitem(last=False)
            port, patience_s = ports.popleft()
            if ports:
                self._waiting[address] = ports  # behind the others
            try:
                async with asyncio.timeout(patience_s):
                    _, writer = await asyncio.open_connection(address, port)
            except OSError as problem:  # also TimeoutError
                slow = isinstance(problem, TimeoutError) or problem.errno in (errno.EMFILE, errno.ENFILE)
                if slow and patience_s < limits.SLOW_PROBE_S:
                    self._put(address, port, limits.SLOW_PROBE_S)
            else:
                writer.close()
                self._answers(address, port)


def in_turns(hosts: Iterable[FoundHost]) -> list[FoundHost]:
    """Return these hosts such that each address has its turn: the first host of each, then the second of each, ..."""
    by_address: dict[str, list[FoundHost]] = {}
    for one in hosts:
        by_address.setdefault(one.host, []).append(one)
    return [one for turn in zip_longest(*by_address.values()) for one in turn if one is not None]


class Search:
    """A search of the network, until it is closed: an asynchronous context manager.

    key: the server's key of the only host to look for. told(): there is another host, or another address of one. own:
    the addresses of this machine on whose interfaces to search."""

    def __init__(
        self, key: bytes = b"", told: Callable[[], None] = lambda: None, own: list[LocalAddress] | None = None
    ) -> None:
        self._told = told
        self._own = own if own is not None else [one for one in local_addresses() if one.kind != "loopback"]
        self._claims = Claims(fingerprint(key) if key else "", self._usable, self._hear)
        self._groups: dict[tuple[str, str, int], FoundHost] = {}
        """The hosts at whose addresses something answers, by fingerprint, server and port."""
        self._asked: dict[tuple[str, int], dict[tuple[str, str, int], Announcement]] = {}
        """Who claims to be at an address and port."""
        self._answering: set[tuple[str, int]] = set()

    @property
    def hosts(self) -> list[FoundHost]:
        """The hosts that were found, at most FOUND_HOSTS, each address in turn."""
        return self.all_hosts[: limits.FOUND_HOSTS]

    @property
    def all_hosts(self) -> list[FoundHost]:
        """All hosts that were found, each address in turn."""
        return in_turns(self._groups.values())

    async def __aenter__(self) -> "Search":
        quiet()
        interfaces = interfaces_of(self._own)
        if not interfaces:
            raise DiscoveryError("this machine is on no network")
        self._probes = Probes(self._answer)
        try:
            self._zeroconf = AsyncZeroconf(interfaces=interfaces, ip_version=IPVersion.All)
            await self._zeroconf.zeroconf.async_wait_for_start()
        except (OSError, RuntimeError, Error) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else "multicast DNS does not work here"
            raise DiscoveryError(f"this machine cannot search its network: {reason}") from None
        self._zeroconf.zeroconf.async_add_listener(self._claims, None)
        loop = asyncio.get_running_loop()
        self._timers = [loop.call_later(after, self._ask, alone) for after, alone in _QUESTIONS_S]
        return self

    async def __aexit__(self, *problem: object) -> None:
        for timer in self._timers:
            timer.cancel()
        self._probes.close()
        await self._zeroconf.async_close()

    def _ask(self, alone: bool) -> None:
        question = DNSQuestion(SERVICE, _PTR, _IN)
        question.unicast = alone
        out = DNSOutgoing(0)
        out.add_question(question)
        self._zeroconf.zeroconf.async_send(out)

    def _usable(self, ip: str, index: int | None) -> list[str]:
        return usable_addresses(ip, index, self._own)

    def _hear(self, name: str) -> None:
        for told, server, addresses in self._claims.of(name):
            group = (told.key, server, told.port)
            if group in self._groups:
                found = self._groups[group]
                self._groups[group] = FoundHost(found.addresses, found.port, found.key, told.table, told.machine)
            for address in addresses:
                place = (address, told.port)
                claimants = self._asked.setdefault(place, {})
                if group in claimants or len(claimants) < limits.CLAIMED_ADDRESSES:
                    claimants[group] = told
                if place in self._answering:
                    self._answer(*place)
                else:
                    self._probes.add(*place)
            while len(self._asked) > limits.HOST_CLAIMS * 4:
                self._asked.pop(next(iter(self._asked)))

    def _answer(self, address: str, port: int) -> None:
        self._answering.add((address, port))
        for group, told in self._asked.get((address, port), {}).items():
            found = self._groups.get(group)
            before = found.addresses if found is not None else ()
            if address not in before and len(self._groups) < limits.HOST_CLAIMS:
                self._groups[group] = FoundHost((*before, address), port, told.key, told.table, told.machine)
                self._told()


async def find_hosts(
    seconds: float = limits.FIND_S, key: bytes = b"", enough: int = limits.FOUND_HOSTS,
    own: list[LocalAddress] | None = None,
) -> list[FoundHost]:  # fmt: skip
    """Return the hosts that are found within this time: each announces itself, and something answers at its addresses.

    key: return only hosts that claim to have this server's key. Returns early when `enough` are found. own: the
    addresses of this machine on whose interfaces to search (default: all but loopback). Raises DiscoveryError."""
    news = asyncio.Event()
    async with Search(key, news.set, own) as search:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while len(search.hosts) < enough:
                    news.clear()
                    await news.wait()
        return search.hosts


async def find(join: Join, seconds: float = limits.FIND_S * 2, own: list[LocalAddress] | None = None) -> Join | None:
    """Return the join string with the address its host has now; None if the host is not found within this time.

    An address counts only if the host there has the key; one that merely claims it is skipped. Raises
    DiscoveryError."""
    news, tried, handshakes = asyncio.Event(), set[Join](), dict[asyncio.Task[bool], Join]()
    ended = asyncio.get_running_loop().time() + seconds
    async with Search(join.key, news.set, own) as search:
        try:
            while (left := ended - asyncio.get_running_loop().time()) > 0:
                news.clear()
                fresh = (one for host in search.all_hosts for one in host.at(join) if one not in tried)
                for target in islice(fresh, limits.TRIED_HANDSHAKES - len(handshakes)):
                    tried.add(target)
                    handshakes[asyncio.ensure_future(has_key(target))] = target
                waiting = asyncio.ensure_future(news.wait())
                await asyncio.wait([waiting, *handshakes], timeout=left, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                for task in [task for task in handshakes if task.done()]:
                    target = handshakes.pop(task)
                    if task.result():
                        return target
        finally:
            for task in handshakes:
                task.cancel()
            await asyncio.gather(*handshakes, return_exceptions=True)
    return None


async def has_key(target: Join) -> bool:
    """Whether the host at this address has the server's key of this join string: the encrypted handshake succeeds."""
    handshake: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def linked(connected: bool, text: str, code: str) -> None:
        if not handshake.done():
            handshake.set_result(connected or code == "banned")

    try:
        transport = Transport(target.at([(target.host, target.port)]), new_pair(), None, lambda frame: None, linked)
    except zmq.ZMQError:
        return False
    try:
        return await asyncio.wait_for(handshake, limits.TRIED_ADDRESS_S)
    except TimeoutError:
        return False
    finally:
        transport.close(linger_ms=0)
