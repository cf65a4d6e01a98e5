"""Finding a host on the local network: announcements reveal no secret, and no host counts without the key."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import DNSAddress, DNSService, DNSText

from netcode.announcer.announcer import Announcer, Order
from netcode.client.discovery import Claims, DiscoveryError, Search, find_hosts, in_turns, usable_addresses
from netcode.client.found_host import FoundHost
from netcode.protocol import limits
from netcode.protocol.announcement import Announcement, announcement, fingerprint, key_in, read_announcement
from netcode.protocol.interfaces import LocalAddress
from netcode.protocol.qr import for_terminal
from tests.netcode.client.announcements import text_record
from tests.netcode.running_host import start_process
from tests.patience import PATIENCE_S

LOOPBACK = [LocalAddress("127.0.0.1", 8, "lo", 1, "loopback")]
KEY = bytes(range(32))


@contextmanager
def listening(number: int = 1) -> Iterator[list[int]]:
    """Listen at this many ports, and never answer."""
    socks = []
    try:
        for _ in range(number):
            socks.append(socket.create_server(("127.0.0.1", 0)))
        yield [sock.getsockname()[1] for sock in socks]
    finally:
        for sock in socks:
            sock.close()


# ------------------------------------------------------------------------------------------------------- on loopback
async def test_an_announced_host_is_found_under_its_newest_name_and_is_gone_when_it_stops() -> None:
    with listening() as (port,):
        announcer = Announcer(Order("127.0.0.1", announcement(KEY, port, "t1", "the attic")))
        work = asyncio.create_task(announcer.run())
        (found,) = await find_hosts(10, enough=1, own=LOOPBACK)
        assert found == FoundHost(("127.0.0.1",), port, fingerprint(KEY), "t1", "the attic")
        news = asyncio.Event()
        async with Search(KEY, news.set, LOOPBACK) as search, asyncio.timeout(PATIENCE_S):
            announcer.change(Order("127.0.0.1", announcement(KEY, port, "t2", "the attic")))
            while [one.table for one in search.hosts] != ["t2"]:
                await asyncio.sleep(0.02)
        announcer.stop()
        await work
        assert await find_hosts(0.5, KEY, own=LOOPBACK) == []


async def test_a_machine_without_a_network_says_so() -> None:
    with pytest.raises(DiscoveryError, match="this machine is on no network"):
        await find_hosts(own=[])


# --------------------------------------------------------------------------------------------------- what is announced
def test_an_announcement_holds_neither_key_nor_text_that_moves_a_terminal() -> None:
    told = announcement(KEY, 7788, "t1", "\x1b[31mthe attic\n")
    content = repr((told.name, told.server, told.text))
    assert told.machine == "(31mthe attic"
    assert not any(KEY[at : at + 4].hex() in content for at in range(28))


def test_what_a_stranger_announces_is_cleaned() -> None:
    machine = "[b]bold\nhost\u202e".encode() + b"\xff"
    text = {b"kickdoor": b"1", b"table": b"\x1b[31mred" + b"x" * 99, b"machine": machine}
    found = read_announcement(Announcement("0123456789", 1).name, 7788, text)
    assert found is not None and (found.table, found.machine) == ("(31mred" + "x" * 17, "(b)bold host\ufffd")


@given(st.integers(-1, 70000), st.binary(max_size=60), st.text(max_size=60))
def test_no_stranger_makes_an_announcement_that_cannot_be_shown(port: int, table: bytes, machine: str) -> None:
    text = {b"kickdoor": b"1", b"table": table, b"machine": machine.encode("utf-8", "replace")}
    found = read_announcement("0123456789._kickdoor._tcp.local.", port, text)
    assert (found is not None) == (0 < port < 65536)
    if found is not None:
        assert found.machine.isprintable() and len(found.machine) <= limits.ANNOUNCED_CHARS
        assert found.table.isprintable() and len(found.table) <= limits.TABLE_CHARS


OTHERS = ("", "0123456789", "x._kickdoor._tcp.local.", "0123456789._http._tcp.local.",
          "0123456789a._kickdoor._tcp.local.")  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_other_services_are_no_hosts_of_ours(name: str) -> None:
    assert key_in(name) == "" and read_announcement(name, 1, {b"kickdoor": b"1"}) is None


# ------------------------------------------------------------------------------------------------------- what is heard
def claims(wanted: str = "") -> tuple[Claims, list[str]]:
    """Return a `Claims` that accepts every address, and the list of names about which it hears news."""
    heard: list[str] = []
    return Claims(wanted, lambda ip, index: [ip], heard.append), heard


def records(key: str, port: int, ip: str, server: str = "", machine: str = "m") -> list[Any]:
    """Return what a responder says about a host."""
    told = Announcement(key, port, "t", machine)
    text = text_record(told)
    server = server or told.server
    news = [
        DNSService(told.name, 33, 1, 120, 0, 0, port, server), DNSText(told.name, 16, 1, 120, text),
        DNSAddress(server, 1, 1, 120, socket.inet_aton(ip)),
    ]  # fmt: skip
    return [SimpleNamespace(new=one) for one in news]


def test_who_repeats_the_name_of_a_host_adds_to_it_and_takes_nothing_away() -> None:
    """Records of multicast DNS replace each other: a stranger could say that a host has moved."""
    known, _ = claims()
    known.async_update_records(None, 0, records("0123456789", 7788, "10.0.0.1"))
    known.async_update_records(None, 0, records("0123456789", 666, "10.0.0.66", "kickdoor-false.local."))
    known.async_update_records(None, 0, records("0123456789", 667, "10.0.0.67"))
    name = Announcement("0123456789", 1).name
    assert [(told.port, addresses) for told, _, addresses in known.of(name)] == [
        (7788, ("10.0.0.1", "10.0.0.67")), (666, ("10.0.0.66",)), (667, ("10.0.0.1", "10.0.0.67")),
    ]  # fmt: skip


def test_what_is_remembered_is_bounded() -> None:
    known, _ = claims()
    for number in range(limits.HOST_CLAIMS + 50):
        known.async_update_records(None, 0, records(f"{number:010x}", 7788, "10.0.0.1"))
    for port in range(1, 200):
        known.async_update_records(None, 0, records("0123456789", port, f"10.0.1.{port}"))
    assert all(
        len(table) <= limits.HOST_CLAIMS and all(len(entry) <= limits.CLAIMED_ADDRESSES for entry in table.values())
        for table in (known._ports, known._texts, known._addresses, known._names)
    )
    assert len(list(known.of(Announcement("0123456789", 1).name))) == limits.CLAIMED_ADDRESSES


def test_whoever_looks_for_one_host_remembers_no_other() -> None:
    known, heard = claims("0123456789")
    known.async_update_records(None, 0, records("9876543210", 7788, "10.0.0.1"))
    assert not heard
    known.async_update_records(None, 0, records("0123456789", 7788, "10.0.0.1"))
    assert set(heard) == {Announcement("0123456789", 1).name}


def test_each_machine_has_its_turn_in_the_list() -> None:
    false = [FoundHost(("10.0.0.66",), port, "0" * 10) for port in range(1, 1001)]
    true = [FoundHost(("10.0.0.1",), 7788, "1" * 10), FoundHost(("10.0.0.2",), 7788, "2" * 10)]
    assert set(true) < set(in_turns([*false, *true])[:3])


OWN = [LocalAddress("192.168.1.5", 24, "eth0", 2), LocalAddress("2001:db8:1::5", 64, "eth0", 2),
       LocalAddress("fe80::5", 64, "eth0", 2), LocalAddress("fe80::6", 64, "wlan0", 3)]  # fmt: skip


@pytest.mark.parametrize(
    ("ip", "index", "tried"),
    [
        ("192.168.1.9", None, ["192.168.1.9"]),
        ("10.9.9.9", None, ["10.9.9.9"]),
        ("2001:db8:1::9", None, ["2001:db8:1::9"]),
        ("fd00::9", None, ["fd00::9"]),
        ("fe80::9", 3, ["fe80::9%wlan0"]),
        ("fe80::9", None, ["fe80::9%eth0", "fe80::9%wlan0"]),
        ("fe80::9", 7, []),
        ("127.0.0.1", None, []),
        ("::1", None, []),
        ("8.8.8.8", None, []),
        ("2606:4700::1", None, []),
        ("224.0.0.251", None, []),
        ("0.0.0.0", None, []),
        ("nonsense", None, []),
    ],
)
def test_an_announcement_sends_nobody_out_of_private_networks(ip: str, index: int | None, tried: list[str]) -> None:
    assert usable_addresses(ip, index, OWN) == tried


# ------------------------------------------------------------------------------------------------------- kickdoor host
def test_a_host_that_cannot_announce_or_print_its_code_says_so_in_one_line() -> None:
    for option, words in (("announce", "use --bind 0.0.0.0"), ("qr", "leave --qr out")):
        config: dict[str, Any] = {option: True}
        process = start_process(**config)
        _, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 2 and words in errors and errors.count("\n") == 1


def test_a_host_prints_its_join_string_as_a_code() -> None:
    process = start_process(qr=True, json=False)
    assert process.stdout is not None
    lines = []
    while "Ctrl-C" not in (line := process.stdout.readline()):
        assert line or process.poll() is None
        lines.append(line.rstrip("\n"))
    process.terminate()
    process.communicate(timeout=PATIENCE_S)
    string = next(line for line in lines if "kickdoor join" in line).split("'")[1]
    code = [line for line in lines if line.startswith("\x1b[0;30;47m")]
    assert "\n".join(code) == for_terminal(string, "utf-8") and len(code) <= 23
