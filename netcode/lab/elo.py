"""Elo ratings of players, from whole games: Bradley-Terry, for tables of several seats.

The chance of a seat to win is its player's strength divided by the strengths of all seats (Luce's choice; with half of
the seats each, two players have exactly the chances of Bradley and Terry). Elo is 400 times the decimal logarithm of
the strength, and the mean of all players is 0.
"""

from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from msgspec import Struct

from netcode.lab.conditional_logit import Position, fit, slope_and_curve, solved

ELO = 400 / log(10)
"""Points of a strength e times as high."""
SURE = 1.96
"""Standard errors on both sides of an interval of 95 %."""
PRIOR = (ELO / 400) ** 2
"""The penalty on strengths: before any game, a player is within 400 points or so of the others. It bounds the rating of
a player who has won every game."""

Game = tuple[tuple[str, ...], tuple[int, ...]]
"""The players by seat, and the seats that won."""


class Rating(Struct, frozen=True):
    """How strong a player is. elo: points above the mean; low, high: an interval of 95 %, for independent games;
    wins: a shared victory counts in parts; seats: how often it sat at a table."""

    player: str
    elo: float
    low: float
    high: float
    wins: float
    games: int
    seats: int


def ratings(players: Sequence[str], games: Sequence[Game]) -> list[Rating]:
    """Return the ratings of these players, the strongest first, from games that somebody won."""
    size = len(players)
    number = {player: no for no, player in enumerate(players)}
    positions: list[Position] = [
        ([[float(number[player] == no) for no in range(size)] for player in seats], list(winners))
        for seats, winners in games
    ]  # fmt: skip
    weights = fit(positions, size, PRIOR)
    _, information = slope_and_curve(positions, weights, PRIOR)
    mean = sum(weights) / size
    won, played, sat = dict.fromkeys(players, 0.0), Counter[str](), Counter[str]()
    for seats, winners in games:
        played.update(set(seats))
        sat.update(seats)
        for winner in winners:
            won[seats[winner]] += 1 / len(winners)
    found = []
    for no, player in enumerate(players):
        above = [(other == no) - 1 / size for other in range(size)]
        error = sqrt(sum(there * part for there, part in zip(above, solved(information, above))))
        elo, half = ELO * (weights[no] - mean), ELO * SURE * error
        found.append(Rating(player, elo, elo - half, elo + half, won[player], played[player], sat[player]))
    return sorted(found, key=lambda rating: (-rating.elo, rating.player))


def share_interval(won: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the share of games won, for independent games."""
    if not games:
        return 0.0, 1.0
    share, square = won / games, SURE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = SURE * sqrt(share * (1 - share) / games + square / (4 * games**2)) / (1 + square / games)
    return max(0.0, middle - half), min(1.0, middle + half)
