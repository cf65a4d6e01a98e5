"""Fit the weights of the evaluator (netcode/bots/evaluation.py) on whole games of normal bots, and write its data file.

    nice python -m netcode.lab.fit --games 600 --seed 1 --out netcode/bots/data/evaluation.toml

Of each game some beginnings of turns are taken. The weights make the softmax over the seats fit who won in the end, by
Newton's method with a small penalty on their squares. One game of five is kept for the score. The same seed and number
of games give the same file.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from core.state.actions import AnyAction
from core.state.events import AnyEvent
from core.state.model import State
from netcode.bots.card_values import CardValues
from netcode.bots.evaluation import FEATURES, Evaluator
from netcode.lab.choice import Position, Row, fit, score
from netcode.protocol.printing import say
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import EVERY_MIX, game_seed, load_catalog, no_collecting

EACH_GAME = 12
"""Positions taken of each game at most."""
HELD_OUT = 5
"""One game of so many is kept for the score."""
PENALTY = 2.0
"""On the squares of the weights."""
NONE = (0.0,) * len(FEATURES)


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
    """Return the positions of each game, of all EVERY_MIX by turns, with three to five seats."""
    evaluators = []
    for sets in EVERY_MIX:
        catalog = load_catalog(sets)
        evaluators.append(Evaluator(catalog, CardValues(catalog), NONE))
    with no_collecting():
        return [
            positions_of(evaluators[no % len(EVERY_MIX)], (4, 3, 4, 5)[no // len(EVERY_MIX) % 4], game_seed(seed, no))
            for no in range(games)
        ]


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
    weights = fit(learned, len(FEATURES), PENALTY)
    args.out.write_text(as_toml(weights, args.games, args.seed, held_out), encoding="utf-8")
    say(args.out.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
