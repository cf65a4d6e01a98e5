"""A conditional logit: the chance of each candidate is the softmax of its weighted numbers.

The evaluator's weights and the Elo of a ladder are both fitted this way to the winners of games.
"""

from collections.abc import Sequence
from math import log

from netcode.bots.evaluation import dot, softmax

Row = list[float]
Position = tuple[list[Row], list[int]]
"""The numbers of each seat, and who won; several seats may share the victory."""
Matrix = list[list[float]]
ROUNDS = 12
"""Steps of Newton's method."""


def fit(positions: Sequence[Position], size: int, penalty: float) -> list[float]:
    """Return the weights that make these winners the likeliest. size: numbers of a row; penalty: on half the squares of
    the weights, above 0."""
    weights = [0.0] * size
    for _ in range(ROUNDS):
        slope, curve = slope_and_curve(positions, weights, penalty)
        weights = [weight + step for weight, step in zip(weights, solved(curve, slope))]
    return weights


def slope_and_curve(positions: Sequence[Position], weights: list[float], penalty: float) -> tuple[list[float], Matrix]:
    """Return the gradient of the log-likelihood at these weights and its information matrix, whose inverse is the
    covariance of fitted weights."""
    size = range(len(weights))
    slope = [-penalty * weight for weight in weights]
    curve = [[penalty * (i == j) for j in size] for i in size]
    for rows, winners in positions:
        chances = softmax([dot(weights, row) for row in rows])
        mean = [sum([chance * row[i] for chance, row in zip(chances, rows)]) for i in size]
        for winner in winners:
            for i in size:
                slope[i] += (rows[winner][i] - mean[i]) / len(winners)
        for chance, row in zip(chances, rows):
            off = [number - middle for number, middle in zip(row, mean)]
            for i in size:
                if off[i]:
                    scaled, line = chance * off[i], curve[i]
                    for j in size:
                        line[j] += scaled * off[j]
    return slope, curve


def solved(matrix: Matrix, right: list[float]) -> list[float]:
    """Return x with matrix x = right, for a symmetric positive definite matrix (Gauss)."""
    lines = [[*line, value] for line, value in zip(matrix, right)]
    size = len(lines)
    for i in range(size):
        for j in range(i + 1, size):
            share = lines[j][i] / lines[i][i]
            lines[j] = [there - share * above for there, above in zip(lines[j], lines[i])]
    found = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(lines[i][j] * found[j] for j in range(i + 1, size))
        found[i] = (lines[i][size] - rest) / lines[i][i]
    return found


def score(positions: Sequence[Position], weights: Sequence[float]) -> tuple[float, float]:
    """Return the mean loss (nats; the logarithm of the number of seats if nothing is known), and how often the seat
    with the best chance won."""
    loss = hits = 0.0
    for rows, winners in positions:
        chances = softmax([dot(list(weights), row) for row in rows])
        loss -= sum(log(chances[winner]) for winner in winners) / len(winners)
        hits += chances.index(max(chances)) in winners
    return loss / len(positions), hits / len(positions)
