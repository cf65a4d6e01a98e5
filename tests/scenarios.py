"""Run scenario files while writing them: python -m tests.scenarios [-k WORD] [--set ID|DIR] [FILE|DIR...].

Without files it runs every packaged scenario (with --set: those of these sets). A file plays with the sets it names,
else with the pack in whose scenarios folder it is, else with --set.
"""

import argparse
import sys
from functools import cache
from pathlib import Path

import cards
from cards import BUILT_IN
from core.language.catalog import Catalog, read_head
from core.language.catalog import load as load_catalog
from core.language.errors import PackError
from core.scenario.runner import Failure, Report, ScenarioError, load, proofs, run

HOME = Path(cards.__file__).parent
DEFAULT = "munchkins-and-mazes"
Texts = dict[str, tuple[str, bytes]]
"""Scenario files by name: the set they belong to, their bytes."""


def folder(set_id: str) -> Path:
    """Return the folder of a pack: a built-in one is named by its id, any other by its folder."""
    inside = HOME / set_id
    return inside if (inside / "pack.toml").is_file() else Path(set_id)


def pack(set_id: str) -> dict[str, bytes]:
    """Return the files of a pack, by id or folder; of a built-in pack those in the package."""
    if set_id in BUILT_IN:
        return cards.pack_files(set_id)
    return {path.name: path.read_bytes() for path in sorted(folder(set_id).glob("*.toml"))}


@cache
def catalog_for(sets: tuple[str, ...]) -> Catalog:
    """Return the catalog of these packs, loaded once. Raises PackError."""
    return load_catalog([pack(set_id) for set_id in sets])


def packaged(sets: tuple[str, ...] = BUILT_IN) -> Texts:
    """Return every scenario file of these packs (the built-in ones), by "set/file"."""
    return {
        f"{set_id}/{name}": (set_id, data) for set_id in sets for name, data in scenario_texts(set_id).items()
    }  # fmt: skip


@cache
def packaged_proofs() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return for each scenario of the built-in packs its name with its file, and what it proves."""
    return tuple(proofs({name: data for name, (_, data) in packaged().items()}))


def scenario_texts(set_id: str) -> dict[str, bytes]:
    """Return the scenario files of a pack, by file name."""
    if set_id in BUILT_IN:
        return cards.scenario_files(set_id)
    return {path.name: path.read_bytes() for path in sorted((folder(set_id) / "scenarios").glob("*.toml"))}


def named(paths: list[str], default: str) -> Texts:
    """Return the files named, or found in the folders named (of a pack: in its scenarios). Raises OSError."""
    texts: Texts = {}
    for path in map(Path, paths):
        inside = path / "scenarios" if (path / "scenarios").is_dir() else path
        for file in sorted(inside.rglob("*.toml")) if path.is_dir() else [path]:
            texts[str(file)] = (_own_set(file) or default, file.read_bytes())
    return texts


def _own_set(file: Path) -> str:
    """Return the pack in whose scenarios folder a file is: the id of a built-in one, the folder of any other."""
    own = file.resolve().parent.parent
    if file.resolve().parent.name != "scenarios" or not (own / "pack.toml").is_file():
        return ""
    ident = read_head({"pack.toml": (own / "pack.toml").read_bytes()}).id
    return ident if folder(ident).resolve() == own else str(own)


def run_files(texts: Texts, word: str = "") -> Report:
    """Run these files and print each failure; with a word only scenarios whose name or proofs contain it."""
    failures = []
    count = 0
    for where, (set_id, data) in texts.items():
        try:
            scenarios = load(data, where)
        except ScenarioError as error:
            print(error)
            failures.append(Failure(where, error.name, 0, "reading the file", "a scenario file", error.text))
            continue
        for scenario in scenarios:
            if word not in scenario.name and not any(word in proved for proved in scenario.proves):
                continue
            count += 1
            failure = run(catalog_for(in_folders(scenario.sets or (set_id,), set_id)), scenario)
            if failure:
                print(failure)
                failures.append(failure)
    return Report(count, tuple(failures))


def in_folders(sets: tuple[str, ...], own: str) -> tuple[str, ...]:
    """Return these sets for `catalog_for`: if `own` is the folder of a pack that is not built in, it replaces the
    pack's id."""
    if own in BUILT_IN:
        return sets
    ident = read_head(pack(own)).id
    return tuple(own if name == ident else name for name in sets)


def main(argv: list[str] | None = None) -> int:
    """Return the exit code: 0 if all scenarios passed, 1 if some failed, 2 if there was nothing to run."""
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios", description=__doc__)
    parser.add_argument("paths", nargs="*", help="files or folders; none: every packaged scenario")
    parser.add_argument("-k", dest="word", default="", help="only scenarios whose name or proofs contain this")
    parser.add_argument("--set", dest="sets", action="append", help="a built-in set or the folder of a pack")
    args = parser.parse_args(argv)
    sets = tuple(args.sets or BUILT_IN)
    try:
        texts = named(args.paths, sets[0] if args.sets else DEFAULT) if args.paths else packaged(sets)
        report = run_files(texts, args.word)
    except PackError as error:
        return _unusable(f"the pack cannot be loaded: {error}")
    except OSError as error:
        return _unusable(f"{error.filename} cannot be read: {error.strerror}")
    if not texts:
        return _unusable(f"no scenario files in {', '.join(args.paths or sets)}")
    if not report.scenarios and not report.failures:
        return _unusable(f"no scenario has {args.word!r} in its name or proofs")
    print(f"{report.scenarios} scenarios, {len(report.failures)} failures")
    return 1 if report.failures else 0


def _unusable(why: str) -> int:
    print(why, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
