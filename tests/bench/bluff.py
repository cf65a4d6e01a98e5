"""What a held window means between bots with personalities: `python -m tests.bench bluff`.

It plays games of each set between normal bots of the eight personalities. Where one of them holds the window of a fight
that a rival wins, it counts whether the hold was empty: no cards of its hand, alone or together, could turn that fight.
And it plays the rest of the fight twice, once with the hold and once without it, and counts whether anybody but the
holder spends something or the heroes give up. Exit code 1 if more holds are empty than `--empty` says, or if the
interval of the difference (95 %, paired) does not lie above 0.
"""

import argparse
import math
import os
import sys
from collections.abc import Sequence
from typing import Any

from cards import BUILT_IN
from core.state.actions import Action, Flee, Hold, Offer, Play, Use
from core.state.views import View
from netcode.bots.card_values import CardValues
from netcode.bots.combat_moves import CombatMoves, plan
from netcode.bots.personalities import personalities
from netcode.bots.player import Observation
from netcode.bots.reading import Reading
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import load_catalog
from tests.bench.figures import line

SEATS = (3, 4, 5, 6)
TURNS_LIMIT = 2000
STEPS = 400
"""The most steps of the rest of a fight."""
FAILED = 2
SPENDS = (Play, Use, Offer, Flee)


class Held(Exception):
    """A seat has decided to hold a window; nothing has happened yet. seat, hold: who, and its action. empty: whether it
    could do nothing."""

    def __init__(self, seat: int, hold: Action, empty: bool) -> None:
        self.seat, self.hold, self.empty = seat, hold, empty
        super().__init__(seat)


class Watched:
    """A game whose holds are counted. empty: how many holds could do nothing; pairs: for each hold, whether the others
    gave something with the hold, and whether they did without it."""

    def __init__(self, bots: Sequence[str], values: CardValues, seed: int) -> None:
        self.game = SimulatedGame(values.catalog, bots, seed, values=values)
        self.values = values
        self.empty = 0
        self.pairs: list[tuple[bool, bool]] = []
        self._gave: set[int] = set()
        """The seats that have given something since the hold."""
        self._stops = False
        for seat, player in enumerate(self.game.players):
            player.decide = self._watched(player.decide, seat)  # type: ignore[method-assign]

    def play(self) -> None:
        """Play to the end."""
        game = self.game
        while not game.state.winners and game.state.turn.no <= TURNS_LIMIT:
            try:
                if not game.step():
                    return
            except Held as held:
                without, after = self._rest_apart(held.seat, None), self._rest_apart(held.seat, held.hold)
                self.pairs.append((after, without))
                self.empty += held.empty
                game.submit(held.seat, held.hold)

    def _rest_apart(self, seat: int, hold: Action | None) -> bool:
        """Play the rest of the fight in a process of its own; return whether somebody else gives something."""
        sys.stdout.flush()
        child = os.fork()
        if not child:
            code = FAILED
            try:
                code = int(self._rest(seat, hold))
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code not in (0, 1):
            raise RuntimeError(f"the rest of the fight could not be played: {code}")
        return code == 1

    def _rest(self, seat: int, hold: Action | None) -> bool:
        game, self._stops = self.game, True
        assert game.state.fight is not None
        number = game.state.fight.no
        self._gave.clear()
        if hold is not None:
            game.submit(seat, hold)
        for _ in range(STEPS):
            fight = game.state.fight
            if fight is None or fight.no != number or self._gave - {seat} or not game.step():
                break
        return bool(self._gave - {seat})

    def _watched(self, decide: Any, seat: int) -> Any:
        def watched(observation: Observation, budget: int) -> Action | None:
            action: Action | None = decide(observation, budget)
            view = observation.view
            if isinstance(action, Hold) and view.fight is not None and view.fight.winning:
                if self._stops:
                    return None  # only the first hold counts
                raise Held(seat, action, not _can_turn(view, self.values))
            if isinstance(action, SPENDS):
                self._gave.add(seat)
            return action

        return watched


def _can_turn(view: View, values: CardValues) -> bool:
    assert view.you is not None and view.fight is not None
    obs = Reading(view, view.you, values)
    moves = CombatMoves(obs, view.fight).moves()
    return bool(plan(moves, obs.lead, hostile=True)) or any(move.denies_kill for move in moves)


def main(arguments: Sequence[str]) -> int:
    """Play the games and print the shares."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench bluff", description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="of each set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", dest="sets", action="append", choices=BUILT_IN)
    parser.add_argument("--empty", type=float, default=0.6, help="the largest share of empty holds")
    given = parser.parse_args(arguments)
    pairs, empty, people = list[tuple[bool, bool]](), 0, list(personalities())
    for one in given.sets or BUILT_IN:
        values, holds = CardValues(load_catalog((one,))), 0
        for number in range(given.games):
            seats = SEATS[number % len(SEATS)]
            bots = [f"normal/{people[(number + seat) % len(people)]}" for seat in range(seats)]
            watched = Watched(bots, values, given.seed + number)
            watched.play()
            pairs += watched.pairs
            empty += watched.empty
            holds += len(watched.pairs)
            print(f"\r{one} {number + 1}/{given.games}: {holds} holds", end="", file=sys.stderr)
        print(file=sys.stderr)
    many = max(1, len(pairs))
    differences = [after - without for after, without in pairs]
    more = sum(differences) / many
    half = 1.96 * math.sqrt(sum((one - more) ** 2 for one in differences) / many / many)
    line("empty holds", empty / many, f"of {len(pairs)}", f"<= {given.empty}")
    line("others give after a hold", sum(after for after, _ in pairs) / many, "of these fights")
    line("others give without it", sum(without for _, without in pairs) / many, "of the same fights")
    line("difference", more, f"+- {half:.3f}", "the interval lies above 0")
    return int(empty / many > given.empty or more <= half)
