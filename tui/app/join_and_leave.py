"""Common steps of every stay at a table, with or without a screen: joining, leaving, keeping its games."""

import asyncio
import shlex
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from netcode.client.client import Client, ClientError, ConnectionChanged, Message
from netcode.client.connection import SEAT_IN_USE
from netcode.client.flood import BAD_HOST
from netcode.protocol.credentials import Join
from tui.app.first_words import CONNECTING
from tui.app.offered_tables import gone_words
from tui.app.start_host import EntryError, SeatInUse, TableAddress, TableError
from tui.config.settings import Settings
from tui.config.surroundings import here
from tui.menus.side_menus import closing_words, farewell
from tui.scene.cells import Glyphs
from tui.scene.table_session import TableSession, sentence

if TYPE_CHECKING:
    from netcode.recording.recorder import Finished, Recorder

Later = Callable[[Coroutine[Any, Any, None]], object]
"""Runs a coroutine in the background."""
Record = Callable[[], "Recorder"]
"""Begins to record what a client hears, including what it has heard so far; later calls return the same recorder."""
SENT_AWAY = ("kicked", "banned", "superseded", BAD_HOST)
"""Codes of a connection that ended for one player alone; its sentence needs no addition."""
TABLE_CLOSED = ("ended", "left")
"""Codes with which a table closes in the regular way."""
DEAL_WAIT_S = 10


def client_for(address: TableAddress, settings: Settings, takes: bool = False) -> Client:
    """Return a client for a table. takes: whether it takes the seat although another terminal of this player has it and
    still answers. Raise TableError if its string is wrong."""
    try:
        client = Client(address.string, address.player or settings.name, role=address.role, forecasts=True)
    except ClientError as problem:
        raise EntryError(str(problem)) from None
    client.trusted = address.solo
    client.shares, client.seat_code = not address.solo, address.code
    client.asks_first = not takes and here().own_machine  # the door has ended a guest's other session
    return client


async def join_table(
    client: Client, joined: Awaitable[object], address: TableAddress, settings: Settings, glyphs: Glyphs,
    say: Callable[[str], None], later: Later,
) -> tuple[TableSession, Record]:  # fmt: skip
    """Wait until the client has joined the table, and load its cards. Raise TableError. joined: the coroutine of
    `client.join`, or a task that runs it; say: shows what the player waits for."""
    if not address.solo:
        say(connecting_words(client.target))
    off = client.subscribe(partial(_say_why_not_in, say))
    try:
        await joined
        packs = await client.packs()
        catalog = await client.catalog(packs)
    except ClientError as problem:
        if problem.code == SEAT_IN_USE:
            raise SeatInUse(sentence(problem.text)) from None
        raise EntryError(gone_words(address, problem.code, str(problem))) from None
    finally:
        off()
    session = TableSession(client, catalog, glyphs, invitation=address.invitation)
    session.bots_talk = settings.bots_talk
    saved, finished = partial(_announce_recording, session), partial(_note_end, later, session)
    reopened = partial(_note_reopened, later, session)

    @cache
    def record() -> "Recorder":
        from netcode.recording.recorder import Recorder  # the first screen does not need it

        return Recorder(client, packs, catalog, saved=saved, finished=finished, reopened=reopened)

    if address.role == "player":
        speed: Any = settings.speed
        client.set(speed=speed, ready=True if address.solo else None, waits=settings.waits_on_wire)
    if address.greeting:
        session.say(address.greeting, "note")
    return session, record


def connecting_words(target: Join) -> str:
    """Return what to show while a host has not answered."""
    return f"Connecting to {target.host}:{target.port}.." if here().own_machine else CONNECTING


def _say_why_not_in(say: Callable[[str], None], message: Message) -> None:
    """Show what the player waits for: whoever knocks waits for the table's owner."""
    if isinstance(message, ConnectionChanged) and message.stage == "joining" and message.text:
        say(message.text)


