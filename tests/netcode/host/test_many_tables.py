"""Many tables in one host, with real sockets: the lobby, visibility, limits, restoring all tables."""

import asyncio
import contextlib
import itertools
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from cards import BUILT_IN
from core.state.actions import Done
from netcode.client.client import Client, ClientError
from netcode.client.lobby_client import LobbyClient
from netcode.host.registry import Registry, TablePlan
from netcode.journal import Journal
from netcode.protocol import codec, wire
from netcode.protocol.credentials import new_pair, parse_join
from tests.netcode.in_process_host import in_process_host
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import RunningHost, running_host, start_process, until, you
from tests.patience import PATIENCE_S

MS = 1_000_000


# ------------------------------------------------------------------------------------------------------- the lobby
async def test_a_visitor_sees_the_tables_opens_one_and_sits_down() -> None:
    async with in_process_host() as inside:
        ann, ben = await inside.visitor("Ann"), await inside.visitor("Ben")
        (first,) = ann.rows
        assert (first.seats, first.taken, first.free, first.stage, first.pace) == (3, 0, 3, "lobby", "relaxed")
        assert ann.machine == "here" and ann.room == 19 and ann.sets == ["munchkins-and-mazes", "axe-cop"]

        opened = await ann.create(["axe-cop"], title="Friday [night]", seats=4, bots=2, pace="quick")
        await ben.wait_for(lambda one: len(one.rows) == 2)
        row = ben.rows[1]
        assert (row.table, row.title, row.sets, row.seats) == (opened.table, "Friday (night)", ["axe-cop"], 4)
        assert (row.taken, row.bots, row.free, row.pace, row.owner) == (0, 2, 2, "quick", "")

        boss = inside.client(opened.owner, "Ann")
        await boss.join()
        guest = inside.client(await ben.join_string(opened.table), "Ben")
        await guest.join()
        spectator = inside.client(await ben.join_string(opened.table, watch=True), "Wes", role="watch")
        await spectator.join()
        assert (boss.seat, guest.seat, spectator.seat) == (0, 1, -1)
        assert boss.info is not None and boss.info.owner == boss.seat
        await ben.wait_for(lambda one: one.rows[1].watchers == 1)
        row = ben.rows[1]
        assert (row.taken, row.bots, row.free, row.owner, row.watchers) == (2, 2, 0, "Ann", 1)
        with pytest.raises(ClientError, match="watch"):
            await inside.client(await ben.join_string(opened.table, watch=True), "Wes").join()


async def test_a_closed_table_leaves_the_list_and_cannot_be_entered() -> None:
    async with in_process_host() as inside:
        ann = await inside.visitor()
        opened = await ann.create(["axe-cop"], seats=3)
        await ann.wait_for(lambda one: len(one.rows) == 2)
        inside.registry.tables[opened.table].table.close("ended", "the table is closed")
        await ann.wait_for(lambda one: len(one.rows) == 1)
        with pytest.raises(ClientError, match="is closed"):
            await ann.join_string(opened.table)
        with pytest.raises(ClientError, match="no table here fits") as gone:
            await inside.client(opened.join, "Ann").join()
        assert gone.value.code == "bad_token"


@pytest.mark.long(0)
async def test_after_a_restart_of_the_host_its_lobby_continues_and_its_string_stays_valid(tmp_path: Path) -> None:
    data = str(tmp_path)
    async with running_host(data=data) as host:
        visitor = LobbyClient(host.lobby, "Ann", keep=False)
        await visitor.enter()
        host.process.kill()
        host.process.communicate()
        await visitor.wait_for(lambda one: one.stage == "offline", PATIENCE_S)
        async with running_host(data=data, port=parse_join(host.join).port) as again:
            assert again.lobby == host.lobby
            await visitor.wait_for(lambda one: one.stage == "synced", PATIENCE_S)
            await visitor.create(["axe-cop"])
            await visitor.wait_for(lambda one: len(one.rows) == 2)
        await visitor.close()


