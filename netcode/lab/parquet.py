"""Write the games of a ladder as two tables of Parquet, for pandas, Polars, DuckDB and their like (docs/lab.md)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from netcode.lab.extras import need
from netcode.lab.ladder import Schedule, Table, ladder_of
from netcode.lab.records import PlayedGame, read_games, read_run

GAMES = {
    "game": "int32", "pair": "list<string>", "deal": "int32", "sets": "list<string>", "seed": "int64", "why": "string",
    "winners": "list<int8>", "first": "int8", "turns": "int32", "decisions": "int32", "seconds": "float64",
    "held": "map<string, int32>",
}  # fmt: skip
"""The columns of games.parquet, a row for each game."""
SEATS = {
    "game": "int32", "seat": "int8", "player": "string", "place": "int8", "won": "float64", "misplays": "int32",
    "levels": "list<int8>", "played": "list<string>", "identities": "list<string>",
}  # fmt: skip
"""The columns of seats.parquet, a row for each seat of each game."""


def write_parquet(folder: Path, out: Path) -> list[Path]:
    """Write the two tables of a ladder's folder into the folder `out`, and return their paths. Raises ValueError, with
    one line for people."""
    need("lab", "writing Parquet")
    run, games = read_run(folder), read_games(folder)
    schedule = Schedule(ladder_of(run), run.packs)
    about = msgspec.json.encode(run)
    played = [games[no] for no in sorted(games)]
    tables = {
        "games.parquet": (GAMES, [_game_row(schedule.table(game.game), game) for game in played]),
        "seats.parquet": (SEATS, [row for game in played for row in _seat_rows(game)]),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        return [_written(out / name, columns, rows, about) for name, (columns, rows) in tables.items()]
    except OSError as problem:
        raise ValueError(f"{out} cannot be written: {problem.strerror or problem}") from None


def _game_row(table: Table, game: PlayedGame) -> dict[str, Any]:
    row = {name: getattr(game, name) for name in GAMES if name not in ("pair", "deal", "held")}
    return {**row, "pair": table.pair, "deal": table.deal, "held": list(game.held.items())}


def _seat_rows(game: PlayedGame) -> list[dict[str, Any]]:
    return [
        {
            "game": game.game,
            "seat": seat,
            "player": player,
            "place": (seat - game.first) % len(game.bots),
            "won": (seat in game.winners) / max(1, len(game.winners)),
            "misplays": game.misplays.get(seat, 0),
            "levels": [levels[seat] for levels in game.levels],
            "played": [card for card, seats in game.played.items() if seat in seats],
            "identities": game.identities[seat],
        }
        for seat, player in enumerate(game.bots)
    ]


def _written(path: Path, columns: Mapping[str, str], rows: list[dict[str, Any]], about: bytes) -> Path:
    """Write a table. about: stored in its metadata under `kickdoor`."""
    import pyarrow  # the extra `lab`
    from pyarrow import parquet  # the same

    simple = {name: getattr(pyarrow, name)() for name in ("int8", "int32", "int64", "float64", "string")}
    types = {
        **simple,
        **{f"list<{name}>": pyarrow.list_(kind) for name, kind in simple.items()},
        "map<string, int32>": pyarrow.map_(simple["string"], simple["int32"]),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()], metadata={"kickdoor": about})
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), path)
    return path
