"""What this player has learnt: scenes played to their end and puzzles solved, in a private file of the data folder."""

import msgspec

from netcode.protocol.credentials import data_folder, write_private
from netcode.sandbox.regular_files import FileRefused, read_file
from tui.config.settings import path as settings_path

NAME = "learnt.json"
BYTES_MOST = 64 * 1024
NAMES_MOST = 1000
"""At most this many names are kept, the newest."""


class Progress(msgspec.Struct):
    """offered: whether the first game has been offered. scenes, puzzles: the idents of those done."""

    offered: bool = False
    scenes: list[str] = []
    puzzles: list[str] = []


def load() -> Progress:
    """Return what is kept; nothing if there is no file, or none that can be read."""
    try:
        return msgspec.json.decode(read_file(data_folder() / NAME, BYTES_MOST), type=Progress)
    except (OSError, FileRefused, msgspec.MsgspecError):
        return Progress()


def save(progress: Progress) -> str:
    """Keep it; return why that is impossible, or ""."""
    kept = Progress(progress.offered, progress.scenes[-NAMES_MOST:], progress.puzzles[-NAMES_MOST:])
    try:
        write_private(data_folder() / NAME, msgspec.json.encode(kept).decode())
    except OSError as problem:
        return f"{data_folder() / NAME} cannot be written: {problem.strerror}"
    return ""


def done(kind: str, ident: str) -> str:
    """Note a scene ("scenes") or a puzzle ("puzzles") as done; return why that cannot be kept, or ""."""
    progress = load()
    names = getattr(progress, kind)
    if ident in names:
        return ""
    names.append(ident)
    return save(progress)


def note_offer() -> None:
    """Note that the first game has been offered, so that it is never offered again."""
    progress = load()
    progress.offered = True
    save(progress)


def is_new_player() -> bool:
    """Return whether to offer the first game: no settings, no recordings, no saved game, and never offered."""
    home = data_folder()
    used = [settings_path(), home / "replays", home / "solo", home / "seats"]
    return not load().offered and not any(one.exists() for one in used)
