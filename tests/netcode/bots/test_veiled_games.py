"""Games of bots, in which cards are held, promised and passed on as people would do it: the knowledge of seats stays
true, and their imagined games fit it. KICKDOOR_VEILED_GAMES=200 plays that many."""

import os
import random

import pytest

from core.knowledge.seen import all_learn, nothing_seen
from core.state.actions import AnyAction
from core.state.events import AnyEvent
from core.state.model import State
from netcode.simulation.game import SimulatedGame
from tests.blends import BLENDS, BLENDS_AND_PAIRS, catalog_of
from tests.core.knowledge.veils import fits, imagined, is_true
from tests.thorough import TURN

GAMES = int(os.environ.get("KICKDOOR_VEILED_GAMES", "5"))
LEVELS = ["normal", "hard", "easy", "random", "normal", "hard"]


class Known:
    """A game of bots that checks after each action what the seats know. often: how often it also checks an imagined
    game (0 to 1)."""

    def __init__(self, sets: tuple[str, ...], seed: int, often: float) -> None:
        self.catalog, self.rng, self.often = catalog_of(sets), random.Random(seed), often
        self.game = SimulatedGame(self.catalog, LEVELS[: 3 + seed % 4], seed, watch=self.check)
        self.seen = [nothing_seen(self.catalog, self.game.state, seat) for seat in range(3 + seed % 4)]

    def check(self, state: State, seat: int, action: AnyAction, events: list[AnyEvent]) -> None:
        all_learn(self.catalog, self.seen, events)
        for seen in self.seen if state.turn.no < 2 else (self.rng.choice(self.seen),):
            is_true(self.catalog, state, seen)
        if self.rng.random() < self.often and not state.winners:
            seen = self.rng.choice(self.seen)
            fits(self.catalog, state, seen, *imagined(self.catalog, state, seen, self.rng))


@pytest.mark.long(3)
@pytest.mark.parametrize("seed", [23, 39, 64, 83, *range(100, 100 + GAMES)])
def test_what_seats_know_stays_true_in_games_of_bots(seed: int) -> None:
    Known(BLENDS[seed % len(BLENDS)], seed, 0.1).game.play(40)


@pytest.mark.long(0)
@pytest.mark.parametrize("part", [3 + TURN] if TURN else range(3))
def test_what_seats_know_stays_true_while_first_cards_are_laid_out(part: int) -> None:
    for seed in range(part * 40, part * 40 + 40):
        Known(BLENDS_AND_PAIRS[seed % len(BLENDS_AND_PAIRS)], seed, 0.3).game.play(1)
