"""Judge what hints say: a person alone with three bots asks for a hint wherever they are asked for something, and
follows it: `python -m tests.bench hints --games 10`.

The sets take turns. What a hint claims is played out (hint_judge.py); so are the acts that it says to be worth nothing.
`--print` prints each hint; `--within PERCENT` fails if more of the hints have a false reason, or contradict an earlier
one.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

from msgspec import Struct, field

from cards import BUILT_IN
from tests.bench.figures import line
from tests.bench.hint_judge import PLAYED, Judge
from tests.bench.hinted_game import Hint, HintedGame
from tests.tui.solo_games import values_of

MOST = 1_000
"""The most hints of a game that are judged."""
KINDS = ("false", "contradicted", "empty", "order")
BINS = (0, 20, 40, 60, 80, 95, 101)


class Found(Struct):
    """Counts over some games. tried: each chance that a hint told, and whether the person won that game; played: the
    chance of each of a hint's two acts, and the share of imagined games that were won after this act."""

    hints: int = 0
    games: int = 0
    won: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    tried: list[tuple[float, bool]] = field(default_factory=list)
    played: list[tuple[float, float]] = field(default_factory=list)


def judged(found: Found, sets: tuple[str, ...], seed: int, shown: bool = False) -> None:
    """Play one game and count, at most MOST hints."""
    game, chances = HintedGame(seed, sets), []
    judge = Judge(game.catalog, values_of(sets), seed)
    for hint in game.hints():
        if hint.number > MOST:
            return
        found.hints += 1
        faults = list(judge.faults(hint, game.state))
        found.faults.update({kind for kind, _ in faults})
        found.told += [f"{sets[0]} {seed} #{hint.number} {kind}: {words} | {hint.words}" for kind, words in faults]
        if hint.advice.chances is not None:
            chances.append(hint.advice.chances[0])
            for act, chance in zip((hint.advice.action, hint.advice.instead), hint.advice.chances, strict=True):
                if won := judge.played_out(hint, act):
                    found.played.append((chance, fmean(won)))
        if shown:
            print(shown_words(hint))
    found.games, found.won = found.games + 1, found.won + game.won
    found.tried += [(chance, game.won) for chance in chances]


def shown_words(hint: Hint) -> str:
    """Return a hint and what the seat sees, for a reader."""
    view, scene = hint.view, hint.scene
    you, me, fight = view.you, view.seats[hint.scene.me], view.fight
    held = [scene.title(card) for card in scene.hand()]
    table = [("" if placed.up else "carried ") + scene.title(placed.card) for placed in me.table]
    fights = f" fight {fight.heroes}:{fight.foes} {fight.stage} of {fight.seat}, helper {fight.helper}" if fight else ""
    asks = [(ask.kind, [scene.title(one) if one > 65535 else one for one in ask.options], list(ask.texts))
            for ask in (you.asks if you is not None else ())]  # fmt: skip
    seats = " ".join(f"{seat.level}/{seat.strength}" for seat in view.seats)
    window = f" window {view.window.kind}" if view.window is not None else ""
    turn = f"turn {view.turn_no} of {view.turn} {view.phase}"
    return (f"#{hint.number} {turn}{window}{fights}; I am {scene.me}; {seats}\n"
            f"   hand {held}\n   table {table}\n   asks {asks}\n   {hint.words}")  # fmt: skip


def main(argv: Sequence[str] = ()) -> int:
    """Play, print the figures, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench hints", description=__doc__)
    parser.add_argument("--games", type=int, default=len(BUILT_IN))
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--set", choices=BUILT_IN, help="one set only")
    parser.add_argument("--print", action="store_true", dest="shown")
    parser.add_argument("--within", type=float, default=100.0)
    args = parser.parse_args(argv)
    found, sets = Found(), (args.set,) if args.set else BUILT_IN
    for number in range(args.seed, args.seed + args.games):
        judged(found, (sets[number % len(sets)],), number, args.shown)
    seeds = f"{args.seed} to {args.seed + args.games - 1}"
    rates = {kind: 100 * found.faults[kind] / found.hints for kind in KINDS}
    for kind, rate in rates.items():
        mark = "5" if kind in ("false", "contradicted") else ""
        line(f"hints: {kind}", rate, "%", mark, count=found.faults[kind], hints=found.hints, games=found.games,
             seeds=seeds, sets=list(sets))  # fmt: skip
    for low, high in pairwise(BINS):
        there = [won for chance, won in found.tried if low <= 100 * chance < high]
        if there:
            line(f"hints: games won where a hint said {low} to {high - 1} of 100", 100 * sum(there) / len(there), "%",
                 hints=len(there))  # fmt: skip
    for low, high in pairwise(BINS):
        came = [(chance, won) for chance, won in found.played if low <= 100 * chance < high]
        if came:
            said, won = (100 * fmean(numbers) for numbers in zip(*came, strict=True))
            line(f"hints: games won that were played on where one said {low} to {high - 1} of 100", won, "%",
                 said=round(said, 1), acts=len(came), games=len(came) * PLAYED)  # fmt: skip
    for told in found.told:
        print(told, file=sys.stderr)
    return int(max(rates["false"], rates["contradicted"]) > args.within)
