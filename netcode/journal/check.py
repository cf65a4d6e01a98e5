"""Check the journal of a folder before a host uses it, without changing a byte of it.

sqlite silently repairs a truncated write-ahead log, so a copy is opened first. Its contents must match their checksums
(checksums.py) and have at least as many commits as the watermark beside it says (watermark.py).
"""

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

from msgspec import Struct, field

from netcode.journal.checksums import JournalChecksums
from netcode.journal.rows import JournalDamaged, JournalError
from netcode.journal.schema import (
    APPLICATION_ID,
    JOURNAL,
    SCHEMA,
    SCHEMA_WITHOUT_CHECKSUMS,
    WAL,
    objects,
    objects_of,
    read_checksums,
    unfinished,
    unfinished_without_checksums,
)
from netcode.journal.watermark import WATERMARK, Watermark, read_watermark
from netcode.protocol.clean_text import clean

_PROBLEM_CHARS = 160
"""How long sqlite's own words may be in a sentence of ours."""


class _OtherVersion(ValueError):
    """The file is a journal of another version that cannot be migrated."""


class Checked(Struct):
    """A journal that can be used. schema: 0 if it is new. wrong: a sentence for each damaged table; the others are
    sound. unfinished: the tables that are not closed. warnings: sentences for the log."""

    schema: int = 0
    checksums: JournalChecksums = field(default_factory=JournalChecksums)
    wrong: dict[str, str] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def check(folder: Path) -> Checked:
    """Check the journal in this folder, which nobody may be using.

    Raises JournalDamaged with a sentence that says what is left (unless the damage is within single tables and others
    are sound), JournalError if it is not a journal of this version, OSError."""
    path, watermark = folder / JOURNAL, read_watermark(folder)
    try:
        if _size(path):
            from netcode.journal.salvage import scratch_copy  # only a damaged journal needs it

            with scratch_copy(folder, folder) as scratch, closing(sqlite3.connect(scratch / JOURNAL)) as db:
                db.execute("PRAGMA synchronous=OFF")  # nobody needs the copy after a power cut
                checked = _checked(db)
        else:
            checked = Checked()
        _compare(checked, watermark, folder)
        if checked.wrong and not set(checked.unfinished) - set(checked.wrong):
            raise JournalDamaged("; ".join(f"table {table}: {what}" for table, what in checked.wrong.items()))
        if checked.wrong:
            checked.wrong = _sentences(checked.wrong, folder, watermark)
        return checked
    except _OtherVersion as problem:
        raise JournalError(f"{path} is damaged or not a journal of kickdoor ({problem}): move it away") from None
    except (JournalDamaged, sqlite3.Error, ValueError, TypeError, OverflowError) as problem:
        what = clean(str(problem), _PROBLEM_CHARS)  # sqlite quotes text of the file, which may be anything
        if watermark is None and not _is_journal(path):
            raise JournalError(f"{path} is damaged or not a journal of kickdoor ({what}): move it away") from None
        from netcode.journal.salvage import salvage  # only a damaged journal needs it

        left = salvage(folder, folder, watermark).text
        text = f"{path} is damaged ({what}): {left}; it stays as it is, and {repair_hint(folder)}"
        raise JournalDamaged(text) from None


def _sentences(wrong: dict[str, str], folder: Path, watermark: Watermark | None) -> dict[str, str]:
    """Return a sentence for each damaged table: what is wrong, and what is left. wrong: the first part of these."""
    from netcode.journal.salvage import salvage  # only a damaged journal needs it

    kept, hint = salvage(folder, folder, watermark).tables, repair_hint(folder)
    left = {table: kept[table].text if table in kept else "nothing is left" for table in wrong}
    return {table: f"{what}: {left[table]}; it stays as it is, and {hint}" for table, what in wrong.items()}


def repair_hint(folder: Path) -> str:
    """Return the hint how to recover what is left of a damaged journal."""
    command = shlex.join(["kickdoor", "host", "--repair", "--data", str(folder)])
    return f"`{command}` makes a copy of what is left (to begin anew, move it away)"


def unfinished_in(folder: Path) -> list[str]:
    """Return the ids of the tables in this folder's journal that are not closed, as its watermark says; a host may be
    using the journal. Without a watermark the journal is read from a copy. Raises JournalError or OSError if it cannot
    be read."""
    return list(_tables_in(folder))


def playing_in(folder: Path) -> list[str]:
    """Return the ids of the tables in this folder's journal where a game is on. Raises the errors of unfinished_in."""
    return [table for table, stage in _tables_in(folder).items() if stage in ("playing", "paused", "")]


def _tables_in(folder: Path) -> dict[str, str]:
    """Return the stage of each unfinished table of this folder, "" if it is not known."""
    watermark = read_watermark(folder)
    if watermark is not None:
        return {table: marked.stage for table, marked in watermark.tables.items()}
    if not (folder / JOURNAL).exists():
        raise JournalError(f"there is no journal in {folder}")
    checked = check(folder)
    known = checked.checksums.tables
    return {table: known[table].stage if table in known else "" for table in checked.unfinished}


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _is_journal(path: Path) -> bool:
    """Whether the header of the file marks it as a journal of kickdoor."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        header = file.read(100)
    return header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def _checked(db: sqlite3.Connection) -> Checked:
    """Check a journal by itself. Raises _OtherVersion, JournalDamaged, sqlite3.Error, or the errors of values of wrong
    types."""
    if not objects_of(db):
        return Checked()
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise JournalDamaged("it belongs to another program or to an older version")
    schema = db.execute("PRAGMA user_version").fetchone()[0]
    if schema not in (SCHEMA, SCHEMA_WITHOUT_CHECKSUMS):
        age = "a newer" if schema > SCHEMA else "an older"
        raise _OtherVersion(f"it was written by {age} version, schema {schema}, this one has {SCHEMA}")
    old = schema == SCHEMA_WITHOUT_CHECKSUMS
    if old and ("table", "heads") in {found[:2] for found in objects_of(db)}:
        raise JournalDamaged("its version number is damaged")
    if (found := db.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
        raise (_OtherVersion if old else JournalDamaged)(found.splitlines()[-1])
    if old:
        return Checked(schema, unfinished=unfinished_without_checksums(db))
    if objects_of(db) != objects():
        raise JournalDamaged("its tables are not those of a journal")
    checksums, wrong = read_checksums(db)
    return Checked(schema, checksums, wrong, unfinished(db, wrong))


def _compare(checked: Checked, watermark: Watermark | None, folder: Path) -> None:
    """Compare a journal with its watermark. Raises JournalDamaged if the watermark knows of more commits."""
    commits = checked.checksums.commits
    if watermark is not None and commits < watermark.commits:
        lost = f"the last {watermark.commits - commits} of {watermark.commits} changes are missing"
        raise JournalDamaged(lost if checked.schema else "the file is missing or empty")
    if watermark is None and not checked.schema and (_size(folder / WATERMARK) or _size(folder / WAL)):
        raise JournalDamaged("the file is missing or empty")
    if watermark is None and commits:
        path = folder / WATERMARK
        checked.warnings.append(
            f"{path} is missing or damaged: whether the newest actions are still there cannot be checked"
        )
