"""Look again at two acts, in further imagined games than those in which a search found one of them to be better.

The best of many candidates in few games is partly the luckiest one, and the same games would only repeat that luck.
A hint shows a figure only if it holds here.
"""

import random
from collections import Counter
from math import sqrt
from statistics import fmean

from msgspec import Struct

from core.engine import Runaway, submit
from core.knowledge.imagine import Imaginer, NothingFits
from core.state.actions import Action, AnyAction, Equip, Offer, Play, Refusal, Use
from core.state.model import State, decode, encode
from core.state.veiled import Veiled
from netcode.bots.rollout import Rollout
from netcode.bots.search import Candidate, Search, numbers

NAMED = (Equip, Offer, Play, Use)
"""Acts that a plan names."""


class Compared(Struct, frozen=True):
    """How two acts fared in the same imagined games. chances: of both to win, from 0 to 1; gain: of the first over the
    other; error: the standard error of that; worlds: how many games; died: in how many of them the seat is dead at the
    end of the turn after the first act; then: what the seat usually does next, None if that varies."""

    chances: tuple[float, float]
    gain: float
    error: float
    worlds: int
    died: int
    then: Action | None

    @property
    def sure(self) -> bool:
        """Whether the first act is better by more than chance explains."""
        return self.gain > max(numbers().taken_margin, numbers().told_errors * self.error)


def look_again(
    search: Search, veiled: Veiled, acts: tuple[Candidate, Candidate], rng: random.Random, worlds: int
) -> Compared | None:
    """Compare two acts of a seat in fresh imagined games; None if no game fits what the seat knows. Takes two rollouts
    for each world."""
    found: list[tuple[float, float]] = []
    died, then = 0, Counter[Action]()
    try:
        imaginer = Imaginer(search.catalog, veiled)
        for _ in range(worlds):
            world, seed = encode(imaginer.deal(rng)), rng.getrandbits(62)
            state, chance, nexts = _played(search, decode(world), veiled.seat, acts[0], seed)
            other = search.rollout(decode(world), veiled.seat, acts[1], seed, numbers().steps_most)[0]
            found.append((chance, other))
            died += state.seats[veiled.seat].dead
            then.update(nexts[:1])
    except NothingFits:
        return None
    gains = [one - other for one, other in found]
    gain = fmean(gains)
    error = sqrt(sum((one - gain) ** 2 for one in gains) / max(1, worlds - 1) / worlds)
    likely = [act for act, count in then.most_common(1) if count >= numbers().named_share * worlds]
    chances = fmean(one for one, _ in found), fmean(other for _, other in found)
    return Compared(chances, gain, error, worlds, died, likely[0] if likely else None)


def next_act(search: Search, veiled: Veiled, act: Candidate, rng: random.Random, worlds: int) -> Action | None:
    """Return what a seat usually does after an act, by this many imagined games; None if that varies."""
    then = Counter[Action]()
    try:
        imaginer = Imaginer(search.catalog, veiled)
        for _ in range(worlds):
            then.update(_played(search, imaginer.deal(rng), veiled.seat, act, rng.getrandbits(62))[2][:1])
    except NothingFits:
        return None
    return next((one for one, count in then.most_common(1) if count >= numbers().named_share * worlds), None)


def _played(
    search: Search, state: State, seat: int, action: Candidate, seed: int
) -> tuple[State, float, list[Action]]:
    """Take an action in a state and play on to the next turn. Return the state, the seat's chance to win, and its
    further acts in this turn (those of NAMED). The chance is 0 if the action is impossible."""
    watched: _Watched | None = None
    try:
        levels = [numbers().policy if no == seat else numbers().rivals for no in range(len(state.seats))]
        watched = _Watched(search.catalog, search.values, levels, state, random.Random(seed))
        if action is not None and isinstance(submit(search.catalog, state, seat, action), Refusal):
            return state, 0.0, []
        watched.seat = seat
        watched.play_turn(numbers().steps_most)
    except Runaway:
        return state, 0.0, []
    return state, search.evaluator.chances(state)[seat], watched.acts


class _Watched(Rollout):
    """A rollout that notes the acts of one seat that are among NAMED."""

    seat = -1

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.acts: list[Action] = []

    def _submit(self, seat: int, action: AnyAction) -> bool:
        done = super()._submit(seat, action)
        if done and seat == self.seat and isinstance(action, NAMED):
            self.acts.append(action)
        return done
