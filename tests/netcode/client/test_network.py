"""Hosts on networks of namespaces: found whatever the routes are, and whatever strangers announce."""

import asyncio
import json
import socket
from dataclasses import replace

from netcode.client.client import Client
from netcode.client.discovery import Search, find, find_hosts
from netcode.client.found_host import FoundHost
from netcode.host.addresses import public_addresses
from netcode.protocol import limits
from netcode.protocol.announcement import Announcement, fingerprint
from netcode.protocol.credentials import Join, parse_join
from tests.netcode.client.announcements import announced, shouting
from tests.netcode.namespaces import Machine, machines, needs_namespaces
from tests.netcode.running_host import start_process
from tests.patience import PATIENCE_S

pytestmark = needs_namespaces
OTHER = bytes(range(1, 33))


def search(machine: Machine, seconds: float = 20, enough: int = 1, key: bytes = b"") -> list[FoundHost]:
    """Return the hosts that a machine finds."""
    return machine.do(lambda: asyncio.run(find_hosts(seconds, key, enough)))


def test_a_host_is_found_whatever_the_routes_are() -> None:
    """No default route, a VPN on the default route of either side, and then IPv6 only."""
    with machines(2) as (ben, kim):
        ben.address("lan0", "10.9.0.1/24", "fd09::1/64")
        kim.address("lan0", "10.9.0.2/24", "fd09::2/64")
        with announced(ben) as port:
            (found,) = search(kim)
            assert (found.port, found.table, found.machine) == (port, "t1", "the attic")
            assert found.host in ("10.9.0.1", "fd09::1") or found.host.startswith("fe80::")
            (own,) = search(ben)
            assert own.port == port, "also on the host's own machine"
            kim.vpn("vpn0", "10.77.0.2/24")
            assert search(kim)[0].port == port
            ben.vpn("vpn0", "10.78.0.2/24")
            assert search(kim)[0].port == port
            for machine, address in ((ben, "10.9.0.1/24"), (kim, "10.9.0.2/24")):
                machine.ip("addr", "del", address, "dev", "lan0")
            (found,) = search(kim)
            assert ":" in found.host and found.port == port
        with announced(ben, "0.0.0.0"):
            assert search(kim, 1) == [], "a host on IPv4 only, without an address there"


def test_two_hosts_with_only_link_local_addresses_are_both_found() -> None:
    with machines(3) as (_, ben, kim), announced(ben) as at_ben, announced(kim, key=OTHER, name="the cellar") as at_kim:
        found = search(kim, enough=2)
        assert {(one.port, one.machine) for one in found} == {(at_ben, "the attic"), (at_kim, "the cellar")}
        assert all(one.host.startswith("fe80::") and one.host.endswith("%lan0") for one in found)


def test_a_thousand_false_hosts_hide_nobody() -> None:
    """Some false hosts have other names, and addresses where nobody is. Some have the name of the true host and replace
    its records. At some ports something listens and never answers."""
    with machines(3) as (switch, ben, kim):
        switch.address("switch", "10.9.0.66/16")
        ben.address("lan0", "10.9.0.1/16")
        kim.address("lan0", "10.9.0.2/16")
        process = start_process(within=ben.within, announce=True, bind="0.0.0.0", name="the attic")
        try:
            assert process.stdout is not None
            join = parse_join(json.loads(process.stdout.readline())["join"])
            traps = [switch.do(socket.create_server, ("10.9.0.66", 0)) for _ in range(100)]
            ports = [trap.getsockname()[1] for trap in traps]
            crowd = [Announcement(f"{at:010x}", 7788, "t", "false") for at in range(700)]
            placed = [(told, f"10.9.{1 + at // 250}.{1 + at % 250}") for at, told in enumerate(crowd)]
            placed += [(Announcement(f"{port:010x}", port, "t", "trap"), "10.9.0.66") for port in ports]
            mimics = [Announcement(fingerprint(join.key), port, "t", "mimic") for port in (*ports, *range(1, 101))]
            placed += [(told, "10.9.0.66") for told in mimics]
            moved = replace(join, host="10.9.9.9", port=1)

            async def look() -> tuple[list[FoundHost], Join | None]:
                async with Search() as search, asyncio.timeout(PATIENCE_S):
                    while not any(one.port == join.port and join.host in one.addresses for one in search.hosts):
                        await asyncio.sleep(0.05)
                return search.hosts, await find(moved, 30)

            with shouting(switch, placed):
                hosts, found = kim.do(lambda: asyncio.run(look()))
            assert len(hosts) <= limits.FOUND_HOSTS
            assert found == join
        finally:
            process.kill()
            process.communicate()
            for trap in traps:
                trap.close()


async def _sit_down(string: str, name: str) -> int | None:
    """Sit down and leave for good: if the seats belonged only to absent players, the next player would have to knock
    and wait."""
    kim = Client(string, name, keep=False)
    seat = (await kim.join()).seat
    await kim.leave()
    return seat


def test_strings_name_each_address_with_a_lan_before_a_vpn_and_loopback_last() -> None:
    """A player sits down with each of the first ones, also with the one that names the host's zone (`%lan0`), although
    the player's machine has another name for its own interface."""
    with machines(2) as (ben, kim):
        ben.address("lan0", "10.9.0.1/24", "fd09::1/64")
        kim.address("lan0", "10.9.0.2/24", "fd09::2/64")
        kim.ip("link", "set", "lan0", "name", "wifi")
        ben.vpn("vpn0", "10.77.0.2/24")
        link_local = ben.do(public_addresses, "::")[3]
        assert link_local.startswith("fe80::") and link_local.endswith("%lan0")
        order = ["10.9.0.1", "fd09::1", "10.77.0.2", link_local, "127.0.0.1", "::1"]
        assert ben.do(public_addresses, "::") == order
        assert ben.do(public_addresses, "0.0.0.0") == ["10.9.0.1", "10.77.0.2", "127.0.0.1"]
        process = start_process(within=ben.within, bind="::", front=True, seats=5)
        try:
            assert process.stdout is not None
            joins = json.loads(process.stdout.readline())["joins"]
            assert [parse_join(string).host for string in joins] == order
            for at, name in ((0, "Kim"), (1, "Roger"), (3, "Ann")):  # new names: nobody claims another's seat
                assert kim.do(lambda *who: asyncio.run(_sit_down(*who)), joins[at], name) is not None
        finally:
            process.kill()
            process.communicate()
