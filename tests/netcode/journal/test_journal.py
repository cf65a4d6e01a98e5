"""The journal in both its homes: rows are read as written, once. And its file: foreign or damaged files are refused in
one line."""

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.state.actions import Answer, Play
from netcode.host.recovery import replay
from netcode.journal import ActRow, FactRow, ForgetRow, Journal, JournalError, Row, SeatRow, SnapRow, writer
from netcode.protocol import wire
from tests.netcode.conftest import OpenJournal
from tests.netcode.offline_table import OfflineTable, rules, while_a_curse_is_read
from tests.netcode.restored_table import journal_rows, read_journal, restored_table

ROWS: list[Row] = [
    FactRow("config", b"c"), SeatRow(0, b"kim"), SnapRow(0, 0, b"state"), ActRow(0, 1, 2, b"kick", b"s" * 16, 7, 5),
]  # fmt: skip


def journal_of(folder: Path, opened: OpenJournal = Journal) -> Path:
    """Write a journal with a row of each kind; return its file."""
    journal = opened(folder)
    journal.commit("t", ROWS, lambda: None)
    journal.close()
    return folder / "table.sqlite"


def settled(journal: Journal) -> None:
    """Wait until the thread that writes has nothing to do."""
    journal.settle()
    while journal._unwritten:
        continue


def test_a_table_that_is_written_while_it_is_read_is_read_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path)
    journal.commit("t", ROWS, lambda: None)
    settled(journal)
    read_rows = writer.read_rows

    def late(db: sqlite3.Connection, table: str) -> object:
        journal.commit("t", [ActRow(0, 2, 2, b"flee", b"s" * 16, 8, 6)], lambda: None)
        settled(journal)
        return read_rows(db, table)

    monkeypatch.setattr(writer, "read_rows", late)
    saved = journal.load("t")
    journal.close()
    assert saved is not None and [act.seq for act in saved.acts] == [1]


def test_rows_are_read_as_they_were_written(tmp_path: Path, opened: OpenJournal) -> None:
    journal_of(tmp_path, opened)
    saved = read_journal(tmp_path, opened)
    assert (saved.facts, saved.seats, saved.taken) == ({"config": b"c"}, {0: b"kim"}, {b"s" * 16: {7}})
    assert saved.acts == ROWS[3:]
    assert [(snap.seq, snap.state, snap.is_intact) for snap in saved.snaps] == [(0, b"state", True)]


def test_each_start_has_a_new_epoch_even_for_a_new_table(tmp_path: Path, opened: OpenJournal) -> None:
    epochs = []
    for _ in range(3):
        journal = opened(tmp_path)
        epochs.append(journal.new_epoch())
        journal.commit("t", [ForgetRow(), *ROWS], lambda: None)
        journal.close()
    assert epochs == [1, 2, 3]


def test_an_action_is_written_once_even_if_the_host_writes_it_twice(tmp_path: Path, opened: OpenJournal) -> None:
    journal_of(tmp_path, opened)
    journal, told = opened(tmp_path), list[str]()
    again = ActRow(1, 1, 2, b"kick", b"s" * 16, 7, 5)
    journal.commit("t", [again], lambda: told.append("acknowledged"), told.append)
    journal.commit("t", [FactRow("stage", b"over")], lambda: told.append("acknowledged"), told.append)
    journal.commit("u", ROWS, lambda: told.append("another table"), told.append)
    journal.commit("t", [], lambda: None)
    journal.commit("t", [FactRow("pace", b"quick")], lambda: told.append("restored"), told.append)
    journal.close()
    refused, later, *others = told
    assert "unique" in refused.lower() and "\n" not in refused and "earlier rows" in later, told
    assert others == ["another table", "restored"], "the rows of other tables, and of this one once it is restored"
    assert set(read_journal(tmp_path, opened).facts) == {"config", "pace"}


def test_facts_about_the_host_are_kept(tmp_path: Path, opened: OpenJournal) -> None:
    journal = opened(tmp_path)
    assert (journal.fact("lobby"), journal.fact("lobby", b"first"), journal.fact("lobby", b"second")) == (
        None, b"first", b"first",
    )  # fmt: skip
    journal.set_fact("other", bytes(range(256)))
    journal.settle()
    journal.close()
    journal = opened(tmp_path)
    assert (journal.fact("lobby"), journal.fact("other")) == (b"first", bytes(range(256)))
    journal.close()


