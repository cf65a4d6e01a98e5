"""A player that tries out what it could do: in games that it imagines, played on to the next turn by normal bots.

Each rollout deals what its seat cannot see anew (core/imagine.py), takes one of the actions, lets normal bots play on,
and asks the evaluator for its chance to win. All actions are tried in the same worlds with the same dice, the worse
half of them is dropped after each round, and the action of the normal bot stays unless another one is clearly better.
The true state is never seen: only what the seat knows of it. The same seed, budget and observations give the same game.
"""

import random
from collections.abc import Iterator
from math import sqrt
from statistics import fmean, stdev

from core.engine import Runaway, submit
from core.imagine import Imaginer, NothingFits
from core.language.catalog import Catalog
from core.moves.legal import suggest
from core.state.actions import (
    Accept,
    Action,
    Answer,
    AnyAction,
    Claim,
    Close,
    Decline,
    Default,
    EndTurn,
    Flee,
    Kick,
    Loot,
    Pass,
    Play,
    Refusal,
    Sell,
    Trouble,
    Use,
)  # fmt: skip
from core.state.model import State, Window, decode, encode
from core.veil import Veiled
from core.view import Showing, You
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.evaluation import Evaluator
from netcode.bots.player import Observation, Player

POLICY = "normal"
"""The level that plays rollouts, and whose choice is the first candidate."""
TRIED = (Accept, Answer, Claim, Decline, EndTurn, Flee, Kick, Loot, Pass, Play, Sell, Trouble, Use)
"""Actions that are tried beside the policy's choice."""
CANDIDATES_MOST = 10
"""Actions tried for one decision at most."""
WAYS_MOST = 3
"""Ways to fill in a row that are tried at most."""
FIRST_WORLDS = 2
"""Worlds in which every action is tried at least."""
STEPS_MOST = 150
"""Actions of one rollout at most."""
MARGIN = 0.005
"""Another action must raise the chance to win by this much..."""
ERRORS = 1.0
"""...and by this many standard errors of the difference, to be taken in place of the policy's choice."""

Candidate = Action | None
"""What could be done; None: nothing."""


class Searcher(Player):
    """The player of one seat. budget (decide): rollouts for one decision; with 0 it plays as the policy does."""

    wants_veiled = True

    def __init__(self, catalog: Catalog, rng: random.Random, values: CardValues | None = None) -> None:
        self.rng = rng
        values = values if values is not None else CardValues(catalog)
        self.policy = Brain(catalog, POLICY, rng, values)
        self.search = Search(catalog, values, Evaluator(catalog, values))

    @property
    def waiting(self) -> bool:
        """See Player."""
        return self.policy.waiting

    def decide(self, observation: Observation, budget: int) -> Action | None:
        """See Player."""
        choice = self.policy.decide(observation)
        you, veiled = observation.view.you, observation.veiled
        if budget <= 0 or you is None or veiled is None or self.policy.waiting or observation.view.turn_no == 0:
            return choice
        called = bool(you.asks) or any(isinstance(row.action, Pass) for row in you.legal)
        if choice is None and not called:
            return None
        if choice is not None and not isinstance(choice, TRIED):
            return choice
        found = candidates(you, choice, called, self.rng)
        return self.search.best(veiled, found, budget, self.rng) if len(found) > 1 else choice


def candidates(you: You, choice: Candidate, called: bool, rng: random.Random) -> list[Candidate]:
    """Return what is worth a try, the policy's choice first. called: the game waits for this seat."""
    others = [
        way
        for row in you.legal
        if isinstance(row.action, TRIED) and not row.vain
        for way in suggest(row, WAYS_MOST)
        if way != choice
    ]
    if len(others) >= CANDIDATES_MOST:
        others = rng.sample(others, CANDIDATES_MOST - 1)
    found: list[Candidate] = [choice, *others]
    return found if called or choice is None else [*found[: CANDIDATES_MOST - 1], None]


