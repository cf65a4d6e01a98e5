"""Real hosts for tests: their own process on a free port of loopback, and clients at their tables."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from core.state.views import View, You
from netcode.client.client import Client
from netcode.host.config import HostConfig
from netcode.processes.start import child_env
from tests.netcode.forked_hosts import ForkedHost, can_fork
from tests.patience import PATIENCE_S

_BUSY = ("busy: the loop", "one message took")
PROGRAM = "import json, sys; from netcode.host.main import *; sys.exit(run_host(HostConfig(**json.loads(sys.argv[1]))))"


STARTED = {"first", "within", "memory_mb"}
"""A host with one of these parameters is not forked."""


def without_busy(errors: str) -> str:
    """Return a host's standard error without warnings about a busy machine."""
    return "".join(line for line in errors.splitlines(keepends=True) if not any(words in line for words in _BUSY))


@dataclass
class RunningHost:
    """A host process and the strings it printed."""

    process: "subprocess.Popen[str] | ForkedHost"
    join: str
    joins: list[str]
    watch: str
    owner: str
    lobby: str = ""
    words: str = ""

    def client(self, name: str, home: Path | None = None, **more: Any) -> Client:
        """Return a client for this table that has not joined yet. home: its data folder (None: it saves nothing)."""
        return Client(more.pop("join", self.join), name, home=home, keep=home is not None, **more)

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal and wait. Returns exit code and standard error, as `ended` does."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self, timeout: float = PATIENCE_S) -> tuple[int, str]:
        """Wait until the host ends. Returns exit code and standard error without warnings about a busy machine."""
        _, errors = self.process.communicate(timeout=timeout)
        return self.process.wait(), without_busy(errors)


def start_process(first: str = "", within: Sequence[str] = (), **config: Any) -> "subprocess.Popen[str]":
    """Start a host process; it may fail. first: Python statements that it runs before it serves. within: a command that
    runs it (as `ip netns exec NAME`)."""
    command = [*within, sys.executable, "-c", f"{first}\n{PROGRAM}", json.dumps(_whole(config))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=child_env())


def _whole(config: dict[str, Any]) -> dict[str, Any]:
    return {**asdict(HostConfig(port=0, seats=3, json=True)), **config}


@asynccontextmanager
async def running_host(**config: Any) -> AsyncIterator[RunningHost]:
    """Run a host; it listens when this yields, and is killed at the end. config: its configuration, `first` and
    `within` as for `start_process`.

    It is forked from a process that has imported the program, where that is possible. One with `first`, `within` or a
    limit for its memory is started."""
    process: subprocess.Popen[str] | ForkedHost
    if can_fork() and not config.keys() & STARTED:
        process = ForkedHost({"config": _whole(config), "environment": child_env(), "folder": os.getcwd()})
    else:
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
    """Seat these players and wait until the game has begun; close them at the end."""
    clients = [host.client(name, home) for name in names]
    try:
        for client in clients:
            await client.join(PATIENCE_S)
            client.set(ready=True)
        for client in clients:
            await client.wait_for(lambda one: one.view is not None, PATIENCE_S)
        yield clients
    finally:
        for client in clients:
            await client.close()


def shown(client: Client) -> View:
    """Return the newest view of a client that has one."""
    assert client.view is not None
    return client.view


def you(client: Client) -> You:
    """Return a seated client's view of its own seat."""
    own = shown(client).you
    assert own is not None
    return own


async def until(what: Callable[[], bool], timeout: float = PATIENCE_S) -> None:
    """Poll until this holds, for events without a message (a process ends, a file appears). timeout: s."""
    async with asyncio.timeout(timeout):
        while not what():
            await asyncio.sleep(0.02)


def alive(pid: int) -> bool:
    """Return whether a process still runs (zombies do not)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        return stat.read().rpartition(")")[2].split()[0] != "Z"
