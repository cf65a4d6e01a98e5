"""The host as a child of its supervisor: it serves, says that its loop runs, and ends with its supervisor.

Messages to the supervisor, one JSON object a line on standard output: {"heartbeat": true}, {"print": TEXT} for people,
and {"busy": SENTENCE} if the port or the journal is in use (then the exit code is BUSY).
"""

import asyncio
import json
import logging
import os
import signal
import sys
import threading

import msgspec

from netcode.host.config import HostConfig
from netcode.host.exit_codes import BUSY, CRASHED, ENDED
from netcode.host.main import Starter, run_host
from netcode.host.server import Server
from netcode.processes.streams import open_standard_streams
from netcode.processes.watchdog import BEAT_S, STOP

LOG = logging.getLogger("kickdoor.host")


class Supervised(Starter):
    """Tells the supervisor what a host has to say. A thread writes the heartbeats, so that a supervisor that does not
    read cannot block the loop."""

    def __init__(self) -> None:
        self._due = threading.Event()
        self._lock = threading.Lock()
        threading.Thread(target=self._write_heartbeats, name="heartbeats", daemon=True).start()

    def say(self, text: str) -> None:
        """Let the supervisor print this."""
        self._tell({"print": text})

    def busy(self, text: str) -> int:
        """Let the supervisor decide whether to try again."""
        self._tell({"busy": text})
        return BUSY

    def works(self) -> None:
        """Say that the host makes progress before its loop runs."""
        self._due.set()

    def serves(self, server: Server) -> None:
        """Send heartbeats from now on, as long as the loop and the server's threads run."""
        loop = asyncio.get_running_loop()

        def heartbeat() -> None:
            if server.sound:
                self._due.set()
            loop.call_later(BEAT_S, heartbeat)

        heartbeat()

    def _write_heartbeats(self) -> None:
        while self._due.wait():
            self._due.clear()
            self._tell({"heartbeat": True})

    def _tell(self, message: dict[str, object]) -> None:
        try:
            with self._lock:
                sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
                sys.stdout.buffer.flush()
        except OSError as problem:
            LOG.debug("the supervisor is gone: %s", problem)  # _obey ends this process


def main() -> int:
    """Run a supervised host: the first line of standard input is its configuration, the others are orders. Returns the
    exit code."""
    open_standard_streams()
    first = _line()
    if not first:
        return ENDED  # its supervisor is gone
    config = msgspec.json.decode(first, type=HostConfig)
    threading.Thread(target=_obey, name="orders", daemon=True).start()
    return run_host(config, Supervised())


def _line() -> bytes:
    """Return the next line of standard input. (Not by sys.stdin: a thread that waits in it keeps Python from
    ending.)"""
    line = b""
    while not line.endswith(b"\n"):
        read = os.read(0, 1)
        if not read:
            break
        line += read
    return line


def _obey() -> None:
    """Stop when ordered to; end this process at once when the supervisor is gone. In the second case clients get no
    good-bye, since nobody stopped the host: they try to reconnect until it is started again."""
    while line := _line():
        if line == STOP:
            signal.raise_signal(signal.SIGTERM)
    os._exit(CRASHED)
