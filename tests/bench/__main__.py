"""python -m tests.bench [rules|strength|net|tables|screen|arrival|abuse]...: one JSON line a figure; bare: of all."""

import argparse
import importlib

ROOMS = ("rules", "strength", "net", "tables", "screen", "arrival", "abuse")


def main() -> None:
    """Run the named groups of benchmarks, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=ROOMS, help=f"which of {', '.join(ROOMS)}")
    wanted = parser.parse_args().rooms
    for room in wanted:
        if room not in ROOMS:
            parser.error(f"no benchmarks named {room!r}: there are {', '.join(ROOMS)}")
    for room in wanted:
        importlib.import_module(f"tests.bench.{room}").main()


if __name__ == "__main__":
    main()
