"""Repair a damaged journal: copy what is left of it to a new folder, which a host can use."""

from pathlib import Path

from msgspec import Struct

from netcode.journal.check import check
from netcode.journal.rows import HOST, FactRow, HostFactRow, JournalDamaged, JournalError, Row, SeatRow
from netcode.journal.salvage import Salvage, SalvagedTable, salvage
from netcode.journal.schema import SCHEMA
from netcode.journal.watermark import read_watermark
from netcode.journal.writer import Journal
from netcode.protocol.credentials import lock_folder

SUFFIX = "-repaired"
FOLDERS_TRIED = 100
"""How many names are tried for the new folder."""


class Repaired(Struct, frozen=True):
    """The outcome. folder: the copy, None if there is nothing to repair or nothing is left; lines: for people, what is
    left; sound: nothing had to be repaired."""

    folder: Path | None
    lines: list[str]
    sound: bool = False


def repair(folder: Path) -> Repaired:
    """Copy what is left of the journal in this folder to a new one beside it; other files are not copied. The folder
    stays as it is.

    Raises JournalError if a host is using the folder or there is no journal of this version in it, OSError."""
    if not any(folder.glob("table.*")):
        raise JournalError(f"there is no journal in {folder}")
    lock = lock_folder(folder)
    if lock is None:
        raise JournalError(f"a host is using the data folder {folder}: stop it first")
    try:
        try:
            checked = check(folder)
        except JournalDamaged:
            pass
        else:
            if checked.schema != SCHEMA or not checked.wrong:
                return Repaired(None, [f"The journal in {folder} is sound: there is nothing to repair."], sound=True)
        found = salvage(folder, folder, read_watermark(folder))
        return _written(folder, found)
    finally:
        lock.close()


def _written(folder: Path, found: Salvage) -> Repaired:
    """Write what is left into a new folder."""
    lines = [f"Table {table}: {kept.text}." for table, kept in found.tables.items()]
    if not any(kept.is_table for kept in found.tables.values()):
        return Repaired(None, [*lines, f"No table of {folder} can be restored."])
    new = _new_folder(folder)
    journal = Journal(new)
    try:
        journal.commit(HOST, [HostFactRow(name, value) for name, value in found.host.items()], lambda: None)
        for table, kept in found.tables.items():
            if kept.is_table:
                journal.commit(table, _rows(kept), lambda: None)
        journal.settle()
    finally:
        journal.close()
    return Repaired(new, lines)


def _new_folder(folder: Path) -> Path:
    """Make a new folder beside this one. Raises OSError, JournalError if all names are taken."""
    names = [f"{folder.name}{SUFFIX}", *(f"{folder.name}{SUFFIX}-{number}" for number in range(2, FOLDERS_TRIED))]
    for name in names:
        new = folder.with_name(name)
        if not new.exists():
            new.mkdir(mode=0o700)
            return new
    raise JournalError(f"{FOLDERS_TRIED} copies of {folder} are there already: remove some")


def _rows(kept: SalvagedTable) -> list[Row]:
    rows = kept.rows
    facts: list[Row] = [FactRow(name, value) for name, (value, _) in rows.facts.items()]
    seats: list[Row] = [SeatRow(number, record) for number, (record, _) in rows.seats.items()]
    return [*facts, *seats, *rows.snaps, *(act.row for act in rows.acts)]
