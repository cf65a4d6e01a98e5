"""`kickdoor club import` and `export`: move the journal of a host from its folder into the database of a club, and
back.

The tables are written to their new home, and are safe there, before they leave the old one. If this is interrupted,
both homes have them, and the command can be given again. The key stays in the folder, so the strings stay valid.
"""

import os
import shutil
from pathlib import Path

from netcode.club.database import check_version, connect, plain_errors
from netcode.club.folder import NAME
from netcode.club.journal import ClubJournal
from netcode.club.leases import count_epochs_from
from netcode.host.host_key import check_key, host_pair
from netcode.journal import JOURNAL, ForgetRow, Journal, JournalError, JournalHome, Row

ASIDE = "before-club"
"""The subfolder for the files of a journal that is in the database now."""
_DRAFT = "exporting"
_LOBBY, _EPOCH = "lobby", "epoch"


def import_folder(address: str, folder: Path) -> list[str]:
    """Move the unfinished tables in the journal of this folder into the club, where the host of this folder has them.
    Return their ids. Raises JournalError if a host uses the folder, or the journal is damaged, OSError."""
    if not (folder / JOURNAL).exists():
        raise JournalError(f"there is no journal in {folder}")
    if (folder / ASIDE).exists():
        raise JournalError(f"{folder / ASIDE} has an older journal: move it away first")
    journal = Journal(folder)
    try:
        pair = host_pair(folder, journal)
        journal.settle()
        epoch, lobby = int(journal.fact(_EPOCH) or b"0"), journal.fact(_LOBBY)
        found: dict[str, list[Row]] = {table: journal.rows(table).in_order() for table in journal.unfinished()}
    finally:
        journal.close()
    with plain_errors(), connect(address) as db:
        check_version(db)
        count_epochs_from(db, epoch)
    club = ClubJournal(address, folder)
    try:
        check_key(folder, club, pair)
        if lobby is not None:
            club.claim(_LOBBY, lobby)
        _write(club, found)
        (folder / ASIDE).mkdir(mode=0o700)
        for path in folder.glob("table.*"):
            os.replace(path, folder / ASIDE / path.name)
    finally:
        club.close()
    return list(found)


def export_folder(address: str, folder: Path) -> list[str]:
    """Move the unfinished tables that the host of this folder has in the club into a journal in the folder. Return
    their ids. Raises JournalError if a host uses the folder, or there is a journal already, OSError."""
    if (folder / JOURNAL).exists():
        raise JournalError(f"there is a journal in {folder} already: move it away first")
    if not (folder / NAME).exists():
        raise JournalError(f"{folder} is not the folder of a host of a club: {NAME} is missing")
    club = ClubJournal(address, folder)
    try:
        lobby = club.fact(_LOBBY)
        found: dict[str, list[Row]] = {table: club.rows(table).in_order() for table in club.unfinished()}
        draft = folder / _DRAFT
        shutil.rmtree(draft, ignore_errors=True)
        journal = Journal(draft)
        try:
            journal.set_fact(_EPOCH, str(club.epoch).encode())
            if lobby is not None:
                journal.set_fact(_LOBBY, lobby)
            _write(journal, found)
        finally:
            journal.close()
        for path in draft.glob("table.*"):
            os.replace(path, folder / path.name)
        shutil.rmtree(draft)
        for table in found:
            club.commit(table, [ForgetRow()], lambda: None)
        club.settle()
    finally:
        club.close()
    return list(found)


def _write(journal: JournalHome, tables: dict[str, list[Row]]) -> None:
    """Write these tables, in place of what an interrupted try has left of them. Raises JournalError."""
    refused: list[str] = []
    for table, rows in tables.items():
        journal.commit(table, [ForgetRow(), *rows], lambda: None, refused.append)
    journal.settle()
    if refused:
        raise JournalError(f"{len(refused)} tables cannot be moved: {refused[0]}")
