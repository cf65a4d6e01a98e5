"""Journals of a game, as files: closed in order, or left by a killed host."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from netcode.journal import FactRow, Journal, SavedTable
from tests.netcode.offline_table import OfflineTable

FILES = ("table.sqlite", "table.sqlite-wal", "table.mark")


@dataclass
class JournalFiles:
    """A folder with a journal, and the rows of its table `t`."""

    folder: Path
    saved: SavedTable

    def path(self, name: str) -> Path:
        """Return the path of one of its files."""
        return self.folder / name

    def flip(self, name: str, at: int, bit: int = 0) -> None:
        """Change a bit."""
        data = bytearray(self.path(name).read_bytes())
        data[at] ^= 1 << bit
        self.path(name).write_bytes(data)

    def place_of(self, data: bytes, name: str = "table.sqlite") -> int:
        """Return where these bytes are in a file."""
        at = self.path(name).read_bytes().find(data)
        assert at >= 0, f"{data!r} is not in {name}"
        return at

    def bytes(self) -> dict[str, bytes]:
        """Return what the files of the journal contain."""
        return {name: self.path(name).read_bytes() for name in FILES if self.path(name).exists()}


def journal_files(folder: Path, *, killed: bool, acts: int = 41) -> JournalFiles:
    """Write the journal of a game of this many actions. killed: leave it as a killed host does, with its write-ahead
    log."""
    offline = OfflineTable(None, pace="relaxed")
    offline.sit("Kim", "Roger", "Ross")
    offline.play_randomly(acts)
    work = folder / "work"
    journal = Journal(work)
    journal.commit("t", [FactRow("config", b"c")], lambda: None)
    for row in offline.rows:
        journal.commit("t", [row], lambda: None)
        journal.settle()
    saved = journal.load("t")
    assert saved is not None and len(saved.acts) == acts
    if not killed:
        journal.close()
    made = folder / ("killed" if killed else "closed")
    made.mkdir()
    for name in FILES:
        if (work / name).exists():
            shutil.copyfile(work / name, made / name)
    if killed:
        journal.close()
    shutil.rmtree(work)
    return JournalFiles(made, saved)
