"""How much better the better bots play: 400 four-seat games of two against two for each pair of levels."""

import os

from netcode.simulation.batch import SimConfig, run
from tests.bench.figures import line

GAMES = 400
PAIRS = (("easy", "random", "80"), ("normal", "easy", "60"), ("hard", "normal", "50"))


def main(games: int = GAMES) -> None:
    """One line for each pair: wins of the better one in percent of all wins."""
    for better, worse, mark in PAIRS:
        line(f"{better} against {worse}", 100 * share(better, worse, games), "% of wins", mark, games=games)


def share(better: str, worse: str, games: int, seed: int = 11) -> float:
    """The share of all wins that two bots of a level have against two of another, sitting alternately."""
    bots = (better, worse, better, worse)
    result = run(SimConfig(games=games, seed=seed, bots=bots, jobs=os.cpu_count() or 1))
    wins = result.wins_by_bot
    return wins.get(better, 0) / max(1, sum(wins.values()))
