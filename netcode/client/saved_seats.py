"""The seats that this user may return to without a string: what their files say about them.

Beside key and token the file of a seat has the way back (`way_back`): the string that led there, in parts, the player's
name, and when they came in. A file `.table` beside it has what the client knew of the table last (`about`). Files of
older versions have neither; they lead back with their string, as ever.
"""

import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from netcode.protocol import limits
from netcode.protocol.clean_text import clean
from netcode.protocol.credentials import (
    TABLES_KEPT,
    Join,
    KeyPair,
    SavedSeat,
    data_folder,
    lock_file,
    parse_place,
    place_text,
    read_seat,
    table_path,
)
from netcode.protocol.wire import TableInfo
from netcode.sandbox.regular_files import FileRefused, read_file

FILE_BYTES = 4096
"""The most bytes of a seat's file."""
_Name = Annotated[str, Meta(max_length=limits.NAME_CHARS)]

_Place = Annotated[str, Meta(max_length=limits.PLACE_CHARS + len("[]:65535"))]


class _Way(Struct):
    host: Annotated[str, Meta(min_length=1, max_length=255)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    table: Annotated[str, Meta(min_length=1, max_length=limits.TABLE_CHARS)]
    server: Annotated[str, Meta(min_length=64, max_length=64)]
    invitation: Annotated[str, Meta(min_length=32, max_length=32)]
    name: Annotated[str, Meta(min_length=1, max_length=limits.NAME_CHARS)]
    when: Annotated[int, Meta(ge=0, le=2**53)]
    others: Annotated[list[_Place], Meta(max_length=limits.PLACES)] = []


class _About(Struct):
    seat: _Name = ""
    owner: _Name = ""
    turn: Annotated[int, Meta(ge=0, le=2**53)] = 0
    stage: Annotated[str, Meta(max_length=20)] = ""


class KnownSeat(Struct):
    """A seat to return to. name: under which it is kept. seat: the player's name at the table. owner: that of the
    table's owner, "" if it is the player, or nobody. turn: the number of the last turn that was seen, 0: none yet.
    stage: of the table. when: s since 1970. here: a client of this user is there, or tries to return."""

    join: Join
    name: str
    seat: str
    owner: str
    turn: int
    stage: str
    when: float
    path: Path
    here: bool = False


def way_back(join: Join, name: str) -> dict[str, Any]:
    """Return the fields of a seat's file that lead back to it."""
    others = {"others": [place_text(*place) for place in join.others]} if join.others else {}
    return {
        "host": join.host, "port": join.port, "table": join.table, "server": join.key.hex(),
        "invitation": join.token.hex(), "name": name, "when": int(time.time()), **others,
    }  # fmt: skip


def about(info: TableInfo, seat: int, turn: int) -> dict[str, str | int]:
    """Return what is known of a table, as the file beside that of a seat keeps it."""
    names = [one.name for one in info.seats]
    owner = names[info.owner] if 0 <= info.owner < len(names) and info.owner != seat else ""
    mine = names[seat] if 0 <= seat < len(names) else ""
    return {"seat": mine, "owner": owner, "turn": turn, "stage": info.stage[:20]}


def seen_ago(seat: SavedSeat) -> float:
    """Return how long ago an earlier process saw the game of a saved seat last (s); 0 if that is not known."""
    return max(0.0, time.time() - seat.kept_at) if seat.kept_at else 0.0


def known_seats(home: Path | None = None, name: str = "") -> list[KnownSeat]:
    """Return the seats that this user may return to, the newest first. home: the data folder. name: only those of this
    name."""
    found = [known for path in _files(home or data_folder()) if (known := _known(path)) is not None]
    chosen = [known for known in found if name in ("", known.name)]
    return sorted(chosen, key=lambda known: -known.when)


def _files(home: Path) -> list[Path]:
    try:
        tables = sorted((home / "seats").iterdir())[: 2 * TABLES_KEPT]
        return [path for table in tables if table.is_dir() for path in sorted(table.glob("*.json"))]
    except OSError:
        return []  # nobody has had a seat here yet


def _known(path: Path) -> KnownSeat | None:
    """Return the seat of this file; None if it is one of an older version, damaged, or not to be offered."""
    try:
        way = msgspec.json.decode(read_file(path, FILE_BYTES), type=_Way)
        key, token = bytes.fromhex(way.server), bytes.fromhex(way.invitation)
        others = tuple(parse_place(one) for one in way.others)
        when = path.stat().st_mtime
    except (OSError, FileRefused, msgspec.MsgspecError, ValueError):
        return None
    try:
        known = msgspec.json.decode(read_file(table_path(path), FILE_BYTES), type=_About)
        when = max(when, table_path(path).stat().st_mtime)
    except (OSError, FileRefused, msgspec.MsgspecError):
        known = _About()
    join = Join(way.host, way.port, way.table, key, token, others)
    seat, owner = clean(known.seat, limits.NAME_CHARS) or way.name, clean(known.owner, limits.NAME_CHARS)
    return KnownSeat(join, way.name, seat, owner, known.turn, known.stage, when, path, _is_claimed(path))


def _is_claimed(path: Path) -> bool:
    try:
        lock = lock_file(path.with_suffix(".lock"))
    except OSError:
        return False
    if lock is not None:
        lock.close()
    return lock is None


def pair_and_token(known: KnownSeat) -> tuple[KeyPair, bytes]:
    """Return the key pair and the resume token of this seat. Raises OSError if there is none any more."""
    pair, token = read_seat(known.path)
    if not token:
        raise OSError(f"{known.path} is no longer there")
    return pair, token


def forget(known: KnownSeat) -> None:
    """Stop offering this seat: its table is over."""
    for path in (known.path, table_path(known.path)):
        path.unlink(missing_ok=True)
