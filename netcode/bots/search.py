"""A player that searches: it tries actions out in imagined games, which bots continue to the next turn.

Each rollout deals the cards that its seat cannot see anew (core/knowledge/imagine.py), takes one of the actions, lets
bots continue (of the level `policy` in its own seat, of the level `rivals` in the others), and asks the evaluator for
its chance to win. All actions are tried in the same worlds with the same dice; after each world the actions that are
clearly worse than the best are dropped. The action of the policy stays unless another one is better. The search never
sees the true state, only what the seat knows of it. The same seed, budget and observations give the same game. The
numbers are in data/search.toml.
"""

import random
from collections.abc import Sequence
from functools import cache
from math import sqrt
from statistics import fmean

import msgspec
from msgspec import Struct

from core.engine import Runaway, submit
from core.knowledge.imagine import Imaginer, NothingFits
from core.language import toml
from core.language.catalog import Catalog
from core.state.actions import (
    Accept,
    Action,
    Answer,
    Claim,
    Counter,
    Decline,
    EndTurn,
    Flee,
    Kick,
    Loot,
    Offer,
    Pass,
    Play,
    Refusal,
    Sell,
    Trouble,
    Unequip,
    Use,
)  # fmt: skip
from core.state.events import AnyEvent
from core.state.model import State, decode, encode
from core.state.veiled import Veiled
from core.state.views import View, You
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.data_files import read_data
from netcode.bots.evaluation import Evaluator
from netcode.bots.own_turn import OwnTurn
from netcode.bots.personalities import Personality
from netcode.bots.picks import ways
from netcode.bots.player import Observation, Player
from netcode.bots.proposals import proposals
from netcode.bots.pruning import gives_up, harmless_moves
from netcode.bots.reading import NEAR, Reading
from netcode.bots.rollout import Rollout
from netcode.bots.trials import Trials

FILE = "search.toml"
TRIED = (Accept, Answer, Claim, Decline, EndTurn, Flee, Kick, Loot, Pass, Play, Sell, Trouble, Use)
"""Actions that are tried besides the policy's choice, as `legal` lists them; offers of help too (proposals.py)."""
NOT_HELPING = tuple(kind for kind in TRIED if kind is not Accept)
"""Actions that are tried while a rival fights for the game. Helping is not among them: the rival may have the missing
card."""
TRIED_IN_TURN = (Accept, Answer, Decline, Trouble, Use)
"""Actions that are tried in the seat's own turn while nobody fights; other actions only seem to gain there."""
ONWARD = (Kick, Loot, EndTurn)
"""Actions that are tried in the seat's own turn instead of putting an Item away to make room for a better one: what
other cards lose by that, the policy does not see."""
LEFT_ALONE = (Play, Sell)
"""Choices of the policy that are carried out without a search, in the seat's own turn while nobody fights."""
SPENT = (Play, Use)
"""Actions that spend cards."""
PROPOSALS = (Counter, Offer)
"""Actions that wait for an answer."""
Candidate = Action | None
"""A candidate: an action, or None for doing nothing."""


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of data/search.toml, which says what each of them is."""

    policy: str
    rivals: str
    budget: int
    steps_per_rollout: int
    steps_most: int
    worlds_per_candidate: int
    candidates_most: int
    ways_most: int
    usual_deviation: float
    usual_worlds: int
    dropped_errors: float
    taken_errors: float
    taken_margin: float
    told_errors: float
    named_share: float


@cache
def numbers() -> Numbers:
    """Return the numbers of the data file. Raises BrokenData."""
    return read_data(FILE, read_numbers)


def read_numbers(text: str) -> Numbers:
    """Return the numbers of a TOML text. Raises ValueError, with one line that names the place, if one is missing,
    unknown, or of another kind."""
    try:
        return msgspec.convert(toml.parse(text), Numbers)
    except msgspec.ValidationError as problem:
        raise ValueError(f"{FILE}: {problem}") from None


class Question(Struct, frozen=True):
    """The task of a search: choose one of these candidates for a seat with this knowledge. Plain data that holds
    nothing the seat may not know. found: the candidates, the policy's choice first."""

    veiled: Veiled
    found: tuple[Candidate, ...]
    seed: int


class Verdict(Struct, frozen=True):
    """The answer. taken: an index of `Question.found`; chances: the chance to win found for each candidate, 0 for those
    that were not tried, empty if the budget allowed no trial; rollouts, steps: how much was spent."""

    taken: int
    chances: tuple[float, ...] = ()
    rollouts: int = 0
    steps: int = 0


