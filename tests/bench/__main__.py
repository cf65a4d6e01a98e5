"""`python -m tests.bench [GROUP...]`: run groups of benchmarks and print one JSON line for each figure. Without a
group: all but soak, which takes half an hour, and malice, which takes twenty minutes. Malice and engine have options
of their own if they are the only group: `engine --baseline COMMIT`."""

import argparse
import importlib
import sys

from tests.bench import engine, malice

GROUPS = (
    "engine", "rules", "strength", "wire", "net", "tables", "screen", "arrival", "abuse", "front", "journal", "soak",
)  # fmt: skip


def main() -> int:
    """Run the named groups of benchmarks, one after the other; return the exit code."""
    if sys.argv[1:2] == ["malice"]:
        return malice.main(sys.argv[2:])
    if sys.argv[1:2] == ["engine"] and len(sys.argv) > 2 and sys.argv[2].startswith("-"):
        return engine.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("groups", nargs="*", default=GROUPS[:-1], help=f"which of {', '.join(GROUPS)}; or malice alone")
    named = parser.parse_args().groups
    for group in named:
        if group not in GROUPS:
            parser.error(f"no benchmarks named {group!r}: there are {', '.join(GROUPS)}, and malice")
    for group in named:
        importlib.import_module(f"tests.bench.{group}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
