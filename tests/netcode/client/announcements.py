"""Announcements of hosts: by our process, and false ones as packets of multicast DNS that strangers may send."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.json import encode
from zeroconf import DNSAddress, DNSOutgoing, DNSPointer, DNSService, DNSText

from netcode.announcer.announcer import Order
from netcode.processes.start import start_service
from netcode.protocol.announcement import SERVICE, Announcement, announcement
from tests.netcode.namespaces import Machine

KEY = bytes(range(32))
"""The key of a host that is only announced."""

SHOUT = """
import socket, sys, time
pause, packets = float(sys.argv[1]), [bytes.fromhex(line) for line in sys.stdin]
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.9.0.66"))
while True:
    for packet in packets:
        sender.sendto(packet, ("224.0.0.251", 5353))
        if pause:
            time.sleep(pause)
"""
"""Sends the packets from its standard input again and again, and listens to nobody."""


@contextmanager
def shouting(machine: Machine, placed: list[tuple[Announcement, str]], pause_s: float = 0.001) -> Iterator[None]:
    """Announce these hosts at these addresses, almost a thousand a second, or as fast as it goes without a pause."""
    command = [*machine.within, sys.executable, "-c", SHOUT, str(pause_s)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
    assert process.stdin is not None
    try:
        process.stdin.write("".join(f"{packet(told, ip).hex()}\n" for told, ip in placed))
        process.stdin.close()
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def announced(machine: Machine, bind: str = "::", key: bytes = KEY, name: str = "the attic") -> Iterator[int]:
    """Let a machine announce a host, and listen at its port (but never answer). Yields the port."""
    listener = machine.do(lambda: socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True))
    port = listener.getsockname()[1]
    process = machine.do(start_service, "netcode.announcer.process")
    assert process.stdin is not None
    try:
        process.stdin.write(encode(Order(bind, announcement(key, port, "t1", name))) + b"\n")
        process.stdin.flush()
        yield port
    finally:
        process.stdin.close()
        assert process.wait(30) == 0
        listener.close()


def text_record(told: Announcement) -> bytes:
    """Return the properties of a host as a TXT record has them."""
    parts = [f"{name}={value}".encode() for name, value in told.text.items()]
    return b"".join(bytes([len(part)]) + part for part in parts)


def packet(told: Announcement, ip: str) -> bytes:
    """Return an answer of multicast DNS in which a host claims to be at this address; its records replace others."""
    out, unique = DNSOutgoing(0x8400), 0x8001
    for record in (
        DNSPointer(SERVICE, 12, 1, 4500, told.name),
        DNSService(told.name, 33, unique, 120, 0, 0, told.port, told.server),
        DNSText(told.name, 16, unique, 4500, text_record(told)),
        DNSAddress(told.server, 1, unique, 120, socket.inet_aton(ip)),
    ):
        out.add_answer_at_time(record, 0)
    (packet,) = out.packets()
    return packet