class Searcher(Player):
    """The player of one seat. budget (decide): rollouts for one decision; with 0 it plays as the policy does. The
    personality is that of the policy."""

    wants_veiled = True

    def __init__(
        self, catalog: Catalog, rng: random.Random, values: CardValues | None = None,
        personality: Personality | None = None,
    ) -> None:  # fmt: skip
        self.rng = rng
        values = values if values is not None else CardValues(catalog)
        self.policy = Brain(catalog, numbers().policy, rng, values, personality)
        self.wants_events = self.policy.wants_events
        self.search = Search(catalog, values)
        self._before = self.policy.memory
        """The policy's memory before its last decision."""

    def observe(self, events: Sequence[AnyEvent]) -> None:
        """See Player."""
        self.policy.observe(events)

    @property
    def waiting(self) -> bool:
        """See Player."""
        return self.policy.waiting

    def decide(self, observation: Observation, budget: int) -> Action | None:
        """See Player."""
        choice, question = self.consider(observation, budget)
        return choice if question is None else self.settle(question, self.search.answer(question, budget))

    def settle(self, question: Question, verdict: Verdict) -> Candidate:
        """Return the action that a verdict on the last question chooses. If the policy chose another one, it forgets
        that."""
        taken = question.found[verdict.taken]
        if verdict.taken:
            self.forget()
            if isinstance(taken, PROPOSALS):
                self.policy.memory.note_proposal(taken)
        return taken

    def forget(self) -> None:
        """Let the policy forget its last decision, because it is not carried out."""
        self._before.reputation, self._before.waiting = self.policy.memory.reputation, False
        self.policy.memory = self._before

    def consider(self, observation: Observation, budget: int) -> tuple[Candidate, Question | None]:
        """Return the policy's action, and the question for a search with this many rollouts; None if there is nothing
        to search. At a table another process answers the question."""
        view = observation.view
        self.policy.memory.start_decision(view.turn_no, view.fight.no if view.fight is not None else -1)
        self._before = self.policy.memory.copy()
        choice = self.policy.decide(observation)
        you, veiled = view.you, observation.veiled
        if budget <= 0 or you is None or veiled is None or self.waiting or view.turn_no == 0:
            return choice, None
        called = bool(you.asks) or any(isinstance(row.action, Pass) for row in you.legal)
        about_help = view.fight is not None and isinstance(choice, PROPOSALS)
        if not called if choice is None else not (about_help or isinstance(choice, (*TRIED, Unequip))):
            return choice, None
        kinds = _tried(view, you, choice)
        if not kinds:
            return choice, None
        assert self.policy.style is not None
        offers = proposals(view, you, self.policy.values, self.policy.style, self._before)
        cost = OwnTurn(Reading(view, you, self.policy.values), self.policy.style, self._before).keep_points
        others = [
            way
            for row in you.legal
            if isinstance(row.action, kinds) and not row.vain
            for way in ways(row, numbers().ways_most, cost)
        ]
        idle: list[Candidate] = [] if called else [None]
        found = candidates(choice, [*offers, *idle], others, budget, self.rng)
        return choice, Question(veiled, tuple(found), self.rng.getrandbits(62)) if len(found) > 1 else None


def _tried(view: View, you: You, choice: Candidate) -> tuple[type, ...]:
    """Return the kinds of actions to try besides the policy's choice; none if that choice is carried out without a
    search."""
    fight = view.fight
    if fight is None:
        in_turn = view.turn == you.seat
        if isinstance(choice, Unequip):
            return ONWARD if in_turn else ()
        return () if in_turn and isinstance(choice, LEFT_ALONE) else TRIED_IN_TURN if in_turn else TRIED
    against_winner = fight.match_point and you.seat not in (fight.seat, fight.helper)
    if not isinstance(choice, SPENT):
        return NOT_HELPING if against_winner else TRIED
    if against_winner:
        return ()  # another seat could stop the winner; if each relies on the others, nobody does
    return tuple(kind for kind in TRIED if kind is not Flee)  # a seat that can win does not run away


