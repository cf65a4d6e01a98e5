"""Hashes of the code of third-party players, because games of edited code are different games."""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from netcode.bots.guests import player_class
from netcode.lab.commands import is_command, words_in


def code_of(players: Iterable[str]) -> dict[str, str]:
    """Return the hash of the code of each player that is a class or a program, as far as its files are known. Raises
    ValueError, with one line for people, if a class cannot be found or a file cannot be read."""
    files = {player: _files_of(player) for player in players if ":" in player}
    return {player: _hash_of(player, paths) for player, paths in files.items() if paths}


def _files_of(player: str) -> list[Path]:
    """Return the file that holds a player's class, or the files that are named in a command, in its order."""
    if is_command(player):
        paths = [Path(word) for word in words_in(player)]
    else:
        file = sys.modules[player_class(player).__module__].__file__
        paths = [Path(file)] if file else []
    return [path for path in paths if path.is_file()]


def _hash_of(player: str, paths: list[Path]) -> str:
    whole = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as problem:
            raise ValueError(f"{player}: {path} cannot be read: {problem.strerror}") from None
    return whole.hexdigest()
