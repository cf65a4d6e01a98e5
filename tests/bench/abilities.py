"""How often normal bots use each ability and each card that forces help: `python -m tests.bench abilities`.

It plays games of each set between normal bots. For each ability of a card in play, it counts the turns in which some
seat could use it, and those in which the seat did. It also counts the fights in which forced help would win, and
whether the fighter forced it or paid for help. Exit code 1 if more than `--unused` abilities were never used, or if one
that was possible in at least `--often` turns was used in less than 3 % of them.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from cards import BUILT_IN
from core.language.catalog import Catalog
from core.state.actions import Action, Offer, Play, Use
from core.state.model import DEFN_MASK
from core.state.views import View
from netcode.bots.card_values import CardValues
from netcode.bots.player import Observation
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import load_catalog
from tests.bench.figures import line

SEATS = (3, 4, 5, 6)
TURNS_LIMIT = 2000
LEAST_SHARE = 0.03
"""An ability that is often possible must be used in at least this share of those turns."""
LEAST_FORCED = 0.25
"""Of the fights in which forced help would win and the fighter forces help or pays for it, at least this share is
forced."""
Key = tuple[int, int]
"""A definition and the number of an ability."""


class Counts:
    """The counts of one set: in how many turns each ability was possible, and in how many it was used."""

    def __init__(self) -> None:
        self.possible: Counter[Key] = Counter()
        self.used: Counter[Key] = Counter()
        self.forced = self.paid = 0
        """Fights in which forced help would win: those in which it was forced, and those in which help was asked for at
        a price."""
        self._seen: set[tuple[int, int, Key]] = set()

    def game(self, catalog: Catalog, values: CardValues, seed: int, bot: str) -> None:
        """Play a game and count it."""
        self._seen.clear()
        game = SimulatedGame(catalog, [bot] * SEATS[seed % len(SEATS)], seed, values=values)
        for seat, player in enumerate(game.players):
            player.decide = self._counted(player.decide, seat, values)  # type: ignore[method-assign]
        game.play(TURNS_LIMIT)

    def _counted(self, decide: Any, seat: int, values: CardValues) -> Any:
        def counted(observation: Observation, budget: int) -> Action | None:
            view = observation.view
            assert view.you is not None
            for row in view.you.legal:
                if isinstance(row.action, Use) and not row.vain:
                    self._count(self.possible, seat, view.turn_no, row.action)
            action: Action | None = decide(observation, budget)
            if isinstance(action, Use):
                self._count(self.used, -1 - seat, view.turn_no, action)
            if view.fight is not None and view.fight.seat == seat:
                self._help(view, seat, action, values)
            return action

        return counted

    def _help(self, view: View, seat: int, action: Action | None, values: CardValues) -> None:
        """Count how a fighter who could force help gets it. Only the first way in a fight counts."""
        assert view.you is not None and view.fight is not None
        forces = _forces(action, values)
        asks = isinstance(action, Offer) and action.terms.kind == "help"
        key = (-view.fight.no, 0)
        if not (forces or asks) or (seat, view.turn_no, key) in self._seen:
            return
        strongest = max(one.strength for one in view.seats if one.seat != seat)
        missing = view.fight.foes - view.fight.heroes
        if strongest >= missing and any(_forces(row.action, values) and not row.vain for row in view.you.legal):
            self._seen.add((seat, view.turn_no, key))
            self.forced += forces
            self.paid += asks

    def _count(self, counter: Counter[Key], seat: int, turn: int, action: Use) -> None:
        """Count an ability once in a turn."""
        key = (action.card & DEFN_MASK, action.ability)
        if (seat, turn, key) not in self._seen:
            self._seen.add((seat, turn, key))
            counter[key] += 1


def _forces(action: Action | None, values: CardValues) -> bool:
    """Return whether an action makes somebody help."""
    if isinstance(action, Use):
        return values.of[action.card & DEFN_MASK].ability_effects[action.ability].compels > 0
    return isinstance(action, Play) and values.of[action.card & DEFN_MASK].effects.compels > 0


def main(arguments: Sequence[str]) -> int:
    """Play the games and print a line for each ability that is hardly used, and one for each set."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench abilities", description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="of each set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bot", default="normal")
    parser.add_argument("--set", dest="sets", action="append", choices=BUILT_IN)
    parser.add_argument("--unused", type=int, default=3, help="abilities that may stay unused in all sets together")
    parser.add_argument("--often", type=int, default=500, help="turns from which an ability counts as often possible")
    parser.add_argument("--all", action="store_true", help="print every ability")
    given = parser.parse_args(arguments)
    unused, seldom, known, forced, paid = 0, 0, 0, 0, 0
    for one in given.sets or BUILT_IN:
        catalog = load_catalog((one,))
        values, counts = CardValues(catalog), Counts()
        for number in range(given.games):
            counts.game(catalog, values, given.seed + number, given.bot)
            print(f"\r{one} {number + 1}/{given.games}", end="", file=sys.stderr)
        print(file=sys.stderr)
        rows: defaultdict[str, list[str]] = defaultdict(list)
        for key, possible in sorted(counts.possible.items(), key=lambda pair: -pair[1]):
            used = counts.used[key]
            definition = catalog.cards[key[0]]
            name = f"{definition.name} #{key[1] + 1}"
            known += 1
            often = possible >= given.often and used < LEAST_SHARE * possible
            unused += used == 0
            seldom += often
            if used == 0 or often or given.all:
                rows["unused" if used == 0 else "seldom" if often else "used"].append(f"{name}: {used} of {possible}")
        line(f"abilities/{one}", len(counts.possible), "abilities were possible", "", **rows)
        forced, paid = forced + counts.forced, paid + counts.paid
    share = forced / max(1, forced + paid)
    mark = f">= {LEAST_FORCED}"
    line("forced help", share, "of the fights in which it could be forced", mark, forced=forced, paid=paid)
    line("abilities", unused, f"of {known} were never used", f"<= {given.unused}", seldom=seldom)
    return int(unused > given.unused or seldom > 0 or share < LEAST_FORCED)