# ------------------------------------------------------------------------------------------------- who may see what
async def test_a_string_of_one_table_tells_nothing_about_others() -> None:
    async with in_process_host(tables=((), ("listen",))) as inside:
        mine, other = inside.registry.tables.values()
        string = inside.string(mine.id, mine.record.join)
        answers = []
        with RawClient(string, new_pair()) as raw:
            for table in (other.id, "nobody", "lobby"):
                await asyncio.to_thread(raw.send, hello(string, table=table))
                answers.append(codec.pack(await raw.answer(wire.Error)))
            assert answers[0] == answers[1] == answers[2], "the answers for an existing and a missing table differ"
            await asyncio.to_thread(raw.send, hello(string))
            welcome = await raw.answer(wire.Welcome)
            for request in (wire.ListTables(welcome.s), wire.EnterTable(welcome.s, other.id)):
                await asyncio.to_thread(raw.send, request)
                assert (await raw.answer(wire.Error)).code == "unknown_session"
            await asyncio.to_thread(raw.send, wire.GetPack(welcome.s, "axe-cop"))
            assert (await raw.answer(wire.Error)).code == "no_such_pack"


async def test_a_lobby_session_is_valid_neither_at_a_table_nor_for_another_connection() -> None:
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        with RawClient(inside.lobby_string, new_pair()) as raw, RawClient(inside.lobby_string, new_pair()) as thief:
            await asyncio.to_thread(raw.send, hello(inside.lobby_string))
            entered = await raw.answer(wire.Entered)
            await asyncio.to_thread(raw.send, wire.Act(entered.s, 1, Done()))
            assert (await raw.answer(wire.Error)).code == "unknown_session"
            await asyncio.to_thread(thief.send, wire.EnterTable(entered.s, entry.id))
            assert (await thief.answer(wire.Error)).code == "unknown_session"
            await asyncio.to_thread(thief.send, hello(inside.lobby_string, token=b"x" * 16))
            assert (await thief.answer(wire.Error)).code == "bad_token"


async def test_the_lobby_sends_only_the_requested_token_and_no_card() -> None:
    async with in_process_host(tables=((), ())) as inside:
        first, second = inside.registry.tables.values()
        await inside.seated(first, "Kim", "Roger", "Ross")
        with RawClient(inside.lobby_string, new_pair()) as raw:
            told = b""
            await asyncio.to_thread(raw.send, hello(inside.lobby_string))
            for kind in (wire.Entered, wire.Tables):
                told += codec.pack(await raw.answer(kind))
            for entry in (first, second):
                for token in (entry.record.join, entry.record.watch, entry.record.owner):
                    assert token not in told
                for seat in entry.table.seating.seats:
                    session = seat.player
                    assert session is None or not any(secret in told for secret in (session.s, *session.tokens))
            for word in (b"hand", b"Roger", b"Ross"):
                assert word not in told
            assert b"Kim" in told, "the owner is named"


async def test_the_owners_token_goes_to_nobody_but_the_creator() -> None:
    async with in_process_host() as inside:
        ann, ben = await inside.visitor("Ann"), await inside.visitor("Ben")
        opened = await ann.create(["axe-cop"])
        record = inside.registry.tables[opened.table].record
        assert parse_join(opened.owner).token == record.owner
        for watch in (False, True):
            way = parse_join(await ben.join_string(opened.table, watch))
            assert way.token == (record.watch if watch else record.join)
            assert way.token != record.owner


