"""ZMTP by hand (RFC 23, RFC 26), for attacks that no library allows."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

GREETING = b"\xff" + bytes(7) + b"\x01\x7f" + b"\x03\x00"


def greeting(mechanism: bytes = b"CURVE", server: bool = False) -> bytes:
    """Return the 64 bytes with which a ZMTP 3.0 peer begins."""
    return GREETING + mechanism.ljust(20, b"\0") + bytes([server]) + bytes(31)


def huge(size: int) -> bytes:
    """Return the head of a frame that claims this many bytes."""
    return b"\x02" + size.to_bytes(8, "big")


def command(name: bytes, body: bytes) -> bytes:
    """Return a command frame."""
    data = bytes([len(name)]) + name + body
    head = b"\x04" + bytes([len(data)]) if len(data) < 256 else b"\x06" + len(data).to_bytes(8, "big")
    return head + data


ATTACKS = {
    "random bytes": [os.urandom(4096)],
    "a web browser": [b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"],
    "a frame of 1 GiB": [greeting(), huge(1 << 30), bytes(65536)],
    "a frame of 2^63 bytes": [greeting(), huge((1 << 63) - 1), bytes(65536)],
    "1 GiB as the first command": [greeting(), b"\x06" + (1 << 30).to_bytes(8, "big"), bytes(65536)],
    "NULL": [greeting(b"NULL"), command(b"READY", b"\x0bSocket-Type\0\0\0\x06DEALER")],
    "PLAIN": [greeting(b"PLAIN"), command(b"HELLO", b"\x04user\x04pass")],
    "an invalid HELLO": [greeting(), command(b"HELLO", os.urandom(194))],
    "an INITIATE at once": [greeting(), command(b"INITIATE", os.urandom(248))],
    "ZMTP 1.0": [b"\x01\x00" * 200],
    "a greeting cut off": [greeting()[:40]],
}
"""Data that strangers without the join string may send; the host must only close the connection."""


async def shout(port: int, parts: list[bytes]) -> bytes:
    """Send this to a host and return its answer until it closes the connection. Raises TimeoutError if it does not."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    try:
        async with asyncio.timeout(10):
            for part in parts:
                writer.write(part)
                await writer.drain()
            while data := await reader.read(65536):
                answer += data
    except ConnectionError:
        pass  # the host closed the connection while we were sending
    finally:
        writer.transport.abort()
    return answer


@asynccontextmanager
async def silent(port: int, count: int) -> AsyncIterator[list[socket.socket]]:
    """Open this many silent connections, as far as the host accepts them."""
    found = []
    loop = asyncio.get_running_loop()
    try:
        for _ in range(count):
            sock = socket.socket()
            sock.setblocking(False)
            found.append(sock)
            try:
                async with asyncio.timeout(0.05):
                    await loop.sock_connect(sock, ("127.0.0.1", port))
            except (TimeoutError, OSError):
                continue  # the backlog is full: it waits in the kernel
        yield found
    finally:
        for sock in found:
            sock.close()
