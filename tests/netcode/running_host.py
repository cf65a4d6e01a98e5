"""Real hosts for tests: a process of its own on a free port of loopback, and clients that sit down at its table."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.view import View, You
from netcode.client.client import Client
from netcode.host.bot_supervisor import child_env
from netcode.host.config import HostConfig

_BUSY = ("busy: the loop", "one message took")
PROGRAM = "import json, sys; from netcode.host.main import *; sys.exit(run_host(HostConfig(**json.loads(sys.argv[1]))))"


@dataclass
class RunningHost:
    """A host process and the strings it printed."""

    process: subprocess.Popen[str]
    join: str
    joins: list[str]
    watch: str
    owner: str
    lobby: str = ""

    def client(self, name: str, home: Path | None = None, **more: Any) -> Client:
        """A client for this table, not yet joined. home: where it keeps its seat (None: nowhere)."""
        return Client(more.pop("join", self.join), name, home=home, keep=home is not None, **more)

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it; exit code and what it wrote to standard error."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self, timeout: float = 10) -> tuple[int, str]:
        """Wait until it ends by itself. How busy the machine of the tests is, is left out of what it wrote."""
        _, errors = self.process.communicate(timeout=timeout)
        lines = [line for line in errors.splitlines(keepends=True) if not any(words in line for words in _BUSY)]
        return self.process.returncode, "".join(lines)


def start_process(**config: Any) -> "subprocess.Popen[str]":
    """A host process, whatever becomes of it."""
    arguments = json.dumps({**asdict(HostConfig(port=0, seats=3, json=True)), **config})
    command = [sys.executable, "-c", PROGRAM, arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=child_env())


@asynccontextmanager
async def running_host(**config: Any) -> AsyncIterator[RunningHost]:
    """A host that listens; it is ended at the end."""
    process = start_process(**config)
    assert process.stdout is not None
    line = await asyncio.to_thread(process.stdout.readline)
    if not line:
        raise AssertionError(f"the host did not start: {process.communicate()[1]}")
    host = RunningHost(process, **json.loads(line))
    try:
        yield host
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@asynccontextmanager
async def seated(host: RunningHost, *names: str, home: Path | None = None) -> AsyncIterator[list[Client]]:
    """These people sit at the table, the game has begun."""
    clients = [host.client(name, home) for name in names]
    try:
        for client in clients:
            await client.join()
            client.set(ready=True)
        for client in clients:
            await client.wait_for(lambda one: one.view is not None)
        yield clients
    finally:
        for client in clients:
            await client.close()


def shown(client: Client) -> View:
    """Return the newest view of a client that has one."""
    assert client.view is not None
    return client.view


def you(client: Client) -> You:
    """Return what a seated client sees of its own seat."""
    own = shown(client).you
    assert own is not None
    return own


async def until(what: Callable[[], bool], timeout: float = 10.0) -> None:
    """Wait for something that no message tells (a process that ends, a file that appears)."""
    async with asyncio.timeout(timeout):
        while not what():
            await asyncio.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process still runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        return stat.read().rpartition(")")[2].split()[0] != "Z"