async def test_the_lobby_says_how_newcomers_come_in_and_gives_out_no_string_that_its_owner_has_renewed() -> None:
    async with in_process_host() as inside:
        ann, ben = await inside.visitor("Ann"), await inside.visitor("Ben")
        opened = await ann.create(["axe-cop"], knock=True)
        boss = inside.client(opened.owner, "Ann")
        await boss.join()

        async def entry(wanted: str) -> None:
            await ben.wait_for(lambda one: any(row.table == opened.table and row.entry == wanted for row in one.rows))

        await entry("knock")
        guest = inside.client(await ben.join_string(opened.table), "Ben")
        joining = asyncio.ensure_future(guest.join())
        await boss.wait_for(lambda one: bool(one.knocks))
        assert [knock.name for knock in boss.knocks] == ["Ben"]
        boss.admin("admit", number=boss.knocks[0].number)
        assert (await joining).seat == 1
        boss.admin("no_knock")
        await entry("open")
        boss.admin("renew", value="join")
        await entry("string")
        with pytest.raises(ClientError, match="this table's owner gives its join string out themselves"):
            await ben.join_string(opened.table)
        assert parse_join(await ben.join_string(opened.table, watch=True)).table == opened.table
        assert boss.strings and (await inside.client(boss.strings[0], "Cem").join()).seat == 2
        boss.admin("close")
        await entry("closed")


# ----------------------------------------------------------------------------------------------------------- limits
@pytest.mark.parametrize(("plan", "says"), [
    ({"sets": ["nope"]}, "no card set nope: choose from munchkins-and-mazes, axe-cop"),
    ({"sets": ["/etc"]}, "no card set /etc"),
    ({"sets": ["axe-cop"], "seats": 3, "bots": 4}, "4 bots do not fit 3 seats"),
    ({"sets": ["axe-cop"], "options": ["cheese"]}, "unknown option 'cheese'"),
    ({"sets": ["axe-cop", "axe-cop"]}, "named twice"),
])  # fmt: skip
async def test_an_impossible_table_is_refused_in_one_sentence(plan: dict[str, Any], says: str) -> None:
    async with in_process_host() as inside:
        ann = await inside.visitor()
        with pytest.raises(ClientError, match=says) as error:
            await ann.create(plan.pop("sets"), **plan)
        assert error.value.code == "not_allowed" and "\n" not in error.value.text
        assert len(inside.registry.tables) == 1


async def test_nobody_opens_more_than_three_tables_and_the_host_has_a_limit() -> None:
    async with in_process_host(limit=5) as inside:
        ann, ben = await inside.visitor("Ann"), await inside.visitor("Ben")
        for _ in range(3):
            await ann.create(["axe-cop"])
        with pytest.raises(ClientError, match=r"too fast|3 tables of yours"):
            await ann.create(["axe-cop"])
        inside.lobby._visitors[next(iter(inside.lobby._visitors))].buckets.clear()
        with pytest.raises(ClientError, match="3 tables of yours are open"):
            await ann.create(["axe-cop"])
        await ben.create(["axe-cop"])
        with pytest.raises(ClientError, match="5 tables are open"):
            await ben.create(["axe-cop"])
        await ben.wait_for(lambda one: one.room == 0)
        assert len(inside.registry.tables) == 5


async def test_a_busy_host_opens_no_more_tables() -> None:
    async with in_process_host() as inside:
        ann = await inside.visitor()
        for _ in range(200):
            inside.load.late(31 * MS)
        with pytest.raises(ClientError, match="the host is busy"):
            await ann.create(["axe-cop"])
        assert len(inside.registry.tables) == 1


async def test_a_request_that_is_sent_twice_opens_one_table() -> None:
    async with in_process_host() as inside:
        with RawClient(inside.lobby_string, new_pair()) as raw:
            await asyncio.to_thread(raw.send, hello(inside.lobby_string))
            request = wire.CreateTable((await raw.answer(wire.Entered)).s, 7, ["axe-cop"])
            for _ in range(3):
                await asyncio.to_thread(raw.send, request)
            first = await raw.answer((wire.Created, wire.Error))
            assert isinstance(first, wire.Created), first
            await asyncio.to_thread(raw.send, request)
            assert await raw.answer(wire.Created) == first
        assert len(inside.registry.tables) == 2


async def test_a_table_without_players_closes_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netcode.protocol.limits.IDLE_S", 1)
    async with in_process_host() as inside:
        ann = await inside.visitor()
        opened = await ann.create(["axe-cop"])
        busy = await ann.create(["axe-cop"])
        await inside.client(busy.owner, "Ann").join()
        await until(lambda: opened.table not in inside.registry.tables)
        assert busy.table in inside.registry.tables


