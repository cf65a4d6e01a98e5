"""Several hosts of a club: real processes that take over, lead people to each other and hand tables over."""

import asyncio
import shutil
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.state.actions import Claim, Done, Kick
from netcode.client.client import Client, ClientError
from netcode.client.connection import TOO_MANY_HOPS
from netcode.client.lobby_client import LobbyClient
from netcode.host.club_member import FULL
from netcode.protocol import limits, wire
from netcode.protocol.credentials import Join, new_pair, parse_join
from netcode.short_words.word_list import TRIES, number_of, renewed
from tests.netcode.club.club_hosts import hosts, port, told_of
from tests.netcode.offline_table import STRONG
from tests.netcode.raw_client import RawClient
from tests.netcode.running_host import RunningHost, running_host, seated, shown, until, without_busy, you
from tests.netcode.short_words.words_host import ask, own
from tests.patience import PATIENCE_S
from tests.tui.command_line import kickdoor

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
from netcode.club.status import club_status  # noqa: E402  it needs psycopg
from netcode.club.transactions import TAKEN  # noqa: E402  the same
from tests.netcode.club.contents import acts, guesses, tables  # noqa: E402  the same


def at(string: str, *others: RunningHost) -> Join:
    """Return a string with the addresses of these hosts as well."""
    join = parse_join(string)
    return join.at([*join.places, *(parse_join(one.join).places[0] for one in others)])


async def followed(clients: Sequence[Client], host: Callable[[], RunningHost]) -> None:
    """Wait until these clients are up to date at the host that this function returns. Raises AssertionError that says
    where they are."""
    for client in clients:
        try:
            await client.wait_for(lambda one: one.stage == "synced" and one.target.port == port(host()), PATIENCE_S)
        except TimeoutError:
            where = [(one.name, one.stage, one.reason, one.target.port) for one in clients]
            raise AssertionError(f"not at {port(host())}: {where}") from None


async def test_when_a_host_is_killed_another_one_has_its_tables_and_people_play_on(club: str, tmp_path: Path) -> None:
    async with hosts(club, tmp_path, "a", "b") as (first, second):
        table = parse_join(first.join).table
        async with seated(first, "Kim", "Roger", "Ross") as clients:
            assert await clients[0].do(Done()) == wire.Ack(1, "applied")
            hands = [you(client).hand for client in clients]
            first.process.send_signal(signal.SIGKILL)
            acting = clients[1].act(Done())
            await followed(clients, lambda: second)
            await clients[1].wait_for(lambda one: not one.busy, PATIENCE_S)
            assert [you(client).hand for client in clients] == hands and acting == 1
            assert isinstance(await clients[2].do(Done(), PATIENCE_S), wire.Ack)
            assert len(acts(club, table)) == 3
            guest = Client(at(first.watch, second), "Vic", role="watch", keep=False)
            await guest.join(PATIENCE_S)  # the first address of the string is dead
            await guest.close()
        assert (tables(club)[table].host, tables(club)[table].generation) == ("b", 2)


SLEEPS_TOO = """
import time
from netcode.club import lease_clock
def steady(clock=[time.monotonic(), 0.0]):
    now = time.monotonic()
    clock[:] = now, clock[1] + min(0.5, now - clock[0])
    return clock[1]
lease_clock.steady = steady
"""
"""A host whose own clock stands still while it is stopped: only the database can know that its leases have lapsed."""


@pytest.mark.parametrize("clock", ["", SLEEPS_TOO], ids=["its clock goes on", "its clock stops too"])
async def test_a_host_that_was_stopped_wakes_up_and_does_no_harm(clock: str, club: str, tmp_path: Path) -> None:
    async with hosts(club, tmp_path, "a", "b", first=clock) as (first, second):
        table = parse_join(first.join).table
        async with seated(first, "Kim", "Roger", "Ross") as clients:
            assert isinstance(await clients[0].do(Done(), PATIENCE_S), wire.Ack)
            first.process.send_signal(signal.SIGSTOP)
            late = clients[1].act(Done())  # is in the socket of the host that is stopped
            answers: list[object] = []
            clients[1].subscribe(answers.append)
            await until(lambda: tables(club)[table].host == "b")
            first.process.send_signal(signal.SIGCONT)
            # on a busy machine the second host may stand still in its turn, and the first one has the table again
            await followed(clients, lambda: {"a": first, "b": second}[tables(club)[table].host])
            await clients[1].wait_for(lambda one: not one.busy, PATIENCE_S)
            assert isinstance(await clients[2].do(Done(), PATIENCE_S), wire.Ack)
            assert late == 1 and [one for one in answers if isinstance(one, wire.Ack)] == [wire.Ack(1, "applied")]
            written = acts(club, table)
            assert len(written) == 3 == len(set(written))
        assert first.process.poll() is None, "it goes on with what it has"
        assert TAKEN in first.stop()[1]


