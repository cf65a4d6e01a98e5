"""The screen in a pseudo terminal of 120x40 in true colour: start, keys, a sum, an event, a clock's tick, idle time,
memory. Bytes are those that the program writes until it pauses."""

import asyncio
import os
import select
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from netcode.client.client import Client
from netcode.processes.service import process_name
from tests.bench.figures import line, spread
from tests.bench.item_turners import item_turn, start_game
from tests.bench.processes import cpu_s, end, family, host_process, memory_mib, own_mib
from tests.tui.pty_terminal import Terminal

SIZE = (120, 40)
QUIET_S = 0.3
"""A pause after which the answer to a key is complete: longer than any motion takes between two steps."""
SHORT_S = 0.08
"""A pause that is shorter than the delay with which the reading panel follows the cursor."""
KEYS = 30
EVENTS = 40
IDLE_S = 10.0
FIGHT = "import runpy; runpy.run_module('tests.bench.fight_table', run_name='__main__')"


def main() -> None:
    """Print all figures of the screen."""
    with tempfile.TemporaryDirectory() as home:
        playing(Path(home))
        fighting(Path(home))
        asyncio.run(_watching(Path(home)))


@contextmanager
def terminal(*args: str, home: Path, code: str = "", **more: Any) -> Iterator[Terminal]:
    """The program in a terminal. It is always ended, with all processes that it has started."""
    program = Terminal(*args, size=SIZE, home=home, code=code, COLORTERM="truecolor", **more)
    try:
        yield program
    finally:
        started = family(program.pid)[1:]
        program.close()
        end(started)


# -------------------------------------------------------------------------------------------------------- a solo game
def playing(home: Path) -> None:
    """`kickdoor play`: the first frame, the table with its cards, keys, memory of screen and host."""
    began = time.perf_counter()
    with terminal("play", "--bots", "3", "--seed", "5", "--name", "Ann", home=home) as program:
        first = _until_painted(program, began)
        program.until("YOUR FIRST CARDS")
        table = (time.perf_counter() - began) * 1000
        program.read(1.0)
        line("start to first frame of kickdoor play", first, "ms", "1000")
        line("start to the laid table of kickdoor play", table, "ms", "", bytes=len(program.bytes))
        key("cursor to the next card", program, ("\t", "\x1b[Z"), "600", quiet=SHORT_S)
        key("cursor to the next card, and the reading panel", program, ("\t", "\x1b[Z"), "1200")
        key("a card opened", program, ("v", "\x1b"))
        key("a card closed", program, ("\x1b", "v"), opened=True)
        program.press("\x1b")
        program.read(1.0)
        key("a menu opened", program, ("o", "\x1b"))
        children = _children(program.pid)
        line("memory of the screen", memory_mib(program.pid), "MiB", "60", own=round(own_mib(program.pid), 1))
        for name, pid in children.items():
            line(f"memory of the {name}", memory_mib(pid), "MiB", "")


def fighting(home: Path) -> None:
    """A fight: a card changes a sum, with and without motion."""
    for motion in ("never", "always"):
        settings = home / "settings.toml"
        settings.write_text(f'motion = "{motion}"\n')
        with terminal(code=FIGHT, home=home, KICKDOOR_CONFIG=str(settings)) as program:
            program.until("if won")
            program.read(1.0)
            key(f"a sum changes, motion {motion}", program, ("x",), "2200" if motion == "never" else "")
        settings.unlink()


def _until_painted(program: Terminal, began: float) -> float:
    """Milliseconds until any text is on the screen."""
    while not any(text.strip() for text in program.screen.display):
        program.read(0.005)
        if time.perf_counter() - began > 20:
            raise RuntimeError("nothing was painted within 20 s")
    return (time.perf_counter() - began) * 1000


def key(
    name: str, program: Terminal, keys: tuple[str, ...], mark: str = "", *, opened: bool = False, quiet: float = QUIET_S
) -> None:  # fmt: skip
    """Press keys in turn; print the bytes that the first of them costs, and ms to the first and to the last byte.

    opened: the last key is pressed first, so that the first one has something to close. quiet: the pause after which an
    answer counts as complete (s)."""
    if opened:
        program.press(keys[-1])
        program.read(1.0)
    firsts, lasts, sizes = (list(map(float, figures)) for figures in zip(*answers(program, keys, quiet)))
    line(name, spread(sizes)["p50"], "bytes", mark, bytes=spread(sizes), first_ms=spread(firsts), last_ms=spread(lasts))


