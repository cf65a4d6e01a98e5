"""Measure the time from the start of a process to its first result: help, the string of a host, the first frame and the
laid table of a solo game, and in the same run a bare Textual table. Byte-code is compiled and packs are cached,
as they are from the second start on. All are wall-clock times: take them on a quiet machine, or compare the ratio."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.bare_table import LAID
from tests.bench.figures import line
from tests.bench.processes import ROOT, family, memory_mib
from tests.tui.pty_terminal import Terminal

SIZE = (120, 40)
BARE = "import runpy; runpy.run_module('tests.bench.bare_table', run_name='__main__')"
FIRST_CARDS = "YOUR FIRST CARDS"
ROUNDS = 9
LONGEST_S = 30.0


def main(rounds: int = ROUNDS) -> None:
    """Print all figures of the start."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _once(home)  # compiles what is not compiled, and fills the cache
        found = [_once(home) for _ in range(rounds)]
    help_ms, host_ms, host_mib, first, laid, bare = (sorted(figures) for figures in zip(*found))
    ratios = [one[4] / one[5] for one in found]
    line("start of kickdoor --help to its end", median(help_ms), "ms", "100", best=round(help_ms[0]))
    line(
        "start of kickdoor host --json to its string", median(host_ms), "ms", "400", best=round(host_ms[0]),
        host_mib=round(median(host_mib), 1),
    )  # fmt: skip
    line("start of kickdoor play to its first words", median(first), "ms", "450", best=round(first[0]))
    line(
        "start of kickdoor play to the laid table", median(laid), "ms", "", best=round(laid[0]),
        bare_ms=round(median(bare)), bare_best=round(bare[0]), times_bare=round(median(ratios), 2), mark_times="1.5",
    )  # fmt: skip


def _once(home: Path) -> tuple[float, ...]:
    """Start each program once, in turn: ms of help, of the host, MiB of the host, ms of the first words, of the table,
    of the bare table."""
    return (_help(), *_host(home), *_play(home), _bare(home))


def _more(home: Path) -> dict[str, Any]:
    """Changes to the environment of our processes."""
    data = {"KICKDOOR_DATA": str(home / "data"), "KICKDOOR_CONFIG": str(home / "settings.toml")}
    return {**data, "PYTHONDONTWRITEBYTECODE": ""}  # empty: write byte-code


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, **_more(home)}


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def _help() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "tui", "--help"], cwd=ROOT, env=_environment(ROOT), stdout=subprocess.DEVNULL)
    return _ms_since(began)


def _host(home: Path) -> tuple[float, float]:
    """Milliseconds until a host has printed its string, and the memory of the host process itself in MiB."""
    data = tempfile.mkdtemp(dir=home)  # a table left by an earlier start would be restored
    command = [sys.executable, "-m", "tui", "host", "--json", "--port", "0", "--data", data]
    began = time.perf_counter()
    quiet = subprocess.DEVNULL
    host = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, cwd=ROOT, env=_environment(home))
    try:
        assert host.stdout is not None
        host.stdout.readline()
        took = _ms_since(began)
        return took, max(memory_mib(pid) for pid in family(host.pid))
    finally:
        host.terminate()
        host.communicate(timeout=10)


def _play(home: Path) -> tuple[float, float]:
    """Milliseconds until a solo game has painted any words, and until its table is laid."""
    began = time.perf_counter()
    program = Terminal(
        "play", "--bots", "3", "--seed", "5", "--name", "Ann", size=SIZE, home=home, COLORTERM="truecolor",
        **_more(home),
    )  # fmt: skip
    try:
        first = _until(program, began, lambda text: bool(text.strip()))
        laid = _until(program, began, lambda text: FIRST_CARDS in text)
        program.press("\x11")
        program.until("LEAVE THE TABLE?")
        program.read(0.5)
        started = family(program.pid)[1:]
        program.press("1")
        program.wait()
        _end(started)
        return first, laid
    finally:
        program.close()


def _end(pids: list[int]) -> None:
    """End the processes that a screen has left behind: its host waits for the player to come back, and would run during
    the rest of the benchmark."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


def _bare(home: Path) -> float:
    began = time.perf_counter()
    program = Terminal(code=BARE, size=SIZE, home=home, COLORTERM="truecolor", **_more(home))
    try:
        return _until(program, began, lambda text: LAID in text)
    finally:
        program.close()


def _until(program: Terminal, began: float, there: Callable[[str], bool]) -> float:
    """Milliseconds until the text on the screen is as wanted. It is checked only after new output, because a check
    takes a core for 5 ms, which the measured program could use."""
    came = True
    while not (came and there(program.text())):
        came = bool(program.read(0.005))
        if _ms_since(began) > LONGEST_S * 1000:
            raise RuntimeError(f"not painted within {LONGEST_S:.0f} s:\n{program.text()}")
    return _ms_since(began)
