"""Guests of an SSH door, beside shells of sshd: python -m tests.bench door [--guests 20 40].

The real `ssh` client brings each guest, one after the other, to the lobby of a `kickdoor serve --open`. It prints these
figures for each number of guests, one JSON line each. Times: from the start of ssh to the first bytes of a frame, and
to the lobby (ms); from an arrow key to the change of the lobby's list (ms), while all guests press keys in turn (the
first key of each guest counts apart). Memory (PSS, MiB): how much the door's processes together grow for each guest,
and that of a guest's own process. CPU: of all processes for each key (ms), and for each guest while nobody does
anything (percent of a core). Bytes for each key. The figures of keys again in the lobby's form for a new table
(`form_...`). Bytes a turn of one guest who plays with bots. If sshd is installed, the same figures for as many shells
(`bash`, which echoes a key).
"""

import argparse
import asyncio
import json
import os
import pty
import re
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyte

from netcode.client.lobby_client import LobbyClient
from tests.bench.processes import ROOT, cpu_s, family, own_mib
from tests.e2e.fast_player import answer_to
from tests.e2e.ssh_server import SshServer

GUESTS = (20, 40)
KEYS = 10
"""Keys that each guest presses."""
PATIENCE_S, QUIET_S, IDLE_S = 30.0, 0.3, 5.0
"""How long anything may take; how long a terminal sends no bytes before it counts as quiet; how long CPU is measured
while nobody does anything (s)."""
DRAWN_S = 0.05
"""After a pause of this length in the output, a key has drawn everything (s)."""
TURNS, TURN_S = 3, 120.0
"""Turns of the guest who plays, and how long they may take in all (s)."""
COLUMNS, ROWS = 80, 24
LOBBY, FORM = "Tables of", "^S open the table"
"""What the lobby shows, and its form for a new table."""


class Guest:
    """An ssh client on a terminal of its own. got: how many bytes it has shown; first_s, there_s: how long after its
    start the first bytes came, and `there` was shown (s). ended: ssh has ended."""

    def __init__(self, command: Sequence[str], home: Path, there: str) -> None:
        self.got, self.first_s, self.there_s = 0, 0.0, 0.0
        self.ended = False
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        began = time.perf_counter()
        self.pid, self.end = pty.fork()
        if not self.pid:
            os.environ.update(TERM="xterm-256color", HOME=str(home), LANG="C.UTF-8")
            os.execvp(command[0], [*command])
        self.read(lambda: self.got > 0)
        self.first_s = time.perf_counter() - began
        self.read(lambda: there in self.text())
        self.there_s = time.perf_counter() - began

    def text(self) -> str:
        """Return what the terminal shows."""
        return "\n".join(self.screen.display)

    def read(self, until: Callable[[], bool], patience_s: float = PATIENCE_S) -> bool:
        """Read until this holds. Returns False if nothing comes for this long; raises RuntimeError if ssh has ended."""
        while not until():
            if not select.select([self.end], [], [], patience_s)[0]:
                if patience_s >= PATIENCE_S:
                    raise RuntimeError(f"nothing more came:\n{self.text()}")
                return False
            try:
                data = os.read(self.end, 65536)
            except OSError:
                data = b""
            if not data:
                self.ended = True
                raise RuntimeError(f"ssh has ended:\n{self.text()}")
            self.got += len(data)
            self._stream.feed(data)
        return True

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.end, keys)

    def open_form(self) -> "Guest":
        """Open the lobby's form for a new table, in which each arrow key moves the cursor."""
        self.type(b"c")
        self.read(lambda: FORM in self.text())
        return self

    def settle(self) -> None:
        """Read until the terminal is quiet."""
        self.read(lambda: False, QUIET_S)

    def press(self, key: bytes) -> float:
        """Press a key; return after how long (s) the terminal changed. What an earlier key draws is read before."""
        self.read(lambda: False, DRAWN_S)
        before, began = self.got, time.perf_counter()
        self.type(key)
        self.read(lambda: self.got > before)
        return time.perf_counter() - began

    def close(self) -> None:
        """End ssh."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)


@contextmanager
def open_door(folder: Path, *options: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Open a door for everybody. Yields its process, and what it printed."""
    env = {**os.environ, "KICKDOOR_DATA": str(folder / "data"), "KICKDOOR_CONFIG": str(folder / "settings.toml")}
    command = [sys.executable, "-m", "tui", "serve", "--json", "--open", "--port", "0", *options]
    door = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=env)
    try:
        assert door.stdout is not None
        line = door.stdout.readline()
        if not line:
            raise RuntimeError("the door did not open")
        yield door.pid, json.loads(line)
    finally:
        door.terminate()
        door.wait(30)


def ssh(folder: Path, port: int, who: str, *options: str, key: Path | None = None) -> list[str]:
    """Return the command of an ssh client with a key of its own, or with this one."""
    if key is None:
        key = folder / f"key-{who}"
    if not key.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    return [
        "ssh", "-F", "none", "-tt", "-p", str(port), "-i", str(key), "-o", "IdentitiesOnly=yes",
        "-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={folder}/known", "-o", "LogLevel=ERROR", *options,
    ]  # fmt: skip