def answers(
    program: Terminal, keys: tuple[str, ...], quiet: float = QUIET_S, times: int = 0
) -> list[tuple[float, float, int]]:
    """Press keys in turn, this many times (0: KEYS); return ms to the first and the last byte and bytes, for the first
    key."""
    found = []
    for _ in range(times or KEYS):
        for one in keys:
            program.read(0.25)
            got = _answered(program, partial(program.press, one), quiet)
            if one == keys[0] and got is not None:
                found.append(got)
    return found


def _answered(
    program: Terminal, act: Callable[[], object], quiet: float = QUIET_S
) -> tuple[float, float, int] | None:
    """Do something; return ms to the first and the last byte that the program writes then, and bytes; None: nothing."""
    began = last = time.perf_counter()
    act()
    first, size = -1.0, 0
    while select.select([program.fd], [], [], 2.0 if first < 0 else quiet)[0]:
        data = os.read(program.fd, 65536)
        last = time.perf_counter()
        first = last if first < 0 else first
        size += len(data)
        program.stream.feed(data)
    return ((first - began) * 1000, (last - began) * 1000, size) if size else None


def _children(pid: int) -> dict[str, int]:
    """The process ids of the host that the screen started and of its bots, by name."""
    out = {}
    for child in family(pid):
        name = Path(f"/proc/{child}/comm").read_text().strip()
        if name == process_name("netcode.host.main"):
            out["host of four seats"] = child
        elif name == process_name("netcode.client.bot_runner"):
            out["bots"] = child
    return out


# --------------------------------------------------------------------------------------------------- events, a clock
async def _watching(home: Path) -> None:
    """Measure the cost of one event on a spectator's screen in the terminal, with three players in this process."""
    for pace in ("relaxed", "standard"):
        with host_process(seats=3, pace=pace) as (_, strings):
            await _watched(strings, home, pace)


async def _watched(strings: dict[str, str], home: Path, pace: str) -> None:
    clients = [Client(strings["join"], f"P{no}", keep=False) for no in range(3)]
    try:
        await start_game(clients)
        with terminal("watch", strings["watch"], home=home) as program:
            program.until("urn 1")
            program.read(1.5)
            if pace == "relaxed":
                await _events(program, clients)
                await asyncio.to_thread(idle, program, "idle for ten seconds, no clock", False)
            else:
                await asyncio.to_thread(idle, program, "a tick of a clock", True)
    finally:
        for client in clients:
            await client.close()


async def _events(program: Terminal, clients: list[Client]) -> None:
    """The time from an Item turned at one seat to the spectator's screen: rules, wire and painting together."""
    firsts, sizes = [], []
    for number in range(EVENTS * 3):
        client = clients[number % 3]
        action = item_turn(client)
        if action is None:
            continue
        program.read(0.12)
        got = _answered(program, partial(client.act, action))
        if got is not None:
            firsts.append(got[0])
            sizes.append(float(got[2]))
        await asyncio.sleep(0.05)
    if firsts:
        line("event to screen", spread(firsts)["p50"], "ms", "", bytes=spread(sizes), **spread(firsts))


def idle(program: Terminal, name: str, ticking: bool) -> None:
    """Nothing happens at the table: bytes of each write (a tick), CPU seconds.

    This blocks: run it in a thread, so that the players' clients go on and are not reported as lost."""
    program.read(2.0)
    began, cpu = time.perf_counter(), cpu_s(program.pid)
    sizes: list[float] = []
    while (left := IDLE_S - (time.perf_counter() - began)) > 0:
        got = program.read(min(left, 0.3))
        if got:
            sizes.append(float(len(got)))
    spent = round(cpu_s(program.pid) - cpu, 3)
    if ticking:
        line(name, spread(sizes)["p50"] if sizes else 0.0, "bytes", "250", ticks=len(sizes), cpu_s=spent)
    else:
        line(name, sum(sizes), "bytes", "0", cpu_s=spent)


if __name__ == "__main__":
    main()