def test_tables_that_are_not_closed_are_unfinished_and_a_forgotten_one_is_gone(
    tmp_path: Path, opened: OpenJournal
) -> None:
    journal = opened(tmp_path)
    for table in ("b", "a", "closed", "forgotten"):
        journal.commit(table, ROWS, lambda: None)
    journal.commit("no table yet", [FactRow("stage", b"lobby")], lambda: None)
    journal.commit("closed", [FactRow("stage", b"closed")], lambda: None)
    journal.commit("forgotten", [ForgetRow()], lambda: None)
    journal.close()
    journal = opened(tmp_path)
    assert journal.unfinished() == ["b", "a"], "the oldest first"
    assert (journal.load("forgotten"), journal.load("never")) == (None, None)
    closed = journal.load("closed")
    assert closed is not None and closed.facts["stage"] == b"closed"
    journal.commit("forgotten", ROWS[:1], lambda: None)
    journal.settle()
    anew = journal.load("forgotten")
    assert anew is not None and (anew.facts, anew.seats, anew.acts) == ({"config": b"c"}, {}, [])
    journal.close()


def test_snapshots_of_earlier_games_are_dropped(tmp_path: Path, opened: OpenJournal) -> None:
    journal = opened(tmp_path)
    journal.commit("t", [*ROWS, SnapRow(0, 50, b"later")], lambda: None)
    new = [FactRow("game", b"1"), SnapRow(1, 0, b"new"), ActRow(1, 1, 0, b"pass", None, 0, 6)]
    journal.commit("t", new, lambda: None)
    journal.close()
    saved = read_journal(tmp_path, opened)
    assert [(snap.game, snap.seq, snap.state) for snap in saved.snaps] == [(1, 0, b"new")]
    assert (saved.acts, saved.taken) == (new[2:], {b"s" * 16: {7}}), "of this game, and who has acted in any"


def test_a_caller_with_nothing_else_to_do_writes_by_itself_on_a_quick_disk(tmp_path: Path) -> None:
    journal, told = Journal(tmp_path), list[str]()
    journal.commit("t", ROWS[:3], lambda: None)
    settled(journal)
    journal._usual_s = writer.QUICK_S + 1
    assert not journal.write_now("t", ROWS[3:]), "a slow disk"
    journal._usual_s = 0
    assert not journal.write_now("t", [SnapRow(1, 0, b"state")]), "a checkpoint follows"
    assert journal.write_now("t", ROWS[3:])
    saved = journal.load("t")
    assert saved is not None and saved.acts == ROWS[3:], "on disk at once"
    again = [ActRow(1, 1, 2, b"kick", b"s" * 16, 7, 5)]
    assert not journal.write_now("t", again), "sqlite refuses the rows"
    journal.commit("t", again, lambda: told.append("acknowledged"), told.append)
    assert not journal.write_now("u", ROWS), "another commit waits"
    settled(journal)
    assert len(told) == 1 and "UNIQUE" in told[0]
    assert not journal.write_now("t", [FactRow("stage", b"over")]), "it would leave a gap"
    journal.close()
    assert read_journal(tmp_path).acts == ROWS[3:]


def test_if_the_caller_cannot_write_the_journal_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, told = Journal(tmp_path), list[str]()
    settled(journal)

    def disk_full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journal, "_put", disk_full)
    journal.failed = told.append
    assert not journal.write_now("t", ROWS[3:])
    journal.commit("t", ROWS[3:], lambda: told.append("acknowledged"))
    journal.close()
    assert told == ["the journal cannot be written (database or disk is full): is the disk full?"] * 2


def test_commits_after_a_failed_one_fail_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: OpenJournal
) -> None:
    journal, told = opened(tmp_path), list[str]()

    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(journal, "_put", no_memory)
    journal.commit("t", ROWS, lambda: told.append("acknowledged"))  # fails before a callback is set
    with pytest.raises(JournalError, match=r"cannot be written \(MemoryError\)"):
        journal.settle()
    journal.failed = told.append
    journal.commit("t", [FactRow("stage", b"over")], lambda: told.append("acknowledged"))
    journal.close()
    assert len(told) == 1 and "cannot be written" in told[0]


# ---------------------------------------------------------------------------------------------------- damaged, foreign
def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="belongs to another program") as fault:
        Journal(tmp_path)
    assert "\n" not in str(fault.value) and path.read_bytes() == before


@pytest.mark.parametrize(("change", "age"), [(1, "a newer version"), (-2, "an older version")])
def test_a_journal_of_another_version_says_so(tmp_path: Path, change: int, age: str) -> None:
    path = journal_of(tmp_path)
    db = sqlite3.connect(path)
    schema = db.execute("PRAGMA user_version").fetchone()[0]
    db.execute(f"PRAGMA user_version = {schema + change}")
    db.close()
    with pytest.raises(JournalError, match=f"written by {age}"):
        Journal(tmp_path)


def test_a_damaged_file_leads_to_a_table_or_to_one_sentence(tmp_path: Path) -> None:
    offline, *_ = while_a_curse_is_read()
    journal_rows(offline, tmp_path / "whole")
    rng, refused = random.Random(3), 0
    for number in range(60):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "whole", folder)
        path = folder / "table.sqlite"
        data = bytearray(path.read_bytes())
        if number % 4 == 0:
            del data[rng.randrange(len(data)) :]  # cut off
        else:
            at = rng.randrange(0, len(data) - 64, 1)
            data[at : at + 64] = rng.randbytes(64)
        path.write_bytes(data)
        try:
            restored_table(offline, read_journal(folder))
        except (JournalError, AssertionError) as fault:  # AssertionError: `read_journal` found no table
            refused += 1
            assert "\n" not in str(fault)
    assert 10 < refused < 60, "some damage hits nothing that matters, some does"


