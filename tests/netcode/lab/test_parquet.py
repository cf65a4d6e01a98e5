"""The tables of Parquet have the columns of docs/lab.md and the games of the folder."""

import re
from pathlib import Path

import pytest

from netcode.lab import parquet as tables
from netcode.lab.ladder import Ladder, run
from netcode.lab.records import read_games
from netcode.processes.workers import completed

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra lab is not installed")
DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_both_tables_hold_the_games(tmp_path: Path) -> None:
    ladder = Ladder(players=("easy", "random"), seed=2)
    run(ladder, 7, tmp_path / "in", lambda work, plans: completed(work, plans, 1), lambda done, total: None)
    paths = tables.write_parquet(tmp_path / "in", tmp_path / "out")
    assert [path.name for path in paths] == ["games.parquet", "seats.parquet"]
    games, seats = (parquet.read_table(path) for path in paths)
    assert games.column_names == list(tables.GAMES) and seats.column_names == list(tables.SEATS)
    kept = read_games(tmp_path / "in")
    rows = games.to_pylist()
    assert [row["game"] for row in rows] == list(range(7)) and [row["deal"] for row in rows] == [0] * 6 + [1]
    assert [row["winners"] for row in rows] == [list(kept[no].winners) for no in range(7)]
    assert dict(rows[0]["held"]) == kept[0].held and rows[0]["pair"] == ["easy", "random"]
    chairs = seats.to_pylist()
    assert len(chairs) == 28 and sum(row["won"] for row in chairs) == 7
    first = [row for row in chairs if row["game"] == 3]
    assert [row["player"] for row in first] == list(kept[3].bots)
    assert [row["place"] for row in first].index(0) == kept[3].first
    assert [len(row["levels"]) for row in first] == [len(kept[3].levels)] * 4
    assert sum(len(row["played"]) for row in first) == sum(len(who) for who in kept[3].played.values())
    assert b'"players":["easy","random"]' in parquet.read_schema(paths[0]).metadata[b"kickdoor"]


@pytest.mark.parametrize(("name", "columns"), [("games", tables.GAMES), ("seats", tables.SEATS)])
def test_the_page_lists_every_column_with_its_type(name: str, columns: dict[str, str]) -> None:
    part = (DOCS / "lab.md").read_text("utf-8").split(f"`{name}.parquet`")[1].split("\n\n")[1]
    assert dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", part, re.MULTILINE)) == columns
