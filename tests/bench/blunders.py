"""Count the blunders of bots, with the engine as judge: `python -m tests.bench blunders --bot normal --games 40`.

Games are played in turn with each set and with all of them together. A line for each kind says how many there were in a
game and for each seat in a game; `--within FILE` fails if there are more in a game than the file allows; `--examples`
prints what happened.
"""

import argparse
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct, field

from core.language.catalog import Catalog
from core.state.actions import Accept, Answer, AnyAction, Decline, Discard, EndTurn, Equip, Flee, Pass, Play, Sell, Use
from core.state.actions import Counter as CounterOffer
from core.state.events import AnyEvent, Moved, StageSet
from core.state.model import Program, State, Throw, decode, defn_of, encode
from netcode.bots.factory import check_player
from netcode.bots.win_blockers import win_blockers
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import game_seed, no_collecting
from tests.bench.blunder_kinds import KINDS, Deed, could_stop, help_changes_nothing, offer_would_win, stopper_spent
from tests.bench.figures import line
from tests.bench.trials import Position
from tests.blends import BLENDS, catalog_of

SEATS = 4
TURNS_MOST = 1000
REFUSED = "help refused, then lost"
IN_VAIN = "helped where it changes nothing"
UNSTOPPED = "won unstopped"
CHURN = "identity churn"
WASTED = "wasted what stops a rival near victory"
NAMES = (*KINDS, REFUSED, IN_VAIN, UNSTOPPED, CHURN, WASTED)
JUDGED = (Accept, Answer, Decline, CounterOffer, Discard, EndTurn, Flee, Play, Sell, Use)
"""Actions before which the state is kept, besides passes at match point."""


class Blunder(Struct):
    """One blunder: its kind, its seat, its turn, and the deed."""

    kind: str
    seat: int
    turn: int
    did: str


