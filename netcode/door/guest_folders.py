"""The folders of guests: how much is in them, and what is removed first when it is too much.

Guests' programs wrote what is in them. So nothing here follows a symbolic link, and every walk is bounded.
"""

import logging
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LOG = logging.getLogger("kickdoor.door.guest_folders")
QUOTA_BYTES = 16 << 20
"""How many bytes a guest's folder may keep when the guest has left."""
FILES = 2000
"""How many files it may keep."""
WHILE_IN = 2
"""While the guest is in, the folder may hold this many times as much: so there is room for more recordings in a full
one."""
SEATS = "seats"
"""The folder of saved seats, which are removed last."""


def has_seat(folder: Path) -> bool:
    """Whether a guest may return to a seat."""
    return any(name.endswith(".json") for name, _ in _look(folder / SEATS, FILES).files)


def is_empty(folder: Path) -> bool:
    """Whether a guest left nothing."""
    return not _look(folder, FILES).files


def is_overfull(folder: Path) -> bool:
    """Whether a folder holds more than it may while its guest is in."""
    found = _look(folder, WHILE_IN * FILES)
    return found.more or found.size > WHILE_IN * QUOTA_BYTES


def trim(folder: Path) -> None:
    """Remove the oldest files until a folder is within its quota, those of seats last. Do it while the guest is not
    in."""
    found = _look(folder, 4 * FILES)
    if found.more:
        LOG.warning("the folder of a guest has too many files: it is removed")
        remove(folder)
        return
    size, count = found.size, len(found.files)
    seats = str(folder / SEATS) + os.sep
    for path, status in sorted(found.files, key=lambda one: (one[0].startswith(seats), one[1].st_mtime)):
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


class _Found(NamedTuple):
    """What is below a folder. files: paths and what the system says about them; more: there was more to look at."""

    files: list[tuple[str, os.stat_result]]
    more: bool

    @property
    def size(self) -> int:
        """Bytes of all these files."""
        return sum(status.st_size for _, status in self.files)


def _look(folder: Path, most: int) -> _Found:
    """List the files below a folder; stop after a bounded number of entries."""
    waiting, seen, files = [str(folder)], 0, list[tuple[str, os.stat_result]]()
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                seen += 1
                if seen > most:
                    return _Found(files, True)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                    continue
                with suppress(OSError):  # it has just been removed
                    files.append((entry.path, entry.stat(follow_symlinks=False)))
    return _Found(files, False)
