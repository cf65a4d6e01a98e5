"""Real clients in a real terminal at a host that sends evil values: python -m tests.faults.evil_runs [--minutes 5]
[--seed 1] [--only WORD]

Every field of every message is changed to each kind of evil value (tests/netcode/protocol/evil_messages.py), in
messages of a real game if it had such messages; in random order, as many as the time allows. The screen, --plain and a
bot take turns. A client must take a value and still answer keys, or end with one sentence. Prints each broken promise,
and a line of JSON; exit code 1 if there was any.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgpack

from netcode.client.connection import distrust
from netcode.client.flood import FLOODED
from tests.bench.processes import memory_mib
from tests.faults.evil_host import VICTIM, EvilHost, start_evil_host
from tests.netcode.protocol.evil_messages import evil_frames, whole_messages
from tests.patience import PATIENCE_S
from tests.tui.pty_terminal import Terminal

MINUTES, SEED = 5.0, 1
KEY_S, END_S = 10.0, 10.0
"""How long to wait for the answer to a key, and for the end of a client (s)."""
TOGETHER = 4
"""Values that are sent before a check whether a client still answers."""
VALUES = 60
"""Values after which another client replaces this one."""
FAULTS = (b"Traceback", b"internal error", b"Internal error")
"""Text that no client may write."""
ENDINGS = (distrust("").split(",")[1], FLOODED.split(",")[1], "kickdoor")
"""Words of the one sentence with which a client leaves its host."""
Values = list[tuple[str, bytes]]


@dataclass
class Tally:
    """The results of the values."""

    taken: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    """The slowest answer to a key."""

    @property
    def values(self) -> int:
        """How many values were sent."""
        return self.taken.total() + self.ended.total()


class Victim:
    """A client in a terminal at an evil host. kind: screen, plain, bot or watch (a screen without a seat)."""

    def __init__(self, kind: str, host: EvilHost, home: Path) -> None:
        arguments = {
            "screen": ("join", host.join, "--name", VICTIM), "plain": ("join", host.join, "--name", VICTIM, "--plain"),
            "bot": ("bot", host.join, "--name", VICTIM), "watch": ("watch", host.watch),
        }[kind]  # fmt: skip
        self.kind, self.home = kind, home
        self.peak_mib = 0.0
        """Its peak memory at the last check whether it has ended; an ended process has none."""
        self.terminal = Terminal(*arguments, home=home, size=(100, 30))
        self._open = False

    def sit_down(self) -> None:
        """Wait until the client is at the table, and the game is on."""
        if self.kind == "bot":
            self.terminal.until("has seat", PATIENCE_S)
            self.terminal.read(0.5)
        elif self.kind == "plain":
            self.terminal.until("Say help", PATIENCE_S)
            self.terminal.press_until("ready\r", "Your first cards", PATIENCE_S)
        else:
            self.terminal.until("READY?", PATIENCE_S)
            self.terminal.press_until("y", "FIRST CARDS", PATIENCE_S)

    def answers(self) -> float | None:
        """Press a key; return how long the answer took (s). None: it has ended. Raise AssertionError if there is no
        answer."""
        if self.kind == "bot":
            self.terminal.read(0.1)
            return None if self.has_ended() else 0.0
        before, began = len(self.terminal.bytes), time.monotonic()
        self.terminal.press("help\r" if self.kind == "plain" else "?" if not self._open else "\x1b")
        while time.monotonic() < began + KEY_S:
            if self.has_ended():
                return None
            self.terminal.read(0.01)
            plain = b"Other words" in self.terminal.bytes[before:]
            if plain or (self.kind == "screen" and ("ESC close" in self.terminal.text()) != self._open):
                self._open = not self._open
                return time.monotonic() - began
        raise AssertionError(f"no answer to a key within {KEY_S:g} s")

    def has_ended(self) -> bool:
        """Return whether the client has ended by itself."""
        if self.terminal.status is None:
            self.peak_mib = max(self.peak_mib, memory_mib(self.terminal.pid, "VmHWM"))
            pid, status = os.waitpid(self.terminal.pid, os.WNOHANG)
            if pid:
                self.terminal.read(0.2)
                self.terminal.status = os.waitstatus_to_exitcode(status)
        return self.terminal.status is not None

    def complaint(self) -> str:
        """Return the faults of the client's output and, if it has ended, of its end; empty: none."""
        written = self.terminal.bytes
        if any(fault in written for fault in FAULTS) or list(self.home.rglob("crash*")):
            return "an internal error"
        if self.terminal.status is not None and not any(end.encode() in written for end in ENDINGS):
            return f"no sentence, exit code {self.terminal.status}"
        if self.terminal.status is not None and self.terminal.status not in (0, 1):
            return f"exit code {self.terminal.status}"
        return ""


def values_at(host: EvilHost, only: str, rng: random.Random) -> Values:
    """Return the evil values in random order. They are made from messages of the host if it has sent such messages."""
    honest = {kind: msgpack.unpackb(frame, strict_map_key=False) for kind, frame in host.honest().items()}
    found: Values = []
    for kind, message in {**whole_messages(), **honest}.items():
        prefix = b"@delta" if kind == "delta" else b""
        found += [(f"{kind}: {name}", prefix + frame) for name, frame in evil_frames(message) if only in name]
    rng.shuffle(found)
    return found


def visit(kind: str, left: Values, only: str, rng: random.Random, tally: Tally, end: float) -> None:
    """Send values to one client until it ends or has met enough. left: the remaining values; filled if empty."""
    host = start_evil_host(bots=2)
    with tempfile.TemporaryDirectory() as home:
        victim = Victim(kind, host, Path(home))
        sent: list[str] = []
        try:
            victim.sit_down()
            if not left:
                left += values_at(host, only, rng)
            while time.monotonic() < end and left and len(sent) < VALUES:
                together = [left.pop() for _ in range(min(TOGETHER, len(left)))]
                for name, frame in together:
                    host.tell("send", frames=[frame])
                    host.tell("restore")
                    sent.append(name)
                took = victim.answers()
                if took is None:
                    break
                tally.slowest_s = max(tally.slowest_s, took)
            problem = victim.complaint()
        except AssertionError as stuck:
            problem = str(stuck).splitlines()[0]
        finally:
            crash = "".join(file.read_text()[-1500:] for file in Path(home).rglob("crash*"))
            written = victim.terminal.bytes[-1500:].decode(errors="replace") if victim.has_ended() else ""
            victim.terminal.close()
            host.process.kill()
            host.process.communicate()
    ended = sent[-TOGETHER:] if victim.terminal.status is not None else []
    tally.taken[kind] += len(sent) - len(ended[:1])
    tally.ended[kind] += len(ended[:1])
    if problem:
        tally.faults.append(f"{kind}: {problem} after {sent[-TOGETHER:]}\n{crash or written}")
        print(tally.faults[-1], file=sys.stderr, flush=True)


def turns() -> Iterator[str]:
    """Yield which client comes next."""
    while True:
        yield from ("screen", "plain", "screen", "bot")


def main() -> int:
    """Run for the time that is asked for; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", default="", help="values whose name has this")
    asked = parser.parse_args()
    rng, tally, left, end = random.Random(asked.seed), Tally(), Values(), time.monotonic() + asked.minutes * 60
    for kind in turns():
        if time.monotonic() > end:
            break
        visit(kind, left, asked.only, rng, tally, end)
    figures = {
        "values": tally.values, "taken": tally.taken, "ended": tally.ended, "faults": len(tally.faults),
        "slowest_key_s": round(tally.slowest_s, 2),
    }  # fmt: skip
    print(json.dumps(figures))
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
