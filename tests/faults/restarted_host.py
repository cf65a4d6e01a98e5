"""A `kickdoor host` with its default journal that is ended and started again at its port, and screens at its table."""

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from netcode.processes.start import child_command, child_env
from tests.tui.pty_terminal import Terminal


class RestartedHost:
    """One host after another at the same port. home: the folder of their data and HOME. within: a command that runs
    them (as `ip netns exec NAME`). join, words, lobby: the strings of the last one."""

    def __init__(self, home: Path, *options: str, within: Sequence[str] = ()) -> None:
        self.home, self.options, self.within = home, options, within
        self.port = 0
        self.join = self.words = self.lobby = ""
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "RestartedHost":
        """Start a host and wait for its strings."""
        env = {**child_env(), "KICKDOOR_DATA": str(self.home / "host"), "HOME": str(self.home)}
        command = [*self.within, *child_command("tui"), "host", "--json", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self.process.stdout is not None
        strings = json.loads(self.process.stdout.readline())
        self.join, self.words, self.lobby = strings["join"], strings["words"], strings["lobby"]
        self.port = int(self.join.partition("//")[2].partition("/")[0].rpartition(":")[2])
        return self

    def end(self, number: int = signal.SIGINT) -> None:
        """Send the host a signal and wait until it has ended."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(20)

    def kill(self) -> None:
        """End the host with all its processes, if it runs."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)


def seat(host: RestartedHost, home: Path, *args: str) -> Terminal:
    """Return a terminal with a player of this home who joins the table of a host."""
    home.mkdir(exist_ok=True)
    return Terminal("join", host.join, *args, home=home, KICKDOOR_DATA=str(home / "data"))


def lobby(host: RestartedHost, home: Path, *args: str) -> Terminal:
    """Return a terminal with a visitor of this home in the lobby of a host."""
    home.mkdir(exist_ok=True)
    return Terminal("join", host.lobby, *args, home=home, KICKDOOR_DATA=str(home / "data"))