async def wait_for_deal(client: Client) -> None:
    """Wait until the cards are dealt: a solo game shows no waiting room unless the deal takes too long."""
    try:
        await client.wait_for(lambda one: one.view is not None, DEAL_WAIT_S)
    except (TimeoutError, ClientError):
        return  # the waiting room says what is missing


async def leave_table(
    client: Client, session: TableSession, record: Record, address: TableAddress, how: str, plain: bool = False
) -> str:  # fmt: skip
    """End a stay and return the line to show after it. how: left, gone (gives the seat up) or closed. plain: whether
    this was the plain mode. Raise TableError if the table has not closed in the regular way."""
    reason, code = client.reason, client.code  # read before the lines below change them
    await record().close()
    session.stop()
    if how == "gone":
        how = await _give_up(client, address)
    if how == "closed" and code == "offline":  # nobody is asked here, so nobody waits for longer
        raise TableError(f"The table is gone: {reason}. {_after_leaving(address, 'left', plain)}")
    if how == "closed":
        return _after_closing(client, code, reason)
    return _after_leaving(address, how, plain)


async def _give_up(client: Client, address: TableAddress) -> str:
    """Give the seat up, if the host can be told. Return how the stay ended: gone, left (offline) or over (solo)."""
    if client.stage != "synced":
        return "left"
    await client.leave()
    won = client.view is not None and client.view.winners
    return "over" if address.solo and won else "gone"


def _after_leaving(address: TableAddress, how: str, plain: bool) -> str:
    """Return the line to show after the player left. how: left, gone or over."""
    playing = address.role == "player"
    if how == "left" and playing and address.name:
        return "Your seat is kept: press ENTER at that table to return to it."
    return farewell(how, address.solo, "" if playing else address.string, plain)


def _after_closing(client: Client, code: str, reason: str) -> str:
    """Return the line to show after the table closed. Raise TableError if it did not close in the regular way."""
    if code in SENT_AWAY:
        raise TableError(sentence(reason))
    if code not in TABLE_CLOSED:
        raise TableError(f"The table is gone: {reason}")
    return closing_words(client.info, client.view)


def _announce_recording(session: TableSession, path: Path) -> None:
    """Tell the player where the recording of a finished game is."""
    session.recording = path
    info = session.client.info
    revealed = info is not None and info.opened == info.game
    if revealed and any(str(path) in line.text for line in session.log[-200:]):
        session.say("All hands are revealed now, and in the recording too.", "note")
        return
    if not here().own_machine:
        return  # the end of the game shows the recording; it cannot be taken away
    session.say(f"This game is recorded: Replays in the menu, or kickdoor replay {shlex.quote(str(path))}", "note")


def _note_end(later: Later, session: TableSession, finished: "Finished") -> None:
    """Keep the story of a finished game for the screen, and count the game in the player's career."""
    from netcode.recording.career import counts  # the end of a game needs it, not its start

    session.finished = finished
    session.changed()
    if counts(finished):
        later(_count(session, finished))


def _note_reopened(later: Later, session: TableSession, key: str) -> None:
    """Forget the end of a game that was taken back, in the player's career too."""
    from netcode.recording.career import career_path, uncount_game  # the end of a game needs it, not its start

    session.finished = None
    later(_change_career(session, partial(uncount_game, career_path(), key)))


async def _count(session: TableSession, finished: "Finished") -> None:
    # the end of a game needs it, not its start
    from netcode.recording.career import career_path, count_game, played_game

    await _change_career(session, partial(count_game, career_path(), played_game(finished, time.time())))


async def _change_career(session: TableSession, change: Callable[[], str]) -> None:
    """Change the career in a thread, and say what was wrong with it."""
    from netcode.recording.career import CareerError  # the end of a game needs it, not its start

    try:
        problem = await asyncio.to_thread(change)
    except CareerError as error:
        problem = str(error)
    if problem:
        session.say(sentence(problem), "note")
