"""The journal: the time of a commit beside one of bare sqlite, and the time of the check before a host starts."""

import sqlite3
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from netcode.journal import SNAP_EVERY, ActRow, FactRow, Journal, Row, SnapRow
from tests.bench.figures import line, spread

ACTION, STATE = b"a" * 30, b"x" * 1500
"""An action and a state of usual sizes."""


def main(commits: int = 1500, tables: int = 20) -> None:
    """Print the figures. commits: how many are timed; tables: of one journal."""
    with tempfile.TemporaryDirectory() as folder:
        for number in (1, tables):
            path = Path(folder) / str(number)
            with closing(Journal(path)) as journal, closing(_bare(path / "bare.sqlite")) as bare:
                ours, bares = _commits(journal, bare, commits, number)
            line(f"commit of an action, {number} tables", ours["p50"], "ms", "", times=ours, bare=bares)
        began = time.perf_counter()
        Journal(Path(folder) / str(tables)).close()
        took = (time.perf_counter() - began) * 1000
        line("check of a journal at the start", took, "ms", "1000", tables=tables, actions=commits)


def _bare(path: Path) -> sqlite3.Connection:
    """Return a database with the settings of the journal and nothing else."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE acts (tab TEXT, game INTEGER, seq INTEGER, action BLOB, PRIMARY KEY (tab, game, seq))")
    return db


def _commits(
    journal: Journal, bare: sqlite3.Connection, commits: int, tables: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Return how long commits of one action each take, in ms, and how long sqlite alone takes, in turn with them. Every
    fiftieth action of a table has a snapshot."""
    written, ours, bares = threading.Event(), list[float](), list[float]()
    for table in range(tables):
        journal.commit(f"t{table}", [FactRow("config", bytes(600))], lambda: None)
    journal.settle()
    for number in range(commits):
        seq = number // tables + 1
        rows: list[Row] = [ActRow(1, seq, 2, ACTION, b"s" * 16, seq, number)]
        rows += [SnapRow(1, seq, STATE)] if seq % SNAP_EVERY == 0 else []
        written.clear()
        began = time.perf_counter()
        journal.commit(f"t{number % tables}", rows, written.set)
        written.wait()
        ended = time.perf_counter()
        bare.execute("INSERT INTO acts VALUES ('t0', 1, ?, ?)", (number, ACTION))
        ours.append((ended - began) * 1000)
        bares.append((time.perf_counter() - ended) * 1000)
    return spread(ours), spread(bares)


if __name__ == "__main__":
    main()
