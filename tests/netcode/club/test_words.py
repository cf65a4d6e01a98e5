"""Short words at a host of a club, for a table of another one: that host looks at them and counts the tries."""

import asyncio
import signal
from pathlib import Path

import pytest

from netcode.client.client import Client
from netcode.client.short_words import NoWay, join_by_words
from netcode.protocol.credentials import parse_join
from netcode.short_words import frames
from netcode.short_words.exchange import ClientSide
from netcode.short_words.word_list import TRIES, number_of, renewed
from tests.netcode.club.club_hosts import hosts, port
from tests.netcode.running_host import RunningHost, until
from tests.netcode.short_words.words_host import address_of, ask
from tests.patience import PATIENCE_S

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
from tests.netcode.club.contents import guesses, tables  # noqa: E402  it needs psycopg


async def test_words_lead_to_their_table_from_every_host_and_wrong_ones_are_counted_there(
    club: str, tmp_path: Path
) -> None:
    async with hosts(club, tmp_path, "a", "b", every={"front": True}) as (first, second):
        found = parse_join(await ask(first, second.words))
        assert (found.table, found.port) == (parse_join(second.join).table, port(first))
        guest = Client(found, "Roger", keep=False)
        await guest.join(PATIENCE_S)
        assert guest.target.port == port(second), "the host that was asked has sent it there"
        await guest.close()
        table, wrong = found.table, renewed(second.words)
        for number in range(TRIES):
            assert "these are not the words" in await ask((first, second)[number % 2], wrong)
        await until(lambda: guesses(club, table) == TRIES)
        for host in (first, second):
            assert "rest, since too many" in await ask(host, second.words)
        assert await ask(first, first.words) == first.join and guesses(club, parse_join(first.join).table) == 0
        numbers = {number_of(host.words) for host in (first, second)}
        nobody = next(number for number in range(10, 99) if number not in numbers)
        assert "these are not the words" in await ask(first, f"otter-lamp-{nobody}")


async def test_words_of_a_host_that_has_died_lead_nowhere_for_a_moment_and_then_to_the_next_host(
    club: str, tmp_path: Path
) -> None:
    async with hosts(club, tmp_path, "a", "b", every={"front": True}) as (first, second):
        table = parse_join(second.join).table
        second.process.send_signal(signal.SIGKILL)
        with pytest.raises(NoWay, match="on its way to another host: try again in a few seconds"):
            await join_by_words([[address_of(first)]], second.words)
        found = parse_join(await ask(first, second.words))
        assert found.table == table and tables(club)[table].host == "a"


async def test_a_call_that_was_passed_on_is_not_passed_on_again(club: str, tmp_path: Path) -> None:
    """Two hosts that each take the other one for the host of a table must not ask each other in circles."""
    async with hosts(club, tmp_path, "a", "b", every={"front": True}) as (first, second):
        assert await last_answer(first, second.words) == frames.WRONG
        assert await last_answer(second, second.words) == frames.GO


async def last_answer(host: RunningHost, words: str) -> bytes:
    """Show this host words as another host of the club would that passes them on; return its last answer."""
    side = ClientSide(words)
    reader, writer = await asyncio.open_connection(*address_of(host))
    async with asyncio.timeout(PATIENCE_S):
        writer.write(frames.passed_on(side.call))
        assert await reader.readexactly(1) == frames.GO
        writer.write(side.prove(await reader.readexactly(frames.MESSAGE)))
        answer = await reader.readexactly(1)
    writer.transport.abort()
    return answer


ANNOUNCED = """
from netcode.host import main
main._announcer = lambda *args: None
main.is_loopback = lambda bind: False
"""
"""A host that takes itself for one that is announced; on loopback there is nobody to tell."""


async def test_a_host_that_is_announced_passes_nothing_on_since_a_search_asks_each_one_itself(
    club: str, tmp_path: Path
) -> None:
    """One slip of somebody who searches the network is one try, however many hosts of the club are found."""
    async with hosts(club, tmp_path, "a", "b", every={"front": True}, first=ANNOUNCED, announce=True) as both:
        first, second = both
        wrong = renewed(second.words)
        with pytest.raises(NoWay, match="these are not the words"):
            await join_by_words([[address_of(host)] for host in both], wrong)
        await until(lambda: guesses(club, parse_join(second.join).table) > 0)
        assert guesses(club, parse_join(second.join).table) == 1
        assert "these are not the words" in await ask(first, second.words)
