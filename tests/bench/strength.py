"""How strong players are against each other: `python -m tests.bench strength --out FOLDER [MATCH...]`.

A match is `A,B` (two seats of A against two of B) or `A,B,B,B` (one against three). The four sets and the mix take
turns. Each match is a ladder of one pair (netcode/lab/ladder.py) in a folder of its own below FOLDER, so a stopped run
can be resumed. A and B are specifications for netcode/bots/factory.py, or `before@COMMIT`: the normal bot of that
commit, whose modules are taken out of git under another name. `--report` plays nothing.
"""

import argparse
import importlib
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from netcode.bots.search import numbers
from netcode.lab.ladder import Ladder, Meeting, Standings, run
from netcode.lab.records import read_games
from netcode.processes.workers import completed
from netcode.simulation.plan import EVERY_MIX
from tests.bench.figures import line
from tests.bench.processes import ROOT
from tui.cli.progress import progress_bar

MARKS = {
    "easy,random": "90", "normal,easy": "70", "hard,normal": "65", "hard,easy": "80", "hard,normal,normal,normal": "35",
}  # fmt: skip
"""Percent of the wins that the first player should have."""
FORMER = "netcode.bots"
BEFORE = "before@"
_PLAYS = """
from netcode.bots.brain import Brain


class Before(Brain):
    def __init__(self, catalog, rng):
        super().__init__(catalog, "normal", rng)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing, then sum up."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench strength", description=__doc__)
    parser.add_argument("matches", nargs="*", default=list(MARKS))
    parser.add_argument("--out", type=Path, required=True, help="the folder of the results")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one for each core)")
    parser.add_argument("--budget", type=int, default=numbers().budget, help="rollouts for a decision")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--report", action="store_true", help="play nothing")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for match in options.matches:
        ladder = ladder_of(match, options.seed, options.budget, options.out)
        folder = options.out / match.replace(",", "-").replace(":", ".").replace("/", ".")
        games = len(read_games(folder)) if options.report else options.games
        with progress_bar(match) as progress:
            report(match, run(ladder, games, folder, partial(completed, jobs=options.jobs), progress))
    return 0


def ladder_of(match: str, seed: int, budget: int, folder: Path) -> Ladder:
    """Return the ladder of a match. folder: where bots of earlier commits are kept. Raise ValueError if it is not a
    match."""
    first, *rivals = [_player(name, folder) for name in match.split(",")]
    if len(rivals) not in (1, 3) or len(set(rivals)) > 1:
        raise ValueError(f"{match}: a match is A,B or A,B,B,B")
    return Ladder(
        players=(first, rivals[0]), mixes=EVERY_MIX, lone=len(rivals) == 3, gauntlet=True, seed=seed, budget=budget
    )  # fmt: skip


def _player(name: str, folder: Path) -> str:
    return former(name.removeprefix(BEFORE), folder) if name.startswith(BEFORE) else name


def former(commit: str, folder: Path) -> str:
    """Take the bots of an earlier commit out of git; return the specification of its normal bot. It plays by today's
    rules."""
    path = FORMER.replace(".", "/")
    packed = subprocess.run(["git", "archive", commit, path], cwd=ROOT, capture_output=True, check=True).stdout
    sources: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive.getmembers():
            source = archive.extractfile(member)
            if source is not None:
                sources[str(Path(member.name).relative_to(path))] = source.read()
    return renamed(sources, f"bots_of_{commit}", folder)


def renamed(sources: dict[str, bytes], package: str, folder: Path) -> str:
    """Write the files of netcode/bots into a folder as a package of this name, which this process and its workers can
    import; return the specification of its normal bot."""
    for name, source in {**sources, "plays.py": _PLAYS.encode()}.items():
        target = folder / package / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.replace(FORMER.encode(), package.encode()))
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    return f"{package}.plays:Before"


def report(match: str, found: Standings) -> None:
    """Print the wins of the first player in percent, all together and by set."""
    [meeting] = found.meetings
    if meeting.games:
        line(
            match, 100 * meeting.share, "% of wins", MARKS.get(match, ""), **_interval(meeting),
            unfinished=len(found.unfinished), refused=sum(found.refused.values()),
            games_a_minute=round(60 * found.games / max(1e-9, found.seconds), 1),
        )  # fmt: skip
    for one in meeting.by_mix:
        if one.games:
            line(f"{match} {'all' if len(one.sets[0]) > 1 else one.sets[0][0]}", 100 * one.share, "% of wins", "",
                 **_interval(one))  # fmt: skip


def _interval(meeting: Meeting) -> dict[str, float]:
    return {"games": meeting.games, "low": round(100 * meeting.low, 1), "high": round(100 * meeting.high, 1)}
