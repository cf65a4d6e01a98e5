"""Stored positions of games in which a bot once made a blunder (blunder_kinds.py): does a level make it again?

`python -m tests.bench positions --bot hard --most 20` fails if it does so more often. Each position is the game as the
seat knew it (core/knowledge/veil.py), with the act that was the blunder; the packs are those of `packs.zip`, so that
new cards change no position. `--renew GAMES` collects the positions anew from games of normal bots.
"""

import argparse
import random
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from core.knowledge.imagine import imagine
from core.knowledge.veil import veil
from core.language.catalog import Catalog, load
from core.state.actions import Action
from core.state.veiled import Veiled
from core.view import view
from netcode.bots.factory import make_player
from netcode.bots.player import Observation
from netcode.bots.win_blockers import win_blockers
from tests.bench.blunder_kinds import Deed
from tests.bench.blunders import Judge, JudgedGame
from tests.bench.engine_slices import SETS, packs
from tests.bench.figures import line

HERE = Path(__file__).parent
FILE = HERE / "positions.bin"
COUNT = 100
EACH_MOST = 20
"""The most positions of one kind."""
BUDGET = 30
"""Rollouts for one decision."""


class Position(Struct, array_like=True):
    """A decision: the set that was played, the kind of blunder, the game as the seat knew it, and the act that was the
    blunder."""

    set_id: str
    kind: str
    veiled: Veiled
    act: Action


def catalogs() -> dict[str, Catalog]:
    """Return the catalog of each stored set, by id."""
    there = packs(str(HERE / "packs.zip"))
    return {name: load([there[name]]) for name in SETS}


def stored() -> list[Position]:
    """Return the positions of the file."""
    return msgspec.msgpack.decode(zlib.decompress(FILE.read_bytes()), type=list[Position])


def repeated(positions: Sequence[Position], bot: str, budget: int) -> list[Position]:
    """Return the positions in which a bot repeats the blunder."""
    there = catalogs()
    return [one for one in positions if _decision(there[one.set_id], one, bot, budget) == one.act]


def _decision(catalog: Catalog, one: Position, bot: str, budget: int) -> Action | None:
    rng = random.Random(one.kind)
    seen = view(catalog, imagine(catalog, one.veiled, rng), one.veiled.seat)
    player = make_player(bot, catalog, rng)
    return player.decide(Observation(seen, one.veiled, hurry=True), budget)


class _Collector(Judge):
    """Keeps the deeds that are blunders."""

    def __init__(self, catalog: Catalog, set_id: str) -> None:
        super().__init__(catalog, win_blockers(catalog))
        self.set_id = set_id
        self.kept: list[Position] = []

    def _judge(self, deed: Deed, kinds: tuple[str, ...]) -> None:
        found = len(self.found)
        super()._judge(deed, kinds)
        for one in self.found[found:]:
            known = veil(self.catalog, deed.before.state, deed.seat)
            self.kept.append(Position(self.set_id, one.kind, known, deed.action))  # type: ignore[arg-type]


def collect(games: int) -> list[Position]:
    """Play games of normal bots with each stored set in turn; return some blunders of each kind."""
    there = catalogs()
    found: list[Position] = []
    for index in range(games):
        set_id = sorted(there)[index % len(there)]
        judge = _Collector(there[set_id], set_id)
        game = JudgedGame(there[set_id], ["normal"] * 4, index, watch=judge.after)
        game.judge = judge
        game.play(1000)
        found += judge.kept
    random.Random(1).shuffle(found)
    kept: list[Position] = []
    for one in found:
        if sum(other.kind == one.kind for other in kept) < EACH_MOST:
            kept.append(one)
    return kept[:COUNT]


def main(argv: Sequence[str] = ()) -> int:
    """Count, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench positions", description=__doc__)
    parser.add_argument("--bot", default="hard", help="a level, or a class of your own as module:Class")
    parser.add_argument("--budget", type=int, default=BUDGET, help="rollouts that it may spend on a decision")
    parser.add_argument("--most", type=int, default=COUNT, help="blunders that are allowed")
    parser.add_argument("--renew", type=int, metavar="GAMES", help="collect the positions anew from so many games")
    args = parser.parse_args(argv)
    if args.renew:
        FILE.write_bytes(zlib.compress(msgspec.msgpack.encode(collect(args.renew)), 9))
    positions = stored()
    again = repeated(positions, args.bot, args.budget)
    kinds = Counter(one.kind for one in again)
    line("blunders repeated", len(again), f"of {len(positions)}", str(args.most), bot=args.bot, kinds=dict(kinds))
    return 1 if len(again) > args.most else 0
