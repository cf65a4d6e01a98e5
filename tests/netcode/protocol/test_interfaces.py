"""The order of a machine's addresses: what others most likely reach comes first."""

import random

import pytest

from netcode.host.addresses import address_of, split_loopback
from netcode.host.config import ConfigError
from netcode.protocol.interfaces import Kind, LocalAddress, in_order, kind_of
from netcode.protocol.multicast import interfaces_of

UP = 0x1043
"""Up, with broadcast and multicast: an ordinary interface."""
LAN = LocalAddress("192.168.1.5", 24, "eth0", 2)
WIFI = LocalAddress("192.168.7.5", 24, "wlan0", 3)
LAN6, LAN_LOCAL = LocalAddress("2001:db8::5", 64, "eth0", 2), LocalAddress("fe80::5", 64, "eth0", 2)
VPN = LocalAddress("10.8.0.2", 24, "wg0", 4, "tunnel", multicast=False)
BRIDGE = LocalAddress("172.17.0.1", 16, "docker0", 5, "inner")
PORT_OF_BRIDGE = LocalAddress("fe80::77", 64, "veth12ab", 6)
VPN_LOCAL = LocalAddress("fe80::88", 64, "wg0", 4, "tunnel")
LOOP, DEBIAN, LOOP6 = (LocalAddress(ip, 8, "lo", 1, "loopback") for ip in ("127.0.0.1", "127.0.1.1", "::1"))


@pytest.mark.parametrize("seed", range(5))
def test_neighbours_come_before_a_vpn_and_loopback_is_last(seed: int) -> None:
    """The VPN has the default route, and Debian's name of the machine leads to loopback."""
    mixed = [DEBIAN, LOOP6, LOOP, PORT_OF_BRIDGE, VPN_LOCAL, BRIDGE, VPN, LAN_LOCAL, LAN6, LAN, WIFI, LAN]
    random.Random(seed).shuffle(mixed)
    order = in_order(mixed, ("10.8.0.2", "2001:db8::5"))
    assert order[:-3] == [LAN, WIFI, LAN6, VPN, BRIDGE, LAN_LOCAL] and set(order[-3:]) == {DEBIAN, LOOP6, LOOP}
    assert in_order(mixed, ("192.168.7.5",))[:2] == [WIFI, LAN], "of two networks the one with the default route"


@pytest.mark.parametrize(("name", "flags", "kind"), [
    ("eth0", UP, "lan"), ("wlp3s0", UP, "lan"), ("enx00", UP, "lan"), ("lo", 0x49, "loopback"),
    ("tun0", 0x1091, "tunnel"), ("corp", 0x10D1, "tunnel"), ("dummy3", UP | 0x80, "tunnel"), ("wg0", UP, "tunnel"),
    ("utun4", UP, "tunnel"), ("tailscale0", UP, "tunnel"), ("NordVPN Tunnel", UP, "tunnel"), ("docker0", UP, "inner"),
    ("br-0a1b", UP, "inner"), ("virbr0", UP, "inner"), ("Hyper-V Virtual Ethernet Adapter", UP, "inner"),
    ("br0", UP, "lan"), ("bond0", UP, "lan"),
])  # fmt: skip
def test_names_and_flags_tell_what_an_interface_leads_to(name: str, flags: int, kind: Kind) -> None:
    assert kind_of([name], flags) == kind


def test_a_link_local_address_has_its_zone_and_others_have_none() -> None:
    assert [str(one) for one in (LAN, LAN6, LAN_LOCAL, LOOP6)] == ["192.168.1.5", "2001:db8::5", "fe80::5%eth0", "::1"]


def test_zeroconf_gets_each_interface_once_and_none_without_multicast() -> None:
    assert interfaces_of([LAN, LAN6, LAN_LOCAL, VPN]) == ["192.168.1.5", 2]
    assert interfaces_of([LOOP]) == ["127.0.0.1"]


def test_loopback_is_named_apart_unless_there_is_nothing_else() -> None:
    assert split_loopback(["192.168.1.5", "fe80::5%eth0", "127.0.0.1", "::1"]) == (
        ["192.168.1.5", "fe80::5%eth0"], ["127.0.0.1", "::1"],
    )  # fmt: skip
    assert split_loopback(["127.0.0.1"]) == (["127.0.0.1"], [])


@pytest.mark.parametrize(("bind", "says"), [
    ("fe80::1", r"--bind fe80::1 exists on each interface: name yours as well, as in fe80::1%eth0"),
    ("fe80::1%wlan9", r"this machine has no interface wlan9 \(it has .*lo"),
    ("fe80::1%99999999999", "this machine has no interface 99999999999"),
    ("nowhere", "is not an address"),
])  # fmt: skip
def test_a_zone_that_is_missing_or_wrong_is_named(bind: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        address_of(bind)


def test_a_zone_may_be_written_as_in_urls() -> None:
    assert address_of("[fe80::1%25lo]") == address_of("fe80::1%lo") == "fe80::1%lo"
