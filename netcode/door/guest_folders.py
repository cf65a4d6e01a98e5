"""The folders of guests: how much is in them, and what goes first when it is too much.

What is in them was written by guests' programs. So nothing here follows a symbolic link, and nothing walks for long.
"""

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

LOG = logging.getLogger("kickdoor.door.guest_folders")
QUOTA_BYTES = 16 << 20
"""What a guest's folder may keep when they have left."""
FILES = 2000
"""Files that it may keep."""
SEATS = "seats"
"""The folder in which saved seats are: they go last."""


def has_seat(folder: Path) -> bool:
    """Whether a guest may return to a seat."""
    return any(name.endswith(".json") for name, _ in _files(str(folder / SEATS), FILES))


def is_empty(folder: Path) -> bool:
    """Whether a guest left nothing."""
    return next(_files(str(folder), FILES), None) is None


def trim(folder: Path) -> None:
    """Remove the oldest files until a folder is within its quota, those of seats last. Do it while the guest is not
    in."""
    found = list(_files(str(folder), 4 * FILES))
    if len(found) >= 4 * FILES:
        LOG.warning("the folder of a guest has too many files: it is removed")
        remove(folder)
        return
    size, count = sum(status.st_size for _, status in found), len(found)
    seats = str(folder / SEATS) + os.sep
    for path, status in sorted(found, key=lambda one: (one[0].startswith(seats), one[1].st_mtime)):
        if size <= QUOTA_BYTES and count <= FILES:
            return
        try:
            os.unlink(path)
        except OSError as problem:
            LOG.warning("a file of a guest stays: %s", problem.strerror)
            return
        size, count = size - status.st_size, count - 1


def remove(folder: Path) -> None:
    """Remove a guest's folder."""
    shutil.rmtree(folder, ignore_errors=True)


def _files(folder: str, most: int) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the files below a folder, at most so many files and folders."""
    waiting, seen = [folder], 0
    while waiting:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                seen += 1
                if seen > most:
                    return
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    yield entry.path, entry.stat(follow_symlinks=False)
