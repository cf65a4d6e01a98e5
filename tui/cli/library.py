"""Read the files that `kickdoor cards uses` searches: scenarios of packs, and tests where there is a source tree."""

from pathlib import Path

import click

import cards
from core.authoring.uses import Library
from core.language.catalog import Catalog
from core.scenario.schema import FOLDERS, Scenario
from netcode.protocol.pack_files import user_packs
from netcode.sandbox.regular_files import FileRefused, toml_files
from netcode.table.scenario_files import ScenarioTableError, parsed_scenarios, read_texts

FILES_LIMIT = 500
"""Scenario files of one pack."""


def library_of(packs: tuple[str, ...], catalog: Catalog) -> Library:
    """Return the files to search for cards of these packs (ids or folders), whose catalog this is. Raises
    click.UsageError."""
    ids = {pack: head.id for pack, head in zip(packs, catalog.packs)}
    scenarios: dict[str, tuple[str, bytes]] = {}
    own: dict[str, bytes] = {}
    for pack in packs:
        if pack in cards.BUILT_IN:
            for inside in FOLDERS:
                for name, data in cards.scenario_files(pack, inside).items():
                    scenarios[f"cards/{pack}/{inside}/{name}"] = (pack, data)
            continue
        folder = _folder(pack)
        for file, data in _scenario_texts(folder).items():
            own[file] = data
            scenarios[file] = (ids[pack], data)
    parsed = _parsed(own) if own else {}
    root = source_tree()
    if root is None:
        return Library(scenarios, parsed)
    return Library(scenarios, parsed, _files(root, "tests", "*.py"), _files(root, "tests/tui/goldens", "*.txt"))


def _scenario_texts(folder: Path) -> dict[str, bytes]:
    """Return the scenario files of a pack that is not built in, by their paths."""
    inside = [folder / name for name in FOLDERS if (folder / name).is_dir()]
    try:
        return read_texts([path for one in inside for path in toml_files(one, FILES_LIMIT)])
    except OSError as problem:
        raise click.UsageError(f"{problem.filename or folder} cannot be read: {problem.strerror}") from None
    except (FileRefused, ScenarioTableError) as problem:
        raise click.UsageError(str(problem)) from None


def _parsed(texts: dict[str, bytes]) -> dict[str, tuple[Scenario, ...]]:
    """Return what these files say; a child process reads them."""
    try:
        found = parsed_scenarios(texts)
    except ScenarioTableError as problem:
        raise click.UsageError(str(problem)) from None
    for path, file in found.items():
        if file.wrong:
            raise click.UsageError(f"{path}{f': {file.name}' if file.name else ''}: {file.wrong}")
    return {path: file.scenarios for path, file in found.items()}


def source_tree() -> Path | None:
    """Return the source tree that the program runs from, None if it was installed without one."""
    root = Path(cards.__file__).resolve().parents[1]
    return root if (root / "pyproject.toml").is_file() and (root / "tests").is_dir() else None


def _folder(pack: str) -> Path:
    folder = Path(pack).expanduser()
    return folder if folder.is_dir() or len(Path(pack).parts) > 1 else user_packs() / pack


def _files(root: Path, folder: str, pattern: str) -> dict[str, bytes]:
    found = sorted((root / folder).rglob(pattern))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
