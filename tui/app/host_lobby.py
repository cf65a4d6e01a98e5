"""The lobby of a host: choose a table, go to it, and return to the list."""

from netcode.client.connection import ClientError
from netcode.client.lobby_client import LobbyClient
from tui.app.app import KickdoorApp
from tui.app.join_and_leave import connecting_words
from tui.app.menu_rows import create_rows, options_in, sets_in
from tui.app.play_session import play_at
from tui.app.start_host import EntryError, TableAddress, TableError
from tui.config.surroundings import here
from tui.scene.lobby_tables import tables_named
from tui.scene.table_session import sentence
from tui.screens.forms import FormScreen
from tui.screens.lobby import LobbyScreen

SEATS_KEPT = "If you have a seat there, kickdoor join leads back to it."
"""What is said when the lobby of a host that may come back has gone."""


async def visit_lobby(app: KickdoorApp, string: str, wanted: str = "") -> str:
    """Show the lobby and the tables that the player goes to, until they leave; return a line for the shell. wanted: the
    name of the table to go to first.

    Raise TableError if the lobby cannot be reached at first. Call it in a worker.
    """
    note = table = ""
    first = kept = True
    while True:
        try:
            client = LobbyClient(string, app.settings.name)
        except ClientError as problem:
            raise EntryError(str(problem)) from None
        client.trusted = app.trusts = False
        try:
            app.say(connecting_words(client.target))
            await client.enter()
            kept = client.kept
            address, table, note = await _choose(app, client, note, table, wanted if first else "")
        except ClientError as problem:
            if first:
                raise EntryError(str(problem)) from None
            return f"The lobby is gone: {sentence(str(problem))} {SEATS_KEPT if kept else ''}".rstrip()
        finally:
            app.trusts = True
            await client.close()
        first = False
        if address is None:
            return note or here().come_again
        try:
            note = await play_at(app, address)
        except TableError as problem:
            note = str(problem)


async def _choose(
    app: KickdoorApp, client: LobbyClient, note: str, table: str, wanted: str = ""
) -> tuple[TableAddress | None, str, str]:
    """Return the table to go to (None: leave), its name, and a note. Raise ClientError if the lobby is gone. wanted: a
    name; nobody is asked if exactly one table has it."""
    if wanted:
        named = tables_named(client.rows, wanted)
        table = named[0] if named else table
        try:
            if len(named) == 1:
                return await _enter(client, "sit", table), table, ""
            note = f"{'Several tables have' if named else 'No table here has'} the name {wanted}."
        except ClientError as problem:
            note = str(problem)
    while True:
        screen = LobbyScreen(client, app.glyphs, note, table)
        choice = await app.push_screen_wait(screen)
        table = screen.table or table
        if choice is None:
            return None, table, ""
        what, table = choice[0], choice[1] or table
        if what == "closed":
            raise ClientError(client.code, client.reason)
        try:
            address = await _create(app, client) if what == "create" else await _enter(client, what, table)
        except ClientError as problem:
            note = str(problem)
            continue
        note = ""
        if address is not None:
            return address, address.name, ""


async def _enter(client: LobbyClient, what: str, table: str) -> TableAddress:
    """Ask the host for the way to a table. what: sit or watch. Raise ClientError."""
    watch = what == "watch"
    return TableAddress(await client.join_string(table, watch), "watch" if watch else "player", name=table)


async def _create(app: KickdoorApp, client: LobbyClient) -> TableAddress | None:
    """Show the form of a new table and create it; None if the player cancels. Raise ClientError."""
    rows = create_rows(app.settings, tuple(client.sets))
    answer = await app.push_screen_wait(FormScreen("Open a table", rows, app.glyphs))
    if answer is None:
        return None
    values = answer[1]
    opened = await client.create(
        sets_in(values), title=values["title"], seats=int(values["seats"]), bots=int(values["bots"]),
        level=values["level"], pace=values["pace"], options=options_in(values), knock=values["knock"] == "yes",
    )  # fmt: skip
    return TableAddress(opened.owner, invitation=(opened.join,), name=opened.table)
