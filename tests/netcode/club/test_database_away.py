"""A database of a club that goes and comes back: nothing that was confirmed is lost, and nothing is doubled."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from netcode.journal import JournalInUse
from tests.netcode.club.cluster import Cluster

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
from netcode.club import connections, database  # noqa: E402  they need psycopg
from netcode.club.journal import ClubJournal  # noqa: E402  the same
from netcode.club.lease_clock import AWAY  # noqa: E402  the same
from tests.netcode.club.club_journals import OPENED, act, hosts, seqs, until  # noqa: E402  the same


@pytest.mark.parametrize("landed", [False, True])
def test_after_a_lost_connection_a_transaction_is_neither_lost_nor_doubled(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, landed: bool
) -> None:
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        write, cuts = host.club._transactions._write_in, 0

        def cut(db: database.Connection, *more: Any) -> None:
            nonlocal cuts
            cuts += 1
            if cuts == 1 and not landed:
                db.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            write(db, *more)
            if cuts == 1:
                db.execute("SELECT pg_terminate_backend(pg_backend_pid())")

        monkeypatch.setattr(host.club._transactions, "_write_in", cut)
        host.commit("t", act(1))
        host.commit("t", act(2))
        host.commit("new", *OPENED)
        host.wait("done new")
        host.commit("new", act(1))
        host.wait("done new 1")
        assert cuts >= 2 and host.words == ["done t", "done t 1", "done t 2", "done new", "done new 1"]
        assert (seqs(club), seqs(club, "new")) == ([1, 2], [1])


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
    monkeypatch.setattr(connections, "GONE_S", 0.2)
    monkeypatch.setattr(connections, "RETRY_S", 0.05)
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
    monkeypatch.setattr(connections, "HANGING_S", 0.5)
    with hosts(club, tmp_path / "host") as (host,):
        host.commit("t", *OPENED)
        host.wait("done t")
        frozen = host.club._writer.connected().info.backend_pid
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
    monkeypatch.setattr(connections, "RETRY_S", 0.05)
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
            pid = host.club._writer.connected().info.backend_pid
            db.execute("SELECT pg_terminate_backend(%s)", (pid,))
        host.commit("t", act(2))
        until(lambda: host.words[-1].startswith("failed: the journal cannot be written (the club's database has lost"))
        assert seqs(club) == []
