"""Reads a journal from outside while its host runs: the actions in order, and the state to which the rules lead."""

import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from cards import pack_files
from core.engine import submit
from core.language.catalog import Catalog, load
from core.state.actions import Action, AnyAction, Refusal
from core.state.model import State, decode
from core.state.views import View
from core.view import view


@cache
def catalog() -> Catalog:
    """Return the catalog of the first set."""
    return load([pack_files("munchkins-and-mazes")])


class Ledger:
    """Follows a table's journal in a folder. Each `read` asserts that earlier rows are unchanged. table: its id; "":
    the oldest table."""

    def __init__(self, folder: Path, table: str = "") -> None:
        self._path = next(iter(folder.rglob("*.sqlite")))
        self.folder = self._path.parent
        with closing(self._db()) as db:
            self._table = table or db.execute("SELECT tab FROM heads WHERE tab != '' ORDER BY no").fetchone()[0]
        self.game = -1
        self._state: State | None = None
        self._rows: list[tuple[int, bytes, bytes | None, int]] = []
        self._played = 0

    def _db(self) -> Any:
        return sqlite3.connect(f"file:{self._path}?mode=ro", uri=True, timeout=10)

    def read(self) -> None:
        """Catch up with the journal."""
        with closing(self._db()) as db:
            game = db.execute("SELECT MAX(game) FROM snaps WHERE tab = ?", (self._table,)).fetchone()[0]
            if game != self.game:
                first = "SELECT state FROM snaps WHERE tab = ? AND game = ? AND seq = 0"
                state = db.execute(first, (self._table, game)).fetchone()[0]
                self.game, self._state, self._rows, self._played = game, decode(state), [], 0
            wanted = "SELECT seat, action, s, n, seq FROM acts WHERE tab = ? AND game = ? ORDER BY seq"
            rows = db.execute(wanted, (self._table, game)).fetchall()
        found = [row[:4] for row in rows]
        assert [row[4] for row in rows] == list(range(1, len(rows) + 1)), "the journal has a gap"
        assert found[: len(self._rows)] == self._rows, "earlier rows of the journal are missing or changed"
        self._rows = found
        self._play()

    def _play(self) -> None:
        assert self._state is not None
        for seat, data, _, _ in self._rows[self._played :]:
            action: AnyAction = msgspec.msgpack.decode(data, type=AnyAction)
            result = submit(catalog(), self._state, seat, action)
            assert not isinstance(result, Refusal), f"the journal's action {self._played + 1} is refused: {result}"
            self._played += 1

    def view(self, seat: int) -> View:
        """Return the view that this seat should have now."""
        assert self._state is not None
        return view(catalog(), self._state, seat)

    def accepted(self) -> dict[tuple[bytes, int], AnyAction]:
        """Return all actions of players, by session and number; assert that none is there twice."""
        with closing(self._db()) as db:
            wanted = "SELECT s, n, action FROM acts WHERE tab = ? AND s IS NOT NULL"
            rows = db.execute(wanted, (self._table,)).fetchall()
        twice = [key for key, count in Counter((s, n) for s, n, _ in rows).items() if count > 1]
        assert not twice, f"carried out twice: {twice}"
        return {(s, n): msgspec.msgpack.decode(data, type=AnyAction) for s, n, data in rows}

    def must_have(self, name: str, acknowledged: dict[tuple[bytes, int], Action]) -> None:
        """Assert that every action acknowledged to this player, by session and number, is in the journal, once."""
        accepted = self.accepted()
        for key, action in acknowledged.items():
            assert key in accepted, f"{name}'s acknowledged action {key[1]} is lost: {action}"
            assert accepted[key] == action, f"{name}'s action {key[1]} is another: {accepted[key]}"

    def order(self) -> dict[tuple[bytes, int], tuple[int, int]]:
        """Return the place and the host's stamp (ns) of each player's action, by session and number."""
        with closing(self._db()) as db:
            wanted = "SELECT s, n, stamp FROM acts WHERE tab = ? AND s IS NOT NULL ORDER BY game, seq"
            rows = db.execute(wanted, (self._table,)).fetchall()
        return {(s, n): (place, stamp) for place, (s, n, stamp) in enumerate(rows)}