async def test_each_lobby_has_all_tables_and_leads_to_them_and_opens_new_ones_where_there_is_most_room(
    club: str, tmp_path: Path
) -> None:
    async with hosts(club, tmp_path, "a", "b") as (first, second):
        places = {parse_join(host.join).table: port(host) for host in (first, second)}
        lobby = LobbyClient(first.lobby, "Kim", home=tmp_path / "kim")
        await lobby.enter(PATIENCE_S)
        await lobby.wait_for(lambda one: {row.table for row in one.rows} == places.keys(), PATIENCE_S)
        for table, where in places.items():
            for watch in (False, True):
                string = parse_join(await lobby.join_string(table, watch))
                assert (string.table, string.port, len(string.places)) == (table, where, 2)
        opened = [parse_join((await lobby.create(["axe-cop"], title="one")).owner)]
        await lobby.wait_for(lambda one: len(one.rows) == 3, PATIENCE_S)
        await until(lambda: sorted(host.tables for host in club_status(club).hosts) == [1, 2])
        opened.append(parse_join((await lobby.create(["axe-cop"], title="two")).owner))
        assert {string.port for string in opened} == set(places.values()), "one at each host"
        owner = Client(at(str(opened[0]), first, second), "Kim", keep=False)
        assert (await owner.join(PATIENCE_S)).info.owner == 0
        await owner.close()
        await lobby.close()
        with pytest.raises(ClientError, match="no table here fits"):
            await Client(replace(parse_join(first.join), table="nothere"), "Kim", keep=False).join()
        foreign = parse_join(second.join)
        with RawClient(first.join, new_pair()) as old:  # of the previous version; its table is at the other host
            old.send(wire.Hello(3, 3, foreign.table, foreign.token, "Old"))
            told = await old.answer(wire.Error, PATIENCE_S)
        assert told.code == "bad_version" and "at another host of the club" in told.text


async def test_whom_an_owner_sent_away_and_what_they_renewed_and_guesses_at_words_are_the_same_at_the_next_host(
    club: str, tmp_path: Path
) -> None:
    async with hosts(club, tmp_path, "a", "b", every={"front": True}) as (first, second):
        assert number_of(first.words) != number_of(second.words), "words of one club have different numbers"
        owner = await own(first)
        roger = first.client("Roger", tmp_path / "roger")
        await roger.join(PATIENCE_S)
        owner.admin("ban", seat=1)
        await roger.wait_for(lambda one: one.stage == "closed", PATIENCE_S)
        await roger.close()
        strings = owner.strings
        for what in ("watch", "join"):
            owner.admin("renew", value=what)
        await owner.wait_for(lambda one: all(new != old for new, old in zip(one.strings, strings)), PATIENCE_S)
        words = owner.words
        for _ in range(TRIES - 2):
            assert "these are not the words" in await ask(first, renewed(words))
        await until(lambda: guesses(club, parse_join(first.join).table) == TRIES - 2)
        first.process.send_signal(signal.SIGKILL)
        await owner.wait_for(lambda one: one.target.port == port(second) and one.stage == "synced", PATIENCE_S)
        assert owner.words == words and await ask(second, words) == str(at_place(owner.strings[0], second))
        for old in (first.join, first.watch):
            with pytest.raises(ClientError, match="no table here fits"):
                await Client(at(old, second), "Late", keep=False).join(PATIENCE_S)
        again = second.client("Roger", tmp_path / "roger", join=str(at_place(owner.strings[0], second)))
        with pytest.raises(ClientError) as told:
            await again.join(PATIENCE_S)
        assert told.value.code == "banned"
        for _ in range(2):
            assert "these are not the words" in await ask(second, renewed(words))
        assert "rest, since too many" in await ask(second, words), "the fifth wrong try of all"
        await owner.close()


