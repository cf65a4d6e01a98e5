"""Saved solo games: a folder for each, with its host's journal and key and a file that says which game it is.

netcode.host.local_host resumes them. Functions import the journal only if there is one to read, so that the menu and
the first table do not wait for it.
"""

import shutil
from pathlib import Path

import msgspec
from msgspec import Struct

from netcode.protocol.credentials import JoinError, data_folder, is_claimed, lock_folder, parse_join, write_private

GAMES = 12
"""The number of unfinished games that are kept; the least recently used one makes room for a new one."""
INFO = "game.json"
"""The name of the file that says which game is in its folder."""


class SavedGameInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a game without opening its journal. join: the join string of its last host; player: their
    name; remember: as in HostConfig."""

    sets: tuple[str, ...]
    seats: int
    level: str
    join: str
    player: str
    remember: bool = False


class SavedGame(Struct, frozen=True):
    """A game that can be resumed. when: last touched, seconds since the epoch. played: whether its player is at the
    table, in another terminal."""

    folder: Path
    info: SavedGameInfo
    when: float
    played: bool = False


def games_folder() -> Path:
    """Return the folder that has a folder for each game."""
    return data_folder() / "solo"


def save_info(folder: Path, info: SavedGameInfo) -> None:
    """Write which game is in this folder. Raises OSError."""
    write_private(folder / INFO, msgspec.json.encode(info).decode())


def is_saved_game(folder: Path) -> bool:
    """Return whether this is the folder of a solo game."""
    return folder.parent == games_folder().absolute() and (folder / INFO).exists()


def list_saved_games() -> list[SavedGame]:
    """Return the games that can be resumed, the newest first. Damaged ones are included: resuming one reports what is
    left of it. Removes finished games; skips folders that are not saved games."""
    folders = _folders()
    if not folders:
        return []
    # loads sqlite, which supervisor and screen do not need
    from netcode.journal import JournalDamaged, JournalError, unfinished_in

    found = []
    for folder in folders:
        try:
            info = msgspec.json.decode((folder / INFO).read_bytes(), type=SavedGameInfo)
            when = max((file.stat().st_mtime for file in folder.iterdir() if file.name.startswith("table.")), default=0)
            finished = not unfinished_in(folder)
        except JournalDamaged:
            finished = False
        except (OSError, ValueError, JournalError):
            continue
        if finished:
            remove(folder)
        else:
            found.append(SavedGame(folder, info, when, is_played(info)))
    return sorted(found, key=lambda saved: -saved.when)


def is_played(info: SavedGameInfo) -> bool:
    """Return whether the player of this game is at its table."""
    try:
        return is_claimed(parse_join(info.join), info.player, data_folder())
    except (JoinError, OSError):
        return False  # whoever resumes it is told


def is_abandoned(folder: Path) -> bool:
    """Return whether this folder has an unfinished game and no host. Raises OSError or JournalError if it cannot be
    read."""
    from netcode.journal import unfinished_in  # loads sqlite, which supervisor and screen do not need

    lock = lock_folder(folder)
    if lock is None:
        return False
    lock.close()
    return bool(unfinished_in(folder))


def make_room() -> None:
    """Remove the least recently used games to make room for one."""
    if len(_folders()) >= GAMES:
        for saved in list_saved_games()[GAMES - 1 :]:
            remove(saved.folder)


def remove(folder: Path) -> None:
    """Remove a game, unless a host uses it."""
    try:
        lock = lock_folder(folder)
    except OSError:
        return  # removed already, or not permitted
    if lock is not None:
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def _folders() -> list[Path]:
    try:
        return [entry for entry in games_folder().iterdir() if entry.is_dir()]
    except FileNotFoundError:
        return []
