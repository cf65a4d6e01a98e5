"""Compare the rules with other play, in slices that take turns in one run: random decisions beside random plies of
python-chess, and, with `--baseline COMMIT`, both kinds of play beside those of an earlier commit.

The packs are those of one commit (`packs.zip`), so that new cards don't change the measure. A ratio is the median over
the slices, because other load on the machine disturbs a median least.
"""

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.figures import line
from tests.bench.processes import ROOT

HERE = Path(__file__).parent
PACKS = HERE / "packs.zip"
SLICES = 24
LENGTHS = {"random": 3000, "bots": 4, "chess": 3000}
"""Decisions in one slice (for bots whole games, one of each set): a fifth to a third of a second."""


class Slice(NamedTuple):
    """Decisions taken, games ended, and the CPU seconds of both."""

    decisions: int
    games: int
    seconds: float


class Player:
    """A process that plays slices with the rules in the folder `tree`."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "engine_slices.py"), str(PACKS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"},
        )  # fmt: skip

    def play(self, kind: str, count: int) -> Slice:
        """Play this many decisions of a kind ("random" or "chess"), or games ("bots")."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(kind, count, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the process that plays {kind} has ended")
        return Slice(**json.loads(answer))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def main(argv: Sequence[str] = (), slices: int = SLICES, scale: float = 1.0) -> int:
    """Print the ratios; return the exit code. scale: a factor for the decisions in a slice."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench engine", description=__doc__)
    parser.add_argument("--baseline", metavar="COMMIT", help="a commit of this repository to compare with")
    parser.add_argument("--slices", type=int, default=slices, help=f"slices of each kind of play (default {slices})")
    args = parser.parse_args(argv)
    counts = lengths(scale)
    with ExitStack() as stack:
        players = {"now": stack.enter_context(playing(ROOT))}
        if args.baseline:
            players["before"] = stack.enter_context(playing(stack.enter_context(checked_out(args.baseline))))
        beside_chess(players, args.slices, counts)
        if args.baseline:
            now, before = taken_in_turn(players, "random", args.slices, counts)
            beside_baseline("random decisions", now, before)
            now, before = taken_in_turn(players, "bots", args.slices, counts)
            beside_baseline("decisions of four normal bots", now, before)
            games_beside_baseline(now, before)
    return 0


def lengths(scale: float) -> dict[str, int]:
    """Return the lengths of slices, times `scale`."""
    return {kind: max(1, int(count * scale)) for kind, count in LENGTHS.items()}


def beside_chess(players: dict[str, Player], slices: int, counts: dict[str, int]) -> None:
    """Print random decisions as a multiple of random plies of python-chess."""
    ours, theirs = [], []
    for _ in range(slices):
        theirs.append(players["now"].play("chess", counts["chess"]))
        ours.append(players["now"].play("random", counts["random"]))
    line("random decisions beside python-chess", median(_ratios(ours, theirs)), "times", "0.85", ours=_rate(ours),
         python_chess=_rate(theirs))  # fmt: skip


def taken_in_turn(
    players: dict[str, Player], kind: str, slices: int, counts: dict[str, int]
) -> tuple[list[Slice], list[Slice]]:
    """Return slices of a kind of play by this version, and those of the baseline that took turns with them. One slice
    of each is played first, to fill caches that live as long as the process."""
    found: dict[str, list[Slice]] = {which: [] for which in players}
    for player in players.values():
        player.play(kind, counts[kind])
    for no in range(slices):
        for which in sorted(players, reverse=bool(no % 2)):
            found[which].append(players[which].play(kind, counts[kind]))
    return found["now"], found["before"]


def beside_baseline(name: str, now: list[Slice], before: list[Slice]) -> None:
    """Print decisions a second as a multiple of the baseline's."""
    line(f"{name} beside the baseline", median(_ratios(now, before)), "times", "", now=_rate(now),
         before=_rate(before), games=sum(one.games for one in now))  # fmt: skip


def games_beside_baseline(now: list[Slice], before: list[Slice]) -> None:
    """Print the games of four normal bots per second as a multiple of the baseline's. The mean of all slices counts,
    because games differ in length if a version's bots play differently."""
    rates = [sum(one.games for one in slices) / sum(one.seconds for one in slices) for slices in (now, before)]
    line("games of four normal bots beside the baseline", rates[0] / rates[1], "times", "1.25", now=round(rates[0], 1),
         before=round(rates[1], 1), games=sum(one.games for one in now))  # fmt: skip


def _ratios(ours: list[Slice], theirs: list[Slice]) -> list[float]:
    return [(a.decisions / a.seconds) / (b.decisions / b.seconds) for a, b in zip(ours, theirs)]


def _rate(slices: list[Slice]) -> int:
    """Return the decisions a second, over all slices."""
    return round(sum(one.decisions for one in slices) / sum(one.seconds for one in slices))


@contextmanager
def playing(tree: Path) -> Iterator[Player]:
    """Yield a process that plays with the rules in this folder; end it afterwards."""
    player = Player(tree)
    try:
        yield player
    finally:
        player.close()


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Yield a temporary folder with the files of a commit. Raise CalledProcessError if git does not know it."""
    data = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="kickdoor-baseline-") as folder:
        with tarfile.open(fileobj=BytesIO(data)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)