def candidates(
    choice: Candidate, first: Sequence[Candidate], others: Sequence[Candidate], budget: int, rng: random.Random
) -> list[Candidate]:
    """Return the candidates that are worth a try, the policy's choice first, as many as the budget allows. first: the
    candidates before the others."""
    most = min(numbers().candidates_most, budget // numbers().worlds_per_candidate) - 1
    before, found = [[way for way in ways if way != choice] for ways in (first, others)]
    if len(before) + len(found) > most:
        found = rng.sample(found, max(0, most - len(before)))
    return [choice, *before, *found]


class Search:
    """Compares actions by rollouts, for any seat of games of one catalog."""

    def __init__(self, catalog: Catalog, values: CardValues) -> None:
        self.catalog, self.values, self.evaluator = catalog, values, Evaluator(catalog, values)

    def answer(self, question: Question, budget: int) -> Verdict:
        """Answer a question with at most this many rollouts, and this many steps for each of them on average."""
        rng, seat, found = random.Random(question.seed), question.veiled.seat, question.found
        results: list[list[float]] = [[] for _ in found]
        left, allowed = budget, budget * numbers().steps_per_rollout
        steps, alive = allowed, self._worth_it(question)
        try:
            imaginer = Imaginer(self.catalog, question.veiled)
            while len(alive) > 1 and left >= len(alive):
                world, seed = encode(imaginer.deal(rng)), rng.getrandbits(62)
                chances: list[float] = []
                for no in alive:
                    chance, taken = self.rollout(decode(world), seat, found[no], seed, steps)
                    chances.append(chance)
                    left, steps = left - 1, steps - taken
                    if steps <= 0:  # the last rollout was cut off, so the results of this world are incomplete
                        return _verdict(results, alive, budget - left, allowed)
                for no, chance in zip(alive, chances):
                    results[no].append(chance)
                alive = _hopeful(results, alive)
        except NothingFits:
            return Verdict(0)
        return _verdict(results, alive, budget - left, allowed - steps)

    def _worth_it(self, question: Question) -> list[int]:
        """Return the indices of the candidates to compare: the policy's choice and the harmless ones."""
        found, veiled, state = question.found, question.veiled, decode(question.veiled.data)
        near = state.options.win_level - NEAR
        rival_near = any(seat.level >= near for no, seat in enumerate(state.seats) if no != veiled.seat)
        guards = self.values.win_blockers if rival_near else frozenset()
        mine = state.seats[veiled.seat].hand
        kept = [no for no, action in enumerate(found) if not gives_up(action, found[0], mine, guards)]
        if self.values.known is None:
            return kept
        trials = Trials(self.values.known, veiled, self.values.carried)
        unharmed = harmless_moves(trials, veiled.seat, [found[no] for no in kept[1:]], guards)
        return [0, *(kept[1 + no] for no in unharmed)]

    def rollout(self, state: State, seat: int, action: Candidate, seed: int, steps: int) -> tuple[float, int]:
        """Return a seat's chance to win after this action in a state, which is continued to the next turn for at most
        this many steps; and the steps taken. The chance is 0 if the action is impossible."""
        rng = random.Random(seed)
        try:
            levels = [numbers().policy if no == seat else numbers().rivals for no in range(len(state.seats))]
            playing = Rollout(self.catalog, self.values, levels, state, rng)
            if action is not None and isinstance(submit(self.catalog, state, seat, action), Refusal):
                return 0.0, 1
            taken = 1 + playing.play_turn(min(steps, numbers().steps_most))
        except Runaway:
            return 0.0, numbers().steps_most
        return self.evaluator.chances(state)[seat], taken


def _hopeful(results: list[list[float]], alive: list[int]) -> list[int]:
    """Return the candidates that are not clearly worse than the best one and that may still prove better than the
    policy's choice by enough to be taken."""
    best, errors = results[_best(results, alive)], numbers().dropped_errors
    left = []
    for no in alive:
        worse, error = _difference(best, results[no])
        better, doubt = _difference(results[no], results[0])
        if worse <= errors * error and (no == 0 or better + errors * doubt >= numbers().taken_margin):
            left.append(no)
    return left or [0]


def _verdict(results: list[list[float]], alive: list[int], rollouts: int, steps: int) -> Verdict:
    if not results[0]:
        return Verdict(0, (), rollouts, steps)
    best = _best(results, alive)
    gain, error = _difference(results[best], results[0])
    better = best != 0 and gain > max(numbers().taken_margin, numbers().taken_errors * error)
    chances = tuple([fmean(one) if one else 0.0 for one in results])
    return Verdict(best if better else 0, chances, rollouts, steps)


def _best(results: list[list[float]], alive: list[int]) -> int:
    return max(alive, key=lambda no: (fmean(results[no]), -no))


def _difference(these: list[float], others: list[float]) -> tuple[float, float]:
    """Return the mean difference of these results from others in the same worlds, and its standard error. With few
    results the deviation is pulled towards the usual one, because they may be equal by chance; fewer than two prove
    nothing."""
    gains = [one - other for one, other in zip(these, others)]
    if len(gains) < 2:
        return 0.0, 1.0
    mean, worlds, usual = fmean(gains), numbers().usual_worlds, numbers().usual_deviation
    squares = sum([(gain - mean) ** 2 for gain in gains]) + worlds * usual * usual
    return mean, sqrt(squares / (len(gains) - 1 + worlds) / len(gains))