def at_place(string: str, host: RunningHost) -> Join:
    """Return a string with the address of this host only."""
    return parse_join(string).at(parse_join(host.join).places[:1])


async def test_a_persons_tables_are_counted_in_the_whole_club(club: str, tmp_path: Path) -> None:
    async with hosts(club, tmp_path, "a", "b") as (first, second):
        await opened(first, "Kim", "one", tmp_path / "kim")
        with psycopg.connect(club) as db:  # from now on the first tables of both hosts count as hers too
            db.execute("UPDATE tables SET creator = (SELECT creator FROM tables WHERE creator <> '')")
        for host in (first, second):
            with pytest.raises(ClientError, match="3 tables of yours are open"):
                await opened(host, "Kim", "two", tmp_path / "kim")
        await opened(second, "Ross", "two", tmp_path / "ross")
        assert len(tables(club)) == 4


async def opened(host: RunningHost, who: str, title: str, home: Path) -> None:
    """Let somebody open a table in the lobby of this host, as fast as it lets them."""
    lobby = LobbyClient(host.lobby, who, home=home)
    await lobby.enter(PATIENCE_S)
    try:
        while True:
            try:
                await lobby.create(["axe-cop"], title=title)
                return
            except ClientError as problem:
                if problem.code != "rate_limited":
                    raise
                await asyncio.sleep(0.1)
    finally:
        await lobby.close()


async def test_tables_wait_while_no_host_has_room_and_say_so(club: str, tmp_path: Path) -> None:
    async with hosts(club, tmp_path, "a", "b", every={"tables": 1}) as (first, second):
        table = parse_join(first.join).table
        async with seated(first, "Kim", "Roger", "Ross") as clients:
            told: list[str] = []
            clients[0].subscribe(lambda news: told.append(getattr(news, "text", "")))
            first.process.send_signal(signal.SIGKILL)
            await until(lambda: any(FULL in text for text in told))
            assert tables(club)[table].lease_s < 0 and tables(club)[table].host == "a"
            (tmp_path / "c").mkdir()
            shutil.copy(tmp_path / "a" / "server.key", tmp_path / "c")
            third = {"club": club, "data": str(tmp_path / "c"), "tables": 2, "pace": "relaxed"}
            async with running_host(**third) as room:
                await followed(clients, lambda: room)
                assert isinstance(await clients[1].do(Done(), PATIENCE_S), wire.Ack)
        assert second.process.poll() is None


async def test_a_table_at_which_nobody_ever_sat_ends_at_the_host_that_has_taken_it(club: str, tmp_path: Path) -> None:
    async with hosts(club, tmp_path, "a", "b", gone_s=1) as (first, second):
        table = parse_join(first.join).table
        first.process.send_signal(signal.SIGKILL)
        await until(lambda: tables(club)[table].host == "b")
        await until(lambda: table not in tables(club))
        assert parse_join(second.join).table in tables(club), "it waits at its own host"


@pytest.mark.parametrize("how", ["who is still there leaves", "nobody comes back"])
async def test_a_table_whose_game_is_over_ends_at_the_host_that_has_taken_it(
    how: str, club: str, tmp_path: Path
) -> None:
    (tmp_path / "won.toml").write_text(STRONG)
    over: dict[str, Any] = {"scenario": str(tmp_path / "won.toml"), "bots": 2, "pace": "quick", "speed": "fast"}
    async with hosts(club, tmp_path, "a", "b", gone_s=1 if how == "nobody comes back" else 600, **over) as both:
        first, second = both
        table, own = (parse_join(host.join).table for host in both)
        kim = first.client("Kim", tmp_path / "kim")
        await kim.join(PATIENCE_S)
        kim.set(ready=True)
        await kim.wait_for(lambda one: one.view is not None, PATIENCE_S)
        assert isinstance(await kim.do(Kick(), PATIENCE_S), wire.Ack)
        await kim.wait_for(lambda one: one.view.fight is not None, PATIENCE_S)
        assert isinstance(await kim.do(Claim(), PATIENCE_S), wire.Ack)
        await kim.wait_for(lambda one: one.view.winners == [0], PATIENCE_S)
        assert rows_of(club, table) > 0
        first.process.send_signal(signal.SIGKILL)
        if how == "nobody comes back":
            await kim.close()
        else:
            await followed([kim], lambda: second)
            assert shown(kim).winners == [0]
            await kim.leave()
        lobby = LobbyClient(second.lobby, "Ann", keep=False)
        await lobby.enter(PATIENCE_S)
        await lobby.wait_for(lambda one: [row.table for row in one.rows] == [own], PATIENCE_S)
        await lobby.close()
        await until(lambda: table not in tables(club))
        assert rows_of(club, table) == 0
        assert {host.name: host.tables for host in club_status(club).hosts} == {"a": 0, "b": 1}


