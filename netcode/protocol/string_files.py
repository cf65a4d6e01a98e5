"""Files with the strings of a table, for whoever cannot copy them from the terminal. Only their owner reads them."""

from pathlib import Path

from netcode.protocol.credentials import data_folder, write_private

STRINGS = "strings.txt"
"""The name of the file: in a host's folder it has all that the host prints, in the data folder what a player copied."""


def keep_copied(text: str) -> Path:
    """Write what a player has copied to their data folder; return the file. Raises OSError."""
    path = data_folder() / STRINGS
    write_private(path, f"{text}\n")
    return path


def short(path: Path) -> str:
    """Return how a path is written for people: with ~ for the home folder."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):  # elsewhere, or there is no home
        return str(path)
