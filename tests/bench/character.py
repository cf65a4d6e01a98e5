"""`python -m tests.bench character --to FILE`: how strong each personality is at `normal`, in four-seat games of two
against two of plain `normal`, each deal played from both pairs of seats, over all sets and their mix.

Every game is a line of FILE: what is there is not played again, so that it may be stopped and started.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from netcode.bots.card_values import CardValues
from netcode.bots.personalities import personalities
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import game_seed, load_catalog, no_collecting
from tests.bench.figures import line

SETS = ("munchkins-and-mazes", "apocalypse", "axe-cop", "warhammer-40k")
POOLS = (*((one,) for one in SETS), SETS)
"""What is played, in turn; the mix of all last."""
LEVEL = "normal"
SEED = 14
TURN_CAP = 2_000


def main(args: Sequence[str] = ()) -> int:
    """Play what is missing and print a line for each personality: its wins in percent of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench character", description=__doc__)
    parser.add_argument("--to", type=Path, default=Path("character.jsonl"), help="the file of the games")
    parser.add_argument("--games", type=int, default=1100, help="games of each personality")
    parser.add_argument("--who", nargs="*", default=list(personalities()), help="whose games to play")
    wanted = parser.parse_args(args)
    played = _played(wanted.to)
    with no_collecting(), wanted.to.open("a") as file:
        tables = [(catalog, CardValues(catalog)) for catalog in map(load_catalog, POOLS)]
        for index in range(wanted.games):
            catalog, values = tables[index // 2 % len(POOLS)]
            for who in wanted.who:
                if index not in played[who]:
                    bots = (f"{LEVEL}/{who}", LEVEL) * 2 if index % 2 == 0 else (LEVEL, f"{LEVEL}/{who}") * 2
                    game = SimulatedGame(catalog, bots, game_seed(SEED, index // 2), values=values)
                    game.play(TURN_CAP)
                    winners = [bots[seat] != LEVEL for seat in game.state.winners]
                    played[who][index] = fmean(winners) if winners else 0.5
                    print(json.dumps([who, index, played[who][index]]), file=file, flush=True)
    for who in wanted.who:
        share, error = share_of(played[who])
        line(f"{LEVEL}/{who} against {LEVEL}", 100 * share, "% of wins", "47..53", interval=round(196 * error, 1),
             games=len(played[who]))  # fmt: skip
    return 0


def share_of(games: dict[int, float]) -> tuple[float, float]:
    """Return the share of wins (0 to 1) and its standard error, from the games by their number: two of one deal count
    as one observation."""
    deals: dict[int, list[float]] = defaultdict(list)
    for index, won in games.items():
        deals[index // 2].append(won)
    means = [fmean(pair) for pair in deals.values()]
    return fmean(means), stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.5


def _played(path: Path) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for text in path.read_text().splitlines() if path.exists() else ():
        who, index, won = json.loads(text)
        found[who][index] = won
    return found
