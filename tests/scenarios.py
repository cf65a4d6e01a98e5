"""Run scenario files while writing them: python -m tests.scenarios [-k WORD] [--set ID] FILE|DIR..."""

import argparse
import sys
from functools import cache
from pathlib import Path

from cards import BUILT_IN, pack_files, scenario_files
from core.catalog import Catalog, PackError
from core.catalog import load as load_catalog
from core.scenario import Report, ScenarioError, load, run


@cache
def catalog_for(sets: tuple[str, ...]) -> Catalog:
    """The catalog of these built-in packs, made once."""
    return load_catalog([pack_files(set_id) for set_id in sets])


def packaged() -> dict[str, tuple[str, bytes]]:
    """Every scenario file of every built-in pack, by "set/file": its set, its bytes."""
    return {f"{set_id}/{name}": (set_id, data) for set_id in BUILT_IN for name, data in scenario_files(set_id).items()}


def run_files(texts: dict[str, bytes], sets: tuple[str, ...], word: str = "") -> Report:
    """Run these files, printing each failure as it comes; only scenarios whose name or proofs contain the word."""
    failures = []
    count = 0
    for where, data in texts.items():
        try:
            scenarios = load(data, where)
        except ScenarioError as error:
            print(error)
            failures.append(error)
            continue
        for scenario in scenarios:
            if word not in scenario.name and not any(word in proved for proved in scenario.proves):
                continue
            count += 1
            failure = run(catalog_for(scenario.sets or sets), scenario)
            if failure:
                print(failure)
                failures.append(failure)
    return Report(count, tuple(failures))


def main() -> int:
    """Exit code 0: all came out; 1: some did not."""
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios", description=__doc__)
    parser.add_argument("paths", nargs="*", help="files or folders; none: every packaged scenario")
    parser.add_argument("-k", dest="word", default="", help="only scenarios whose name or proofs contain this")
    parser.add_argument("--set", dest="sets", action="append", help="sets to play with (default munchkins-and-mazes)")
    args = parser.parse_args()
    texts: dict[str, bytes] = {name: data for name, (_, data) in packaged().items()} if not args.paths else {}
    for path in map(Path, args.paths):
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        texts.update({str(file): file.read_bytes() for file in files})
    try:
        report = run_files(texts, tuple(args.sets or ("munchkins-and-mazes",)), args.word)
    except PackError as error:
        print(f"the pack cannot be loaded: {error}")
        return 1
    print(f"{report.scenarios} scenarios, {len(report.failures)} failures")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
