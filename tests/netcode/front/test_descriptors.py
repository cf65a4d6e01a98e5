"""A front with few descriptors keeps some in reserve and says so, instead of failing to open one."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from netcode.front.channel import heard, is_available, make_channel, tell
from netcode.host.front_process import listen, standard_settings
from netcode.processes.start import child_env, service_command
from tests.netcode.front.running_front import until
from tests.netcode.front.zmtp_stream import GREETING, HANDSHAKE

pytestmark = pytest.mark.skipif(
    not is_available() or not Path("/proc/self/fd").exists(), reason="this system has no front, or no /proc"
)
FILES = 1024
CROWD = 320
"""Connections that come from one address."""
CONNECT_S = 5.0
"""How long one of the crowd tries to connect; not all get in."""
SHELL = f'ulimit -Sn {FILES}; ulimit -Hn {FILES}; exec "$@"'


@contextlib.asynccontextmanager
async def small_front(log: Path) -> AsyncIterator[tuple["subprocess.Popen[bytes]", int]]:
    """Run the process of a front that may have FILES descriptors. Its host reads the channel, but does not read or
    close connections. Yield the process and its port. log: where its standard error goes."""
    ends = make_channel()
    with ends[0] as fronts_end, ends[1] as channel, listen("127.0.0.1", 0) as listener, socket.socket() as host:
        host.bind(("127.0.0.1", 0))
        host.listen(4096)
        numbers = (listener.fileno(), fronts_end.fileno())
        with log.open("wb") as errors:
            front = subprocess.Popen(
                ["sh", "-c", SHELL, "sh", *service_command("netcode.front.process", *map(str, numbers))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, pass_fds=numbers, env=child_env(),
            )  # fmt: skip
        assert front.stdin is not None and front.stdout is not None
        try:
            front.stdin.write(standard_settings().to_json().encode() + b"\n")
            front.stdin.flush()
            assert await asyncio.to_thread(front.stdout.read, 1), log.read_text()
            asyncio.get_running_loop().add_reader(channel, heard, channel)
            tell(channel, "host", host.getsockname()[1], 4096, 1)
            yield front, listener.getsockname()[1]
        finally:
            asyncio.get_running_loop().remove_reader(channel)
            front.kill()
            front.communicate()


async def crowd(port: int, first: bytes) -> list[asyncio.StreamWriter]:
    """Connect from several addresses, and send this."""
    found = []
    for number in range(4):
        for _ in range(CROWD):
            with contextlib.suppress(OSError):
                async with asyncio.timeout(CONNECT_S):
                    address = (f"127.0.0.{20 + number}", 0)
                    _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=address)
                writer.write(first)
                found.append(writer)
    return found


@pytest.mark.long(3)
@pytest.mark.parametrize("first", (b"", GREETING, HANDSHAKE), ids=("silence", "greetings", "handshakes"))
async def test_a_front_with_few_descriptors_never_runs_out_of_them(tmp_path: Path, first: bytes) -> None:
    """More connections than it has descriptors, and a host that closes none."""
    log = tmp_path / "front.err"
    async with small_front(log) as (front, port):
        writers = await crowd(port, first)
        front.send_signal(signal.SIGUSR1)
        await until(lambda: '"front":' in log.read_text())
        assert 4 * CROWD > FILES > len(os.listdir(f"/proc/{front.pid}/fd"))
        assert front.poll() is None
        for writer in writers:
            writer.transport.abort()
    said = log.read_text()
    assert "Errno 24" not in said and "Too many open files" not in said and "Traceback" not in said, said
    if first == HANDSHAKE:
        assert re.search(r"no room for another connection beside \d+ others", said), said
