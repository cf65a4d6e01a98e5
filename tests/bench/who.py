"""Whether one can tell the personalities by what they do: `python -m tests.bench who`.

Bots of one level, four personalities drawn for each game, play in the four sets in turn. A classifier (naive Bayes)
names the personality of each seat from its public acts, without its talk (tests/bench/who_acts.py lists and counts
these acts). It learns from half of the games how often each personality does each thing when it can, and names the
seats of the other half; then the halves change places. It sees one game, or three games together. "Without" leaves out
a feature, or all features of a choice. The benchmark also prints how often each personality wins, as its share against
one other of the same game, and whom each strikes among about equal victims (1: as often as chance). "Habits"
are what each does most unlike the others, in standard deviations of what one of the others shows in three games.
"""

import argparse
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec import json as msgjson

from cards import BUILT_IN
from netcode.bots.personalities import personalities
from netcode.processes.workers import completed
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import TURN_CAP, game_seed, no_collecting, pack_hashes, tables
from tests.bench.figures import line
from tests.bench.who_acts import FEATURES, Acts, Counts

SEATS = 4
TOGETHER = 3
"""Games of one personality that are read together."""
HABITS = 3
"""How many are printed for each personality."""
SMOOTHING = 4.0
"""The classifier begins with this many imaginary opportunities of each personality, used as often as all personalities
do on average."""


STRIKES = {
    ("bertha", "offender"): (1.5, math.inf), ("grumbold", "offender"): (1.5, math.inf),
    ("dottie", "helper"): (0.0, 0.6), ("hush", "helper"): (0.0, 0.6),
}  # fmt: skip
"""How often a personality must strike at its worst offender, or at its best helper, as a multiple of an even share: the
least and the most."""


class Row(Struct):
    """One seat of one game. won: its part of the victory; strikes: Acts.shares."""

    game: int
    who: str
    won: float
    counts: Counts
    strikes: dict[str, list[float]]


