"""Games for one that are not over: a folder for each, with its host's journal and key and a card that says what it is.

Whoever left, or lost power, goes on where they were (netcode.host.local_host). Light: the menu looks here before it
is drawn.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

import msgspec

from netcode.journal import JOURNAL, JournalError, unfinished_in
from netcode.protocol.credentials import data_folder, lock_file, write_private

GAMES = 12
"""How many unfinished games are kept: for one more, the one longest untouched goes."""
LOCK = "host.lock"
_CARD = "game.json"


class SavedGameInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a game without opening its journal. join: where its host was last; player: whose game it is."""

    sets: tuple[str, ...]
    seats: int
    level: str
    join: str
    player: str


@dataclass(frozen=True)
class SavedGame:
    """A game that can be gone on with. when: last touched, seconds since the epoch."""

    folder: Path
    card: SavedGameInfo
    when: float


def games_folder() -> Path:
    """Where each game has a folder of its own."""
    return data_folder() / "solo"


def keep(folder: Path, card: SavedGameInfo) -> None:
    """Say what the game in this folder is. Raises OSError."""
    write_private(folder / _CARD, msgspec.json.encode(card).decode())


def list_saved_games() -> list[SavedGame]:
    """The games to go on with, the newest first. What is over is swept away; what cannot be read is left alone."""
    found = []
    for folder in _folders():
        try:
            card = msgspec.json.decode((folder / _CARD).read_bytes(), type=SavedGameInfo)
            going_on = unfinished_in(folder)
            when = max(file.stat().st_mtime for file in folder.glob(f"{JOURNAL}*"))
        except (OSError, ValueError, JournalError):
            continue
        if going_on:
            found.append(SavedGame(folder, card, when))
        else:
            sweep(folder)
    return sorted(found, key=lambda kept: -kept.when)


def abandoned(folder: Path) -> bool:
    """Whether there is a game here that no host has. Raises OSError, JournalError if that cannot be told."""
    lock = lock_file(folder / LOCK)
    if lock is None:
        return False
    lock.close()
    return bool(unfinished_in(folder))


def make_room() -> None:
    """For one game more: the ones longest untouched go."""
    for kept in list_saved_games()[GAMES - 1 :]:
        sweep(kept.folder)


def sweep(folder: Path) -> None:
    """Remove a game, unless a host has it."""
    try:
        lock = lock_file(folder / LOCK)
    except OSError:
        return  # not ours to remove, or gone already
    if lock is not None:
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def _folders() -> list[Path]:
    try:
        return [entry for entry in games_folder().iterdir() if entry.is_dir()]
    except FileNotFoundError:
        return []
