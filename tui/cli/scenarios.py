"""The command `kickdoor scenario`: find scenario files, run them with their own cards, and print what failed."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import click
import msgspec

from core.language.catalog import Catalog, PackError, read_head
from core.scenario.runner import Failure, Report, run_texts
from tui.cli.cards import load_catalog

DEFAULT = "munchkins-and-mazes"


def run_paths(context: click.Context, paths: Iterable[str], as_json: bool) -> int:
    """Run every scenario file that is named or found in a named folder, print a report, return the exit code."""
    files = [path for name in paths for path in _files(name)]
    catalog_for = cache(load_catalog)
    reports = [_run(path, catalog_for) for path in files]
    report = Report(
        sum(one.scenarios for one in reports), tuple(failure for one in reports for failure in one.failures)
    )  # fmt: skip
    if as_json:
        click.echo(report.to_json().decode())
    else:
        for failure in report.failures:
            click.echo(str(failure))
        click.echo(f"{report.scenarios} scenarios in {len(files)} files, {len(report.failures)} failed")
    return 1 if report.failures or not report.scenarios else 0


def _run(path: Path, catalog_for: Callable[[tuple[str, ...]], Catalog]) -> Report:
    """Run one file with the pack in whose scenarios folder it lies, or with the default set."""
    folder = path.resolve().parent.parent
    own = path.resolve().parent.name == "scenarios" and (folder / "pack.toml").is_file()
    try:
        if not own:
            return run_texts(catalog_for, {str(path): path.read_bytes()}, (DEFAULT,))
        ident = read_head({"pack.toml": (folder / "pack.toml").read_bytes()}).id

        def with_own(sets: tuple[str, ...]) -> Catalog:
            return catalog_for(tuple(str(folder) if name == ident else name for name in sets))

        return run_texts(with_own, {str(path): path.read_bytes()}, (ident,))
    except PackError as problem:
        raise click.UsageError(f"{folder}: {problem}") from None
    except OSError as problem:
        return Report(0, (Failure(str(path), "", 0, "reading the file", "a scenario file", str(problem.strerror)),))
    except msgspec.MsgspecError as problem:
        return Report(0, (Failure(str(path), "", 0, "reading the file", "a scenario file", str(problem)),))


def _files(name: str) -> list[Path]:
    """Return the scenario files that a name means: itself, or those in the folder (of a pack: in its scenarios)."""
    path = Path(name)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise click.UsageError(f"{name} is neither a file nor a folder")
    scenarios = path / "scenarios"
    return sorted((scenarios if scenarios.is_dir() else path).rglob("*.toml"))

