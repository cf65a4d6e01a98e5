"""Damage the files of a journal in one place, and check that a host either has everything or says what is missing.

    python -m tests.faults.damage_runs [--count 3000] [--seed 1]      one JSON line of figures at the end, exit code 0

The journals have tables in several stages. One was closed in order; one was killed; one was killed while a reader kept
its write-ahead log from being emptied. A damage is a changed byte, a cut, an emptied or a removed file, in the
database, its write-ahead log, the mark beside them, the key of the host, or any other file of the folder. If a journal
is refused, this must happen in one sentence, with every file as it was, and a repair must give a copy that is a
beginning of the original. If a journal is not refused, it must be complete.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from netcode.host.host_key import host_pair
from netcode.host.recovery import replay
from netcode.journal import ActRow, FactRow, ForgetRow, Journal, JournalDamaged, JournalError, Row, SnapRow
from netcode.journal.repair import repair
from netcode.table.table_record import TableRecord
from tests.netcode.offline_table import JOIN, OWNER, WATCH, OfflineTable, rules

ROOT = Path(__file__).parents[2]
ENDS = ("closed", "killed", "killed with a reader")
FILES = {"table.sqlite": 5, "table.sqlite-wal": 4, "table.mark": 1}
"""The files that most damages concern, and their relative frequency."""
REPAIRS = 4
"""One out of this many refused journals is repaired."""
TABLES = ("a1", "b2", "c3")


# -------------------------------------------------------------------------------------------------------- the journals
def table_rows(table: str) -> list[Row]:
    """Return the rows of a table: in mid-game, in the waiting room, or in its second game."""
    record = TableRecord(
        table=table, join=JOIN, watch=WATCH, owner=OWNER, seats=3, bots=0, bot_level="normal", pace="relaxed",
        speed="normal", options=(), sets=[], packs=(), solo=False, seed=None, machine="", gone_ms=600_000,
    )  # fmt: skip
    offline = OfflineTable(None, pace="relaxed")
    if table == "b2":
        offline.hello("Ann")
    else:
        offline.sit("Kim", "Roger", "Ross")
        offline.play_randomly(70 if table == "a1" else 20)
    rows = [record.row(), *offline.rows]
    return rows + [_again(row) for row in offline.rows] if table == "c3" else rows


def _again(row: Row) -> Row:
    """Return the same row of a second game."""
    match row:
        case ActRow():
            return replace(row, game=2, n=row.n + 100 if row.s is not None else 0)
        case SnapRow():
            return replace(row, game=2)
        case FactRow(name="game"):
            return FactRow("game", b"2")
    return row


def write_journal(folder: Path, end: str) -> None:
    """Write a journal as a host does, then end as `end` says. Does not return if it is killed."""
    journal, rng = Journal(folder), random.Random(5)
    host_pair(folder, journal)
    journal.new_epoch()
    journal.fact("lobby", b"l" * 16)
    reader = sqlite3.connect(folder / "table.sqlite")
    waiting = {table: table_rows(table) for table in TABLES}
    journal.commit("d4", [waiting["b2"][0]], lambda: None)
    while any(waiting.values()):
        table = rng.choice([table for table in TABLES if waiting[table]])
        size = rng.randint(1, 6)
        journal.commit(table, waiting[table][:size], lambda: None)
        journal.settle()
        del waiting[table][:size]
        if end == "killed with a reader" and len(waiting["a1"]) < 60 and not reader.in_transaction:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM acts").fetchone()
    journal.commit("d4", [ForgetRow()], lambda: None)
    journal.settle()
    if end != "closed":
        os.kill(os.getpid(), signal.SIGKILL)
    reader.close()
    journal.close()


def make_journals(folder: Path) -> dict[str, Path]:
    """Write a journal for each of ENDS, by a process of its own; return their folders."""
    found = {}
    for number, end in enumerate(ENDS):
        found[end] = folder / str(number)
        command = [sys.executable, "-m", "tests.faults.damage_runs", "--write", str(found[end]), "--end", end]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        assert code == (0 if end == "closed" else -9), f"the journal could not be written: {code}"
    return found


# -------------------------------------------------------------------------------------------------------- the contents
def contents(folder: Path) -> dict[str, Any]:
    """Return everything that a host reads from this folder; for a damaged table, its JournalDamaged. Raises
    JournalError, with the sentence for the host's operator, if the whole journal is refused."""
    journal = Journal(folder)
    try:
        found: dict[str, Any] = {"lobby": journal.fact("lobby"), "epoch": journal.fact("epoch")}
        found["key"] = host_pair(folder, journal)
        found["tables"] = journal.unfinished()
        for table in TABLES:
            try:
                saved = journal.load(table)
            except JournalDamaged as problem:
                found[table] = problem
                continue
            assert saved is not None, f"table {table} is gone without a word"
            found[table] = (saved.facts, saved.seats, saved.acts, saved.taken)
            if saved.snaps and not all(snap.is_intact for snap in saved.snaps):
                found[f"game of {table}"] = _game(saved)
    finally:
        journal.close()
    return found


def _game(saved: Any) -> bytes:
    game, _ = replay(saved, rules())
    return game.save()


def whole(folder: Path) -> dict[str, Any]:
    """Return the contents of a sound journal, with the games of all its tables."""
    found = contents(folder)
    journal = Journal(folder)
    for table in ("a1", "c3"):
        saved = journal.load(table)
        assert saved is not None
        found[f"game of {table}"] = _game(saved)
    journal.close()
    return found


