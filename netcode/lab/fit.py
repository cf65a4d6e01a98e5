"""Fit the weights of the evaluator (netcode/bots/evaluation.py) on whole games of normal bots, and write its data file.

    nice python -m netcode.lab.fit --games 600 --seed 1 --out netcode/bots/data/evaluation.toml

Of each game some beginnings of turns are taken. The weights make the softmax over the seats fit who won in the end, by
Newton's method with a small penalty on their squares. One game of five is kept for the score. The same seed and number
of games give the same file.
"""

import argparse
import random
from collections.abc import Sequence
from math import log
from pathlib import Path

from core.state.actions import AnyAction
from core.state.events import AnyEvent
from core.state.model import State
from netcode.bots.card_values import CardValues
from netcode.bots.evaluation import FEATURES, Evaluator, dot, softmax
from netcode.protocol.printing import say
from netcode.simulation.batch import game_seed, load_catalog, no_collecting
from netcode.simulation.game import SimulatedGame

SETS = ("munchkins-and-mazes", "axe-cop", "apocalypse", "warhammer-40k")
MIXES = (*((name,) for name in SETS), SETS)
"""Games are played with each set by turns, and with all of them together."""
EACH_GAME = 12
"""Positions taken of each game at most."""
HELD_OUT = 5
"""One game of so many is kept for the score."""
PENALTY = 2.0
"""On the squares of the weights."""
ROUNDS = 12
"""Steps of Newton's method."""
NONE = (0.0,) * len(FEATURES)

Row = list[float]
Position = tuple[list[Row], list[int]]
"""The numbers of each seat, and who won in the end."""


def positions_of(evaluator: Evaluator, seats: int, seed: int) -> list[Position]:
    """Play one game and return some of its beginnings of turns; none if it did not end."""
    seen: list[list[Row]] = []
    turn = 0

    def watch(state: State, seat: int, action: AnyAction, events: list[AnyEvent]) -> None:
        nonlocal turn
        if state.turn.no != turn and not state.winners:
            turn = state.turn.no
            seen.append(evaluator.features(state))

    game = SimulatedGame(evaluator.catalog, ["normal"] * seats, seed, values=evaluator.values, watch=watch)
    if game.play(2_000) != "ended":
        return []
    taken = random.Random(seed).sample(seen, min(EACH_GAME, len(seen)))
    return [(rows, list(game.state.winners)) for rows in taken]


def play(games: int, seed: int) -> list[list[Position]]:
    """Return the positions of each game, of all MIXES by turns, with three to five seats."""
    evaluators = []
    for sets in MIXES:
        catalog = load_catalog(sets)
        evaluators.append(Evaluator(catalog, CardValues(catalog), NONE))
    with no_collecting():
        return [
            positions_of(evaluators[no % len(MIXES)], (4, 3, 4, 5)[no // len(MIXES) % 4], game_seed(seed, no))
            for no in range(games)
        ]


def fit(positions: Sequence[Position], penalty: float = PENALTY) -> list[float]:
    """Return the weights under which these winners are the likeliest."""
    weights = [0.0] * len(FEATURES)
    for _ in range(ROUNDS):
        weights = _newton(positions, weights, penalty)
    return weights


def _newton(positions: Sequence[Position], weights: list[float], penalty: float) -> list[float]:
    """Return better weights, one step of Newton's method on."""
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
    return [weight + step for weight, step in zip(weights, solved(curve, slope))]


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
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


def as_toml(weights: Sequence[float], games: int, seed: int, held_out: Sequence[Position]) -> str:
    """Return the data file."""
    loss, hits = score(held_out, weights)
    ignorant, _ = score(held_out, NONE)
    lines = [
        "# Weights of netcode/bots/evaluation.py: how much each feature of a seat adds to its score; the chances to",
        "# win are the softmax of the scores. Written by: python -m netcode.lab.fit",
        "",
        "[fitted]",
        f"seed = {seed}",
        f"games = {games}",
        f"held_out_positions = {len(held_out)}",
        f"loss = {loss:.4f}",
        f"loss_of_even_chances = {ignorant:.4f}",
        f"best_seat_won = {hits:.4f}",
        "",
        "[weights]",
        *(f"{name} = {weight:.4f}" for name, weight in zip(FEATURES, weights)),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(description="Fit the weights of the evaluator on games of normal bots.")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    played = play(args.games, args.seed)
    learned = [one for no, game in enumerate(played) if no % HELD_OUT for one in game]
    held_out = [one for no, game in enumerate(played) if no % HELD_OUT == 0 for one in game]
    args.out.write_text(as_toml(fit(learned), args.games, args.seed, held_out), encoding="utf-8")
    say(args.out.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
