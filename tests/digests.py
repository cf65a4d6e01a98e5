"""Digests of whole games, to compare before and after a refactoring: `python -m tests.digests --out FILE`, then
`--against FILE`.

The digest of a game covers, after every accepted action, the state, its events and the view of every seat and of a
spectator, byte for byte. Versions of the program with the same digests play the same games and show the same views.
"""

import argparse
import json
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path

import msgspec

from core.language.catalog import Catalog
from core.state.model import State, encode
from core.view import Showing
from netcode.simulation.game import SimulatedGame
from tests.blends import BLENDS, catalog_of
from tests.core.random_table import RandomTable, options_of

LEVELS = ("easy", "normal", "hard", "random")
"""The bots of the games, listed here because the recorded digests depend on their order."""
_pack = msgspec.msgpack.Encoder().encode

class GameDigest:
    """The digest of a game so far."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.hash = blake2b(digest_size=16)
        self.actions = 0

    def add(self, state: State, events: object) -> None:
        """Add the state after an action, its events, and every view of it."""
        self.actions += 1
        showing = Showing(self.catalog, state)
        self.hash.update(encode(state))
        self.hash.update(_pack(events))
        for seat in range(-1, len(state.seats)):
            self.hash.update(_pack(showing.view(seat)))


def bot_game(sets: tuple[str, ...], no: int) -> str:
    """Return the digest of one game between bots: even games of two levels, odd games of all; three to six seats."""
    catalog = catalog_of(sets)
    seats = 3 + no % 4
    bots = [LEVELS[(no + seat) % 4 if no % 2 else 1 + (no + seat) % 2] for seat in range(seats)]
    digest = GameDigest(catalog)
    options = options_of(no)
    game = SimulatedGame(
        catalog, bots, no, options=options, watch=lambda state, seat, action, events: digest.add(state, events)
    )  # fmt: skip
    why = game.play(1000)
    return f"{why} {digest.actions} {digest.hash.hexdigest()}"


def random_game(sets: tuple[str, ...], no: int) -> str:
    """Return the digest of one game of random players, cut off after 3,000 actions."""
    catalog = catalog_of(sets)
    digest = GameDigest(catalog)
    options = options_of(no)
    table = RandomTable(catalog, 3 + no % 4, no, interrupts=random.Random(no).choice((0.05, 0.3, 0.7)), options=options)
    while not table.state.winners and digest.actions < 3000:
        digest.add(table.state, table.act())
    return f"{digest.actions} {digest.hash.hexdigest()}"


KINDS = {"bots": bot_game, "random": random_game}


def play(job: tuple[str, tuple[str, ...], int]) -> tuple[str, str]:
    """Play one game; return its name and its digest."""
    kind, sets, no = job
    return f"{kind} {'+'.join(sets)} {no}", KINDS[kind](sets, no)


def main() -> int:
    """Return the exit code: 0 if the digests were recorded or are all the same, 1 if some game differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.digests", description=__doc__)
    parser.add_argument("--bots", type=int, default=200, help="games between bots, for each set and for all together")
    parser.add_argument("--random", type=int, default=50, help="random games, for each set and for all together")
    parser.add_argument("--jobs", type=int, default=2, help="processes to use")
    parser.add_argument("--out", help="where to record the digests, as JSON")
    parser.add_argument("--against", help="recorded digests to compare with; a game that they lack counts as different")
    args = parser.parse_args()
    counts = {"bots": args.bots, "random": args.random}
    jobs = [(kind, sets, no) for kind, count in counts.items() for sets in BLENDS for no in range(count)]
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        found = dict(pool.map(play, jobs, chunksize=4))
    if args.out:
        Path(args.out).write_text(json.dumps(found, indent=0), "utf-8")
    known = json.loads(Path(args.against).read_text("utf-8")) if args.against else found
    wrong = [name for name, value in found.items() if known.get(name) != value]
    for name in wrong[:20]:
        print(f"{name}: {known.get(name)} expected, {found[name]} found")
    print(f"{len(found)} games, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
