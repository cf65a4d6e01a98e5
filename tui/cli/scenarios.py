"""The command `kickdoor scenario`: find scenario files, run them with their own cards, and print what failed."""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from pathlib import Path

import click

from core.language.catalog import Catalog
from core.scenario.runner import Failure, Report, run_all
from core.scenario.schema import FOLDERS
from netcode.protocol.printing import say, say_json
from netcode.sandbox.results import ScenarioFile
from netcode.table.scenario_files import ScenarioTableError, parsed_scenarios, read_texts
from tui.cli.cards import load_catalog

DEFAULT = "munchkins-and-mazes"
ENTRIES_LIMIT = 20_000
"""The most files and folders that are looked at below a folder."""
FILES_LIMIT = 1000
"""The most scenario files of one run."""


def run_paths(context: click.Context, paths: Iterable[str], as_json: bool) -> int:
    """Run every scenario file that is named or found in a named folder, print a report, return the exit code."""
    files = list(dict.fromkeys(path for name in paths for path in _files(name)))
    if len(files) > FILES_LIMIT:
        raise click.UsageError(f"{len(files)} scenario files: at most {FILES_LIMIT} at once", context)
    try:
        parsed = parsed_scenarios(read_texts(files)) if files else {}
    except ScenarioTableError as problem:
        raise click.UsageError(str(problem), context) from None
    catalog_for = cache(load_catalog)
    failures = tuple(failure for name, file in parsed.items() for failure in _run(name, file, catalog_for))
    count = sum(len(file.scenarios) for file in parsed.values())
    if as_json:
        say_json(Report(count, failures))
    else:
        for failure in failures:
            say(str(failure))
        say(f"{count} scenarios in {len(files)} files, {len(failures)} failed")
    return 1 if failures or not count else 0


def _run(name: str, file: ScenarioFile, catalog_for: Callable[[tuple[str, ...]], Catalog]) -> list[Failure]:
    """Run one file with the pack in whose scenarios folder it lies, or with the default set."""
    if file.wrong:
        return [Failure(name, file.name, 0, "reading the file", "a scenario file", file.wrong)]
    path = Path(name)
    folder = path.resolve().parent.parent
    own = path.resolve().parent.name in FOLDERS and (folder / "pack.toml").is_file()
    ident = catalog_for((str(folder),)).packs[0].id if own else DEFAULT

    def with_own(sets: tuple[str, ...]) -> Catalog:
        return catalog_for(tuple(str(folder) if own and name == ident else name for name in sets))

    return run_all(with_own, file.scenarios, (ident,))


def _files(name: str) -> list[Path]:
    """Return the scenario files at a path: the file itself, or those in the folder (for a pack: in its scenario
    folders)."""
    path = Path(name)
    if not path.is_dir():
        if not path.exists():
            raise click.UsageError(f"{name} is neither a file nor a folder")
        return [path]
    inside = [path / folder for folder in FOLDERS if (path / folder).is_dir()]
    found = list(islice((entry for one in inside or [path] for entry in one.rglob("*")), ENTRIES_LIMIT + 1))
    if len(found) > ENTRIES_LIMIT:
        raise click.UsageError(f"{name} holds more than {ENTRIES_LIMIT} files and folders: name one with scenarios")
    return sorted(entry for entry in found if entry.suffix == ".toml")
