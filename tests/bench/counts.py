"""Figures that are counted, so that they are the same on every machine: `python -m tests.bench counts` fails if one is
more than a tenth worse than recorded in `counts.json`; `--renew` records what was found."""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from core.language.catalog import load
from tests.bench.engine_slices import KINDS, SETS, packs
from tests.bench.figures import line
from tests.bench.screen import FIGHT, answers, terminal
from tests.bench.wire import SEATS, counted
from tests.blends import BLENDS

HERE = Path(__file__).parent
RECORDED = HERE / "counts.json"
WORSE = 1.1
"""A figure may be so many times the recorded one."""
TIMES = 5
"""How often a key is pressed."""


def calls(kind: str, decisions: int) -> float:
    """Return the calls of functions for one decision of fixed games (engine_slices.KINDS), those in C included."""
    there = packs(str(HERE / "packs.zip"))
    play = KINDS[kind]([load([there[name]]) for name in SETS])
    for _ in range(decisions // 4):
        next(play)
    count = 0

    def note(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    for _ in range(decisions):
        next(play)
    sys.setprofile(None)
    return count / decisions


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


COUNTED: dict[str, Callable[[], float]] = {
    "calls for a random decision": lambda: calls("random", 4000),
    "calls for a decision of a normal bot": lambda: calls("bots", 2000),
    "bytes on the wire for each client and action": wire_bytes,
    "bytes to the terminal when a sum changes": lambda: terminal_bytes("x"),
    "bytes to the terminal when the cursor goes to the next card": lambda: terminal_bytes("\t", "\x1b[Z"),
}
"""Every figure with the function that counts it: less is better."""


def main(argv: Sequence[str] = (), recorded: Path = RECORDED) -> int:
    """Print the figures; return 1 if one is too much worse than recorded, or is not recorded."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench counts", description=__doc__)
    parser.add_argument("--renew", action="store_true", help="record the figures")
    renew = parser.parse_args(argv).renew
    found = {name: round(count(), 1) for name, count in COUNTED.items()}
    if renew:
        recorded.write_text(json.dumps(found, indent=4) + "\n", "utf-8")
    known: dict[str, float] = json.loads(recorded.read_text("utf-8"))
    worse = [name for name in found if name not in known or found[name] > WORSE * known[name]]
    for name, value in found.items():
        line(name, value, "", str(known.get(name, "")), worse=name in worse)
    if worse:
        print(f"worse than in {recorded.name}: {', '.join(worse)}. If that is meant: --renew", file=sys.stderr)
    return int(bool(worse))
