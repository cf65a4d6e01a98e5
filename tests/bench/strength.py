"""How much better the better bots play: 400 four-seat games, two against two, for each pair of neighbouring levels."""

import os
from itertools import pairwise

from netcode.bots.levels import LEVEL_NAMES
from netcode.simulation.batch import SimConfig, run
from tests.bench.figures import line

GAMES = 400
MARKS = {"easy": "80", "normal": "60", "hard": "50"}
"""Percent of the wins that a level should have against the next weaker one."""


def main(games: int = GAMES) -> None:
    """Print a line for each pair: the wins of the better level in percent of all wins."""
    for worse, better in pairwise(LEVEL_NAMES):
        won = 100 * share_of_wins(better, worse, games)
        line(f"{better} against {worse}", won, "% of wins", MARKS.get(better, "50"), games=games)


def share_of_wins(better: str, worse: str, games: int, seed: int = 11) -> float:
    """Return the share of all wins (0 to 1) of two bots of a level against two of another, seated alternately."""
    bots = (better, worse, better, worse)
    result = run(SimConfig(games=games, seed=seed, bots=bots, jobs=os.cpu_count() or 1))
    wins = result.wins_by_bot
    return wins.get(better, 0) / max(1, sum(wins.values()))
