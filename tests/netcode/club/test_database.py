"""Connections to the database of a club: their settings, and one sentence for each thing that may be wrong with it."""

import sys
from pathlib import Path

import pytest

from netcode.journal import JournalError
from tests.netcode.club.cluster import Cluster

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
from netcode.club import database  # noqa: E402  it needs psycopg
from netcode.club.journal import ClubJournal  # noqa: E402  the same


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
