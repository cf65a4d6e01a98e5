"""One stay at a table: connect, show the waiting room and the game in turn, and say how it ended."""

import asyncio
import shlex
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.screen import Screen

from netcode.client.client import Client, ClientError, Link, Message
from netcode.recording.career import CareerError, career_path, count_game, counts, played_game, uncount_game
from netcode.recording.recorder import Finished, Recorder
from tui.app.app import KickdoorApp
from tui.app.start_host import TableAddress, TableError
from tui.config.settings import usual_name
from tui.menus.side_menus import closing_words, farewell
from tui.scene.table_session import TableSession, sentence
from tui.screens.coached import CoachedScreen
from tui.screens.table import TableScreen
from tui.screens.waiting_room import WaitingRoomScreen

SENT_AWAY = ("kicked", "banned", "superseded")
"""Codes with which a host ends the connection of one player; its sentence says all there is to say."""
TABLE_CLOSED = ("ended", "left")
"""Codes with which a table closes in the regular way."""
DEAL_WAIT_S = 10


async def play_at(app: KickdoorApp, address: TableAddress) -> str:
    """Stay at a table until the player leaves or it closes, and return a line for the shell or the menu.

    Raise TableError if the table cannot be reached or is lost. Call it in a worker.
    """
    try:
        client = Client(address.string, address.player or app.settings.name, role=address.role, forecasts=True)
    except ClientError as problem:
        raise TableError(str(problem)) from None
    try:
        session, recorder = await _connect(app, client, address)
        how = await _show_screens(app, session, address)
        reason, code = client.reason, client.code  # before anything below changes them
        await recorder.close()
        session.stop()
        if how == "gone":
            how = await _give_up(client, address)
        app.farewell = ""
        if how == "closed":
            return _after_closing(client, code, reason)
        return _after_leaving(address, how, _own_name(app))
    finally:
        await client.close()


async def _connect(app: KickdoorApp, client: Client, address: TableAddress) -> tuple[TableSession, Recorder]:
    """Join the table and load its cards. Raise TableError."""
    app.say(f"Connecting to {client.target.host}:{client.target.port}..")
    off = client.subscribe(partial(_say_why_not_in, app))
    try:
        await client.join()
        packs = await client.packs()
        catalog = await client.catalog(packs)
    except ClientError as problem:
        raise TableError(str(problem)) from None
    finally:
        off()
    session = TableSession(client, catalog, app.glyphs, invitation=address.invitation)
    saved, finished = partial(_announce_recording, session), partial(_note_end, app, session)
    reopened = partial(_note_reopened, app, session)
    recorder = Recorder(client, packs, catalog, saved=saved, finished=finished, reopened=reopened)
    if address.role == "player":
        speed: Any = app.settings.speed
        waits: Any = app.settings.waits
        client.set(speed=speed, ready=True if address.solo else None, waits=waits)
        app.farewell = farewell("left", address.string, address.solo, _own_name(app))
    if address.greeting:
        session.say(address.greeting, "note")
    if address.solo:
        await _wait_for_deal(client)
    return session, recorder


def _say_why_not_in(app: KickdoorApp, message: Message) -> None:
    """Show what the player waits for: whoever knocks waits for the table's owner."""
    if isinstance(message, Link) and message.stage == "joining" and message.text:
        app.say(message.text)


async def _wait_for_deal(client: Client) -> None:
    """Wait until the cards are dealt: a solo game shows no waiting room unless the deal takes too long."""
    try:
        await client.wait_for(lambda one: one.view is not None, DEAL_WAIT_S)
    except (TimeoutError, ClientError):
        return  # the waiting room says what is missing


async def _show_screens(app: KickdoorApp, session: TableSession, address: TableAddress) -> str:
    """Show waiting room and game in turn. Return how it ended: left, gone (gave the seat up) or closed."""
    while True:
        table = CoachedScreen if address.hints else TableScreen
        screen: Screen[str] = table(session) if session.playing else WaitingRoomScreen(session)
        how = await app.push_screen_wait(screen)
        if how not in ("table", "waiting room"):
            return how or "left"


async def _give_up(client: Client, address: TableAddress) -> str:
    """Give the seat up, if the host can be told. Return how the stay ended: gone, left (offline) or over (solo)."""
    if client.stage != "synced":
        return "left"
    await client.leave()
    won = client.view is not None and client.view.winners
    return "over" if address.solo and won else "gone"


def _after_leaving(address: TableAddress, how: str, name: str) -> str:
    """Return the line to show after the player left. how: left, gone or over."""
    playing = address.role == "player"
    if how == "left" and playing and address.name:
        return "Your seat is kept: press ENTER at that table to return to it."
    return farewell(how, address.string if playing else "", address.solo, name)


def _after_closing(client: Client, code: str, reason: str) -> str:
    """Return the line to show after the table closed. Raise TableError if that was not the regular end of it."""
    if code in SENT_AWAY:
        raise TableError(sentence(reason))
    if code not in TABLE_CLOSED:
        raise TableError(f"The table is gone: {reason}")
    return closing_words(client.info, client.view)


def _own_name(app: KickdoorApp) -> str:
    """Return the player's name, or "" if it is the default that `kickdoor join` would use as well."""
    return "" if app.settings.name == usual_name() else app.settings.name


def _announce_recording(session: TableSession, path: Path) -> None:
    """Tell the player where the recording of a finished game is."""
    session.recording = path
    info = session.client.info
    revealed = info is not None and info.opened == info.game
    if revealed and any(str(path) in line.text for line in session.log[-200:]):
        session.say("All hands are revealed now, and in the recording too.", "note")
        return
    session.say(f"This game is recorded: Replays in the menu, or kickdoor replay {shlex.quote(str(path))}", "note")


def _note_end(app: KickdoorApp, session: TableSession, finished: Finished) -> None:
    """Keep the story of a finished game for the screen, and count the game in the player's career."""
    session.finished = finished
    session.changed()
    if counts(finished):
        app.run_worker(_count(session, finished), group="career")


def _note_reopened(app: KickdoorApp, session: TableSession, key: str) -> None:
    """Forget the end of a game that was taken back, in the player's career too."""
    session.finished = None
    app.run_worker(_change_career(session, partial(uncount_game, career_path(), key)), group="career")


async def _count(session: TableSession, finished: Finished) -> None:
    await _change_career(session, partial(count_game, career_path(), played_game(finished, time.time())))


async def _change_career(session: TableSession, change: Callable[[], str]) -> None:
    """Change the career in a thread, and say what was wrong with it."""
    try:
        problem = await asyncio.to_thread(change)
    except CareerError as error:
        problem = str(error)
    if problem:
        session.say(sentence(problem), "note")
