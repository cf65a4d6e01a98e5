"""Read files that strangers wrote: regular files of bounded size only, and folders of bounded length."""

import os
import stat
from itertools import islice
from pathlib import Path
from typing import BinaryIO

ENTRIES_LIMIT = 5000
"""The most entries of a folder that are looked at."""


class FileRefused(ValueError):
    """A file or folder that is not read. The text is one line for people: which file, why, and what is accepted."""


def open_file(path: Path, limit: int) -> BinaryIO:
    """Return a regular file of at most `limit` bytes, open for reading. It may still grow.

    Pipes, devices and folders are refused without waiting for them. Raises FileRefused for these and for a larger file,
    OSError if it cannot be opened.
    """
    _check_kind(path, os.stat(path))  # check first: opening some devices has effects
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        found = os.fstat(file.fileno())
        _check_kind(path, found)
        _check_size(path, found.st_size, limit)
    except FileRefused:
        file.close()
        raise
    return file


def read_file(path: Path, limit: int) -> bytes:
    """Return the bytes of a regular file. A file that grows meanwhile is refused once it exceeds the limit.

    Raises FileRefused and OSError, as `open_file` does.
    """
    with open_file(path, limit) as file:
        try:
            data = file.read(limit + 1)
        except OSError as problem:  # a read that fails does not name its file
            raise OSError(problem.errno, problem.strerror, str(path)) from None
    _check_size(path, len(data), limit)
    return data


def toml_files(folder: Path, most: int) -> list[Path]:
    """Return the paths of the TOML files directly inside a folder, in the order of their names. Raises FileRefused if
    there are more than `most` or the folder is too long to look through, OSError if it cannot be read."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in islice(entries, ENTRIES_LIMIT + 1)]
    if len(names) > ENTRIES_LIMIT:
        raise FileRefused(f"{folder} has more than {ENTRIES_LIMIT} entries: name a folder that holds nothing else")
    found = sorted(name for name in names if name.endswith(".toml"))
    if len(found) > most:
        raise FileRefused(f"{folder} has {len(found)} TOML files: at most {most}")
    return [folder / name for name in found]


def _check_size(path: Path, size: int, limit: int) -> None:
    if size > limit:
        much = f"{limit // 1024} KB" if limit < 1024 * 1024 else f"{limit // 1024 // 1024} MB"
        raise FileRefused(f"{path} is too big: at most {much} are read")


def _check_kind(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        what = next((word for test, word in _KINDS if test(found.st_mode)), "not a regular file")
        raise FileRefused(f"{path} cannot be read: it is {what}, and only regular files are read")


_KINDS = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)  # fmt: skip
