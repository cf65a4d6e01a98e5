"""The journals of hosts of a club, without the hosts: what they tell, and what is in the database."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from netcode.club.journal import ClubJournal
from netcode.journal import ActRow, FactRow, Row
from tests.patience import PATIENCE_S

OPENED: list[Row] = [FactRow("config", b"c")]
AT_ONCE = -1e6
"""So many seconds after its lease has lapsed another host takes a table over: before."""


def act(seq: int) -> ActRow:
    """Return an action of the first game."""
    return ActRow(0, seq, 1, b"kick", b"s" * 16, seq, seq)


class Told:
    """What a journal tells its host, in order."""

    def __init__(self, club: ClubJournal) -> None:
        self.club, self.words = club, list[str]()
        self._changed = threading.Condition()
        club.failed = lambda text: self.add(f"failed: {text}")
        club.stands = lambda text: self.add(f"stands: {text}")
        club.lost = lambda table, text: self.add(f"lost {table}: {text}")

    def take_over(self, limit: int = 100) -> None:
        """Let the journal take tables over from now on, up to so many."""
        self.club.take_over(lambda table, generation: self.add(f"taken {table} {generation}"), limit)

    def add(self, text: str) -> None:
        with self._changed:
            self.words.append(text)
            self._changed.notify_all()

    def commit(self, table: str, *rows: Row) -> None:
        """Commit these rows, and note what becomes of them."""
        name = f"{table} {getattr(rows[-1], 'seq', '')}".strip() if rows else table
        self.club.commit(table, rows, lambda: self.add(f"done {name}"), lambda why: self.add(f"refused {name}: {why}"))

    def wait(self, text: str) -> None:
        """Wait until this is told."""
        with self._changed:
            assert self._changed.wait_for(lambda: text in self.words, PATIENCE_S), (text, self.words)


@contextmanager
def hosts(club: str, *folders: Path, **more: Any) -> Iterator[list[Told]]:
    """Open the journals of these hosts, one after the other."""
    found: list[Told] = []
    try:
        for folder in folders:
            found.append(Told(ClubJournal(club, folder, **more)))
        yield found
    finally:
        for told in found:
            told.club.close()


def seqs(club: str, table: str = "t") -> list[int]:
    """Return the numbers of the actions of a table in the database."""
    with psycopg.connect(club) as db:
        return [row[0] for row in db.execute("SELECT seq FROM acts WHERE tab = %s ORDER BY seq", (table,))]


def query(club: str, text: str) -> Any:
    """Return the only value of a query."""
    with psycopg.connect(club) as db:
        row = db.execute(text).fetchone()
    assert row is not None
    return row[0]


def until(what: Callable[[], bool]) -> None:
    """Poll until this holds."""
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)
