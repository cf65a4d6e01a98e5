"""Figures that are counted, so that they are the same on every machine: `python -m tests.bench counts` fails if one is
more than a tenth worse than recorded in `counts.json`; `--renew` records what was found."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from core.language.catalog import load
from tests.bench.engine_slices import KINDS, SETS, packs
from tests.bench.figures import line

HERE = Path(__file__).parent
RECORDED = HERE / "counts.json"
WORSE = 1.1
"""A figure may be so many times the recorded one."""


def calls(kind: str, decisions: int) -> float:
    """Return the calls of functions for one decision of fixed games (engine_slices.KINDS), those in C included."""
    there = packs(str(HERE / "packs.zip"))
    play = KINDS[kind]([load([there[name]]) for name in SETS])
    for _ in range(decisions // 4):
        next(play)
    count = 0

    def counted(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    for _ in range(decisions):
        next(play)
    sys.setprofile(None)
    return count / decisions


COUNTED: dict[str, Callable[[], float]] = {
    "calls for a random decision": lambda: calls("random", 4000),
    "calls for a decision of a normal bot": lambda: calls("bots", 2000),
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
