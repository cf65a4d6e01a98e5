"""Repairing a journal copies the longest sound beginning of each game, and corrects single bytes."""

import os
import random
import sqlite3
from pathlib import Path

import pytest

from netcode.journal import ActRow, FactRow, Journal, JournalDamaged, JournalError, SavedTable, SnapRow
from netcode.journal.repair import repair
from tests.netcode.journal.journal_files import JournalFiles, journal_files


def repaired(files: JournalFiles) -> tuple[SavedTable, str]:
    """Repair a journal that a host refuses; return the contents of its copy, and the messages. The journal may not
    change."""
    before = files.bytes()
    with pytest.raises(JournalDamaged):
        Journal(files.folder)
    done = repair(files.folder)
    assert done.folder is not None and files.bytes() == before, "it stays as it is"
    journal = Journal(done.folder)
    saved = journal.load("t")
    journal.close()
    assert saved is not None
    return saved, "\n".join(done.lines)


def test_what_is_left_of_a_cut_log_is_a_beginning_of_the_game(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=True)
    os.truncate(files.path("table.sqlite-wal"), files.path("table.sqlite-wal").stat().st_size // 2)
    saved, text = repaired(files)
    assert 0 < len(saved.acts) < 41 and saved.acts == files.saved.acts[: len(saved.acts)]
    assert f"Table t: {len(saved.acts)} of 41 actions are left." in text
    assert saved.facts["seed"] == files.saved.facts["seed"] and len(saved.seats) == 3


@pytest.mark.parametrize("what", ["action", "snapshot", "config", "seat"])
def test_a_wrong_byte_is_corrected(tmp_path: Path, what: str) -> None:
    files = journal_files(tmp_path, killed=False)
    whole = files.saved
    data = {
        "action": whole.acts[16].action, "snapshot": whole.snaps[0].state, "config": whole.facts["seed"],
        "seat": whole.seats[1],
    }[what]  # fmt: skip
    files.flip("table.sqlite", files.place_of(data) + len(data) // 2, bit=5)
    saved, text = repaired(files)
    assert saved == whole and "Table t: 41 of 41 actions are left." in text


@pytest.mark.parametrize("wrong", ["seat = seat - 1", "stamp = ~(255 << 48) & stamp", "n = n | 32768"])
def test_a_wrong_byte_of_a_number_is_corrected_in_an_action_of_the_host(tmp_path: Path, wrong: str) -> None:
    """Its seat is -1."""
    acts = [ActRow(0, seq, seat, b"an action", None, 0, 10**18 + seq) for seq, seat in enumerate((0, -1, 2), 1)]
    journal = Journal(tmp_path)
    journal.commit("t", [FactRow("config", b"c"), SnapRow(0, 0, b"state"), *acts], lambda: None)
    journal.settle()
    whole = journal.load("t")
    journal.close()
    with sqlite3.connect(tmp_path / "table.sqlite") as db:
        db.execute(f"UPDATE acts SET {wrong} WHERE seq = 2")
    db.close()
    assert whole is not None
    saved, text = repaired(JournalFiles(tmp_path, whole))
    assert saved.acts == whole.acts and "Table t: 3 of 3 actions are left." in text


def test_wrong_bytes_in_the_middle_leave_the_actions_before(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    with sqlite3.connect(files.path("table.sqlite")) as db:
        db.execute("UPDATE acts SET action = x'80818283', stamp = 5 WHERE seq = 17")
    db.close()
    saved, text = repaired(files)
    assert saved.acts == files.saved.acts[:16] and saved.snaps == files.saved.snaps
    assert "Table t: 16 of 41 actions are left." in text


def test_a_damaged_header_costs_nothing(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    data = bytearray(files.path("table.sqlite").read_bytes())
    data[:100] = random.Random(1).randbytes(100)
    files.path("table.sqlite").write_bytes(data)
    saved, _ = repaired(files)
    assert saved == files.saved


def test_a_second_copy_gets_another_name(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    files.flip("table.sqlite", files.place_of(files.saved.acts[16].action) + 3)
    folders = [repair(files.folder).folder for _ in range(2)]
    assert folders == [files.folder.with_name("closed-repaired"), files.folder.with_name("closed-repaired-2")]


def test_nothing_is_made_up(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    done = repair(files.folder)
    assert done.folder is None and done.sound and "is sound" in done.lines[0]
    files.path("table.sqlite").write_bytes(b"")
    done = repair(files.folder)
    assert done.folder is None and not done.sound and "No table" in done.lines[-1]
    assert [entry.name for entry in tmp_path.iterdir()] == ["closed"]
    with pytest.raises(JournalError, match="there is no journal"):
        repair(tmp_path)
    journal = Journal(files.folder.with_name("other"))
    with pytest.raises(JournalError, match="a host is using"):
        repair(files.folder.with_name("other"))
    journal.close()


def test_a_damage_that_sqlite_quotes_is_no_trouble(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    path = files.path("table.sqlite")
    data = path.read_bytes()
    path.write_bytes(data.replace(b"tablemetameta", b"tablemet\xc7meta"))
    with pytest.raises(JournalDamaged):
        Journal(files.folder)
    repaired = repair(files.folder)
    assert repaired.folder is not None and path.read_bytes().count(b"\xc7")


@pytest.mark.parametrize("rows", ["facts WHERE name = 'config'", "facts WHERE name = 'seed'", "acts WHERE seq = 17"])
def test_a_row_with_a_damaged_id_is_given_back_to_its_table(tmp_path: Path, rows: str) -> None:
    files = journal_files(tmp_path, killed=False)
    before, _, where = rows.partition(" ")
    with sqlite3.connect(files.path("table.sqlite")) as db:
        db.execute(f"UPDATE {before} SET tab = 'q' {where}")
    db.close()
    saved, text = repaired(files)
    assert saved == files.saved and "Table q" not in text


def test_a_table_that_only_a_damaged_id_names_is_not_made_up(tmp_path: Path) -> None:
    files = journal_files(tmp_path, killed=False)
    with sqlite3.connect(files.path("table.sqlite")) as db:
        db.execute("UPDATE facts SET tab = 'far-away' WHERE name = 'seed'")
    db.close()
    saved, text = repaired(files)
    assert saved.acts == files.saved.acts and "far-away" not in text