def rows_of(club: str, table: str) -> int:
    """Return how many rows the database has of a table."""
    names = ("facts", "seats", "acts", "snaps", "public_tables")
    count = " + ".join(f"(SELECT count(*) FROM {name} WHERE tab = %(table)s)" for name in names)
    with psycopg.connect(club) as db:
        row = db.execute(f"SELECT {count}", {"table": table}).fetchone()
    assert row is not None
    return int(row[0])


async def test_a_host_with_another_key_than_the_club_is_refused(club: str, tmp_path: Path) -> None:
    async with hosts(club, tmp_path, "a"):
        for name, words in (("b", "server.key is missing"), ("c", "server.key is not the key of this club")):
            folder = tmp_path / name
            folder.mkdir()
            if name == "c":
                (folder / "server.key").write_text((await other_key(tmp_path)).read_text())
            done = kickdoor("host", "--club", club, "--data", str(folder), "--port", "0", "--no-restart", "--no-front")
            assert done.returncode != 0 and words in done.stderr and without_busy(done.stderr).count("\n") == 1


async def other_key(folder: Path) -> Path:
    """Return the key of a host of its own."""
    async with running_host(data=str(folder / "alone")):
        return folder / "alone" / "server.key"


@pytest.mark.parametrize("how", ["SIGTERM", "club drain"])
async def test_a_host_that_ends_hands_its_tables_over_and_people_follow(how: str, club: str, tmp_path: Path) -> None:
    async with hosts(club, tmp_path, "a", "b", front=how == "SIGTERM") as (first, second):
        table = parse_join(first.join).table
        async with seated(first, "Kim", "Roger", "Ross") as clients:
            assert isinstance(await clients[0].do(Done()), wire.Ack)
            if how == "SIGTERM":
                first.process.send_signal(signal.SIGTERM)
            else:
                done = kickdoor("club", "drain", "--club", club, "a")
                assert done.returncode == 0 and "a has no tables any more" in done.stdout, done.stderr
            await followed(clients, lambda: second)
            assert isinstance(await clients[1].do(Done(), PATIENCE_S), wire.Ack)
            assert len(acts(club, table)) == 2
        assert first.ended()[0] == 0
        assert tables(club)[table].generation == 2
        done = kickdoor("club", "drain", "--club", club, "nothere")
        assert done.returncode == 1 and "the club has no host nothere" in done.stderr


async def test_a_client_that_is_sent_in_circles_gives_up_in_one_sentence(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory leads to a host that nobody reaches."""
    monkeypatch.setattr(limits, "HOPS", 4)
    async with hosts(club, tmp_path, "a") as (first,):
        with psycopg.connect(club) as db:
            db.execute("INSERT INTO hosts VALUES ('far', 99, 0, 'test', now(), now() + interval '1 hour')")
            db.execute("INSERT INTO public_hosts VALUES ('far', '{127.0.0.1:1}', 1, false)")
            db.execute("INSERT INTO tables (id, host, lease_until) VALUES ('far', 'far', now() + interval '1 hour')")
            db.execute("INSERT INTO facts VALUES ('far', 'config', '')")
        await told_of(first, 2)
        client = Client(replace(parse_join(first.join), table="far"), "Kim", keep=False)
        with pytest.raises(ClientError) as told:
            await client.join(PATIENCE_S)
        assert told.value.text == TOO_MANY_HOPS