class Judge:
    """Watches one game. `before` is called ahead of each action, `after` when it was accepted."""

    def __init__(self, catalog: Catalog, stop: frozenset[int]) -> None:
        """stop: the definitions of cards that can stop a winner."""
        self.catalog, self.stop = catalog, stop
        self.found: list[Blunder] = []
        self._kept: bytes = b""
        self._open: Deed | None = None
        """A deed whose text still runs."""
        self._refused: set[int] = set()
        """Fighters who turned down help that would have won this fight."""
        self._in_vain: list[Blunder] = []
        """Counted if this fight is lost."""
        self._wasted: list[Blunder] = []
        """Counted if this fight is won."""
        self._unstopped: dict[int, Blunder] = {}
        """Counted if this fight ends the game; by seat."""
        self._fight = -1
        self._idle: set[tuple[str, int, int]] = set()
        """By kind, seat and card: Items left idle at the end of a turn."""
        self._identities: dict[tuple[int, int], int] = {}
        """By seat and card: the turn in which an identity was played."""

    def before(self, state: State, seat: int, action: AnyAction) -> None:
        """Keep what is needed of the state before an action."""
        self._kept = b""
        if isinstance(action, JUDGED) or (isinstance(action, Pass) and Position(self.catalog, state).match_point):
            self._kept = encode(state)

    def after(self, state: State, seat: int, action: AnyAction, events: list[AnyEvent]) -> None:
        """Judge an accepted action, or an earlier one whose text has ended with it."""
        self._new_fight(state)
        if self._kept and seat >= 0:
            if isinstance(action, Pass):
                self._passed(state, seat)
            else:
                self._offers(seat, action)
                now = Position(self.catalog, state)
                deed = Deed(self.catalog, self.stop, self._kept, seat, action, now, list(events))
                if self._open is None or isinstance(action, Play | Use):
                    self._finish(state)
                    self._open = deed
                else:
                    self._open.events += events
                    self._judge(deed, ("gave up what stops a rival near victory",))
        elif self._open is not None:
            self._open.events += events
        top = state.stack[-1] if state.stack else None
        if not isinstance(top, Program | Throw):
            self._finish(state)
        self._stages(state, events)

    def end(self, state: State) -> None:
        """Judge deeds that only the end of the game shows."""
        self.found += [one for seat, one in self._unstopped.items() if state.winners and seat not in state.winners]

    # ---------------------------------------------------------------------------------------------- one deed
    def _finish(self, state: State) -> None:
        deed, self._open = self._open, None
        if deed is None:
            return
        deed.after = Position(self.catalog, decode(encode(state)))
        self._judge(deed, tuple(KINDS))
        self._help(deed)
        self._churn(deed)
        if stopper_spent(deed):
            self._wasted.append(self._blunder(WASTED, deed))

    def _judge(self, deed: Deed, kinds: tuple[str, ...]) -> None:
        for kind in kinds:
            action = KINDS[kind](deed)
            if action is not None and not self._same_idle(kind, deed.seat, action):
                self.found.append(self._blunder(kind, deed, action=action))

    def _same_idle(self, kind: str, seat: int, action: AnyAction) -> bool:
        """Return whether an idle card was counted before, because it stays idle for many turns."""
        key = kind, seat, getattr(action, "card", 0)
        known = isinstance(action, Play | Equip) and key in self._idle
        self._idle.add(key)
        return known

    def _blunder(self, kind: str, deed: Deed, seat: int = -1, action: AnyAction | None = None) -> Blunder:
        state, did = deed.before.state, told(self.catalog, deed.before.state, action or deed.action)
        return Blunder(kind, seat if seat >= 0 else deed.seat, state.turn.no, did)

    def _help(self, deed: Deed) -> None:
        blamed = help_changes_nothing(deed)
        if blamed >= 0:
            fight = deed.before.fight
            one = self._blunder(IN_VAIN, deed, blamed)
            (self.found if fight is not None and blamed == fight.seat else self._in_vain).append(one)

    def _churn(self, deed: Deed) -> None:
        """An identity was discarded at will by the player who had played it within the last round."""
        turn = deed.after.state.turn.no
        for event in deed.events:
            if not isinstance(event, Moved) or self.catalog.cards[defn_of(event.card)].card.identity is None:
                continue
            if event.frm == "hand" and event.to == "table" and event.at == deed.seat:
                self._identities[deed.seat, event.new] = turn
            elif event.frm == "table" and event.at == deed.seat and isinstance(deed.action, Discard | Play):
                played = self._identities.get((deed.seat, event.card), -SEATS)
                if turn - played < SEATS:
                    self.found.append(self._blunder(CHURN, deed))

    # ------------------------------------------------------------------------------------------------ fights
    def _new_fight(self, state: State) -> None:
        number = state.fight.no if state.fight is not None else -1
        if number not in (self._fight, -1):
            self._fight = number
            self._refused.clear()
            self._unstopped.clear()
            self._in_vain, self._wasted = [], []

    def _offers(self, seat: int, action: AnyAction) -> None:
        if isinstance(action, Decline | CounterOffer | Flee) and offer_would_win(self.catalog, self._kept, seat):
            self._refused.add(seat)

    def _passed(self, state: State, seat: int) -> None:
        action = could_stop(self.catalog, self._kept, seat)
        if action is not None:
            self._unstopped[seat] = Blunder(UNSTOPPED, seat, state.turn.no, told(self.catalog, state, action))

    def _stages(self, state: State, events: list[AnyEvent]) -> None:
        for event in events:
            if not isinstance(event, StageSet):
                continue
            fight = state.fight
            if event.stage == "lost":
                self.found += self._in_vain
                if event.seat in self._refused and (fight is None or fight.helper < 0):
                    self.found.append(Blunder(REFUSED, event.seat, state.turn.no, "lost the fight"))
            elif event.stage == "won":
                self.found += self._wasted
            self._in_vain, self._wasted = [], []


class JudgedGame(SimulatedGame):
    """A simulated game with a judge."""

    judge: Judge

    def submit(self, seat: int, action: AnyAction) -> bool:
        """See SimulatedGame."""
        self.judge.before(self.state, seat, action)
        return super().submit(seat, action)


