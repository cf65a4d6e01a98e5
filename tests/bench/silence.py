"""Whether the screen tells everything: whole games of each set and at each size. Three kinds of game take turns: alone
with bots; with people; with people where everything between two answers comes at once, while the reader has something
open. It counts the events that the reader had to see, and those that no frame showed before the reader's next answer.

`python -m tests.bench silence --games 50 --seed 1`; exit code 1 if something happened in silence.
"""

import argparse
import asyncio
from collections.abc import Sequence

import cards
from core.language import catalog as catalogs
from tests.bench.figures import line
from tests.tui.silence import Told, read_game

SIZES = ((80, 24), (60, 20), (120, 40), (200, 60))
SETS = cards.BUILT_IN
WAYS = ("alone", "people", "at once")
MOST = 5_000
"""More decisions than any game has."""


def main(argv: Sequence[str]) -> int:
    """Play the games; return 1 if one of them was not told."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench silence", description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--decisions", type=int, default=MOST, help="the most of a game")
    options = parser.parse_args(argv)
    silent = looked_at = 0
    for at in range(options.games):
        told, name = _played(at, options.seed + at, options.decisions)
        silent, looked_at = silent + len(told.silent), looked_at + told.looked_at
        figures = {"looked_at": told.looked_at, "opened": told.opened, "what": told.silent[:5]}
        line(f"in silence, {name}", len(told.silent), "events", "0", **figures)
    line("in silence, all games", silent, "events", "0", looked_at=looked_at)
    return 1 if silent else 0


def _played(at: int, seed: int, decisions: int) -> tuple[Told, str]:
    """Play the at-th game; return what was told of it, and its name."""
    set_id, size = SETS[at % len(SETS)], SIZES[at // len(SETS) % len(SIZES)]
    way = WAYS[at % len(WAYS)]
    catalog = catalogs.load([cards.pack_files(set_id)])
    told = asyncio.run(read_game(catalog, seed, size, alone=way == "alone", bursts=way == "at once", most=decisions))
    return told, f"{set_id} {size[0]}x{size[1]} {way} seed {seed}"
