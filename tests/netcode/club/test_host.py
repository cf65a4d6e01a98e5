"""`kickdoor host --club`: real processes whose tables are in PostgreSQL."""

import asyncio
import json
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from core.state.actions import Done
from netcode.client.client import Client, ConnectionChanged
from netcode.protocol import wire
from netcode.protocol.credentials import parse_join
from tests.netcode.club.cluster import Cluster, new_cluster, programs
from tests.netcode.running_host import RunningHost, running_host, seated, shown, until, you
from tests.tui.command_line import kickdoor

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
from netcode.club import leases  # noqa: E402  the same
from netcode.club.lease_clock import AWAY  # noqa: E402  it needs psycopg
from tests.netcode.club.contents import acts, tables  # noqa: E402  the same


def words(client: Client) -> list[str]:
    """Return a list that gets everything that this client is told about its connection."""
    told: list[str] = []
    client.subscribe(lambda news: told.append(news.text) if isinstance(news, ConnectionChanged) and news.text else None)
    return told


async def synced(clients: list[Client]) -> None:
    """Wait until these clients are at their table again."""
    for client in clients:
        await client.wait_for(lambda one: one.stage == "synced")


async def test_what_a_killed_host_has_acknowledged_is_there_and_its_next_start_has_the_table(
    club: str, tmp_path: Path
) -> None:
    config = {"club": club, "data": str(tmp_path / "host"), "pace": "relaxed", "lease_s": 60}
    async with running_host(**config) as host, seated(host, "Kim", "Roger", "Ross") as clients:
        join = parse_join(host.join)
        assert tables(club)[join.table].lease_s > leases.LEASE_S
        assert await clients[0].do(Done()) == wire.Ack(1, "applied")
        assert await clients[1].do(Done()) == wire.Ack(1, "applied")
        assert len(acts(club, join.table)) == 2
        hands = [you(client).hand for client in clients]
        host.stop(signal.SIGKILL)
        async with running_host(**config, port=join.port) as again:
            assert again.join == host.join, "the same table, key and token"
            await synced(clients)
            assert [you(client).hand for client in clients] == hands
            assert isinstance(await clients[2].do(Done()), wire.Ack)
            assert len(acts(club, join.table)) == 3
            secret = (tmp_path / "host" / "server.key").read_text()[64:]
            with psycopg.connect(club) as db:
                kept = b"".join(row[0] for row in db.execute("SELECT value FROM host_facts"))
            assert bytes.fromhex(secret) not in kept, "the key is not in the database"


@pytest.mark.parametrize("how", ["out of reach", pytest.param("stopped", marks=pytest.mark.long(0))])
async def test_while_the_database_is_away_the_table_stands_still_and_says_so_and_then_goes_on(
    how: str, club: str, cluster: Cluster, tmp_path: Path
) -> None:
    with cluster.path_to(tmp_path / "s", club) as path:
        own = None
        if how == "stopped":
            found = programs()
            assert found is not None
            own = new_cluster(Path(f"{cluster.folder}-own"), found)
            done = kickdoor("club", "migrate", "--club", own.address)
            assert done.returncode == 0, done.stderr
        address, cut, mend = (
            (own.address, own.stop, own.start) if own is not None else (path.address, path.cut, path.mend)
        )
        try:
            config = {"club": address, "data": str(tmp_path / "host"), "pace": "relaxed"}
            async with running_host(**config) as host, seated(host, "Kim", "Roger", "Ross") as clients:
                assert isinstance(await clients[0].do(Done()), wire.Ack)
                told = [words(client) for client in clients]
                await asyncio.to_thread(cut)
                acting = asyncio.ensure_future(clients[1].do(Done(), timeout=None))
                await until(lambda: all(AWAY in one for one in told))
                assert not acting.done()
                await asyncio.to_thread(mend)
                assert isinstance(await acting, wire.Ack)
                await synced(clients)
                assert isinstance(await clients[2].do(Done()), wire.Ack)
                assert len(acts(address, parse_join(host.join).table)) == 3
                await synced(clients)
        finally:
            if own is not None:
                own.stop()
                shutil.rmtree(own.folder)


# ----------------------------------------------------------------------------------------------------------- commands
async def a_game(folder: Path, acting: bool, **config: str) -> tuple[str, str, int]:
    """Run the host of this folder until its three players are in their game. acting: one of them acts. Return its
    string, without the address, and the revision that they see; then kill it."""
    async with (
        running_host(data=str(folder), pace="relaxed", **config) as host,
        seated(host, "Kim", "Roger", "Ross") if acting else watched(host) as clients,
    ):
        if acting:
            assert isinstance(await clients[0].do(Done()), wire.Ack)
        found, rev = parse_join(host.join), shown(clients[0]).rev
        host.stop(signal.SIGKILL)
    return found.table, f"{found.key.hex()} {found.token.hex()}", rev


@asynccontextmanager
async def watched(host: RunningHost) -> AsyncIterator[list[Client]]:
    """Spectate the table of a host."""
    client = Client(host.watch, "Vic", role="watch", keep=False)
    try:
        await client.join()
        await client.wait_for(lambda one: one.view is not None)
        yield [client]
    finally:
        await client.close()


def status(club: str) -> dict[str, Any]:
    """Return what `kickdoor club status --json` prints."""
    done = kickdoor("club", "status", "--club", club, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


async def test_tables_move_into_a_club_and_out_again(club: str, tmp_path: Path) -> None:
    folder = tmp_path / "host"
    begun = await a_game(folder, acting=True)
    done = kickdoor("club", "import", "--club", club, str(folder))
    assert done.returncode == 0 and "1 tables are in the club now" in done.stdout, done.stderr
    assert (folder / "before-club" / "table.sqlite").exists() and not list(folder.glob("table.*"))
    again = kickdoor("club", "import", "--club", club, str(folder))
    assert again.returncode == 1 and "there is no journal in" in again.stderr and again.stderr.count("\n") == 1
    assert await a_game(folder, acting=False, club=club) == begun, "the same strings, the same game"
    found = status(club)
    (table,), (host,) = found["tables"], found["hosts"]
    assert (table["id"], table["stage"], table["generation"]) == (begun[0], "playing", 2)
    assert (table["host"], host["tables"]) == (host["name"], 1)
    assert f"table {begun[0]}: playing" in kickdoor("club", "status", "--club", club).stdout
    done = kickdoor("club", "export", "--club", club, str(folder))
    assert done.returncode == 0 and "1 tables are in" in done.stdout, done.stderr
    assert status(club)["tables"] == []
    assert await a_game(folder, acting=False) == begun
