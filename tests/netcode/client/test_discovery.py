"""Finding a host on the local network: packets reveal no secret, and no host counts without the key."""

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st

from netcode.client.client import Client
from netcode.client.discovery import find, heard, listen
from netcode.host.key_authenticator import KeyAuthenticator
from netcode.protocol import codec, limits
from netcode.protocol.beacon import Announcer, Beacon, BeaconError, beacon_address, fingerprint
from netcode.protocol.credentials import new_pair, parse_join
from netcode.protocol.qr import for_terminal
from netcode.protocol.sockets import router
from tests.netcode.running_host import running_host, start_process


@pytest.fixture(autouse=True)
def beacon(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Send packets to a free port of loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("KICKDOOR_BEACON", f"127.0.0.1:{port}")
    yield "127.0.0.1", port


async def test_an_announced_host_is_found_by_its_key_at_a_new_address() -> None:
    async with running_host(announce=True, name="the attic") as host:
        true = parse_join(host.join)
        (found,) = await listen(5, enough=1)
        assert (found.host, found.port, found.table, found.machine) == (true.host, true.port, true.table, "the attic")
        assert found.key == fingerprint(true.key).hex()
        old = parse_join(host.join.replace(f":{true.port}/", ":1/"))
        now = await find(old)
        assert now == true
        kim = Client(now, "Kim", keep=False)
        assert (await kim.join()).seat == 0
        await kim.close()


async def test_a_host_that_does_not_announce_itself_is_not_heard() -> None:
    async with running_host() as host:
        assert await listen(1.5) == []
        assert await find(parse_join(host.join), 1.5) is None


async def test_a_packet_holds_neither_key_nor_token(beacon: tuple[str, int]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(beacon)
        listener.setblocking(False)
        async with running_host(announce=True) as host:
            packet = await asyncio.wait_for(asyncio.get_running_loop().sock_recv(listener, 4096), 5)
            assert len(packet) <= limits.BEACON_BYTES
            for string in (host.join, host.watch, host.owner, host.lobby):
                join = parse_join(string)
                for secret in (join.key, join.token):
                    pieces = [secret[at : at + 4] for at in range(len(secret) - 3)]
                    assert not any(piece in packet for piece in pieces)
                assert string.rpartition("#")[2][:8].encode() not in packet


async def test_a_spoofed_packet_does_not_lead_to_a_host_with_another_key(beacon: tuple[str, int]) -> None:
    """Somebody announces the fingerprint at their own address, once with another key and once without any."""
    context: Any = zmq.Context()
    gate = KeyAuthenticator(context, lambda key, where: True)
    false_host = router(context, new_pair(), ipv6=False)
    port = false_host.bind_to_random_port("tcp://127.0.0.1")
    async with running_host(announce=False) as host:
        join = parse_join(host.join)
        false = [codec.packed(Beacon(1, fingerprint(join.key), at, join.table, "the attic")) for at in (port, 1)]
        true = codec.packed(Beacon(1, fingerprint(join.key), join.port, join.table, "the attic"))
        stop, found = asyncio.Event(), asyncio.ensure_future(find(join, 2.5))
        false_packets = asyncio.ensure_future(broadcast(beacon, false, stop))
        assert await found is None, "only false packets were sent"
        found = asyncio.ensure_future(find(join, 12))
        truth = asyncio.ensure_future(broadcast(beacon, [*false, true], stop))
        assert await found == join
        stop.set()
        await asyncio.gather(false_packets, truth)
        assert not false_host.poll(0), "nothing was sent to the false host"
    gate.close()
    context.destroy(linger=0)


async def broadcast(where: tuple[str, int], packets: list[bytes], stop: asyncio.Event) -> None:
    """Send these packets again and again."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        while not stop.is_set():
            for packet in packets:
                sender.sendto(packet, where)
            await asyncio.sleep(0.1)


async def test_other_hosts_are_skipped(beacon: tuple[str, int]) -> None:
    stop = asyncio.Event()
    key = b"k" * 32
    packets = [codec.packed(Beacon(1, fingerprint(other), 1, "t", "m")) for other in (b"a" * 32, key, b"b" * 32)]
    noise = asyncio.ensure_future(broadcast(beacon, [b"noise", *packets], stop))
    (found,) = await listen(1.5, key)
    stop.set()
    await noise
    assert found.key == fingerprint(key).hex()


async def test_the_list_of_found_hosts_is_bounded(beacon: tuple[str, int]) -> None:
    stop = asyncio.Event()
    packets = [codec.packed(Beacon(1, b"12345", at + 1, "t", "m")) for at in range(500)]
    many = asyncio.ensure_future(broadcast(beacon, packets, stop))
    found = await listen(3)
    stop.set()
    await many
    assert len(found) == 64


@given(st.binary(max_size=300))
def test_random_bytes_are_no_packet(noise: bytes) -> None:
    found = heard(noise, "127.0.0.1")
    assert found is None or len(noise) <= limits.BEACON_BYTES


def test_text_in_a_packet_is_cleaned() -> None:
    found = heard(codec.packed(Beacon(1, b"12345", 7788, "\x1b[31mred", "[b]bold\nhost")), "127.0.0.1")
    assert found is not None and (found.table, found.machine) == ("(31mred", "(b)bold host")


@pytest.mark.parametrize("text", ["", "somewhere:1", "239.1.1.1", "239.1.1.1:99999", "239.1.1.1:x"])
def test_an_invalid_beacon_address_is_reported_in_one_line(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_BEACON", text)
    with pytest.raises(BeaconError, match=r"KICKDOOR_BEACON is .* it names an IPv4 address and a port"):
        beacon_address()


async def test_hosts_announce_to_a_multicast_group_by_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("KICKDOOR_BEACON")
    assert beacon_address() == ("239.255.77.88", 7789)
    announcer = Announcer(b"k" * 32, 1, "m", lambda: "t", via="127.0.0.1")
    ttl = announcer._socket.getsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL)
    announcer.close()
    assert ttl == 1, "no router passes it on"


def test_a_host_that_cannot_announce_or_print_its_code_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KICKDOOR_BEACON")
    for option, words in (("announce", "use --bind 0.0.0.0"), ("qr", "leave --qr out")):
        config: dict[str, Any] = {option: True}
        process = start_process(**config)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 2 and words in errors and errors.count("\n") == 1


def test_a_host_prints_its_join_string_as_a_code() -> None:
    process = start_process(qr=True, json=False)
    assert process.stdout is not None
    lines = []
    while "Ctrl-C" not in (line := process.stdout.readline()):
        assert line or process.poll() is None
        lines.append(line.rstrip("\n"))
    process.terminate()
    process.communicate(timeout=10)
    string = next(line for line in lines if "kickdoor join" in line).split("'")[1]
    code = [line for line in lines if line.startswith("\x1b[0;30;47m")]
    assert "\n".join(code) == for_terminal(string, "utf-8") and len(code) <= 23
