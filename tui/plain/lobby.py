"""The lobby of a host by lines: choose a table, spectate one, or open one. Then the player stays at that table."""

import asyncio
import re
from collections.abc import Callable

from netcode.client.connection import ClientError
from netcode.client.lobby_client import LobbyClient
from tui.app.given_string import read_line
from tui.app.join_and_leave import connecting_words
from tui.app.start_host import TableAddress, TableError
from tui.scene.cells import count
from tui.scene.lobby_tables import tables_named, words_of

ANSWER = re.compile(r"(watch )? *(\d{1,3})", re.IGNORECASE)
TITLE_CHARS = 40
HOW = "Answer a number to sit down, watch and a number to spectate"
OPEN = "open and a name to open a table of your own"
LEAVE = "an empty line to leave."


async def choose_table(
    string: str, name: str, wanted: str, watch: bool, say: Callable[[str], None]
) -> TableAddress | None:  # fmt: skip
    """Return the table that the player chooses, None if they leave. name: the player's. wanted: the name of a table;
    nobody is asked if exactly one has it. watch: a number alone spectates. Raise TableError if there is no lobby."""
    try:
        client = LobbyClient(string, name)
    except ClientError as problem:
        raise TableError(str(problem)) from None
    try:
        say(connecting_words(client.target))
        await client.enter()
        return await _choose(client, wanted, watch, say)
    except ClientError as problem:
        raise TableError(str(problem)) from None
    finally:
        await client.close()


async def _choose(client: LobbyClient, wanted: str, watch: bool, say: Callable[[str], None]) -> TableAddress | None:
    """Ask until there is a table to go to; what a host refuses is said. Raise ClientError if the lobby is gone."""
    if wanted:
        named = tables_named(client.rows, wanted)
        try:
            if len(named) == 1:
                return await _enter(client, named[0], watch)
            say(f"{'Several tables have' if named else 'No table here has'} the name {wanted}.")
        except ClientError as problem:
            say(str(problem))
    while True:
        rows = [row.table for row in client.rows]
        for line in _lines(client):
            say(line)
        answer = (await asyncio.to_thread(read_line)).strip()
        if not answer:
            return None
        if client.stage == "closed":
            raise ClientError(client.code, client.reason)
        try:
            if (address := await _way(client, rows, answer, watch)) is not None:
                return address
            say(f"{answer[:TITLE_CHARS]} is no answer.")
        except ClientError as problem:
            say(str(problem))


def _lines(client: LobbyClient) -> list[str]:
    """Return the tables as they are now, and how to answer."""
    rows = [f"{number}. {words_of(row)}" for number, row in enumerate(client.rows, 1)]
    how = [HOW] if rows else ["Answer"]
    how += [OPEN] if client.room else []
    title = f"{count(len(rows), 'table')} at {client.machine or client.target.host}."
    return [title, *rows, f"{', '.join(how)}; {LEAVE}" if rows or client.room else f"No table is open: {LEAVE}"]


async def _way(client: LobbyClient, rows: list[str], answer: str, watch: bool) -> TableAddress | None:
    """Return the way that an answer means, None if it means nothing. rows: the tables, as they were numbered. Raise
    ClientError."""
    word, _, title = answer.partition(" ")
    if word.lower() == "open" and client.room:
        opened = await client.create(client.sets[:1], title=title.strip()[:TITLE_CHARS])
        return TableAddress(opened.owner, invitation=(opened.join,))
    found = ANSWER.fullmatch(answer)
    if found is None or not 1 <= int(found[2]) <= len(rows):
        return None
    return await _enter(client, rows[int(found[2]) - 1], watch or bool(found[1]))


async def _enter(client: LobbyClient, table: str, watch: bool) -> TableAddress:
    return TableAddress(await client.join_string(table, watch), "watch" if watch else "player")
