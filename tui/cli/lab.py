"""The commands `kickdoor ladder` and `kickdoor lab ...`: where bots are measured and their numbers fitted."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from netcode.lab.cluster import cluster_at
from netcode.lab.fit import run as run_fit
from netcode.lab.ladder import Ladder, as_table, run
from netcode.lab.parquet import write_parquet
from netcode.lab.report import write_report
from netcode.processes.workers import WorkerLost, completed
from netcode.protocol.printing import say, say_json
from netcode.protocol.table_options import parse_options
from netcode.simulation.plan import EVERY_MIX
from tui.cli.options import DEFAULT_SETS, OPTIONS, SETS
from tui.cli.progress import progress_bar

JOBS = click.option("--jobs", type=click.IntRange(1, 64), default=lambda: min(64, os.cpu_count() or 1),
                    show_default="all cores", help="How many processes to use.")  # fmt: skip


@click.command()
@click.option("--players", required=True, metavar="P,P,...",
              help="Who plays: levels, LEVEL/NAME for a level with a personality, MODULE:CLASS for your classes, "
              "run:COMMAND for programs that join.")  # fmt: skip
@SETS
@click.option("--every-set", is_flag=True, help="Play with each built-in set by turns, and with all of them together.")
@click.option("--seats", type=click.IntRange(3, 6), default=4, show_default=True, help="Seats at a table.")
@click.option("--lone", is_flag=True, help="Seat one of a player among its rivals, instead of half and half.")
@click.option("--gauntlet", is_flag=True, help="Let only the first player meet the others, not these each other.")
@click.option("--games", type=click.IntRange(1), default=60, show_default=True, help="How many games each pair plays.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same games.")
@click.option("--budget", type=click.IntRange(0), default=None,
              help="Rollouts that a player may spend on a decision.  [default: as simulate]")  # fmt: skip
@OPTIONS
@JOBS
@click.option("--on", "address", metavar="ADDRESS|local",
              help="Play on a cluster: the address of a scheduler of Dask, or local workers (extra: lab).")  # fmt: skip
@click.option("--out", "folder", required=True, type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Keep every game here; the same command goes on from there.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def ladder(
    context: click.Context,
    players: str,
    sets: tuple[str, ...],
    every_set: bool,
    options: tuple[str, ...],
    games: int,
    jobs: int,
    address: str | None,
    folder: Path,
    as_json: bool,
    **request: Any,
) -> None:
    """Let players meet in pairs, and print how strong each one is (Elo).

    Each deal is played in every order of the seats: six games at a table of four. Ctrl+C stops; the same command goes
    on.
    """
    if every_set and sets:
        raise click.UsageError("--every-set plays with all of them: leave --set out", context)
    with _errors_for_people(context):
        what = Ladder(
            players=tuple(name.strip() for name in players.split(",")), options=parse_options(options),
            mixes=EVERY_MIX if every_set else (sets or DEFAULT_SETS,),
            **{name: value for name, value in request.items() if value is not None},
        )  # fmt: skip
        with _workers(address, jobs) as workers, progress_bar("games") as progress:
            found = run(what, games, folder, workers, progress)
    if as_json:
        say_json(found, 2)
    else:
        say(as_table(found, what.lone))
    context.exit(found.exit_code)


@click.group()
def lab() -> None:
    """Draw and export the games of ladders, and fit the numbers of bots."""


FOLDER = click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER")


@lab.command()
@FOLDER
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The page to write.  [default: report.html in FOLDER]")  # fmt: skip
@click.pass_context
def report(context: click.Context, folder: Path, out: Path | None) -> None:
    """Draw a page of pictures of a ladder's games, for any browser."""
    with _errors_for_people(context):
        write_report(folder, out or folder / "report.html")
    say(str(out or folder / "report.html"))


@lab.command()
@FOLDER
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Where to write games.parquet and seats.parquet.  [default: FOLDER]")  # fmt: skip
@click.pass_context
def parquet(context: click.Context, folder: Path, out: Path | None) -> None:
    """Write a ladder's games as tables of Parquet (extra: lab)."""
    with _errors_for_people(context):
        for path in write_parquet(folder, out or folder):
            say(str(path))


@lab.command()
@click.option("--games", type=click.IntRange(1), default=900, show_default=True, help="How many games to fit on.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@JOBS
@click.option("--out", "folder", required=True, type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Keep the games and the fitted file here; the same command goes on from there.")  # fmt: skip
@click.pass_context
def fit(context: click.Context, games: int, seed: int, jobs: int, folder: Path) -> None:
    """Fit the weights of the evaluator on games of normal bots (extra: lab)."""
    with _errors_for_people(context), progress_bar("games") as progress:
        path = run_fit(games, seed, folder, partial(completed, jobs=jobs), progress)
    if path is None:
        raise click.ClickException("stopped; the same command goes on")
    say(path.read_text(encoding="utf-8").rstrip())
    say(str(path))


@contextmanager
def _errors_for_people(context: click.Context) -> Iterator[None]:
    """Turn errors in the options, and in the players that they name, into one line for people."""
    try:
        yield
    except WorkerLost as problem:
        raise click.ClickException(f"{problem} What was played is kept: the same command goes on") from None
    except ValueError as problem:
        raise click.UsageError(str(problem), context) from None


@contextmanager
def _workers(address: str | None, jobs: int) -> Iterator[Any]:
    """Yield the workers that play games: processes of this machine, or a cluster."""
    if address is None:
        yield partial(completed, jobs=jobs)
        return
    with cluster_at(address, jobs) as workers:
        yield workers