class Search:
    """Compares actions by rollouts, for any seat of games of one catalog."""

    def __init__(self, catalog: Catalog, values: CardValues, evaluator: Evaluator) -> None:
        self.catalog, self.values, self.evaluator = catalog, values, evaluator

    def best(self, veiled: Veiled, found: list[Candidate], budget: int, rng: random.Random) -> Candidate:
        """Return the best of these, or the first of them unless another one is clearly better. It spends as many
        rollouts as `budget` at most; none if they do not suffice for every candidate."""
        results: list[list[float]] = [[] for _ in found]
        rivals = list(range(1, len(found)))
        try:
            imaginer = Imaginer(self.catalog, veiled)
            while rivals and budget > len(rivals):
                tried = [0, *rivals]
                stages = len(rivals).bit_length()
                worlds = min(max(FIRST_WORLDS, budget // (stages * len(tried))), budget // len(tried))
                for _ in range(worlds):
                    world, seed = encode(imaginer.deal(rng)), rng.getrandbits(62)
                    for no in tried:
                        results[no].append(self.rollout(decode(world), veiled.seat, found[no], seed))
                budget -= worlds * len(tried)
                rivals = _hopeful(results, rivals)
                if len(rivals) == 1 and stages == 1:
                    break
        except NothingFits:
            return found[0]
        return found[rivals[0]] if rivals and _gain(results[rivals[0]], results[0]) > 0 else found[0]

    def rollout(self, state: State, seat: int, action: Candidate, seed: int) -> float:
        """Return the chance of a seat to win when it does this in a state, which is played on to the next turn. 0 if
        that cannot be."""
        turn = state.turn.no
        rng = random.Random(seed)
        try:
            if action is not None and isinstance(submit(self.catalog, state, seat, action), Refusal):
                return 0.0
            playing = _Rollout(self.catalog, self.values, state, rng)
            for _ in range(STEPS_MOST):
                if state.winners or state.turn.no != turn or not playing.step():
                    break
        except Runaway:
            return 0.0
        return self.evaluator.chances(state)[seat]


def _hopeful(results: list[list[float]], rivals: list[int]) -> list[int]:
    """Return the better half of these candidates, the best one first, without those clearly worse than the first."""
    there = [no for no in rivals if _gain(results[0], results[no]) <= 0]
    there.sort(key=lambda no: (-fmean(results[no]), no))
    return there[: max(1, len(rivals) // 2)]


def _gain(these: list[float], others: list[float]) -> float:
    """Return by how much these results are better than others in the same worlds, beyond what chance makes likely."""
    gains = [one - other for one, other in zip(these, others)]
    error = stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 1.0
    return fmean(gains) - max(MARGIN, ERRORS * error)


class _Rollout:
    """Plays one imagined game on, by normal bots that do not wait for anything that is not there."""

    def __init__(self, catalog: Catalog, values: CardValues, state: State, rng: random.Random) -> None:
        self.catalog, self.state, self.rng = catalog, state, rng
        self.bots = [Brain(catalog, POLICY, rng, values) for _ in state.seats]
        self.showing: Showing | None = None

    def step(self) -> bool:
        """Let somebody, or the host, take one action. Return False if nobody can do anything."""
        top = self.state.stack[-1]
        if any(self._decides(seat, hurry) for hurry in (False, True) for seat in self._order()):
            return True
        if isinstance(top, Window):
            silent = [no for no, seat in enumerate(self.state.seats) if no not in top.passed and not seat.dead]
            return self._submit(-1, Close(window=top.id)) or any(self._submit(no, Pass(top.id)) for no in silent)
        return any(self._submit(-1, Default(seat=ask.seat, ask=ask.id)) for ask in list(top.asks))

    def _order(self) -> Iterator[int]:
        """Yield the seats that the game waits for: first those with an offer to answer; then, in random order, those
        that are asked or have not passed, and in a fight the others."""
        top, seats = self.state.stack[-1], range(len(self.state.seats))
        if isinstance(top, Window):
            yield from self._mixed([no for no in seats if no not in top.passed])
            return
        offered = {offer.to for offer in self.state.offers if offer.to >= 0}
        asked = {ask.seat for ask in top.asks} - offered
        yield from sorted(offered)
        yield from self._mixed(sorted(asked))
        if self.state.fight is not None:
            yield from self._mixed([no for no in seats if no not in offered and no not in asked])

    def _mixed(self, seats: list[int]) -> list[int]:
        return self.rng.sample(seats, len(seats)) if len(seats) > 1 else seats

    def _decides(self, seat: int, hurry: bool) -> bool:
        if self.state.seats[seat].dead:
            return False
        if self.showing is None:
            self.showing = Showing(self.catalog, self.state)
        action = self.bots[seat].decide(Observation(self.showing.view(seat), None, hurry))
        return action is not None and self._submit(seat, action)

    def _submit(self, seat: int, action: AnyAction) -> bool:
        answer = submit(self.catalog, self.state, seat, action)
        if isinstance(answer, Refusal):
            return False
        if answer or not isinstance(action, Pass):
            self.showing = None
        return True
