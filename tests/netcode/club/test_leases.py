"""A host of a club and its leases: late writers are refused by the database, and what is acknowledged is there."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from netcode.journal import ActRow, FactRow, ForgetRow, JournalError, JournalInUse, Row
from netcode.protocol import limits
from tests.netcode.club.cluster import Cluster
from tests.patience import PATIENCE_S

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
from netcode.club import database, journal, leases  # noqa: E402  they need psycopg
from netcode.club.journal import AWAY, LAPSED, SUPERSEDED, TAKEN, ClubJournal  # noqa: E402  the same

OPENED: list[Row] = [FactRow("config", b"c")]
AT_ONCE = -1e6
"""So many seconds after its lease has lapsed another host takes a table over: before."""


def act(seq: int) -> ActRow:
    """Return an action of the first game."""
    return ActRow(0, seq, 1, b"kick", b"s" * 16, seq, seq)


class Told:
    """What a journal tells its host, in order."""

    def __init__(self, club: ClubJournal) -> None:
        self.club, self.words = club, list[str]()
        self._changed = threading.Condition()
        club.failed = lambda text: self.add(f"failed: {text}")
        club.stands = lambda text: self.add(f"stands: {text}")
        club.lost = lambda table, text: self.add(f"lost {table}: {text}")

    def take_over(self, limit: int = 100) -> None:
        """Let the journal take tables over from now on, up to so many."""
        self.club.take_over(lambda table, generation: self.add(f"taken {table} {generation}"), limit)

    def add(self, text: str) -> None:
        with self._changed:
            self.words.append(text)
            self._changed.notify_all()

    def commit(self, table: str, *rows: Row) -> None:
        """Commit these rows, and note what becomes of them."""
        name = f"{table} {getattr(rows[-1], 'seq', '')}".strip() if rows else table
        self.club.commit(table, rows, lambda: self.add(f"done {name}"), lambda why: self.add(f"refused {name}: {why}"))

    def wait(self, text: str) -> None:
        """Wait until this is told."""
        with self._changed:
            assert self._changed.wait_for(lambda: text in self.words, PATIENCE_S), (text, self.words)


@contextmanager
def hosts(club: str, *folders: Path, **more: Any) -> Iterator[list[Told]]:
    """Open the journals of these hosts, one after the other."""
    found: list[Told] = []
    try:
        for folder in folders:
            found.append(Told(ClubJournal(club, folder, **more)))
        yield found
    finally:
        for told in found:
            told.club.close()


def seqs(club: str, table: str = "t") -> list[int]:
    """Return the numbers of the actions of a table in the database."""
    with psycopg.connect(club) as db:
        return [row[0] for row in db.execute("SELECT seq FROM acts WHERE tab = %s ORDER BY seq", (table,))]


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
        write = first.club._write_batch

        def stopped(db: database.Connection, jobs: Any) -> None:
            if not go_on.is_set():
                db.execute("BEGIN")
                assert leases.held(db, first.club.name, first.club.generations) == {"t"}
                assert go_on.wait(PATIENCE_S)
            write(db, jobs)

        monkeypatch.setattr(first.club, "_write_batch", stopped)
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
    monkeypatch.setattr(journal, "steady", lambda: time.monotonic() + asleep)
    monkeypatch.setattr(journal, "HANGING_S", 10 * PATIENCE_S)
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


# ------------------------------------------------------------------------------------------------- a database that goes
@pytest.mark.parametrize("landed", [False, True])
def test_after_a_lost_connection_a_transaction_is_neither_lost_nor_doubled(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, landed: bool
) -> None:
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        write, cuts = host.club._write_batch, 0

        def cut(db: database.Connection, jobs: Any) -> None:
            nonlocal cuts
            cuts += 1
            if cuts == 1 and not landed:
                db.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            write(db, jobs)
            if cuts == 1:
                db.execute("SELECT pg_terminate_backend(pg_backend_pid())")

        monkeypatch.setattr(host.club, "_write_batch", cut)
        host.commit("t", act(1))
        host.commit("t", act(2))
        host.commit("new", *OPENED)
        host.wait("done new")
        host.commit("new", act(1))
        host.wait("done new 1")
        assert cuts >= 2 and host.words == ["done t", "done t 1", "done t 2", "done new", "done new 1"]
        assert (seqs(club), seqs(club, "new")) == ([1, 2], [1])


def query(club: str, text: str) -> Any:
    """Return the only value of a query."""
    with psycopg.connect(club) as db:
        row = db.execute(text).fetchone()
    assert row is not None
    return row[0]


def until(what: Callable[[], bool]) -> None:
    """Poll until this holds."""
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_while_the_database_is_away_nothing_is_acknowledged_and_then_everything(
    cluster: Cluster, club: str, tmp_path: Path
) -> None:
    with cluster.path_to(tmp_path / "s", club) as path, hosts(path.address, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        path.cut()
        host.commit("t", act(1))
        host.wait(f"stands: {AWAY}")
        assert host.club.standing == AWAY and seqs(club) == []
        with pytest.raises(JournalInUse, match="the club's database is away") as told:
            ClubJournal(path.address, tmp_path / "other")
        assert "\n" not in str(told.value)
        path.mend()
        host.wait("done t 1")
        host.wait("stands: ")
        assert host.words == ["done t", f"stands: {AWAY}", "done t 1", "stands: "] and seqs(club) == [1]


def test_a_database_that_stays_away_is_given_up_in_one_sentence(
    cluster: Cluster, club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "GONE_S", 0.2)
    monkeypatch.setattr(journal, "RETRY_S", 0.05)
    with cluster.path_to(tmp_path / "s", club) as path, hosts(path.address, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        path.cut()
        host.commit("t", act(1))
        until(lambda: host.words[-1].startswith("failed: the journal cannot be written (the club's database is away"))
        assert "done t 1" not in host.words


def test_a_server_that_hangs_is_given_up_and_asked_again(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "HANGING_S", 0.5)
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        assert host.club._db is not None
        frozen = host.club._db.info.backend_pid
        os.kill(frozen, signal.SIGSTOP)
        try:
            host.commit("t", act(1))
            host.wait("done t 1")
        finally:
            os.kill(frozen, signal.SIGCONT)
        host.commit("t", act(2))
        host.wait("done t 2")
        assert seqs(club) == [1, 2]


def test_rows_that_somebody_else_has_locked_delay_an_action_and_lose_none(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(database.SETTINGS, "lock_timeout", "100ms")
    monkeypatch.setattr(journal, "RETRY_S", 0.05)
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        with psycopg.connect(club) as db:
            db.execute("LOCK TABLE acts IN EXCLUSIVE MODE")
            host.commit("t", act(1))
            host.wait(f"stands: {AWAY}")
        host.wait("done t 1")
        host.wait("stands: ")
        assert seqs(club) == [1]


def test_an_older_copy_of_the_database_is_noticed(club: str, tmp_path: Path) -> None:
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED, act(1))
        host.wait("done t 1")
        with psycopg.connect(club) as db:
            db.execute("UPDATE hosts SET batch = batch - 1")
            db.execute("DELETE FROM acts")
            assert host.club._db is not None
            db.execute("SELECT pg_terminate_backend(%s)", (host.club._db.info.backend_pid,))
        host.commit("t", act(2))
        until(lambda: host.words[-1].startswith("failed: the journal cannot be written (the club's database has lost"))
        assert seqs(club) == []


# ---------------------------------------------------------------------------------------------------------- sentences
def test_each_connection_has_its_settings(club: str) -> None:
    with database.connect(club) as db:
        for name, value in database.SETTINGS.items():
            assert db.execute("SELECT current_setting(%s)", (name,)).fetchone() == (value,)


def test_tables_of_another_version_are_refused_in_one_sentence(club: str, cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no tables of a club: make them with `kickdoor club migrate`"):
        ClubJournal(cluster.address, tmp_path)
    for version, remedy in ((0, "kickdoor club migrate"), (99, "install a newer kickdoor")):
        with psycopg.connect(club) as db:
            db.execute("UPDATE club_schema SET version = %s", (version,))
        with pytest.raises(JournalError, match=remedy) as told:
            ClubJournal(club, tmp_path)
        assert "\n" not in str(told.value)
    with pytest.raises(JournalError, match="install a newer kickdoor"):
        database.migrate(club)


@pytest.mark.parametrize(
    "address",
    ["postgresql://kim:secret@/club", "postgresql:///club?password=secret", "dbname=club password=secret"],
)
def test_an_address_with_a_password_is_refused_and_not_repeated(address: str, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="contains a password") as told:
        ClubJournal(address, tmp_path)
    assert "secret" not in str(told.value) and "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nonsense", "names no database"), ("postgresql:///club?nonsense=1", "names no database"),
        ("postgresql:///nothere", "does not exist"),
    ],
)  # fmt: skip
def test_an_address_that_leads_nowhere_is_refused_in_one_sentence(
    cluster: Cluster, address: str, words: str, tmp_path: Path
) -> None:
    more = cluster.address.partition("?")[2]
    with pytest.raises(JournalError, match=words) as told:
        ClubJournal(f"{address}?{more}" if address.endswith("nothere") else address, tmp_path)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("problem", "words", "again"),
    [
        (psycopg.errors.DiskFull, "the disk of the club's database is full", True),
        (psycopg.errors.TooManyConnections, "takes no more connections", True),
        (psycopg.errors.QueryCanceled, "did not answer within 5 s", True),
        (psycopg.errors.ReadOnlySqlTransaction, "is a standby", True),
        (psycopg.errors.InsufficientPrivilege, "lacks rights", False),
        (psycopg.errors.UndefinedTable, "kickdoor club migrate", False),
        (psycopg.errors.SyntaxError, "reports an error (SyntaxError, 42601)", False),
    ],
)
def test_an_error_of_the_server_is_one_sentence_without_its_text(
    problem: type[Exception], words: str, again: bool
) -> None:
    error = problem("Key (s)=(secret) in\nINSERT")
    told = database.sentence(error)
    assert words in told and "secret" not in told and "\n" not in told
    assert database.may_pass(error) == again


def test_rights_that_are_missing_are_one_sentence(club: str, cluster: Cluster, tmp_path: Path) -> None:
    schema = club.rpartition("%3D")[2]
    with psycopg.connect(club) as db:
        db.execute(f"CREATE ROLE {schema} LOGIN; GRANT USAGE ON SCHEMA {schema} TO {schema}")
        db.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {schema}")
    address = club.replace(f"user={cluster.role}", f"user={schema}")
    with pytest.raises(JournalError, match="lacks rights on its tables"):
        ClubJournal(address, tmp_path)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from netcode.club.needs import need_psycopg

    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(JournalError, match=r"pip install 'kickdoor\[club\]'"):
        need_psycopg()


