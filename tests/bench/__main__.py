"""python -m tests.bench [rules|strength|net|tables|screen|arrival|abuse|soak]...: one JSON line a figure; bare: of all
but soak, which takes half an hour."""

import argparse
import importlib

ROOMS = ("rules", "strength", "net", "tables", "screen", "arrival", "abuse", "soak")


def main() -> None:
    """Run the named groups of benchmarks, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=ROOMS[:-1], help=f"which of {', '.join(ROOMS)}")
    wanted = parser.parse_args().rooms
    for room in wanted:
        if room not in ROOMS:
            parser.error(f"no benchmarks named {room!r}: there are {', '.join(ROOMS)}")
    for room in wanted:
        importlib.import_module(f"tests.bench.{room}").main()


if __name__ == "__main__":
    main()
