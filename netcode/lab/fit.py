"""`kickdoor lab fit`: fit the weights of the evaluator (netcode/bots/evaluation.py) on whole games of normal bots.

Each game begins with some turns in which the seats now and then take random legal actions. This leads to positions that
a search has to judge but normal bots do not reach, and it weakens the link between a seat's cards and its skill.
Afterwards the beginnings of some turns are recorded. Newton's method, with a small penalty on the squares of the
weights, fits the softmax over the seats to the winners. One game of five is kept for the score. The same seed and
number of games give the same file, as long as normal bots play the same.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from msgspec import Struct

from core.moves.legal import suggest
from core.state.actions import Action, AnyAction
from core.state.events import AnyEvent
from core.state.model import State
from netcode import VERSION
from netcode.bots.evaluation import FEATURES, Evaluator
from netcode.bots.player import Observation, Player
from netcode.bots.search import TRIED
from netcode.lab.conditional_logit import Position, Row, fit, score
from netcode.lab.extras import need
from netcode.lab.records import Described, records_at
from netcode.simulation.batch import Progress
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import EVERY_MIX, GamePlan, game_seed, no_collecting, pack_hashes, tables

POLICY = "normal"
"""Who plays."""
SEATS = (4, 3, 4, 5)
"""Seats of the games, by turns."""
EACH_GAME = 12
"""The most positions that are taken of each game."""
HELD_OUT = 5
"""One game out of this many is kept for the score."""
PENALTY = 2.0
"""The penalty on half the squares of the weights."""
RANDOM_TURNS = 24
"""The most turns at the beginning of a game in which seats act at random."""
RANDOM_MOST = 0.4
"""The highest chance of a random action for a seat."""
NONE = (0.0,) * len(FEATURES)
FITTED = "evaluation.toml"
"""The name of the written file; bots read the one in netcode/bots/data."""


class FitRun(Described, frozen=True):
    """The common facts of the games of a fit. packs: the hashes of the sets of each mix; features: the names of the
    numbers."""

    FILE: ClassVar[str] = "fit.json"

    program: str
    policy: str
    seed: int
    packs: tuple[tuple[str, ...], ...]
    features: tuple[str, ...]


class Sample(Struct, frozen=True):
    """Some positions of a game; none if it did not end."""

    FILE: ClassVar[str] = "positions.jsonl"

    game: int
    positions: list[Position]


Workers = Callable[[Callable[[GamePlan], Sample], Iterable[GamePlan]], Iterator[Sample]]
"""Play games on some machine; their positions come in the order in which they end."""


def run(games: int, seed: int, folder: Path, workers: Workers, progress: Progress) -> Path | None:
    """Play the missing ones of `games` games, keep their positions in a folder, fit, and return the file of weights. An
    interrupt (Ctrl+C) keeps what was played and writes no file. Raises ValueError, with one line for people, and what
    `workers` raises."""
    need("lab", "fitting")
    packs = tuple(pack_hashes(sets) for sets in EVERY_MIX)
    about = FitRun(VERSION, POLICY, seed, packs, FEATURES)
    with records_at(folder, about, Sample) as records:
        missing = [no for no in range(games) if no not in records.games]
        progress(games - len(missing), games)
        try:
            for done, sample in enumerate(workers(sample_of, (plan_of(no, seed, packs) for no in missing)), 1):
                records.add(sample)
                progress(games - len(missing) + done, games)
        except KeyboardInterrupt:
            return None
        learned, held_out = split_samples([records.games[no] for no in range(games)])
        if not learned or not held_out:
            raise ValueError(f"--games {games} are too few to fit weights and to score them")
        weights = fit(learned, len(FEATURES), PENALTY)
        path = folder / FITTED
        path.write_text(as_toml(weights, games, seed, learned, held_out), encoding="utf-8")
        return path


def plan_of(game: int, seed: int, packs: tuple[tuple[str, ...], ...]) -> GamePlan:
    """Return a game; games rotate through the mixes of sets, then through the numbers of seats."""
    mix = game % len(EVERY_MIX)
    bots = (POLICY,) * SEATS[game // len(EVERY_MIX) % len(SEATS)]
    return GamePlan(index=game, sets=EVERY_MIX[mix], packs=packs[mix], bots=bots, seed=game_seed(seed, game))


def sample_of(plan: GamePlan) -> Sample:
    """Play a game and return some of its beginnings of turns."""
    evaluator = _evaluator(plan.sets, plan.packs)
    rng = random.Random(plan.seed)
    until = turn = rng.randrange(RANDOM_TURNS)
    seen: list[list[Row]] = []

    def watch(state: State, seat: int, action: AnyAction, events: list[AnyEvent]) -> None:
        nonlocal turn
        if state.turn.no > turn and not state.winners:
            turn = state.turn.no
            seen.append(evaluator.features(state))

    with no_collecting():
        game = SimulatedGame(evaluator.catalog, plan.bots, plan.seed, values=evaluator.values, watch=watch)
        game.players = [PartlyRandomPlayer(player, rng, RANDOM_MOST * rng.random(), until) for player in game.players]
        if game.play(plan.turn_cap) != "ended":
            return Sample(plan.index, [])
    taken = rng.sample(seen, min(EACH_GAME, len(seen)))
    return Sample(plan.index, [(rows, list(game.state.winners)) for rows in taken])


class PartlyRandomPlayer(Player):
    """A player that up to some turn now and then takes a random legal action instead. often: how often (0 to 1)."""

    def __init__(self, player: Player, rng: random.Random, often: float, until: int) -> None:
        self.player, self.rng, self.often, self.until = player, rng, often, until

    def decide(self, observation: Observation, budget: int) -> Action | None:
        """See Player."""
        view, you = observation.view, observation.view.you
        if you is not None and view.turn_no <= self.until and self.rng.random() < self.often:
            rows = [row for row in you.legal if isinstance(row.action, TRIED)]
            ways = suggest(self.rng.choice(rows), 1) if rows else []
            if ways:
                return ways[0]
        return self.player.decide(observation, budget)

    @property
    def waiting(self) -> bool:
        """See Player."""
        return self.player.waiting


@lru_cache(len(EVERY_MIX))
def _evaluator(sets: tuple[str, ...], packs: tuple[str, ...]) -> Evaluator:
    return Evaluator(*tables(sets, packs), NONE)


def split_samples(samples: Sequence[Sample]) -> tuple[list[Position], list[Position]]:
    """Return the positions to fit on, and those kept for the score, which are from other games."""
    learned = [one for sample in samples if sample.game % HELD_OUT for one in sample.positions]
    return learned, [one for sample in samples if sample.game % HELD_OUT == 0 for one in sample.positions]


def loss_of_trees(learned: Sequence[Position], held_out: Sequence[Position], seed: int) -> float:
    """Return the mean loss (nats) of boosted trees on the same numbers of each seat and their difference from the
    table's mean: a benchmark by a model without a fixed form."""
    import numpy  # the extra `lab`
    from sklearn.ensemble import HistGradientBoostingClassifier  # the same
    from threadpoolctl import threadpool_limits  # the same

    def read(positions: Sequence[Position]) -> list[list[float]]:
        seats = []
        for rows, _ in positions:
            means = [sum(column) / len(rows) for column in zip(*rows)]
            seats += [[*row, *(number - mean for number, mean in zip(row, means))] for row in rows]
        return seats

    won = [seat in winners for rows, winners in learned for seat in range(len(rows))]
    trees = HistGradientBoostingClassifier(learning_rate=0.05, max_iter=150, max_depth=4, random_state=seed)
    with threadpool_limits(1):  # threads that wait for each other are slow on a machine with other work
        trees.fit(numpy.array(read(learned)), numpy.array(won))
        chances = iter(trees.predict_proba(numpy.array(read(held_out)))[:, 1])
    loss = 0.0
    for rows, winners in held_out:
        table = numpy.array([next(chances) for _ in rows])
        loss -= float(numpy.log(table[winners] / table.sum()).mean())
    return loss / len(held_out)


def as_toml(
    weights: Sequence[float], games: int, seed: int, learned: Sequence[Position], held_out: Sequence[Position]
) -> str:  # fmt: skip
    """Return the data file."""
    loss, hits = score(held_out, weights)
    ignorant, _ = score(held_out, NONE)
    lines = [
        "# Weights of netcode/bots/evaluation.py: how much each feature of a seat adds to its score; the chances to",
        "# win are the softmax of the scores. Written by: kickdoor lab fit (docs/lab.md)",
        "",
        "[fitted]",
        f"seed = {seed}",
        f"games = {games}",
        f"held_out_positions = {len(held_out)}",
        f"loss = {loss:.4f}",
        f"loss_of_trees = {loss_of_trees(learned, held_out, seed):.4f}",
        f"loss_of_even_chances = {ignorant:.4f}",
        f"best_seat_won = {hits:.4f}",
        "",
        "[weights]",
        *(f"{name} = {weight:.4f}" for name, weight in zip(FEATURES, weights)),
    ]
    return "\n".join(lines) + "\n"
