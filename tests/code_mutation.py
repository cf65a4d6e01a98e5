"""Run a mutation test of Python code: python -m tests.code_mutation --seed 1 --count 40 netcode/client netcode/journal

It draws mutants (tests/code_mutants.py) of the modules in these folders, and runs in a copy of the tracked files. First
it notes once which functions each test of the mirrored folders calls (tests/called_functions.py; --map FOLDER keeps the
notes). Then it applies one mutant at a time and runs the tests that call the function, the quickest first, until one
fails. If no test calls a function (another process does), it runs the tests whose files import the module.

It prints a line for each mutant: killed (by which test) or SURVIVED (how many tests). A test that fails without the
mutant too kills nothing. --list prints the mutants and runs nothing; --only takes those with these numbers.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.code_mutants import Mutant, draw

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT_S = 240
"""A mutant may make a test hang."""
NOTES_S = 1800
"""A test that has not ended by then is missing in the notes, because noting calls makes some tests too slow."""
AT_ONCE = 25
"""This many tests of a function run first, and the others only if these pass: they kill most mutants."""
BUDGET_S = 120.0
"""Seconds that the tests of one mutant may take together, by the notes: if very many tests call a function, the slowest
are left out."""


def tracked() -> list[str]:
    """Return every existing file of the project that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [file for file in dict.fromkeys(listed.split("\0")) if file and (ROOT / file).is_file()]


def copy_to(folder: Path, files: Sequence[str]) -> None:
    """Copy these files of the project into a folder."""
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, folder / file)


class Calls:
    """Which tests call a function. rows: (test, seconds, functions as "file:line")."""

    def __init__(self, notes: Path) -> None:
        lines = [line for file in sorted(notes.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
        rows = [json.loads(line) for line in lines]
        self.rows = [(row["test"], row["seconds"], frozenset(row["calls"])) for row in rows]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that call the function of a mutant: those of files that share a word with the name of the
        module first, and the quickest first."""
        words = [word[:6] for word in Path(mutant.file).stem.split("_")]
        found, spent = [], 0.0

        def place(row: tuple[str, float, frozenset[str]]) -> tuple[bool, float]:
            file = Path(row[0].partition("::")[0]).stem
            return not any(word in file for word in words), row[1]

        for test, seconds, calls in sorted(self.rows, key=place):
            if f"{mutant.file}:{mutant.function_line}" in calls and spent + seconds < BUDGET_S:
                found.append(test)
                spent += seconds
        return found


def importers(module: str, files: Sequence[str]) -> list[str]:
    """Return the test files that import a module, those of the mirrored folder first; if there are none, that whole
    folder."""
    folder = f"tests/{Path(module).parent.as_posix()}/"
    dotted = re.compile(rf"\b{re.escape(module.removesuffix('.py').replace('/', '.'))}\b")
    tests = [file for file in files if re.fullmatch(r"tests/(netcode|tui|core)/.*test_\w+\.py", file)]
    found = [file for file in tests if dotted.search((ROOT / file).read_text("utf-8"))]
    return sorted(found, key=lambda file: not file.startswith(folder)) or [
        file for file in tests if file.startswith(folder)
    ]  # fmt: skip


def run_tests(copy: Path, tests: Sequence[str], *options: str, limit_s: float = TIMEOUT_S) -> str:
    """Run tests in the copy; return the first that fails, "too slow" if they did not end, "" if all passed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--no-header", "-rfE", *options, *tests]
    env = {**os.environ, "PYTHONPATH": str(copy)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    running = subprocess.Popen(
        command, cwd=copy, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = running.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        return "too slow"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)  # also ends the workers and hosts that its tests have left
        running.wait()
    if running.returncode in (0, 5):  # 5: no test was collected
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", said, re.M)
    return found[1] if found else said.strip().splitlines()[-1]


def verdict(copy: Path, mutant: Mutant, calls: Calls, files: Sequence[str], jobs: int) -> str:
    """Apply a mutant in the copy, return the result of its tests, and restore the file."""
    path = copy / mutant.file
    before = path.read_bytes()
    called = calls.tests_of(mutant)
    tests = called or importers(mutant.file, files)
    unclear: list[str] = []
    for group in (tests[:AT_ONCE], tests[AT_ONCE:]):
        while group:
            path.write_bytes(mutant.apply(before))
            try:
                killer = run_tests(copy, group, "-x", "-n", str(jobs if len(group) > AT_ONCE else 0))
            finally:
                path.write_bytes(before)
            if killer not in group or not run_tests(copy, [killer], "-n", "0"):
                break
            unclear.append(killer)  # it fails without the mutant too
            group = [test for test in group if test != killer]
        else:
            killer = ""
        if killer:
            return f"killed by {killer}"
    how = f"{len(tests)} tests" if called else f"{len(tests)} files: no test calls the function"
    return f"SURVIVED {how}{''.join(f'; without it {name} fails too' for name in unclear)}"


def mirrored(folders: Sequence[str]) -> Iterator[str]:
    """Yield the folders of tests that mirror these."""
    for folder in folders:
        if (ROOT / "tests" / folder).is_dir():
            yield f"tests/{folder}"


def main(argv: list[str] | None = None) -> int:
    """Return the exit code: 1 if a mutant survived, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.code_mutation", description=__doc__)
    parser.add_argument("folders", nargs="+", help="folders of the program, as netcode/client")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2, help="processes that run the tests")
    parser.add_argument("--map", type=Path, help="the folder of the notes (default: they are made anew)")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the mutants to run (default: all)")
    args = parser.parse_args(argv)
    files = tracked()
    folders = [folder.strip("/") for folder in args.folders]
    chosen = [file for file in files if file.startswith(tuple(f"{name}/" for name in folders)) and file.endswith(".py")]
    numbered = enumerate(draw(ROOT, chosen, args.seed, args.count), 1)
    drawn = [(no, mutant) for no, mutant in numbered if args.only is None or no in args.only]
    if args.list:
        print(*(f"{no} {mutant}" for no, mutant in drawn), sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy, notes = Path(folder) / "copy", args.map or Path(folder) / "notes"
        copy_to(copy, files)
        notes.mkdir(parents=True, exist_ok=True)
        if not any(notes.iterdir()):
            os.environ["KICKDOOR_CALLED"] = str(notes.resolve())
            noting = ("-p", "tests.called_functions", "-n", str(args.jobs))
            run_tests(copy, list(mirrored(folders)), *noting, limit_s=NOTES_S)
        calls, survived = Calls(notes), 0
        for no, mutant in drawn:
            said = verdict(copy, mutant, calls, files, args.jobs)
            survived += said.startswith("SURVIVED")
            print(f"{no} {said}: {mutant}", flush=True)
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