# ---------------------------------------------------------------------------------------------------- the end of a host
async def deserted(host: RunningHost) -> None:
    """Begin a game with two bots at the host's table and leave it for good, so that the table closes."""
    kim = Client(host.join, "Kim", keep=False)
    await kim.join()
    kim.set(ready=True)
    await kim.wait_for(lambda one: one.view is not None)
    await kim.close()


@pytest.mark.long(0)
async def test_a_host_ends_with_its_last_table() -> None:
    async with running_host(bots=2, gone_s=1) as host:
        visitor = LobbyClient(host.lobby, "Ann", keep=False)
        await visitor.enter()
        opened = await visitor.create(["axe-cop"], seats=3)
        await deserted(host)
        await visitor.wait_for(lambda one: [row.table for row in one.rows] == [opened.table], PATIENCE_S)
        assert host.process.poll() is None, "another table is still open"
        assert await asyncio.to_thread(host.stop) == (0, "")
        await visitor.wait_for(lambda one: one.stage == "closed")
        assert "It kept no journal" in visitor.reason
        await visitor.close()
    async with running_host(bots=2, gone_s=1) as host:
        await deserted(host)
        assert await asyncio.to_thread(host.ended, 30) == (0, "")


async def test_with_keep_a_host_outlives_its_tables_and_its_journal_forgets_them(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path), bots=2, gone_s=1, keep=True) as host:
        visitor = LobbyClient(host.lobby, "Ann", keep=False)
        await visitor.enter()
        await deserted(host)
        await visitor.wait_for(lambda one: one.rows == [], PATIENCE_S)

        def empty() -> bool:
            with contextlib.closing(sqlite3.connect(tmp_path / "table.sqlite")) as db:
                names = ("facts", "seats", "acts", "snaps", "heads WHERE tab != ''")
                return not any(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names)

        await until(empty)
        await visitor.create(["axe-cop"])
        await visitor.wait_for(lambda one: len(one.rows) == 1)
        await visitor.close()
        assert await asyncio.to_thread(host.stop) == (0, "")


async def test_a_solo_host_has_no_lobby() -> None:
    async with running_host(solo=True) as host:
        assert host.lobby == ""
        target = parse_join(host.join)
        with RawClient(host.join, new_pair()) as raw:
            await asyncio.to_thread(raw.send, hello(host.join, table="lobby"))
            assert (await raw.answer(wire.Error)).code == "bad_token"
            await asyncio.to_thread(raw.send, wire.ListTables(target.token))
            assert (await raw.answer(wire.Error)).code == "unknown_session"


# ------------------------------------------------------------------------------------------------- restoring all tables
async def three_tables(host: RunningHost) -> list[list[Client]]:
    """Begin games at the host's own table and at two from the lobby; one action is done at each."""
    visitor = LobbyClient(host.lobby, "Ann", keep=False)
    await visitor.enter()
    strings = [host.join, *[(await visitor.create(["axe-cop"], seats=3, bots=1)).join for _ in range(2)]]
    await visitor.close()
    tables = []
    for string, names in zip(strings, (("Kim", "Roger", "Ross"), ("Gro", "Jan"), ("Ines", "Cem"))):
        clients = [Client(string, name, keep=False) for name in names]
        for client in clients:
            await client.join()
            client.set(ready=True)
        for client in clients:
            await client.wait_for(lambda one: one.view is not None)
        assert isinstance(await clients[0].do(Done()), wire.Ack)
        tables.append(clients)
    return tables


async def close_all(tables: list[list[Client]]) -> None:
    for clients in tables:
        for client in clients:
            await client.close()


