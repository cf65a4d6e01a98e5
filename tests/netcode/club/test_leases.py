"""A host of a club and its leases: late writers are refused by the database, and tables go from host to host."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from netcode.journal import FactRow, ForgetRow, JournalInUse
from netcode.protocol import limits
from tests.patience import PATIENCE_S

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
from netcode.club import connections, database, lease_clock, leases  # noqa: E402  they need psycopg
from netcode.club.journal import ClubJournal  # noqa: E402  the same
from netcode.club.lease_clock import LAPSED  # noqa: E402  the same
from netcode.club.transactions import SUPERSEDED, TAKEN  # noqa: E402  the same
from tests.netcode.club.club_journals import AT_ONCE, OPENED, act, hosts, query, seqs, until  # noqa: E402  the same


# ------------------------------------------------------------------------------------------------------------ fencing
def test_a_late_writer_is_refused_by_the_database_and_lets_go_of_the_table(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first", tmp_path / "second") as (first, second):
        first.commit("t", *OPENED, act(1))
        first.commit("other", *OPENED)
        first.wait("done other")
        with psycopg.connect(club) as db:
            db.execute("UPDATE tables SET lease_until = now() - interval '1 minute' WHERE id = 't'")
            assert leases.take_over(db, second.club.name, 30) == {"t": 2}, "the lease of the other table has not lapsed"
        second.club.generations["t"] = 2
        first.commit("t", act(2))
        first.commit("t", act(3))
        first.commit("t")
        first.commit("t", ForgetRow())
        first.commit("other", act(1))
        second.commit("t", act(2))
        second.wait("done t 2")
        first.wait("done other 1")
        assert f"lost t: {TAKEN}" in first.words and first.words.count(f"lost t: {TAKEN}") == 1
        assert not [text for text in first.words if text.startswith(("done t 2", "done t 3", "failed"))], first.words
        assert (seqs(club), seqs(club, "other")) == ([1, 2], [1])
        saved = second.club.load("t")
        assert saved is not None and saved.acts == [act(1), act(2)]


def test_a_host_does_not_write_on_what_it_knew_before_another_host_had_the_table(club: str, tmp_path: Path) -> None:
    """The table is with the same host again, so only its generation tells."""
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED, act(1))
        host.wait("done t 1")
        with psycopg.connect(club) as db:
            leases.register(db, "other", "test")
            assert leases.take_over(db, "other", AT_ONCE) == {"t": 2}
            db.execute("INSERT INTO acts VALUES ('t', 0, 2, 1, 'pass', NULL, 0, 2)")  # by the other host
            assert leases.take_over(db, host.club.name, AT_ONCE) == {"t": 3}
        host.commit("t", act(3))
        host.commit("t", act(4))
        host.commit("u", *OPENED)
        host.wait("done u")
        assert f"lost t: {TAKEN}" in host.words and not {"done t 3", "done t 4"} & set(host.words), host.words
        assert seqs(club) == [1, 2]


def test_a_host_takes_over_what_others_have_left_and_serves_it_when_it_says_so(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first") as (first,):
        first.commit("t", *OPENED)
        first.commit("closed", *OPENED, FactRow("stage", b"closed"))
        first.wait("done closed")
        with hosts(club, tmp_path / "second") as (second,):
            second.take_over()
            second.commit("u", *OPENED)
            second.wait("done u")
            assert second.club.generations == {"u": 1}, "the lease has not lapsed"
        with hosts(club, tmp_path / "third", lapsed_s=AT_ONCE) as (third,):
            third.take_over()
            third.wait("taken t 2")
            first.wait(f"lost t: {TAKEN}")  # it notices when it renews its leases
            assert first.club.generations == {"closed": 1} and third.club.holds("t", 2)
            third.commit("t", act(9))  # of somebody who had the table before
            third.wait(f"refused t 9: {TAKEN}")
            third.club.take_up("t")
            third.commit("t", act(1))
            third.wait("done t 1")
            assert seqs(club) == [1]


def test_a_host_takes_no_more_tables_over_than_it_has_room_for(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first") as (first,):
        for number in range(4):
            first.commit(f"t{number}", *OPENED)
        first.wait("done t3")
    with psycopg.connect(club) as db:
        db.execute("UPDATE tables SET lease_until = now() - interval '1 minute'")
    with hosts(club, tmp_path / "second", tmp_path / "third") as (second, third):
        second.commit("own", *OPENED)
        second.take_over(limit=3)
        until(lambda: len(second.club.generations) == 3)
        second.commit("own", FactRow("stage", b"playing"))
        second.wait("done own")  # more than one renewal later
        until(lambda: query(club, "SELECT count(*) FROM tables WHERE lease_until < now()") == 2)
        assert sum(text.startswith("taken") for text in second.words) == 2
        second.commit("own", ForgetRow())
        until(lambda: len(second.club.generations) == 3 and "own" not in second.club.generations)
        third.take_over()
        until(lambda: len(third.club.generations) == 1)


def test_what_hosts_that_are_gone_have_left_is_removed_after_a_time(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first", tmp_path / "second", tmp_path / "third") as (first, second, third):
        names = [told.club.name for told in (first, second, third)]
        first.commit("t", *OPENED)
        second.commit("closed", *OPENED, FactRow("stage", b"closed"))
        second.commit("new", *OPENED, FactRow("stage", b"closed"))
        second.club.open_for("half", "kim", "", second.add)
        second.wait("opened")
    with psycopg.connect(club) as db:
        db.execute("UPDATE hosts SET seen = now() - interval '25 hours'")
        db.execute("UPDATE tables SET lease_until = now() - interval '11 minutes' WHERE id <> 'new'")
    with hosts(club, tmp_path / "third", tmp_path / "fourth") as (third, fourth):
        third.club.directory.begin()
        until(lambda: query(club, "SELECT count(*) FROM tables") == 2)
        assert query(club, "SELECT array_agg(id ORDER BY id) FROM tables") == ["new", "t"]
        with psycopg.connect(club) as db:
            db.execute("DELETE FROM tables WHERE id = 'new'")
            leases.tidy(db)
        kept = query(club, "SELECT array_agg(name) FROM hosts")
        assert set(kept) == {names[0], names[2], fourth.club.name}, "the second one has no table"


def test_a_table_whose_row_a_stopped_host_has_locked_is_taken_when_the_lock_is_gone(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(database.SETTINGS, "idle_in_transaction_session_timeout", "300ms")
    go_on = threading.Event()
    with hosts(club, tmp_path / "first", lease_s=2.0) as (first,), hosts(club, tmp_path / "second") as (second,):
        first.commit("t", *OPENED)
        first.wait("done t")
        write = first.club._transactions._write_in

        def stopped(db: database.Connection, *more: Any) -> None:
            if not go_on.is_set():
                db.execute("BEGIN")
                assert leases.held(db, first.club.name, first.club.generations) == {"t"}
                assert go_on.wait(PATIENCE_S)
            write(db, *more)

        monkeypatch.setattr(first.club._transactions, "_write_in", stopped)
        first.commit("t", act(1))
        second.take_over()
        second.wait("taken t 2")
        go_on.set()
        first.wait(f"lost t: {TAKEN}")
        assert seqs(club) == []


def test_a_take_over_leaves_a_write_that_is_under_way_alone_and_sees_it(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(database.SETTINGS, "idle_in_transaction_session_timeout", "0")
    writing, go_on = threading.Event(), threading.Event()
    with hosts(club, tmp_path / "first") as (first,), hosts(club, tmp_path / "second", lapsed_s=AT_ONCE) as (second,):
        first.commit("t", *OPENED)
        first.commit("u", *OPENED)
        first.wait("done u")
        put = first.club._put

        def slowly(db: database.Connection, *args: Any) -> None:
            put(db, *args)
            assert db.execute("SELECT 1").fetchone() == (1,), "the server has it"
            writing.set()
            assert go_on.wait(PATIENCE_S)

        monkeypatch.setattr(first.club, "_put", slowly)
        first.commit("t", act(1))
        assert writing.wait(PATIENCE_S)
        second.take_over()
        second.wait("taken u 2")
        assert not second.club.holds("t", 2)
        go_on.set()
        second.wait("taken t 2")
        first.wait("done t 1")
        saved = second.club.load("t")
        assert saved is not None and saved.acts == [act(1)]


def test_a_table_goes_to_the_host_that_it_is_given_to_after_all_that_was_written_before(
    club: str, tmp_path: Path
) -> None:
    with hosts(club, tmp_path / "first", tmp_path / "second") as (first, second):
        second.take_over()
        first.commit("t", *OPENED, act(1))
        first.commit("t", act(2))
        first.club.give("t", second.club.name, lambda given: first.add(f"given: {given}"))
        first.commit("t", act(3))
        first.wait(f"refused t 3: {TAKEN}")
        assert first.words == ["done t 1", "done t 2", "given: True", f"refused t 3: {TAKEN}"]
        second.wait("taken t 2")
        saved = second.club.load("t")
        assert saved is not None and saved.acts == [act(1), act(2)]
        first.club.give("t", second.club.name, lambda given: first.add(f"again: {given}"))
        first.wait("again: False")


def test_two_processes_with_the_name_of_one_host_are_not_both_the_host(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first") as (first,):
        first.commit("t", *OPENED)
        first.wait("done t")
        with pytest.raises(JournalInUse, match="another host is using the data folder"):
            ClubJournal(club, tmp_path / "first")
        (tmp_path / "copy").mkdir()
        (tmp_path / "copy" / "club.name").write_text(first.club.name)
        with hosts(club, tmp_path / "copy") as (copy,):
            assert copy.club.generations == {"t": 2}
            first.commit("t", act(1))
            first.wait(f"failed: the journal cannot be written ({SUPERSEDED})")
            copy.commit("t", act(1))
            copy.wait("done t 1")
            assert seqs(club) == [1]


def test_a_host_cannot_remove_the_table_of_another_host_that_has_the_same_id(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first", tmp_path / "second") as (first, second):
        first.commit("t", *OPENED, act(1))
        first.wait("done t 1")
        second.commit("t", ForgetRow(), *OPENED)
        second.commit("u", *OPENED)
        second.wait("done u")
        assert seqs(club) == [1] and any(text.startswith("refused t:") for text in second.words)


# ---------------------------------------------------------------------------------------------------------- creators
def test_tables_of_a_person_are_counted_across_hosts_until_they_are_closed(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first", tmp_path / "second") as both:

        def opens(at: int, table: str, creator: str, origin: str = "") -> str:
            both[at].club.open_for(table, creator, origin, lambda what: both[at].add(f"{table}: {what}"))
            both[at].club.settle()
            return both[at].words[-1]

        for number in range(limits.TABLES_PER_KEY):
            assert opens(number % 2, f"k{number}", "kim") == f"k{number}: opened"
            both[number % 2].commit(f"k{number}", *OPENED, act(1))
        for told in both:
            told.club.settle()
        assert both[0].club.generations["k0"] == 1 and seqs(club, "k0") == [1]
        assert [opens(at, "more", "kim") for at in (0, 1)] == ["more: too many of theirs"] * 2
        assert opens(1, "k0", "ann") == "k0: taken", "by the other host"
        both[0].commit("k0", FactRow("stage", b"closed"))
        both[0].club.settle()
        assert opens(1, "more", "kim") == "more: opened"
        for number in range(limits.TABLES_PER_ADDRESS):
            assert opens(number % 2, f"w{number}", f"key {number}", "10.0.0.5") == f"w{number}: opened"
        assert opens(0, "w", "another key", "10.0.0.5") == "w: too many from there"


def test_two_hosts_that_are_asked_at_once_open_no_table_too_many(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "first", tmp_path / "second") as both:
        for number in range(2 * limits.TABLES_PER_KEY):
            told = both[number % 2]
            told.club.open_for(f"t{number}", "kim", "", told.add)
        for told in both:
            told.club.settle()
        assert sorted(both[0].words + both[1].words).count("opened") == limits.TABLES_PER_KEY


# --------------------------------------------------------------------------------------------------- the host's clock
def test_a_host_whose_leases_are_about_to_lapse_stands_still_until_they_are_renewed(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, asleep = threading.Event(), 0.0
    monkeypatch.setattr(lease_clock, "steady", lambda: time.monotonic() + asleep)
    monkeypatch.setattr(connections, "HANGING_S", 10 * PATIENCE_S)
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        put = host.club._put
        monkeypatch.setattr(host.club, "_put", lambda *args: go_on.wait(PATIENCE_S) and put(*args))
        host.commit("t", act(1))
        asleep = leases.LEASE_S - leases.MARGIN_S + 0.01  # the lease in the database lasts for another second
        assert host.club.standing == LAPSED
        host.wait(f"stands: {LAPSED}")
        go_on.set()
        host.wait("stands: ")
        assert host.club.standing == "" and seqs(club) == [1]
