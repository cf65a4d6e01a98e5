"""Compare a screen in a real terminal at an evil host with one at an honest host: the time of keys, memory, also at its
peak, and the time until it ends when told to.

    python -m tests.bench evil [--keys 12] [--only FLOOD]... [--busy]

Exit code 1 if a promise is broken. Times are compared with those at the quiet host, since the machine may be busy.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from netcode.protocol import limits
from tests.bench.processes import ROOT, own_mib
from tests.faults.evil_host import delta, frame, parts, start_evil_host
from tests.faults.evil_runs import Victim
from tests.faults.priority import is_first, step_back, step_back_with_session

KEYS = 12
KEY_S, END_S, MEMORY = 0.5, 2.0, 1.5
"""The promises: the most time that a key and an end take (s), and the most memory, as a multiple of a quiet
client's."""
_TEXT = "y" * limits.TEXT_CHARS
_NAME = "x" * limits.NAME_CHARS
QUIET = "quiet"
FLOODS: dict[str, list[bytes]] = {
    QUIET: [],
    "clocks": [frame("ticked", timers={})],
    "views": [b""],
    "events": [delta(no=10_000 + 80 * at, events=[["TurnBegan", 0, at + 3]] * 80) for at in range(100)],
    "hands": [delta(no=10_000 + at, events=[["Shown", 0, 1, [4097] * 1900]] * 5) for at in range(10)],
    "talk": [frame("talk", seat=1, name=_NAME, text=_TEXT)],
    "votes": [frame("voted", by=0, yes=False)],
    "errors": [frame("error", code="x", text=_TEXT)],
    "refusals": [frame("refused", n=1, refusal={"clause": "x", "text": _TEXT})],
    "knocks": [
        frame("knocks", knocks=[{"number": 8 * at + one, "name": _NAME, "fingerprint": "f"} for one in range(8)])
        for at in range(50)
    ],
    "strings": [frame("strings", join=bytes([at] * 16), watch=bytes(16)) for at in range(100)],
    "lost sessions": [frame("error", code="unknown_session", text="")],
    "no messages": [b"\xc1" * limits.DOWN_BYTES],
    "long parts": [parts(2400, limits.DOWN_BYTES)],
    "empty parts": [parts(400_000, 0)],
}  # fmt: skip
"""The data that is sent as fast as the line allows; views: the last whole view, again and again; parts: of one
message."""


@dataclass
class Figures:
    """The measurements at one host. key_s: the slowest answer to a key; memory_mib: with a share of shared memory
    (PSS); peak_mib: with all shared memory, at the peak (VmHWM); end_s: from SIGTERM to the end; left: the client had
    already left the host."""

    key_s: float
    memory_mib: float
    peak_mib: float
    end_s: float
    left: bool


def at_host(flood: str, keys: int, steps_back: bool = False) -> Figures:
    """Measure a screen at a host with this flood. steps_back: it yields the processor to others. Raises AssertionError
    if a key is never answered, or its output is wrong."""
    host = start_evil_host(bots=2)
    with tempfile.TemporaryDirectory() as home:
        victim = Victim("screen", host, Path(home))
        if steps_back:
            step_back_with_session(victim.terminal.pid)
        try:
            victim.sit_down()
            victim.terminal.read(1.0)
            if FLOODS[flood]:
                host.tell("flood", frames=[one for one in FLOODS[flood] if one])
            answers, memory = list[float](), 0.0
            for _ in range(keys):
                took = victim.answers()
                if took is None:
                    break
                answers.append(took)
                memory = max(memory, own_mib(victim.terminal.pid))
                victim.terminal.read(0.2)
            began, left = time.monotonic(), victim.has_ended()
            if not left:
                os.kill(victim.terminal.pid, signal.SIGTERM)
                victim.terminal.wait(60)
            assert not victim.complaint() or not left, victim.complaint()
            end_s = time.monotonic() - began
            return Figures(max(answers, default=0.0), memory, victim.peak_mib, end_s, left)
        finally:
            victim.terminal.close()
            host.process.kill()
            host.process.communicate()


def problems(flood: str, found: Figures, quiet: Figures, times: bool) -> list[str]:
    """Return the promises that a flood has broken. quiet: the measurements at a quiet host; times: whether times
    count."""
    broken = []
    if times and found.key_s > quiet.key_s + KEY_S:
        broken.append(f"{flood}: a key took {found.key_s:.2f} s, {quiet.key_s:.2f} at a quiet host")
    if found.memory_mib > quiet.memory_mib * MEMORY:
        broken.append(f"{flood}: the client used {found.memory_mib:.0f} MiB, {quiet.memory_mib:.0f} at a quiet host")
    if found.peak_mib > quiet.peak_mib * MEMORY:
        broken.append(f"{flood}: the client's peak was {found.peak_mib:.0f} MiB, {quiet.peak_mib:.0f} at a quiet host")
    if times and found.end_s > quiet.end_s + END_S:
        broken.append(f"{flood}: the client ended after {found.end_s:.2f} s, {quiet.end_s:.2f} at a quiet host")
    return broken


async def at_evil_host(rng: random.Random) -> list[str]:
    """Measure one flood beside a quiet host in separate processes; return the promises that were broken."""
    flood = rng.choice([one for one in FLOODS if one != QUIET])
    command = [sys.executable, "-m", "tests.bench.evil", "--keys", "4", "--busy", "--only", flood]
    measuring = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
    )
    try:
        said, _ = await measuring.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            measuring.terminate()
    last = said.decode().strip().rpartition("\n")[2]
    return [str(one) for one in json.loads(last)["broken"]] if last else [f"{flood}: nothing was measured"]


def _interrupted(*_: object) -> None:
    raise SystemExit(1)  # so that hosts and terminals are closed


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; return 1 if a promise was broken, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench evil", description=__doc__)
    parser.add_argument("--keys", type=int, default=KEYS, help="how many keys are pressed at each host")
    parser.add_argument("--only", action="append", default=[], choices=list(FLOODS), help="these floods")
    parser.add_argument("--busy", action="store_true", help="other things run here too: times break no promise")
    wanted = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupted)
    times = not wanted.busy
    steps_back = wanted.busy and not is_first()
    if wanted.busy:
        step_back()
    broken: list[str] = []
    rows: dict[str, Figures] = {}
    for flood in dict.fromkeys([QUIET, *(wanted.only or FLOODS)]):
        try:
            found = rows[flood] = at_host(flood, wanted.keys, steps_back)
        except AssertionError as problem:
            broken.append(f"{flood}: {str(problem).splitlines()[0]}")
            continue
        broken += problems(flood, found, rows[QUIET], times) if QUIET in rows else []
        how = "left the host" if found.left else f"ended in {found.end_s:.2f} s"
        memory = f"{found.memory_mib:5.1f} MiB, peak {found.peak_mib:5.1f}"
        print(f"{flood:14} key {found.key_s:.2f} s  {memory}  {how}", flush=True)
    for line in broken:
        print(f"BROKEN: {line}", file=sys.stderr)
    print(json.dumps({"broken": broken}))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
