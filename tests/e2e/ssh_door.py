"""An SSH door as a real process, and guests who come to it with the real `ssh` client."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.e2e.hosts_and_players import PROGRAM, STOP_S, ProgramRunner
from tests.e2e.tmux_terminal import Screen

DOOR_S = 60.0
"""How long an ssh client without a terminal may take (s)."""


class Way:
    """The way to a door: guests come to this port with ssh, newcomers by these words."""

    def __init__(self, runner: ProgramRunner, port: int, words: str) -> None:
        self.runner, self.port, self.words = runner, port, words

    def key(self, who: str) -> Path:
        """Return the file of this person's key; it is made when it is asked for first."""
        file = self.runner.folder / f"key-{who}"
        if not file.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", who, "-f", str(file)], check=True)
        return file

    def command(self, who: str, *options: str, keyless: bool = False) -> list[str]:
        """Return the ssh command of this person, up to the address; it reads no configuration and no other keys."""
        known = self.runner.folder / f"known-{who}"
        ssh = shutil.which("ssh")
        assert ssh is not None
        identity = ["-o", "PubkeyAuthentication=no"] if keyless else ["-i", str(self.key(who))]
        return [
            ssh, "-F", "none", "-p", str(self.port), "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
            "-o", "StrictHostKeyChecking=accept-new", "-o", f"UserKnownHostsFile={known}", *identity, *options,
            f"{who.lower()}@127.0.0.1",
        ]  # fmt: skip

    def come(
        self, who: str, *wish: str, home: str = "", keyless: bool = False, size: tuple[int, int] = (80, 24)
    ) -> Screen:
        """Let somebody come in a terminal. wish: words after the address; home: whose HOME it is, theirs by default."""
        options = ("-t",) if wish else ()
        return self.runner.tmux.open(
            who, [*self.command(who, *options, keyless=keyless), *wish], self.runner.env(home or who), size
        )

    def sit_down(self, who: str, **more: Any) -> Screen:
        """Let a newcomer come in by the table's words; return their screen in the waiting room."""
        screen = self.come(who, **more)
        screen.wait_for("words")
        screen.type(self.words)
        screen.press("Enter")
        screen.wait_for("Press y when you are ready", stands=0.1)
        return screen

    def run(self, who: str, *arguments: str, options: Sequence[str] = (), typed: str = "") -> tuple[int, str]:
        """Run ssh without a terminal, for somebody whose key is known; return its exit code and everything it said."""
        batch = ("-T", "-o", "BatchMode=yes", *options)
        done = subprocess.run(
            [*self.command(who, *batch), *arguments], env=self.runner.env(who), input=typed, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=DOOR_S,
        )  # fmt: skip
        return done.returncode, done.stdout


class Door(Way):
    """A running `kickdoor serve` on loopback. opened: what it printed as JSON."""

    def __init__(self, runner: ProgramRunner, *options: str, port: int = 0) -> None:
        command = [*PROGRAM, "serve", "--json", "--port", str(port), *options]
        with open(runner.folder / "door.log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                command, env=runner.env("door"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.process.wait(STOP_S)
            raise AssertionError(f"the door did not open: {(runner.folder / 'door.log').read_text()}")
        self.opened: dict[str, Any] = json.loads(line)
        super().__init__(runner, int(self.opened["port"]), str(self.opened["words"]))

    def log(self) -> str:
        """Return what it has logged so far."""
        return (self.runner.folder / "door.log").read_text(encoding="utf-8")

    def close(self) -> None:
        """Stop it in order."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