# ---------------------------------------------------------------------------------------------------------- snapshots
def long_game(folder: Path, opened: OpenJournal = Journal) -> OfflineTable:
    """Write a journal with a snapshot in mid-game: the setup is answered, then an offer is made and withdrawn."""
    offline = OfflineTable(None, pace="relaxed")
    offline.sit("Kim", "Roger", "Ross")
    offline.play_randomly(120)
    journal_rows(offline, folder, opened)
    return offline


def test_the_actions_lead_to_each_snapshot_and_to_the_final_state(tmp_path: Path, opened: OpenJournal) -> None:
    offline = long_game(tmp_path, opened)
    saved = read_journal(tmp_path, opened)
    assert [snap.seq for snap in saved.snaps] == [0, 50, 100] and all(snap.is_intact for snap in saved.snaps)
    assert offline.table.match is not None
    for upto in (0, 1, 2):  # from the beginning, with all snapshots that there are
        game, seq = replay(replace(saved, snaps=saved.snaps[: upto + 1]), rules())
        assert (game.save(), seq) == (offline.table.match.game.save(), offline.table.match.seq)


def test_a_damaged_snapshot_is_skipped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    offline = long_game(tmp_path)
    db = sqlite3.connect(tmp_path / "table.sqlite")
    db.execute("UPDATE snaps SET state = zeroblob(300) WHERE seq = 100")
    db.commit()
    db.close()
    table = restored_table(offline, read_journal(tmp_path))
    assert table.match is not None and offline.table.match is not None
    assert table.match.game.save() == offline.table.match.game.save()
    assert "snapshot after action 100 is damaged" in caplog.text


def test_a_snapshot_that_differs_from_the_actions_is_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    offline = long_game(tmp_path)
    saved = read_journal(tmp_path)
    swapped = [saved.acts[1], saved.acts[0], *saved.acts[2:]]
    other = replace(saved, acts=[replace(act, seq=at + 1) for at, act in enumerate(swapped)])
    game, _ = replay(other, rules())
    assert offline.table.match is not None and game.save() == offline.table.match.game.save()
    assert "snapshot after action 50 differs" in caplog.text


# ------------------------------------------------------------------------------------------------------- exactly once
def test_an_action_that_waited_when_the_host_died_is_judged_when_it_is_sent_again(
    tmp_path: Path, opened: OpenJournal
) -> None:
    offline, (kim, _, ross), answer = while_a_curse_is_read()
    assert answer == wire.Ack(ross.n, "queued")
    play = Play(ross.holds("Find a Typo in the Rulse"), seat=ross.seat)
    ross.send(wire.Act(ross.session.s, ross.n, play))
    assert ross.received(wire.Ack)[-1] == wire.Ack(ross.n, "queued"), "sent again it still waits"
    table = restored_table(offline, journal_rows(offline, tmp_path, opened))
    token = ross.received(wire.Welcome)[-1].token
    back = table.hello(wire.Hello(wire.WIRE, wire.WIRE, "t", token, "Ross"), "Ross", b"2", offline.stamp)
    assert back is not None
    table.message(back, wire.Act(back.s, ross.n, play), offline.stamp)
    assert (b"2", wire.Ack(ross.n, "queued")) in [(out.address, out.message) for out in table.take()[1]]
    kims = table.seating.seats[kim.seat].player
    assert kims is not None and kim.view.you is not None
    token = kim.received(wire.Welcome)[-1].token
    assert table.hello(wire.Hello(wire.WIRE, wire.WIRE, "t", token, "Kim"), "Kim", b"1", offline.stamp) is kims
    ask = kim.view.you.asks[0]
    table.message(kims, wire.Act(kims.s, kim.n + 1, Answer(ask.id, (ask.options[0],))), offline.stamp)
    assert (b"2", wire.Ack(ross.n, "applied")) in [(out.address, out.message) for out in table.take()[1]]


def test_a_number_that_was_skipped_does_not_count_as_done(tmp_path: Path) -> None:
    offline, (_, roger, _), _ = while_a_curse_is_read()
    saved = journal_rows(offline, tmp_path)
    session = roger.session
    saved.taken[session.s] = {1, 2, 5}
    table = restored_table(offline, saved)
    back = table.seating.seats[roger.seat].player
    assert back is not None and (back.n, back.lost) == (5, {3, 4})
    assert back.again(3) is None and back.again(5) == wire.Ack(5, "dup") and back.again(6) is None
    assert back.again(3) == wire.Ack(3, "dup"), "once it has been judged it is known"