# ---------------------------------------------------------------------------------------------------------- the damage
def fast_folder() -> str | None:
    """Return a folder in memory, where nothing waits for a disk; None if the system has none."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@dataclass
class Figures:
    """How the damages ended: by outcome, and by file."""

    outcomes: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    left: list[int] = field(default_factory=list)
    """The actions left in each repaired journal."""
    seconds: float = 0.0

    def line(self) -> dict[str, Any]:
        """Return the figures as one row of a report."""
        return {
            "name": "damaged journals", "damages": sum(self.outcomes.values()), **self.outcomes,
            "files": dict(self.files), "repaired": len(self.left),
            "left": sum(self.left) / len(self.left) if self.left else 0, "seconds": round(self.seconds, 1),
        }  # fmt: skip


def damage(folder: Path, rng: random.Random) -> tuple[str, str]:
    """Damage one file of this folder; return its name and what was done to it."""
    names = sorted(file.name for file in folder.iterdir() if file.is_file())
    often = {name: weight for name, weight in FILES.items() if name in names}
    name = rng.choices(list(often), list(often.values()))[0] if rng.random() < 0.95 else rng.choice(names)
    path, data = folder / name, bytearray((folder / name).read_bytes())
    kind = rng.random()
    if kind < 0.02 or not data:
        path.unlink()
        return name, "removed"
    if kind < 0.25:
        size = 0 if kind < 0.04 else rng.randrange(len(data))
        path.write_bytes(data[:size])
        return name, f"cut to {size} of {len(data)} bytes"
    at = rng.randrange(len(data))
    if rng.random() < 0.7:  # at a place that holds data
        at = rng.choice([place for place, value in enumerate(data) if value] or [at])
    data[at] ^= 1 << rng.randrange(8) if rng.random() < 0.5 else rng.randrange(1, 256)
    path.write_bytes(data)
    return name, f"byte {at} changed to {data[at]}"


def run(
    count: int, seed: int, folder: Path, say: Callable[[str], None] = lambda text: None
) -> Figures:
    """Do this many damages. Raises AssertionError if a damage silently changes the host's data, or if a refusal is not
    one sentence with untouched files."""
    rng, figures, began = random.Random(seed), Figures(), time.perf_counter()
    journals = make_journals(folder)
    originals = {}
    for end, path in journals.items():
        shutil.copytree(path, folder / "copy")
        originals[end] = whole(folder / "copy")
        shutil.rmtree(folder / "copy")
    for number in range(count):
        end, copy = ENDS[number % len(ENDS)], folder / "damaged"
        shutil.copytree(journals[end], copy)
        name, what = damage(copy, rng)
        before = {file.name: file.read_bytes() for file in copy.iterdir()}
        told = f"damage {number} ({end}): {name} {what}"
        outcome = _outcome(copy, originals[end], before, told)
        figures.outcomes[outcome] += 1
        figures.files[name] += 1
        if outcome in ("refused", "a table is refused") and figures.outcomes[outcome] % REPAIRS == 0:
            figures.left.append(_check_repair(copy, originals[end], told))
            outcome += f", repaired: {figures.left[-1]} actions are left"
        say(f"{told}: {outcome}")
        shutil.rmtree(copy)
    figures.seconds = time.perf_counter() - began
    return figures


def _outcome(folder: Path, original: dict[str, Any], before: dict[str, bytes], told: str) -> str:
    """Open the damaged journal and return how that ended."""
    try:
        found = contents(folder)
    except JournalError as problem:
        for name in set(before) - {"table.sqlite-shm"}:  # that file is an index, rebuilt from the others
            assert (folder / name).read_bytes() == before[name], f"{told}: refused, but {name} was changed"
        assert {file.name for file in folder.iterdir()} <= {*before, "host.lock"}, f"{told}: files were left"
        return _in_one_sentence(problem, "refused", told)
    damaged = [value for value in found.values() if isinstance(value, JournalDamaged)]
    wrong = [key for key, value in found.items() if value not in damaged and value != original[key]]
    assert not wrong, f"{told}: {wrong} differ without a word"
    return _in_one_sentence(damaged[0], "a table is refused", told) if damaged else "harmless"


def _in_one_sentence(problem: Exception, outcome: str, told: str) -> str:
    assert str(problem) and "\n" not in str(problem), f"{told}: not one sentence: {problem}"
    return outcome


def _check_repair(folder: Path, original: dict[str, Any], told: str) -> int:
    """Repair a damaged journal, and check that the copy is a beginning of the original. Return how many actions are
    left."""
    repaired = repair(folder)
    if repaired.folder is None:
        return 0
    journal, left = Journal(repaired.folder), 0
    for table in journal.unfinished():
        saved = journal.load(table)
        assert saved is not None and table in (*TABLES, "d4"), f"{told}: table {table} was made up"
        if table == "d4":  # it had ended before the journal was damaged, but an older journal still has it
            continue
        facts, _, acts, _ = original[table]
        game = [act for act in acts if saved.acts and act.game == saved.acts[0].game]
        assert saved.acts == game[: len(saved.acts)] or not game, f"{told}: the repaired actions are others"
        assert saved.facts["config"] == facts["config"], f"{told}: the repaired settings are others"
        left += len(saved.acts)
        if saved.snaps:
            _game(saved)
    journal.close()
    shutil.rmtree(repaired.folder)
    return left


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.damage_runs", description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--end", choices=ENDS, help=argparse.SUPPRESS)
    parser.add_argument("--verbose", action="store_true", help="print each damage and how it ended")
    options = parser.parse_args()
    if options.write is not None:
        write_journal(options.write, options.end)
        return
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        say: Callable[[str], None] = print if options.verbose else lambda text: None
        figures = run(options.count, options.seed, Path(folder), say)
    print(json.dumps(figures.line()))


if __name__ == "__main__":
    main()
