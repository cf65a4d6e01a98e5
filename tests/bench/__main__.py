"""`python -m tests.bench [GROUP...]`: run groups of benchmarks and print one JSON line for each figure. Without a
group: all but soak, which takes half an hour."""

import argparse
import importlib

GROUPS = ("rules", "strength", "net", "tables", "screen", "arrival", "abuse", "soak")


def main() -> None:
    """Run the named groups of benchmarks, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("groups", nargs="*", default=GROUPS[:-1], help=f"which of {', '.join(GROUPS)}")
    named = parser.parse_args().groups
    for group in named:
        if group not in GROUPS:
            parser.error(f"no benchmarks named {group!r}: there are {', '.join(GROUPS)}")
    for group in named:
        importlib.import_module(f"tests.bench.{group}").main()


if __name__ == "__main__":
    main()