async def test_every_unfinished_table_is_restored_with_its_players_and_bots(tmp_path: Path) -> None:
    data = str(tmp_path)
    async with running_host(data=data, pace="relaxed") as host:
        tables = await three_tables(host)
        before = [[you(client).hand for client in clients] for clients in tables]
        host.process.kill()
        host.process.communicate()
        async with running_host(data=data, port=parse_join(host.join).port) as again:
            assert (again.join, again.lobby) == (host.join, host.lobby)
            for clients in tables:
                for client in clients:
                    await client.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
            assert [[you(client).hand for client in clients] for clients in tables] == before
            for clients in tables:
                assert isinstance(await clients[1].do(Done()), wire.Ack)
            for clients in tables[1:]:  # the setup ends only with the bots
                await clients[0].wait_for(lambda one: one.view.top != "setup", PATIENCE_S)
            visitor = LobbyClient(again.lobby, "Ann", keep=False)
            await visitor.enter()
            assert [row.stage for row in visitor.rows] == ["playing"] * 3
            await visitor.close()
        await close_all(tables)


async def test_a_restart_does_not_wait_for_the_cards_of_tables_at_which_nobody_plays(tmp_path: Path) -> None:
    """Guests of the lobby could make it take seconds, with twenty tables of all sets in different orders."""
    journal = Journal(tmp_path)
    before = Registry(journal, 20)
    for sets in itertools.permutations(BUILT_IN, 2):
        before.open(TablePlan(sets=sets, seats=3), before.cards(sets, ()))
    journal.close()
    journal = Journal(tmp_path)
    after = Registry(journal, 20)
    assert after.resume() == [] and len(after.tables) == 12
    assert not any(entry.cards.rules.loaded for entry in after.tables.values())
    await after.load_later()
    assert all(entry.cards.rules.loaded for entry in after.tables.values())
    journal.close()


async def test_a_table_whose_cards_are_not_loaded_yet_loads_them_for_its_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(registry: Registry) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Registry, "load_later", never)
    async with in_process_host(tmp_path):
        pass
    async with in_process_host(tmp_path) as inside:
        (entry,) = inside.registry.tables.values()
        assert not entry.cards.rules.loaded
        await inside.seated(entry, "Kim", "Roger", "Ross")
        assert entry.cards.rules.loaded


@pytest.mark.long(6)
@pytest.mark.parametrize("damage", [
    "UPDATE snaps SET state = x'c1' WHERE tab = ?",
    "UPDATE acts SET action = x'80' WHERE tab = ?",
    "UPDATE facts SET value = x'00' WHERE name = 'config' AND tab = ?",
    "UPDATE facts SET value = 'x' WHERE name = 'game' AND tab = ?",
    "UPDATE seats SET record = x'93' WHERE tab = ?",
    "UPDATE acts SET seat = 99 WHERE tab = ?",
])  # fmt: skip
async def test_one_damaged_table_does_not_stop_the_others(tmp_path: Path, damage: str) -> None:
    data = str(tmp_path)
    async with running_host(data=data, pace="relaxed") as host:
        tables = await three_tables(host)
        port, hurt = parse_join(host.join).port, tables[1][0].target.table
        host.process.kill()
        host.process.communicate()
    with contextlib.closing(sqlite3.connect(tmp_path / "table.sqlite")) as db, db:
        assert db.execute(damage, (hurt,)).rowcount >= 1
    async with running_host(data=data, port=port) as again:
        for clients in (tables[0], tables[2]):
            for client in clients:
                await client.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
            assert isinstance(await clients[1].do(Done()), wire.Ack)
        assert "no table here fits" in await asyncio.wait_for(tables[1][0].wait_closed(), PATIENCE_S)
        _, errors = again.stop()
        named = [line for line in errors.splitlines() if f"table {hurt} cannot be restored" in line]
        assert len(named) >= 1, errors
    await close_all(tables)
    with contextlib.closing(sqlite3.connect(tmp_path / "table.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM acts WHERE tab = ?", (hurt,)).fetchone() >= (1,), "it stays as it is"


async def test_a_journal_of_another_schema_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB)")
        db.execute("INSERT INTO meta VALUES ('schema', ?)", (b"1",))
    process = start_process(data=str(tmp_path))
    _, errors = await asyncio.to_thread(process.communicate, None, 15)
    assert process.returncode == 2 and errors.count("\n") == 1
    assert "belongs to another program or to an older version" in errors and "move it away" in errors
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")] == ["meta"]