def measure(
    what: str, server: int, number: int, come: Callable[[int], Guest], keys: Sequence[bytes], in_form: bool = False
) -> dict[str, Any]:
    """Let this many come to a server, one after the other, and measure them together. Before that, one comes and goes,
    so that the server has loaded what it needs. in_form: measure keys in the lobby's form for a new table too."""
    with ExitStack() as stack:
        come(0).close()
        time.sleep(IDLE_S)
        bare, before_all = memory(server), set(family(server))
        guests = list[Guest]()
        for at in range(number):
            guests.append(come(at))
            stack.callback(guests[-1].close)
            for guest in guests:
                guest.read(lambda: False, QUIET_S if guest is guests[-1] else 0.0)
        before, began = cpu(server), time.perf_counter()
        time.sleep(IDLE_S)
        idle = (cpu(server) - before) / (time.perf_counter() - began) / number * 100
        pressed = keys_of(server, guests, keys)
        own = [_of(one, own_mib) for one in set(family(server)) - before_all]
        found = {
            "bench": "door", "what": what, "guests": number,
            "first_ms": _ms(statistics.median(guest.first_s for guest in guests)),
            "there_ms": _ms(statistics.median(guest.there_s for guest in guests)),
            **pressed,
            "pss_mib_each": round((memory(server) - bare) / number, 1), "pss_mib_bare": round(bare, 1),
            "pss_mib_of_its_process": round(statistics.median(own), 1) if own else 0.0,
            "idle_cpu_percent_each": round(idle, 2),
        }  # fmt: skip
        if in_form:
            for guest in guests:
                guest.open_form()
            found.update({f"form_{name}": figure for name, figure in keys_of(server, guests, keys).items()})
        return found


def keys_of(server: int, guests: Sequence[Guest], keys: Sequence[bytes]) -> dict[str, float]:
    """Let all guests press keys in turn; return what a key takes and costs. The first key of each counts apart."""
    for guest in guests:
        guest.settle()
    got = sum(guest.got for guest in guests)
    first = sorted(guest.press(keys[0]) for guest in guests)
    before = cpu(server)
    took = sorted(guest.press(keys[at % len(keys)]) for at in range(1, KEYS + 1) for guest in guests)
    for guest in guests:
        guest.settle()
    used, pressed = cpu(server) - before, len(took)
    return {
        "key_p50_ms": _ms(took[pressed // 2]), "key_p95_ms": _ms(took[pressed * 95 // 100]),
        "first_key_p50_ms": _ms(first[len(first) // 2]), "cpu_ms_a_key": round(used / pressed * 1000, 2),
        "bytes_a_key": round((sum(guest.got for guest in guests) - got) / (pressed + len(first))),
    }  # fmt: skip


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


def memory(pid: int) -> float:
    """Return the memory of a process and all below it (PSS, MiB)."""
    return sum(_of(one, own_mib) for one in family(pid))


def cpu(pid: int) -> float:
    """Return the CPU of a process and all below it (s)."""
    return sum(_of(one, cpu_s) for one in family(pid))


def _of(pid: int, figure: Callable[[int], float]) -> float:
    try:
        return figure(pid)
    except (OSError, IndexError):
        return 0.0  # it has just ended


def at_door(number: int) -> dict[str, Any]:
    """Measure guests in the lobby of a door."""
    with tempfile.TemporaryDirectory() as name, open_door(Path(name), "--guests", str(number)) as (pid, door):
        folder = Path(name)
        asyncio.run(second_table(str(door["lobby"])))

        def come(at: int) -> Guest:
            command = [*ssh(folder, door["port"], f"g{at}"), f"guest{at}@127.0.0.1", "lobby"]
            return Guest(command, folder, LOBBY)

        return measure("door", pid, number, come, (b"\x1b[B", b"\x1b[A"), in_form=True)


async def second_table(lobby: str) -> None:
    """Open a table in this lobby: in a list of two each arrow key moves the cursor."""
    client = LobbyClient(lobby, "bench", keep=False)
    await client.enter(PATIENCE_S)
    await client.create(client.sets[:1], title="Second")
    await client.close()


def at_shell(number: int) -> dict[str, Any]:
    """Measure shells of an sshd."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = SshServer(folder / "ssh")
        try:

            def come(at: int) -> Guest:
                command = [*ssh(folder, server.port, "", key=folder / "ssh" / "user_key"), "127.0.0.1"]
                return Guest([*command, "PS1='shell$ ' bash --norc -i"], folder, "shell$")

            return measure("sshd and bash", server.process.pid, number, come, (b"a",))
        finally:
            server.stop()


def a_turn() -> dict[str, Any]:
    """Measure the bytes of a guest who plays with bots."""
    with tempfile.TemporaryDirectory() as name, open_door(Path(name), "--seats", "3", "--bots", "2") as (_, door):
        folder = Path(name)
        guest = Guest([*ssh(folder, door["port"], "ann"), "ann@127.0.0.1"], folder, "ready")
        try:
            guest.type(b"y")
            guest.read(lambda: "First cards" in guest.text())
            turns, before, until = set[str](), guest.got, time.monotonic() + TURN_S
            while len(turns) <= TURNS and time.monotonic() < until:
                guest.read(lambda: False, 0.6)
                turns |= set(re.findall(r"Turn (\d+)", guest.text()))
                key = answer_to(guest.text())
                if key:
                    guest.type({"Space": b" ", "Enter": b"\r"}.get(key, key.encode()))
            each = round((guest.got - before) / max(1, len(turns) - 1))
            return {"bench": "door", "what": "bytes a turn", "bytes": each}
        finally:
            guest.close()


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench door", description=__doc__)
    parser.add_argument("--guests", type=int, nargs="+", default=GUESTS)
    for number in parser.parse_args(arguments).guests:
        print(json.dumps(at_door(number)), flush=True)
        try:
            print(json.dumps(at_shell(number)), flush=True)
        except RuntimeError as problem:
            print(f"no figures of sshd: {problem}", file=sys.stderr)
    print(json.dumps(a_turn()), flush=True)
    return 0
