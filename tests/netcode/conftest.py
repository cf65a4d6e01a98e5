"""Fixtures: a PostgreSQL server where there is one, and both homes of a journal."""

import secrets
import tempfile
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from netcode.journal import Journal, JournalHome
from tests.netcode.club.cluster import Cluster, programs, shared_cluster

OpenJournal = Callable[[Path], Any]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A server that all tests share. Its socket needs a short path, which other users can reach."""
    pytest.importorskip("psycopg", reason="needs the extra club")
    found = programs()
    if found is None:
        pytest.skip("needs the programs of PostgreSQL 15 or later")
    run = tmp_path_factory.getbasetemp()
    run = run.parent if run.name.startswith("popen-") else run  # of all workers
    key = blake2b(str(run).encode(), digest_size=5).hexdigest()
    with shared_cluster(run, Path(tempfile.gettempdir()) / f"kickdoor-{key}", found) as shared:
        yield shared


@pytest.fixture
def club(cluster: Cluster) -> str:
    """The address of a club without hosts, in a schema of its own."""
    import psycopg

    from netcode.club.database import migrate as make_tables

    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(cluster.address, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}")
    address = f"{cluster.address}&options=-csearch_path%3D{name}"
    make_tables(address)
    return address


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest) -> OpenJournal:
    """Opens the journal of the host of a folder, which is in a file or in the database of a club."""
    if request.param == "sqlite":
        return Journal
    address = request.getfixturevalue("club")
    from netcode.club.journal import ClubJournal

    def open_journal(folder: Path) -> JournalHome:
        return ClubJournal(address, folder)

    return open_journal
