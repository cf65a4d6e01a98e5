"""How soon an announced host is found, and whether packets of strangers delay a host: `python -m tests.bench network`.

It runs in namespaces (as root), from which nothing reaches a real network."""

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import ExitStack

from netcode.client.discovery import Search, has_key
from netcode.protocol.announcement import Announcement
from netcode.protocol.credentials import Join, parse_join
from tests.bench.figures import line, spread
from tests.netcode.client.announcements import announced, shouting
from tests.netcode.namespaces import Machine, machines
from tests.netcode.running_host import start_process

ROUNDS, HANDSHAKES = 10, 100
CROWD = [(Announcement(f"{at:010x}", 7788, "t", "false"), f"10.9.{1 + at // 250}.{1 + at % 250}") for at in range(1000)]


def main(arguments: Sequence[str] = ()) -> int:
    """Print the figures; return the exit code."""
    with machines(3) as (switch, ben, kim):
        switch.address("switch", "10.9.0.66/16")
        ben.address("lan0", "10.9.0.1/16", "fd09::1/64")
        kim.address("lan0", "10.9.0.2/16", "fd09::2/64")
        with announced(ben) as port:
            _find(kim, "no default route", port)
            for machine, far in ((ben, "10.77.0.2/24"), (kim, "10.78.0.2/24")):
                machine.vpn("vpn0", far)
            _find(kim, "a VPN on both default routes", port)
            with announced(kim, key=bytes(32)):
                _find(kim, "two hosts", port)
            with shouting(switch, CROWD):
                _find(kim, "a thousand false hosts a second", port)
            for machine, near in ((ben, "10.9.0.1/16"), (kim, "10.9.0.2/16")):
                machine.ip("addr", "del", near, "dev", "lan0")
            _find(kim, "IPv6 only", port)
        for machine, near in ((ben, "10.9.0.1/16"), (kim, "10.9.0.2/16")):
            machine.address("lan0", near)
        _flood(switch, ben, kim)
    return 0


def _find(kim: Machine, where: str, port: int) -> None:
    """Print how long a search takes until this host is found."""
    times = kim.do(lambda: [asyncio.run(_until_found(port)) for _ in range(ROUNDS)])
    line(f"host found: {where}", sorted(times)[ROUNDS // 2], "s", "1", spread=spread(times))


async def _until_found(port: int) -> float:
    news, began = asyncio.Event(), time.monotonic()
    async with Search(told=news.set) as search, asyncio.timeout(60):
        while all(one.port != port for one in search.hosts):
            news.clear()
            await news.wait()
        return time.monotonic() - began


def _flood(switch: Machine, ben: Machine, kim: Machine) -> None:
    """Print how long a handshake takes at a host that announces itself and at one that does not, in turn, without a
    flood of announcements and during one."""
    with ExitStack() as stack:
        joins = {}
        for announce in (True, False):
            host = start_process(within=ben.within, announce=announce, bind="10.9.0.1", front=True)
            stack.callback(host.communicate)
            stack.callback(host.kill)
            assert host.stdout is not None
            joins[announce] = parse_join(json.loads(host.stdout.readline())["join"])
        for what in ("quiet", "flood"):
            with shouting(switch, CROWD, 0.0) if what == "flood" else ExitStack():
                taken = kim.do(lambda: asyncio.run(_handshakes(joins)))
            for announce, seconds in taken.items():
                times = [one * 1000 for one in seconds]
                told = "announced" if announce else "not announced"
                line(f"handshake: {what}, {told}", sorted(times)[HANDSHAKES // 2], "ms", spread=spread(times))


async def _handshakes(joins: dict[bool, Join]) -> dict[bool, list[float]]:
    taken: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(HANDSHAKES):
        for announce, join in joins.items():
            began = time.monotonic()
            assert await has_key(join)
            taken[announce].append(time.monotonic() - began)
    return taken
