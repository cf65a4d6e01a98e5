"""Sitting down at a table and getting up again: connect, lobby and game in turn, the last word."""

import shlex
from functools import partial
from pathlib import Path
from typing import Any

from textual.screen import Screen

from core.language import catalog as catalogs
from netcode.client.client import Client, ClientError
from netcode.recording.recorder import Recorder
from tui.app.app import KickdoorApp
from tui.app.start_host import Table, Trouble
from tui.config.settings import usual_name
from tui.menus.side_menus import farewell, last_word
from tui.scene.table_session import Session, sentence
from tui.screens.table import TableScreen
from tui.screens.waiting_room import LobbyScreen


async def sit(app: KickdoorApp, table: Table) -> str:
    """Sit down, play, get up; returns a line for the shell or the menu. Raises Trouble. Call it in a worker."""
    try:
        client = Client(table.string, table.player or app.settings.name, role=table.role)
    except ClientError as problem:
        raise Trouble(str(problem)) from None
    try:
        return await _visit(app, client, table)
    finally:
        await client.close()


async def _visit(app: KickdoorApp, client: Client, table: Table) -> str:
    """From the first greeting to the last word."""
    app.say(f"Connecting to {client.target.host}:{client.target.port}..")
    try:
        await client.join()
        packs = await client.packs()
        catalog = catalogs.load(packs)
    except (ClientError, catalogs.PackError) as problem:
        raise Trouble(str(problem)) from None
    session = Session(client, catalog, app.glyphs)
    recorder = Recorder(client, packs, saved=partial(_saved, session))
    playing = table.role == "player"
    if playing:
        speed: Any = app.settings.speed
        client.set(speed=speed, ready=True if table.solo else None)
        app.farewell = farewell("left", table.string, table.solo, _own(app))
    if table.solo:
        await _dealt(client)
    how = await _at_table(app, session, table)
    reason, code = client.reason, client.code
    await recorder.close()
    if how == "gone" and client.stage != "synced":
        how = "left"
    session.stop()
    if how == "gone":
        await client.leave()
    if how == "gone" and table.solo and client.view is not None and client.view.winners:
        how = "over"
    app.farewell = ""
    if how == "closed" and code in ("kicked", "banned", "superseded"):
        raise Trouble(sentence(reason))
    if how == "closed" and code not in ("ended", "left"):
        raise Trouble(f"The table is gone: {reason}")
    if how == "closed":
        return last_word(client.info, client.view)
    if how == "left" and playing and table.name:
        return "Your seat is kept: ENTER at that table leads you back to it."
    return farewell(how, table.string if playing else "", table.solo, _own(app))


def _own(app: KickdoorApp) -> str:
    """The player's name, if it is not the one that is used unless told otherwise."""
    return "" if app.settings.name == usual_name() else app.settings.name


async def _dealt(client: Client) -> None:
    """A table of one's own has no lobby to see: the cards are dealt as soon as both sides have drawn for the deal."""
    try:
        await client.wait_for(lambda one: one.view is not None, 10)
    except (TimeoutError, ClientError):
        return  # the lobby tells what it waits for


def _saved(session: Session, path: Path) -> None:
    """A game is over and kept."""
    if any(str(path) in line.text for line in session.log[-200:]):
        session.say("All hands are open now; they are in the recording.", "note")
        return
    session.say(f"This game is kept: Replays in the menu, or kickdoor replay {shlex.quote(str(path))}", "note")


async def _at_table(app: KickdoorApp, session: Session, table: Table) -> str:
    """Lobby and game in turn, until the player leaves or the table is closed."""
    while True:
        screen: Screen[str] = TableScreen(session) if session.playing else LobbyScreen(session, table.invitation)
        how = await app.push_screen_wait(screen)
        if how not in ("table", "lobby"):
            return how or "left"
