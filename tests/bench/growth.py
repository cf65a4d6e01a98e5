"""How the cost of an action grows: `python -m tests.bench growth` measures the CPU that a host of its own takes for an
action, as a function of seats, spectators, tables, cards in play and the length of the game, and the memory of a
hundred games; `--picture` draws the curves into docs/growth.svg.

Every point is the minimum of several rounds, which take turns: other work on the machine can only make a round
slower."""

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import fmean, linear_regression

from netcode.protocol import limits, wire
from tests.bench.curves import Curve, drawn
from tests.bench.figures import line
from tests.bench.processes import ROOT, memory_mib
from tests.bench.served import ServedHost, recorded

PICTURE = ROOT / "docs" / "growth.svg"
SEATS = tuple(range(limits.SEATS_MIN, limits.SEATS_MAX + 1))
MOST = limits.SEATS_MAX
SPECTATORS = (0, 1, 2, 4, 8)
TABLES = (1, 2, 5, 10, 20, 40)
ROUNDS = 5
ACTS = 200
"""Actions of a game where tables and spectators are counted."""
BINS = 10
"""Points of a curve over one game."""
GAMES, SETTLED = 100, 20
"""Games in one process, and the number of games after which memory should no longer grow."""


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    seats: Sequence[int] = SEATS
    spectators: Sequence[int] = SPECTATORS
    tables: Sequence[int] = TABLES
    rounds: int = ROUNDS
    acts: int = ACTS
    games: int = GAMES
    settled: int = SETTLED


def main(argv: Sequence[str] = (), size: Size | None = None, picture: Path = PICTURE) -> int:
    """Print a figure for each curve. picture: the file to draw them to, if any."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench growth", description=__doc__)
    parser.add_argument("--picture", action="store_true", help=f"draw the curves into {PICTURE.relative_to(ROOT)}")
    wanted = parser.parse_args(argv)
    size = size or Size()
    memory = Curve("games so far", "MiB", _memory(size))  # before anything else has used memory and given it back
    watched = _means(size, size.spectators, lambda n: _host(size, spectators=n))
    curves = [
        Curve("seats", "ms", _means(size, size.seats, lambda seats: ServedHost(recorded(seats, size.acts)))),
        Curve("six players and spectators", "ms", [(MOST + count, ms) for count, ms in watched]),
        Curve("tables of six", "ms", _means(size, size.tables, lambda n: _host(size, tables=n))),
        *_over_a_game(size),
    ]
    for curve in curves:
        exponent = _exponent(curve.points)
        line(f"cost of an action against {curve.against}", exponent, "exponent", "1: linear", points=curve.points)
    after = [point for point in memory.points if point[0] > size.settled]
    slope = linear_regression(*zip(*after)).slope
    line("memory of a host, game after game", slope * 100, "MiB in 100 games", "1", points=memory.points)
    if wanted.picture:
        picture.write_text(drawn([*curves, memory]), "utf-8")
    return 0


def _host(size: Size, tables: int = 1, spectators: int = 0) -> ServedHost:
    return ServedHost(recorded(MOST, size.acts), tables, spectators)


def _means(size: Size, counts: Sequence[int], host: Callable[[int], ServedHost]) -> list[tuple[float, float]]:
    """Return the CPU of an action for each of these counts, ms. Every game has its own host."""
    rounds = [[_once(host(count)) for count in counts] for _ in range(size.rounds)]
    return [(count, min(found)) for count, found in zip(counts, zip(*rounds))]


def _once(host: ServedHost) -> float:
    with closing(host.games()) as games:
        return next(games)


def _over_a_game(size: Size) -> Iterable[Curve]:
    """Yield the CPU of an action of a whole game of six against the cards in play, and against the number of actions so
    far."""
    game = recorded(MOST)
    host = ServedHost(game)
    with closing(host.games()) as games:
        next(games)
        rounds = [host.costs for _ in range(size.rounds) if next(games)]
    least = [min(found) for found in zip(*rounds)]
    acts = [(sent.cards, ms) for sent, ms in zip(game.sent, least) if isinstance(sent.message, wire.Act)]
    yield Curve("cards in play", "ms", _binned([(cards, ms) for cards, ms in acts if cards]))
    yield Curve("actions so far", "ms", _binned([(number, ms) for number, (_, ms) in enumerate(acts, 1)]))


def _binned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the means of the points in each of a few equal stretches of x."""
    first, last = min(points)[0], max(points)[0]
    bins: dict[int, list[tuple[float, float]]] = {}
    for x, y in sorted(points):
        bins.setdefault(min(BINS - 1, int((x - first) / (last - first) * BINS)), []).append((x, y))
    return [(fmean(x for x, _ in found), fmean(y for _, y in found)) for found in bins.values()]


def _memory(size: Size) -> list[tuple[float, float]]:
    """Return the resident memory of this process (MiB) as games of three are played at one table."""
    found = []
    with closing(ServedHost(recorded(limits.SEATS_MIN)).games()) as games:
        for number in range(1, size.games + 1):
            next(games)
            found.append((float(number), memory_mib(os.getpid())))
    return found


def _exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the power of x with which y grows; 0 or less: it does not."""
    return linear_regression(*zip(*((log(x), log(y)) for x, y in points))).slope
