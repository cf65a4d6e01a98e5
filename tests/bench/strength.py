"""How strong players are against each other: `python -m tests.bench strength --out FOLDER [MATCH...]`.

A match is `A,B`, two seats of A against two of B, or `A,B,B,B`, one against three; A and B are what
netcode/bots/makers.py makes, or `before@COMMIT`: the normal bot of that commit, whose modules are taken out of git
under another name. Games take turns through the four sets and the mix, and through all orders of seats with the same
seed. Every game is a line of FOLDER/MATCH.jsonl at once, so a run that is stopped goes on where it was; other runs may
play other matches at the same time. `--report` only sums up: games a minute, and wins with their 95 % intervals.
"""

import argparse
import importlib
import io
import json
import random
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from math import sqrt
from pathlib import Path

from netcode.bots.card_values import CardValues
from netcode.bots.search import numbers
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import TURN_CAP, no_collecting
from tests.bench.figures import line
from tests.bench.processes import ROOT
from tests.blends import BLENDS, catalog_of

MARKS = {
    "easy,random": "90", "normal,easy": "70", "hard,normal": "65", "hard,easy": "80", "hard,normal,normal,normal": "35",
}  # fmt: skip
"""Percent of the wins that the first player should have."""
FORMER = "netcode.bots"
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
    parser.add_argument("--budget", type=int, default=numbers().budget, help="rollouts for a decision")
    parser.add_argument("--report", action="store_true", help="play nothing")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for match in options.matches:
        file = options.out / f"{match.replace(',', '-').replace(':', '.').replace('/', '.')}.jsonl"
        if not options.report:
            play(match, file, options.games, options.budget)
        report(match, file)
    return 0


def seats_of(match: str, game: int) -> list[str]:
    """Return the player of each of the four seats in one game of a match; games in a row take turns through the blends,
    then through the orders."""
    players = match.split(",")
    if len(players) == 2:
        players *= 2
    orders = sorted(set(permutations(players)))
    return list(orders[game // len(BLENDS) % len(orders)])


def seed_of(match: str, game: int) -> int:
    """Return the seed of a game: the same for all orders of seats."""
    orders = len({tuple(seats_of(match, no * len(BLENDS))) for no in range(24)})
    return random.Random(f"strength {game // (len(BLENDS) * orders)}").getrandbits(62)


def play(match: str, file: Path, games: int, budget: int) -> None:
    """Play the games of a match that the file does not hold yet, a line for each."""
    done = {entry["game"] for entry in entries(file)}
    with file.open("a", encoding="utf-8") as out, tempfile.TemporaryDirectory() as folder, no_collecting():
        sys.path.insert(0, folder)
        for game in range(games):
            if game not in done:
                print(json.dumps(played(match, game, budget, Path(folder))), file=out, flush=True)


def played(match: str, game: int, budget: int, folder: Path) -> dict[str, object]:
    """Play one game; return its line."""
    blend, began = BLENDS[game % len(BLENDS)], time.monotonic()
    catalog, first = catalog_of(blend), match.split(",")[0]
    names = seats_of(match, game)
    specs = [former(name.removeprefix("before@"), folder) if name.startswith("before@") else name for name in names]
    table = SimulatedGame(catalog, specs, seed_of(match, game), values=_values(blend), budget=budget)
    why = table.play(TURN_CAP)
    winners = table.state.winners
    won = sum(names[seat] == first for seat in winners) / len(winners) if winners else 0.0
    return {
        "game": game, "set": "all" if len(blend) > 1 else blend[0], "won": won, "why": why, "budget": budget,
        "turns": table.state.turn.no, "refused": table.misplays.total(), "seconds": round(time.monotonic() - began, 2),
    }  # fmt: skip


@cache
def _values(blend: tuple[str, ...]) -> CardValues:
    return CardValues(catalog_of(blend))


@cache
def former(commit: str, folder: Path) -> str:
    """Take the bots of an earlier commit out of git; return what names its normal bot. They play by today's rules."""
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
    """Write the files of netcode/bots into a folder as a package of this name; return what names its normal bot."""
    for name, source in {**sources, "plays.py": _PLAYS.encode()}.items():
        target = folder / package / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.replace(FORMER.encode(), package.encode()))
    importlib.invalidate_caches()
    return f"{package}.plays:Before"


def entries(file: Path) -> Iterator[dict[str, float]]:
    """Yield the lines of a file; one that was not finished is left out."""
    for text in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        if text.endswith("}"):
            yield json.loads(text)


def report(match: str, file: Path) -> None:
    """Print the wins of the first player in percent, all together and by set."""
    found = list(entries(file))
    for name in ["", *dict.fromkeys(str(entry["set"]) for entry in found)]:
        games = [entry for entry in found if name in ("", entry["set"])]
        if games:
            won = sum(game["won"] for game in games)
            low, high = interval(won, len(games))
            line(
                f"{match} {name}".strip(), 100 * won / len(games), "% of wins", "" if name else MARKS.get(match, ""),
                games=len(games), low=round(100 * low, 1), high=round(100 * high, 1),
                unfinished=sum(game["why"] != "ended" for game in games),
                refused=sum(game["refused"] for game in games),
                games_a_minute=round(60 * len(games) / max(1e-9, sum(game["seconds"] for game in games)), 1),
            )  # fmt: skip


def interval(won: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share (0 to 1)."""
    share, z = won / games, 1.96
    middle, spread = share + z * z / (2 * games), z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)
