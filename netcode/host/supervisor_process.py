"""A supervisor as a service of another program of ours: `kickdoor serve` runs its host so.

Its argument is the descriptor of the channel for guests (netcode/front/guests.py), which it inherits. The first line of
standard input is the configuration of the host (JSON). When that pipe is closed, host and front end in order. Each time
that a host serves, it writes one JSON object on a line: {"serves": the strings, as `kickdoor host --json` prints them};
when the owner of its table has renewed some, {"renewed": all of them}.
"""

import os
import sys
import threading

import msgspec
from msgspec.structs import replace

from netcode.host.config import HostConfig
from netcode.host.exit_codes import ENDED
from netcode.host.first_host import first_host
from netcode.host.supervisor import Supervisor, run_supervised
from netcode.reporting import say

LONGEST_BYTES = 64 * 1024
"""The longest configuration."""


class ServedHosts(Supervisor):
    """Tells its parent of each host that serves, and ends with its parent."""

    def begun(self) -> None:
        """Follow standard input from now on."""
        super().begun()
        threading.Thread(target=self._follow, name="follows the parent", daemon=True).start()

    def serves(self, strings: str) -> None:
        """Tell the parent of a host that serves, or of strings that were renewed at its table."""
        what = "renewed" if self._serving else "serves"
        say(msgspec.json.encode({what: msgspec.json.decode(strings)}).decode())

    def _follow(self) -> None:
        while os.read(0, 1):
            continue
        self.stop()


def main() -> int:
    """Run hosts until one ends by itself, or standard input is closed. Returns the exit code (exit_codes.py)."""
    with first_host(front=True) as first:
        line = b""  # not by sys.stdin: a thread that waits in it keeps Python from ending
        while not line.endswith(b"\n") and len(line) < LONGEST_BYTES:
            read = os.read(0, 4096)
            if not read:
                return ENDED  # its parent is gone
            line += read
        config = msgspec.json.decode(line, type=HostConfig)
        return run_supervised(replace(config, json=True, front=True, guests=int(sys.argv[1])), first, ServedHosts)
