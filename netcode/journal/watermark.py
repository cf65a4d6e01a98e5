"""The high-water mark: a small file beside the journal that says how many commits the journal had, and how far each
table was.

It is written after each commit and before anybody is told, so a journal with fewer commits has lost some. It is
not forced to the disk each time: after a power cut it may be behind the journal, never ahead. Two copies are written in
turn, so that one is complete at every moment.
"""

import os
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from netcode.journal.checksums import CHECKSUM_BYTES, CLOSED, JournalChecksums, checksum

WATERMARK = "table.mark"
"""The file's name in its folder."""
_SLOT_BYTES = 16 * 1024
_TABLES_MAX = 500
"""Tables that a watermark names; more would not fit."""


class MarkedTable(Struct, frozen=True, array_like=True):
    """How far an unfinished table was: the number of its actions, and its stage ("" if that is not known)."""

    acts: int
    stage: str


class Watermark(Struct, frozen=True):
    """How far a journal was. commits: how many there were; tables: the unfinished ones."""

    commits: int
    tables: dict[str, MarkedTable]


class WatermarkFile:
    """The watermark of a journal that is open for writing."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError."""
        path = folder / WATERMARK
        whole = path.exists() and path.stat().st_size == 2 * _SLOT_BYTES
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._file: IO[bytes] = os.fdopen(os.open(path, flags, 0o600), "r+b", buffering=0)
        if not whole:
            self._file.truncate(0)
            self._file.write(bytes(2 * _SLOT_BYTES))  # reserve the space now, so that a full disk cannot stop a write

    def write(self, checksums: JournalChecksums) -> None:
        """Write how far the journal is. Raises OSError."""
        heads = list(checksums.heads.items())[:_TABLES_MAX]
        stages = {table: checksums.tables[table].stage for table in checksums.tables}
        named = {table: MarkedTable(head.acts, stages.get(table, "")) for table, head in heads}
        unfinished = {table: marked for table, marked in named.items() if marked.stage != CLOSED}
        data = msgspec.msgpack.encode(Watermark(checksums.commits, unfinished))
        self._file.seek(checksums.commits % 2 * _SLOT_BYTES)
        self._file.write(len(data).to_bytes(4, "big") + checksum(data) + data)

    def force(self) -> None:
        """Wait until the watermark is on the disk. Raises OSError."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_watermark(folder: Path) -> Watermark | None:
    """Return the newest watermark in this folder, None if none can be read. Raises OSError."""
    try:
        with open(folder / WATERMARK, "rb") as file:
            data = file.read(2 * _SLOT_BYTES)
    except FileNotFoundError:
        return None
    slots = [_slot(data[at : at + _SLOT_BYTES]) for at in (0, _SLOT_BYTES)]
    return max((found for found in slots if found is not None), key=lambda found: found.commits, default=None)


def _slot(data: bytes) -> Watermark | None:
    size, digest = int.from_bytes(data[:4], "big"), data[4 : 4 + CHECKSUM_BYTES]
    body = data[4 + CHECKSUM_BYTES :][:size]
    if len(body) != size or checksum(body) != digest:
        return None
    try:
        return msgspec.msgpack.decode(body, type=Watermark)
    except msgspec.MsgspecError:
        return None