def told(catalog: Catalog, state: State, action: AnyAction) -> str:
    """Return an action in words, with the names of its cards, and how the fight stands."""
    numbers = [getattr(action, name, 0) for name in ("card", "target", "brought")]
    for name in ("cards", "picks", "pay"):
        numbers += getattr(action, name, ())
    cards = [catalog.cards[defn_of(number)].card.name for number in numbers if number > 4095]
    where = f" seat {action.seat}" if getattr(action, "seat", -1) >= 0 else ""
    side = f" for the {action.side}" if getattr(action, "side", "") else ""
    position = Position(catalog, state)
    lead = f", heroes lead by {position.lead}" if position.fight is not None else ""
    return f"{type(action).__name__} {' + '.join(cards)}{where}{side}{lead}"


class Counts(Struct):
    """The results: games played and finished, and blunders by kind and seat."""

    games: int = 0
    finished: int = 0
    by_kind: Counter[tuple[str, int]] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, other: "Counts") -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.finished += other.finished
        self.by_kind.update(other.by_kind)
        self.examples += other.examples

    def per_game(self, kind: str) -> float:
        """Return how many blunders of a kind there were in a game."""
        return sum(count for (name, _), count in self.by_kind.items() if name == kind) / max(1, self.games)


@cache
def _stoppers_of(sets: tuple[str, ...]) -> frozenset[int]:
    return win_blockers(catalog_of(sets))


def play_one(bots: Sequence[str], budget: int, seed: int, index: int) -> Counts:
    """Play a game with a judge; return its results."""
    sets = BLENDS[index % len(BLENDS)]
    catalog = catalog_of(sets)
    judge = Judge(catalog, _stoppers_of(sets))
    seats = [bots[no % len(bots)] for no in range(SEATS)]
    with no_collecting():
        game = JudgedGame(catalog, seats, game_seed(seed, index), watch=judge.after, budget=budget)
        game.judge = judge
        why = game.play(TURNS_MOST)
    judge.end(game.state)
    counts = Counts(1, int(why == "ended"))
    for one in judge.found:
        counts.by_kind[one.kind, one.seat] += 1
        counts.examples.append(f"{one.kind} | game {index}, turn {one.turn}, seat {one.seat} | {one.did}")
    return counts


def counted(bots: Sequence[str], games: int, seed: int, budget: int = 0, jobs: int = 1) -> Counts:
    """Play games on several processes; return the results of all of them."""
    total = Counts()
    if jobs == 1:
        for index in range(games):
            total.add(play_one(bots, budget, seed, index))
        return total
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for one in pool.map(play_one, *zip(*((bots, budget, seed, index) for index in range(games)))):
            total.add(one)
    return total


def exceeded(found: Counts, bounds: dict[str, float]) -> list[str]:
    """Return a sentence for each kind of which a game has more than allowed."""
    return [
        f"{kind}: {found.per_game(kind):.3f} in a game, {most:.3f} are allowed"
        for kind, most in bounds.items() if found.per_game(kind) > most
    ]  # fmt: skip


def main(argv: Sequence[str] = ()) -> int:
    """Count and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench blunders", description=__doc__)
    parser.add_argument("--bot", action="append", help="players by seat, repeated (default normal)")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=int, default=0, help="rollouts that a player may spend on a decision")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--within", type=Path, metavar="FILE", help="a TOML file: how many of each kind are allowed")
    parser.add_argument("--examples", action="store_true", help="print each blunder too")
    args = parser.parse_args(argv)
    bots = tuple(args.bot or ("normal",))
    for bot in bots:
        check_player(bot)
    found = counted(bots, args.games, args.seed, args.budget, args.jobs)
    for example in sorted(found.examples) if args.examples else ():
        print(example)
    bounds = tomllib.loads(args.within.read_text(encoding="utf-8"))["bounds"] if args.within else {}
    for kind in sorted(NAMES, key=lambda name: -found.per_game(name)):
        seats = [found.by_kind[kind, seat] / max(1, found.games) for seat in range(SEATS)]
        line(kind, found.per_game(kind), "in a game", str(bounds.get(kind, "")), seats=[round(x, 3) for x in seats])
    total = sum(found.per_game(kind) for kind in NAMES)
    line("all blunders", total, "in a game", games=found.games, finished=found.finished, bots=bots)
    problems = exceeded(found, bounds)
    for problem in problems:
        print(f"too many: {problem}", file=sys.stderr)
    return 1 if problems else 0
