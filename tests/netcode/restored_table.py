"""Offline tables written to a journal and restored from it, as after a restart of the host."""

from collections.abc import Callable
from pathlib import Path

from netcode.host.recovery import restore
from netcode.journal import FactRow, Journal, JournalHome, SavedTable
from netcode.table.table import Table
from netcode.table.table_record import TableRecord
from tests.netcode.offline_table import JOIN, OWNER, WATCH, OfflineTable, rules


def journal_rows(
    offline: OfflineTable, folder: Path, opened: Callable[[Path], JournalHome] = Journal
) -> SavedTable:
    """Write all rows of this table to a journal, and return what is read back from it. opened: opens the journal of a
    folder."""
    journal = opened(folder)
    journal.commit("t", [FactRow("config", b""), *offline.rows], lambda: None)
    journal.close()
    return read_journal(folder, opened)


def read_journal(folder: Path, opened: Callable[[Path], JournalHome] = Journal) -> SavedTable:
    """Return the rows of the table from the journal of this folder."""
    journal = opened(folder)
    saved = journal.load("t")
    journal.close()
    assert saved is not None
    return saved


def restored_table(offline: OfflineTable, saved: SavedTable, options: tuple[str, ...] = ()) -> Table:
    """Return the table as a new host restores it; a provable one of three seats."""
    record = TableRecord(
        table="t", join=JOIN, watch=WATCH, owner=OWNER, seats=3, bots=0, bot_level="normal", pace="book",
        speed="normal", options=options, sets=[], packs=(), solo=False, seed=None, machine="", gone_ms=600_000,
    )  # fmt: skip
    return restore(saved, record, rules(), lambda number: b"seed", 2, offline.stamp)
