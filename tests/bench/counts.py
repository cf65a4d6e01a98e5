"""Figures that are counted, so that they are the same on every machine: `python -m tests.bench counts` fails if one is
more than a tenth worse than recorded in `counts.json`. CPU as a multiple of python-chess is almost the same everywhere,
so it only leads to a warning. `--renew` records the figures."""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

from core.language.catalog import load
from tests.bench.engine import ROOT, lengths, playing
from tests.bench.engine_slices import KINDS, SETS, packs
from tests.bench.figures import line
from tests.bench.screen import FIGHT, answers, terminal
from tests.bench.served import ServedHost, recorded
from tests.bench.wire import SEATS, counted
from tests.blends import BLENDS

HERE = Path(__file__).parent
RECORDED = HERE / "counts.json"
WORSE = 1.1
"""A figure may be at most this many times the recorded one."""
TIMES = 5
"""How often a key is pressed."""
SLICES, SLICE_ACTS = 9, 300
"""Slices of each kind whose CPU is compared, and the actions of one at a host."""
CPU = {"random": "a random decision", "bots": "a decision of a normal bot", "host": "a host for an action of six"}
"""The figures that are compared with python-chess, in words."""


def calls(kind: str, decisions: int) -> float:
    """Return the calls of functions for one decision of fixed games (engine_slices.KINDS), those in C included."""
    there = packs(str(HERE / "packs.zip"))
    play = KINDS[kind]([load([there[name]]) for name in SETS])
    for _ in range(decisions // 4):
        next(play)

    def work() -> None:
        for _ in range(decisions):
            next(play)

    return _calls(work) / decisions


def host_calls(acts: int) -> float:
    """Return the calls of functions for one action of a fixed game of six at a host, from frame to frames."""
    game = recorded(SEATS, acts)
    _play(ServedHost(game))  # fills the caches of the process
    return _calls(lambda: _play(ServedHost(game))) / game.acts


def _play(host: ServedHost) -> float:
    """Play the game once; return the CPU seconds of an action."""
    with closing(host.games()) as games:
        return next(games) / 1000


def _calls(work: Callable[[], object]) -> int:
    """Return how many functions are called."""
    count = 0

    def note(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    work()
    sys.setprofile(None)
    return count


def wire_bytes() -> float:
    """Return the bytes sent to each client for an action: a game of six of each set, and of all four together."""
    games = [counted(sets) for sets in BLENDS]
    means = [sum(game.sizes.values()) / game.table.match.seq / SEATS for game in games if game.table.match is not None]
    return sum(means) / len(games)


def terminal_bytes(*keys: str) -> float:
    """Return the bytes that the first of these keys costs at a fight on a terminal of 120x40, without motion: the
    median of a few times."""
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home) / "settings.toml"
        settings.write_text('motion = "never"\n', "utf-8")
        with terminal(code=FIGHT, home=Path(home), KICKDOOR_CONFIG=str(settings)) as program:
            program.until("if won")
            program.read(1.0)
            return median(size for _, _, size in answers(program, keys, times=TIMES))


def cpu_ratios(slices: int = SLICES, scale: float = 1.0) -> dict[str, float]:
    """Return CPU costs as multiples of a random ply of python-chess: the median of some slices, which take turns.
    scale: a factor for the decisions in a slice."""
    found: dict[str, list[float]] = {}
    counts = lengths(scale)
    with playing(ROOT) as player:
        for _ in range(slices):
            taken = {kind: player.play(kind, count) for kind, count in counts.items()}
            costs = {kind: one.seconds / one.decisions for kind, one in taken.items()}
            costs["host"] = _play(ServedHost(recorded(SEATS, int(SLICE_ACTS * scale))))
            ply = costs.pop("chess")
            for kind, cost in costs.items():
                found.setdefault(f"CPU of {CPU[kind]}, in plies of python-chess", []).append(cost / ply)
    return {name: median(ratios) for name, ratios in found.items()}


COUNTED: dict[str, Callable[[], float]] = {
    "calls for a random decision": lambda: calls("random", 4000),
    "calls for a decision of a normal bot": lambda: calls("bots", 2000),
    "calls of a host for an action of six": lambda: host_calls(300),
    "bytes on the wire for each client and action": wire_bytes,
    "bytes to the terminal when a sum changes": lambda: terminal_bytes("x"),
    "bytes to the terminal when the cursor goes to the next card": lambda: terminal_bytes("\t", "\x1b[Z"),
}
"""Every figure with the function that counts it: less is better."""


def main(argv: Sequence[str] = (), file: Path = RECORDED) -> int:
    """Print the figures; return 1 if a counted one is too much worse than recorded, or is not recorded. Warn of CPU."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench counts", description=__doc__)
    parser.add_argument("--renew", action="store_true", help="record the figures")
    renew = parser.parse_args(argv).renew
    ratios = {name: round(ratio, 2) for name, ratio in cpu_ratios().items()}
    found = {**{name: round(count(), 1) for name, count in COUNTED.items()}, **ratios}
    if renew:
        file.write_text(json.dumps(found, indent=4) + "\n", "utf-8")
    known: dict[str, float] = json.loads(file.read_text("utf-8"))
    worse = [name for name in found if name not in known or found[name] > WORSE * known[name]]
    for name, value in found.items():
        line(name, value, "", str(known.get(name, "")), worse=name in worse)
    failed = [name for name in worse if name not in ratios]
    for name in worse:
        kind = "FAILED" if name in failed else "WARNING"
        print(f"{kind}: worse than in {file.name}: {name}. If that is meant: --renew", file=sys.stderr)
    return int(bool(failed))
