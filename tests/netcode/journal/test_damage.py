"""Damage to a journal is named in one sentence before anything is written, or changes nothing."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from netcode.journal import ActRow, FactRow, Journal, JournalDamaged, JournalError, unfinished_in
from netcode.protocol.credentials import lock_file, lock_folder
from tests.netcode.journal.journal_files import JournalFiles, journal_files


def refused(files: JournalFiles) -> str:
    """Return why a host refuses this journal; nothing may have changed."""
    before = files.bytes()
    with pytest.raises(JournalDamaged) as told:
        Journal(files.folder)
    text = str(told.value)
    assert "\n" not in text and f"kickdoor host --repair --data {files.folder}" in text
    assert files.bytes() == before, "it stays as it is"
    assert {file.name for file in files.folder.iterdir()} == {*before, "host.lock"}
    return text


def cut(name: str, share: float) -> Callable[[JournalFiles], None]:
    """Return a function that cuts a file to this share of its length."""
    return lambda files: os.truncate(files.path(name), int(files.path(name).stat().st_size * share))


DAMAGES: dict[str, Callable[[JournalFiles], None]] = {
    "a bit of the log": lambda files: files.flip("table.sqlite-wal", len(files.bytes()["table.sqlite-wal"]) // 2),
    "the log is cut": cut("table.sqlite-wal", 0.5),
    "the log is emptied": cut("table.sqlite-wal", 0),
    "the log is removed": lambda files: files.path("table.sqlite-wal").unlink(),
    "the database is emptied": cut("table.sqlite", 0),
    "the database is removed": lambda files: files.path("table.sqlite").unlink(),
}


@pytest.mark.long(3)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_to_the_journal_of_a_killed_host_is_named(
    tmp_path: Path, damage: Callable[[JournalFiles], None]
) -> None:
    files = journal_files(tmp_path, killed=True)
    damage(files)
    found = re.search(r"table t: (\d+) of 41 actions are left|table t: nothing is left", refused(files))
    assert found is not None


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [0.0, 0.3, 0.9, 0.999])
def test_a_cut_database_is_named(tmp_path: Path, size: float) -> None:
    files = journal_files(tmp_path, killed=False)
    cut("table.sqlite", size)(files)
    assert "table t: " in refused(files)


def test_a_database_without_its_tables_is_no_new_journal(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    files.path("table.sqlite").unlink()
    sqlite3.connect(files.path("table.sqlite")).execute("VACUUM").connection.close()
    assert "the file is missing or empty" in refused(files)


def test_deleted_rows_at_the_end_are_named(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    with sqlite3.connect(files.path("table.sqlite")) as db:
        db.execute("DELETE FROM acts WHERE seq > 16")
    db.close()
    files.path("table.sqlite-wal").unlink(missing_ok=True)
    files.path("table.sqlite-shm").unlink(missing_ok=True)
    assert "table t: some of its rows are missing" in refused(files)


def test_an_older_copy_of_the_journal_is_named(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    older = files.path("table.sqlite").read_bytes()
    journal = Journal(files.folder)
    journal.commit("t", [FactRow("stage", b"paused")], lambda: None)
    journal.close()
    files.path("table.sqlite").write_bytes(older)
    assert "the last 1 of " in refused(files)


def test_a_changed_byte_in_an_action_is_named(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    files.flip("table.sqlite", files.place_of(files.saved.acts[16].action) + 3)
    assert "table t: its actions are damaged" in refused(files)


def test_the_damaged_page_of_a_database_is_named(tmp_path: Path) -> None:
    """sqlite says in its first line which database it has read, and only in its last one what is wrong there."""
    files = journal_files(tmp_path, killed=False)
    page = int.from_bytes(files.bytes()["table.sqlite"][16:18], "big")
    files.flip("table.sqlite", page + 5)  # where the contents of the second page begin
    told = refused(files)
    assert re.search(r"page 2\b", told, re.IGNORECASE) and "in database" not in told


def closed_with(folder: Path, *stamps: int) -> Path:
    """Write a journal of a game whose actions have these stamps; return its file."""
    journal = Journal(folder)
    acts = [ActRow(0, seq, seq % 3, b"an action", None, 0, stamp) for seq, stamp in enumerate(stamps, 1)]
    journal.commit("t", [FactRow("config", b"c"), *acts], lambda: None)
    journal.close()
    return folder / "table.sqlite"


@pytest.mark.long(3)
@pytest.mark.parametrize("seq", [1, 2, 3], ids=["the first", "one between", "the one before the last"])
def test_an_action_that_was_sealed_in_another_journal_is_named(tmp_path: Path, seq: int) -> None:
    """The row fits its checksum, and its neighbours are the original ones: only its place in the chain is wrong."""
    stamps = [10, 20, 30, 40]
    file = closed_with(tmp_path / "one", *stamps)
    stamps[seq - 1] += 1
    other = closed_with(tmp_path / "other", *stamps)
    with sqlite3.connect(file) as db:
        db.execute("ATTACH ? AS other", (str(other),))
        db.execute("DELETE FROM acts WHERE seq = ?", (seq,))
        db.execute("INSERT INTO acts SELECT * FROM other.acts WHERE seq = ?", (seq,))
    db.close()
    with pytest.raises(JournalDamaged, match="table t: its actions are damaged"):
        Journal(file.parent)


def test_a_damaged_table_does_not_stop_the_others(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    journal = Journal(files.folder)
    journal.commit("u", [FactRow("config", b"other")], lambda: None)
    journal.close()
    files.flip("table.sqlite", files.place_of(files.saved.acts[16].action) + 3)
    journal = Journal(files.folder)
    saved = journal.load("u")
    assert journal.unfinished() == ["t", "u"] and saved is not None and saved.facts == {"config": b"other"}
    with pytest.raises(JournalDamaged, match=r"its actions are damaged: .* of 41 actions are left") as told:
        journal.load("t")
    assert "\n" not in str(told.value)
    journal.commit("u", [FactRow("stage", b"lobby")], lambda: None)
    journal.close()
    again = Journal(files.folder)
    with pytest.raises(JournalDamaged):
        again.load("t")
    again.close()


def test_a_table_whose_first_fact_is_damaged_keeps_its_place_among_the_tables(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    journal = Journal(files.folder)
    journal.commit("u", [FactRow("config", b"other")], lambda: None)
    journal.close()
    with sqlite3.connect(files.path("table.sqlite")) as db:
        db.execute("UPDATE facts SET name = 'confi!' WHERE tab = 't' AND name = 'config'")
    db.close()
    journal = Journal(files.folder)
    assert journal.unfinished() == ["t", "u"]
    with pytest.raises(JournalDamaged, match="its settings are damaged"):
        journal.load("t")
    journal.close()


@pytest.mark.parametrize("damage", [
    lambda path: path.unlink(), lambda path: path.write_bytes(b""), lambda path: path.write_bytes(b"\xff" * 40_000),
])  # fmt: skip
def test_without_its_mark_a_sound_journal_is_used_with_a_warning(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    files = journal_files(tmp_path, killed=True)
    damage(files.path("table.mark"))
    journal = Journal(files.folder)
    assert journal.load("t") == files.saved
    assert [text for text in journal.warnings if "cannot be checked" in text]
    journal.close()
    journal = Journal(files.folder)
    assert journal.warnings == [], "there is a watermark again"
    journal.close()


def test_what_is_unfinished_is_known_without_touching_the_journal(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=True)
    before = files.bytes()
    assert unfinished_in(files.folder) == ["t"]
    files.path("table.mark").unlink()
    assert unfinished_in(files.folder) == ["t"]
    del before["table.mark"]
    assert files.bytes() == before
    shutil.rmtree(files.folder)
    files.folder.mkdir()
    with pytest.raises(JournalError, match="there is no journal"):
        unfinished_in(files.folder)


# ------------------------------------------------------------------------------------------------------------- the lock
def test_a_deleted_lock_file_does_not_lift_the_lock(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    (tmp_path / "host.lock").unlink()
    program = "import sys; from pathlib import Path; from netcode.journal import Journal; Journal(Path(sys.argv[1]))"
    other = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    assert other.returncode == 1 and "another host is using the data folder" in other.stderr
    journal.close()
    Journal(tmp_path).close()


def test_a_folder_is_locked_for_hosts_that_look_at_the_lock_file_only(tmp_path: Path) -> None:
    lock = lock_folder(tmp_path)
    assert lock is not None and lock_file(tmp_path / "host.lock") is None and lock_folder(tmp_path) is None
    lock.close()
    again = lock_folder(tmp_path)
    assert again is not None
    again.close()
