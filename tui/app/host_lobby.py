"""At a host with a lobby: from the list to a table and back, or to a table of one's own."""

from netcode.client.connection import ClientError
from netcode.client.lobby_client import LobbyClient
from tui.app.app import KickdoorApp
from tui.app.main_menu import create_rows, options_in, sets_in
from tui.app.play_session import sit
from tui.app.start_host import Table, Trouble
from tui.screens.forms import FormScreen
from tui.screens.lobby import TablesScreen


async def visit(app: KickdoorApp, string: str) -> str:
    """From the lobby to a table and back, until the player leaves; returns a line for the shell. Raises Trouble. Call
    it in a worker."""
    note = table = ""
    first = True
    while True:
        client = LobbyClient(string, app.settings.name)
        try:
            app.say(f"Connecting to {client.target.host}:{client.target.port}..")
            await client.enter()
            found, table, note = await _choose(app, client, note, table)
        except ClientError as problem:
            if first:
                raise Trouble(str(problem)) from None
            return f"The lobby is gone: {problem}"
        finally:
            await client.close()
        first = False
        if found is None:
            return note
        try:
            note = await sit(app, found)
        except Trouble as problem:
            note = str(problem)


async def _choose(app: KickdoorApp, client: LobbyClient, note: str, table: str) -> tuple[Table | None, str, str]:
    """In the lobby: the table to go to (None: leave), its name, a remark. Raises ClientError if the lobby is gone."""
    while True:
        screen = TablesScreen(client, app.glyphs, note, table)
        choice = await app.push_screen_wait(screen)
        table = screen.table or table
        if choice is None:
            return None, table, ""
        what, table = choice[0], choice[1] or table
        if what == "closed":
            raise ClientError(client.code, client.reason)
        try:
            found = await _create(app, client) if what == "create" else await _way(client, what, table)
        except ClientError as problem:
            note = str(problem)
            continue
        note = ""
        if found is not None:
            return found, found.name, ""


async def _way(client: LobbyClient, what: str, table: str) -> Table:
    watch = what == "watch"
    return Table(await client.way(table, watch), "watch" if watch else "player", name=table)


async def _create(app: KickdoorApp, client: LobbyClient) -> Table | None:
    """Fill in the form of a new table; None if the player thinks better of it. Raises ClientError."""
    rows = create_rows(app.settings, tuple(client.sets))
    answer = await app.push_screen_wait(FormScreen("Open a table", rows, app.glyphs))
    if answer is None:
        return None
    values = answer[1]
    opened = await client.create(
        sets_in(values), title=values["title"], seats=int(values["seats"]), bots=int(values["bots"]),
        level=values["level"], pace=values["pace"], options=options_in(values),
    )  # fmt: skip
    return Table(opened.owner, invitation=(opened.join,), name=opened.table)
