"""`python -m tests.bench [GROUP...]`: run groups of benchmarks and print one JSON line for each figure. Without a
group: all but soak, which takes half an hour, malice, which takes twenty minutes, and the groups of `ALONE`, which take
options if they are named alone: `engine --baseline COMMIT`."""

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence

from tests.bench import (
    abilities,
    bluff,
    blunders,
    club,
    counts,
    door,
    engine,
    environment,
    evil,
    growth,
    hints,
    join,
    malice,
    network,
    positions,
    prompts,
    silence,
    strength,
    talk,
    who,
)  # fmt: skip

GROUPS = (
    "engine", "rules", "thinking", "wire", "net", "tables", "start", "screen", "arrival", "clocks", "abuse", "front",
    "journal", "soak",
)  # fmt: skip
_ALONE = (
    abilities, blunders, bluff, club, counts, door, engine, environment, evil, growth, hints, join, malice, network,
    positions, prompts, silence, strength, talk, who,
)  # fmt: skip
ALONE: dict[str, Callable[[Sequence[str]], int]] = {one.__name__.rpartition(".")[2]: one.main for one in _ALONE}


def main() -> int:
    """Run the named groups of benchmarks, one after the other; return the exit code."""
    alone = ALONE.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if alone is not None and not any(arg in GROUPS for arg in sys.argv[2:]):
        return alone(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    which = f"which of {', '.join(GROUPS)}; or {' or '.join(ALONE)} alone"
    parser.add_argument("groups", nargs="*", default=GROUPS[:-1], help=which)
    named = parser.parse_args().groups
    for group in named:
        if group not in GROUPS:
            parser.error(f"no benchmarks named {group!r}: there are {', '.join(GROUPS)}, and {', '.join(ALONE)} alone")
    for group in named:
        importlib.import_module(f"tests.bench.{group}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
