"""The screen under a pseudo terminal of 120x40: start to first frame, key to screen, event to screen, a clock's tick,
memory. Bytes are what the program writes until it is quiet for a moment."""

import asyncio
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from netcode.client.client import Client
from tests.bench.figures import line, spread
from tests.bench.net import ROOT, _rss, _Seat, _set_up, _visible
from tests.tui.pty_terminal import Terminal

SIZE = (120, 40)
QUIET_S = 0.08
KEYS = 30
EVENTS = 40
IDLE_S = 10.0


def main() -> None:
    """All figures of the screen."""
    with tempfile.TemporaryDirectory() as home:
        playing(Path(home))
        asyncio.run(_watching(Path(home)))


@contextmanager
def terminal(*args: str, home: Path) -> Iterator[Terminal]:
    """The program in a terminal, ended in any case."""
    program = Terminal(*args, size=SIZE, home=home)
    try:
        yield program
    finally:
        program.close()


# -------------------------------------------------------------------------------------------------------- a solo game
def playing(home: Path) -> None:
    """`kickdoor play`: the first frame, the laid table, keys, memory of screen and host."""
    began = time.perf_counter()
    with terminal("play", "--bots", "3", "--seed", "5", "--name", "Ann", home=home) as program:
        first = _until_painted(program, began)
        program.until("First cards:")
        table = (time.perf_counter() - began) * 1000
        line("start to first frame of kickdoor play", first, "ms", "1000")
        line("start to the laid table of kickdoor play", table, "ms", "", bytes=len(program.bytes))
        program.read(1.0)
        keys(program)
        children = _children(program.pid)
        line("memory of the screen", _rss(program.pid), "MiB", "")
        for name, pid in children.items():
            line(f"memory of the {name}", _rss(pid), "MiB", "")
        program.press("\x11")
        program.until("Leave the table?")
        program.press("2")
        program.wait()


def _until_painted(program: Terminal, began: float) -> float:
    """Milliseconds until something legible stands on the screen."""
    while not any(text.strip() for text in program.screen.display):
        program.read(0.005)
        if time.perf_counter() - began > 20:
            raise RuntimeError("nothing was painted within 20 s")
    return (time.perf_counter() - began) * 1000


def keys(program: Terminal) -> None:
    """A key that opens or closes something: bytes and milliseconds to the first and to the last of them."""
    firsts, lasts, sizes = [], [], []
    for _ in range(KEYS):
        for key in ("o", "\x1b"):
            program.read(0.25)
            got = _answered(program, lambda key=key: program.press(key))
            if key == "o" and got is not None:
                firsts.append(got[0])
                lasts.append(got[1])
                sizes.append(float(got[2]))
    line("key to screen", spread(firsts)["p50"], "ms", "", last_ms=spread(lasts), bytes=spread(sizes), **spread(firsts))


def _answered(program: Terminal, act: object) -> tuple[float, float, int] | None:
    """Do something; (ms to the first byte, ms to the last, bytes) of what the program writes then; None: nothing."""
    assert callable(act)
    began = last = time.perf_counter()
    act()
    first, size = -1.0, 0
    while select.select([program.fd], [], [], 2.0 if first < 0 else QUIET_S)[0]:
        data = os.read(program.fd, 65536)
        last = time.perf_counter()
        first = last if first < 0 else first
        size += len(data)
        program.stream.feed(data)
    return ((first - began) * 1000, (last - began) * 1000, size) if size else None


def _children(pid: int) -> dict[str, int]:
    """The host that the screen started, and its bots, by what they are."""
    out = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has just ended
        if b"netcode.host.main" in words and parent == pid:
            out["host of four seats"] = int(entry.name)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and out and _is_bots(entry, out["host of four seats"]):
            out["bots"] = int(entry.name)
    return out


def _is_bots(entry: Path, host: int) -> bool:
    try:
        words = (entry / "cmdline").read_bytes().split(b"\0")
        parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        return b"netcode.bots.runner" in words and parent == host
    except OSError:
        return False


# --------------------------------------------------------------------------------------------------- events, a clock
async def _watching(home: Path) -> None:
    """Three players here, a watcher in the terminal: what one event costs on its screen."""
    for pace in ("relaxed", "standard"):
        host = subprocess.Popen(
            [sys.executable, "-m", "tui", "host", "--json", "--port", "0", "--seats", "3", "--pace", pace],
            stdout=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        try:
            assert host.stdout is not None
            places = json.loads(host.stdout.readline())
            await _watched(places, home, pace)
        finally:
            host.terminate()
            host.wait(10)


async def _watched(places: dict[str, str], home: Path, pace: str) -> None:
    seats = [_Seat(places["join"], no) for no in range(3)]
    try:
        for seat in seats:
            await seat.client.join()
            seat.client.set(ready=True)
        await asyncio.gather(*(seat.client.wait_for(_begun) for seat in seats))
        await _set_up(seats)
        with terminal("watch", places["watch"], home=home) as program:
            program.until("urn 1")
            program.read(1.5)
            if pace == "relaxed":
                await _events(program, seats)
                await asyncio.to_thread(idle, program, "idle for ten seconds, no clock", False)
            else:
                await asyncio.to_thread(idle, program, "a tick of a clock", True)
    finally:
        for seat in seats:
            await seat.client.close()


def _begun(client: Client) -> bool:
    return client.view is not None


async def _events(program: Terminal, seats: list[_Seat]) -> None:
    """An Item turned at one seat, until it is on the watcher's screen: rules, wire and painting together."""
    firsts, sizes = [], []
    for number in range(EVENTS * 3):
        seat = seats[number % 3]
        action = _visible(seat.rows())
        if action is None:
            continue
        program.read(0.12)
        got = _answered(program, lambda s=seat, a=action: s.client.act(a))
        if got is not None:
            firsts.append(got[0])
            sizes.append(float(got[2]))
        await asyncio.sleep(0.05)
    if firsts:
        line("event to screen", spread(firsts)["p50"], "ms", "", bytes=spread(sizes), **spread(firsts))


def idle(program: Terminal, name: str, ticking: bool) -> None:
    """Nothing happens at the table: bytes for each write (a tick), CPU seconds.

    It blocks: the players are to go on beside it, else they are said to be lost."""
    program.read(2.0)
    began, cpu = time.perf_counter(), _cpu(program.pid)
    sizes: list[float] = []
    while (left := IDLE_S - (time.perf_counter() - began)) > 0:
        got = program.read(min(left, 0.3))
        if got:
            sizes.append(float(len(got)))
    spent = round(_cpu(program.pid) - cpu, 3)
    if ticking:
        line(name, spread(sizes)["p50"] if sizes else 0.0, "bytes", "250", ticks=len(sizes), cpu_s=spent)
    else:
        line(name, sum(sizes), "bytes", "0", cpu_s=spent)


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100.0


if __name__ == "__main__":
    main()
