"""One stay at a table on the screen: connect, show the waiting room and the game in turn, and say how it ended."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from textual.screen import Screen

from netcode.bots.personalities import personalities
from netcode.client.client import Client, ConnectionChanged, Message
from netcode.protocol.wire import Welcome
from tui.app.app import KickdoorApp
from tui.app.join_and_leave import client_for, join_table, leave_table, wait_for_deal
from tui.app.start_host import SeatInUse, TableAddress
from tui.config.settings import Settings
from tui.menus.side_menus import farewell
from tui.portraits.drawings import drawings
from tui.scene.table_session import TableSession
from tui.screens.parts.coach import whole_game
from tui.screens.table import TableScreen


class Joining(NamedTuple):
    """A client that is joining a table. joined: done when it has joined."""

    client: Client
    joined: "asyncio.Task[Welcome]"


def begin_to_join(address: TableAddress, settings: Settings, takes: bool = False) -> Joining:
    """Begin to join a table with a client. takes: as for client_for. Raise TableError if the string of the table is
    wrong."""
    client = client_for(address, settings, takes=takes)
    client.subscribe(_read_ahead)
    return Joining(client, asyncio.ensure_future(client.join()))


def _read_ahead(message: Message) -> None:
    """Load what every table needs for drawing, and keep it, while the host answers our hello."""
    if isinstance(message, ConnectionChanged) and message.stage == "joining":
        for read in (drawings, personalities):
            asyncio.get_running_loop().call_soon(read)  # runs after the hello is sent


async def play_at(app: KickdoorApp, address: TableAddress, joining: Joining | None = None) -> str:
    """Stay at a table until the player leaves or it closes, and return a line for the shell or the menu. joining: the
    client, if it has begun to join.

    Raise TableError if the table cannot be reached or is lost. Call it in a worker.
    """
    try:
        return await _stay_at(app, address, joining or begin_to_join(address, app.settings))
    except SeatInUse as problem:
        from tui.screens.forms import ChoiceScreen  # hardly anybody sits in two terminals
        from tui.widgets.entry.choices import Choice

        rows = [
            Choice("take", "take over", "The other terminal reads why its table is gone.", "y"),
            Choice("leave", "leave it there", "Nothing changes.", "n"),
        ]
        answer = await app.push_screen_wait(ChoiceScreen(f"{problem}", rows, app.glyphs))
    if answer != "take":
        return ""
    return await _stay_at(app, address, begin_to_join(address, app.settings, takes=True))


async def _stay_at(app: KickdoorApp, address: TableAddress, joining: Joining) -> str:
    """Stay at a table as `play_at` does. Raise SeatInUse too."""
    client, joined = joining
    app.trusts = client.trusted
    later = partial(app.run_worker, group="career")
    try:
        session, record = await join_table(client, joined, address, app.settings, app.glyphs, app.say, later)
        if address.role == "player":
            app.farewell = farewell("left", address.solo)
        if address.solo:
            await wait_for_deal(client)

        def laid() -> None:
            address.let_bots_in()
            record()

        how = await _show_screens(app, session, address, laid)
        try:
            return await leave_table(client, session, record, address, how)
        finally:
            app.farewell = ""
    finally:
        app.trusts = True
        await client.close()


async def _show_screens(
    app: KickdoorApp, session: TableSession, address: TableAddress, laid: Callable[[], None]
) -> str:
    """Show waiting room and game in turn. Return how it ended: left, gone (gave the seat up) or closed. laid: called
    when the player sees the first screen."""
    while True:
        if session.playing:
            screen: Screen[str] = TableScreen(session, laid, whole_game if address.hints else None)
        else:
            laid()
            screen = _waiting_room(session)
        how = await app.push_screen_wait(screen)
        if how not in ("table", "waiting room"):
            return how or "left"


def _waiting_room(session: TableSession) -> Screen[str]:
    from tui.screens.waiting_room import WaitingRoomScreen  # a solo game usually has none

    return WaitingRoomScreen(session)