def main(arguments: Sequence[str]) -> int:
    """Play the games, learn, name, and print the figures. Exit code 1 if a promise is not kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench who", description=__doc__)
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="normal")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--rows", type=Path, help="a file that keeps the counts; if it is there, nothing is played")
    given = parser.parse_args(arguments)
    rows = _rows(given.rows, partial(played, seed=given.seed, level=given.level), given.games, given.jobs)
    kept = [_naming(rows), _winning(rows), _striking(rows)]
    _show_habits(rows)
    return int(not all(kept))


def _rows(kept: Path | None, play: Callable[[int], list[Row]], games: int, jobs: int) -> list[Row]:
    """Return the rows of all games, in order."""
    if kept is not None and kept.is_file():
        return msgjson.decode(kept.read_bytes(), type=list[Row])
    rows: list[Row] = []
    for number, more in enumerate(completed(play, range(games), jobs)):
        rows += more
        print(f"\r{number + 1}/{games}", end="", file=sys.stderr)
    print(file=sys.stderr)
    rows.sort(key=lambda row: row.game)
    if kept is not None:
        kept.write_bytes(msgjson.encode(rows))
    return rows


def played(number: int, seed: int, level: str) -> list[Row]:
    """Play a game and return the row of each seat."""
    sets = (BUILT_IN[number % len(BUILT_IN)],)
    catalog, values = tables(sets, pack_hashes(sets))
    cast = random.Random(f"who {seed} {number}").sample(list(personalities()), SEATS)
    acts = Acts(catalog, values, SEATS)
    with no_collecting():
        game = SimulatedGame(
            catalog, [f"{level}/{name}" for name in cast], game_seed(seed, number), values=values, watch=acts
        )
        game.play(TURN_CAP)
    won = {seat: 1 / len(game.state.winners) for seat in game.state.winners}
    return [
        Row(number, who, won.get(seat, 0.0), counts, acts.shares[seat])
        for seat, (who, counts) in enumerate(zip(cast, acts.counts(), strict=True))
    ]


# ----------------------------------------------------------------------------------------------------------- the names
Likely = dict[str, dict[str, float]]
"""For each feature and personality, how well what was counted fits (log-likelihood)."""


def learned(rows: Iterable[Row]) -> dict[str, dict[str, float]]:
    """Return for each feature how often each personality does it when it can."""
    did: dict[str, Counter[str]] = defaultdict(Counter)
    could: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for name, (done, of) in row.counts.items():
            did[name][row.who] += done
            could[name][row.who] += of
    rates: dict[str, dict[str, float]] = {}
    for name in could:
        usual = (did[name].total() + 0.5) / (could[name].total() + 1)
        rates[name] = {
            who: (did[name][who] + SMOOTHING * usual) / (could[name][who] + SMOOTHING) for who in personalities()
        }
    return rates


def fits(counts: Counts, rates: dict[str, dict[str, float]]) -> Likely:
    """Return how well counts fit each personality, by feature."""
    return {
        name: {who: done * math.log(rate) + (of - done) * math.log1p(-rate) for who, rate in rates[name].items()}
        for name, (done, of) in counts.items() if name in rates
    }  # fmt: skip


def named(likely: Sequence[Likely], without: str = "") -> str:
    """Return the personality that fits best. without: a feature, or the choice whose features are left out."""
    sums = dict.fromkeys(personalities(), 0.0)
    for game in likely:
        for name, by_who in game.items():
            if name == without or name.partition(":")[0] == without:
                continue
            for who, fit in by_who.items():
                sums[who] += fit
    return max(sums, key=lambda who: sums[who])


def _judged(rows: Sequence[Row]) -> list[tuple[str, list[Likely]]]:
    """Return each personality with how well each of its games fits, learned from the other half of the games."""
    found = []
    for half in (0, 1):
        rates = learned(row for row in rows if row.game // len(BUILT_IN) % 2 != half)
        found += [(row.who, [fits(row.counts, rates)]) for row in rows if row.game // len(BUILT_IN) % 2 == half]
    return found


def _together(judged: Sequence[tuple[str, list[Likely]]]) -> list[tuple[str, list[Likely]]]:
    """Return the games of each personality by threes."""
    by_who: dict[str, list[Likely]] = defaultdict(list)
    for who, likely in judged:
        by_who[who] += likely
    return [
        (who, games[at : at + TOGETHER])
        for who, games in by_who.items() for at in range(0, len(games) - TOGETHER + 1, TOGETHER)
    ]  # fmt: skip


def _right(judged: Sequence[tuple[str, list[Likely]]], without: str = "") -> float:
    return sum(named(likely, without) == who for who, likely in judged) / max(1, len(judged))


def _naming(rows: Sequence[Row]) -> bool:
    one = _judged(rows)
    three = _together(one)
    chance = f"chance {1 / len(personalities()):.3f}"
    line("who/one game", _right(one), "named", chance, seats=len(one))
    all_in = _right(three)
    line("who/three games", all_in, "named", ">= 0.6", cases=len(three), margin=_half(all_in, len(three)))
    rates, least = learned(rows), 1.0
    for name, words in FEATURES.items():
        found = _right(three, name)
        least = min(least, found)
        shown = {who: round(rate, 3) for who, rate in rates.get(name, {}).items()}
        line(f"who/without {name!r}", found, "named of three games", ">= 0.45", counts=words, rates=shown)
    for choice in dict.fromkeys(name.partition(":")[0] for name in FEATURES):
        found = _right(three, choice)
        least = min(least, found)
        line(f"who/without all {choice!r}", found, "named of three games", ">= 0.45")
    for who in personalities():
        taken = Counter(named(likely) for known, likely in three if known == who)
        line(f"who/{who}", taken[who] / max(1, taken.total()), "named of three games", "", taken_for=dict(taken))
    return all_in >= 0.6 and least >= 0.45


# ---------------------------------------------------------------------------------------------------------- the habits
class Habit(Struct):
    """How often a personality does something when it can, and how often the others do. chances: how often it can, in
    three games. deviations: the difference, in standard deviations of what one of the others shows in so many."""

    feature: str
    own: float
    others: float
    chances: float
    deviations: float


def habits_of(who: str, rows: Sequence[Row]) -> list[Habit]:
    """Return all habits of a personality, those that differ most first."""
    games = max(1, sum(row.who == who for row in rows))
    found = []
    for name in FEATURES:
        sums = {True: [0, 0], False: [0, 0]}
        for row in rows:
            for at, count in enumerate(row.counts.get(name, ())):
                sums[row.who == who][at] += count
        (did, could), (others_did, others_could) = sums[True], sums[False]
        if not could or not others_could:
            continue
        own, others = did / could, (others_did + 0.5) / (others_could + 1)
        chances = TOGETHER * could / games
        found.append(Habit(name, own, others, chances, (own - others) * math.sqrt(chances / (others * (1 - others)))))
    return sorted(found, key=lambda habit: -abs(habit.deviations))


def _show_habits(rows: Sequence[Row]) -> None:
    for who in personalities():
        for habit in habits_of(who, rows)[:HABITS]:
            line(f"habits/{who}: {habit.feature}", habit.own, FEATURES[habit.feature], others=round(habit.others, 3),
                 chances_in_three_games=round(habit.chances, 1), deviations=round(habit.deviations, 1))  # fmt: skip


# --------------------------------------------------------------------------------------------------- wins and strikes
def _winning(rows: Sequence[Row]) -> bool:
    kept = True
    for who in personalities():
        mine = [row.won for row in rows if row.who == who]
        share = sum(mine) / max(1, len(mine))
        low, middle, high = (against_one(share + by * _half(share, len(mine))) for by in (-1, 0, 1))
        kept &= 0.47 <= middle <= 0.53
        line(f"wins/{who}", middle, "against one other", "0.47 to 0.53", low=round(low, 3), high=round(high, 3),
             games=len(mine))  # fmt: skip
    return kept


def against_one(share: float) -> float:
    """Convert a share of the wins among four players to the share of one against one other."""
    other = (1 - share) / (SEATS - 1)
    return share / (share + other)


def _striking(rows: Sequence[Row]) -> bool:
    kept = True
    for who in personalities():
        for name, words in {"offender": "worst offender", "helper": "best helper"}.items():
            strikes = sum(row.strikes[name][0] for row in rows if row.who == who)
            even = sum(row.strikes[name][1] for row in rows if row.who == who)
            low, high = STRIKES.get((who, name), (0.0, math.inf))
            kept &= low <= strikes / max(1e-9, even) <= high
            mark = f">= {low}" if low else f"<= {high}" if high < math.inf else ""
            line(f"strikes/{who} at its {words}", strikes / max(1e-9, even), "of the even share", mark,
                 strikes=int(strikes), even=round(even, 1))  # fmt: skip
    return kept


def _half(share: float, games: int) -> float:
    """Return half of the 95 % interval of a share."""
    return round(1.96 * math.sqrt(share * (1 - share) / max(1, games)), 4)
