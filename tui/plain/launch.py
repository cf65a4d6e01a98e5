"""The commands with `--plain`: each converses by lines and returns an exit code. No terminal is needed."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from netcode.client.client import Client
from netcode.client.connection import distrust_for
from netcode.protocol.credentials import parse_join
from netcode.protocol.printing import say
from netcode.protocol.wire import LOBBY
from netcode.reporting import log_faults_of_loop, log_to_stderr
from tui.app.given_string import given_string, read_line
from tui.app.join_and_leave import Later, client_for, join_table, leave_table, wait_for_deal
from tui.app.launch import checked_code, checked_string
from tui.app.offered_tables import OfferedTable, offered_tables
from tui.app.start_host import (
    SeatInUse,
    TableAddress,
    TableError,
    found_hosts,
    games_to_resume,
    host_lines,
    keep_host,
    locate,
    resume_saved,
    solo_request,
    start_solo,
)
from tui.config.settings import Settings
from tui.config.surroundings import here
from tui.plain.conversation import Conversation
from tui.plain.lines import Desk, Printer, StandardInput, spoken
from tui.plain.lobby import choose_table
from tui.plain.room import PlainRoom
from tui.plain.table import PlainTable
from tui.scene.table_session import TableSession


def play(settings: Settings, **request: Any) -> int:
    """`kickdoor play --plain`: a table against bots."""
    return _run(settings, lambda: start_solo(solo_request(request, settings), settings.name))


def resume(settings: Settings) -> int:
    """`kickdoor play --plain --resume`: the solo game that was left last."""
    return _run(settings, lambda: resume_saved(games_to_resume()[0]))


def join(settings: Settings, text: str, lan: bool = False, code: str = "") -> int:
    """`kickdoor join --plain`: take a seat. lan: find the host on the local network first. code: of the player's seat
    on another machine."""
    token = checked_code(code)
    string = checked_string(text)
    return _run(settings, lambda: TableAddress(locate(string) if lan else string, "player", code=token))


def visit_lobby(settings: Settings, text: str, wanted: str = "") -> int:
    """Go to a table of a host. wanted: its name, if the player knows it."""
    string = checked_string(text)
    return _run(settings, lambda: TableAddress(string), wanted)


def join_offered(settings: Settings, name: str = "") -> int:
    """`kickdoor join --plain` without a string: return to the only table that is known here; else choose among those
    and the hosts of this network. name: only seats of this name."""
    tables = offered_tables(name)
    if len(tables) == 1:
        return _run(settings, lambda: tables[0].address)
    return _choose(settings, tables)


def nearby(settings: Settings) -> int:
    """`kickdoor join --lan --plain`: choose among the hosts of this network."""
    return _choose(settings, [])


def _choose(settings: Settings, tables: list[OfferedTable]) -> int:
    """Choose one of these tables, or a host of this network, by its number; a host also needs what its owner gave."""
    from tui.app.by_words import string_from  # a join string needs no search

    try:
        found = found_hosts(needed=not tables)
        lines = [*(f"{one.title} ({one.hint})" for one in tables), *host_lines(found)]
        for number, line in enumerate(lines, 1):
            say(f"{number}. {line}")
        warning = "Anybody can claim to be any of these hosts. " if found else ""
        say(f"{warning}Answer {'1' if len(lines) == 1 else f'1 to {len(lines)}'}.")
        chosen = read_line().strip()
        if not (chosen.isascii() and chosen.isdecimal() and 1 <= int(chosen) <= len(lines)):
            return 0 if not chosen else _refuse(f"{chosen} is no number from 1 to {len(lines)}")
        if int(chosen) <= len(tables):
            return _run(settings, lambda: tables[int(chosen) - 1].address)
        say("The short words or the join string that the table's owner gave you:")
        string = string_from(found[int(chosen) - 1 - len(tables)], given_string("-"))
    except TableError as problem:
        return _refuse(str(problem))
    return _run(settings, lambda: TableAddress(string))


def _refuse(problem: str) -> int:
    say(f"kickdoor join: {problem}", err=True)
    return 1


def watch(settings: Settings, text: str) -> int:
    """`kickdoor watch --plain`: spectate a table."""
    string = checked_string(text)
    return _run(settings, lambda: TableAddress(string, "watch"))


def _run(settings: Settings, find: Callable[[], TableAddress], wanted: str = "") -> int:
    """Find a table and stay there to the end; return the exit code. wanted: see `choose_table`."""
    loop = asyncio.SelectorEventLoop if sys.platform == "win32" else asyncio.new_event_loop
    log_to_stderr("kickdoor: %(message)s")
    try:
        with asyncio.Runner(loop_factory=loop) as runner:
            log_faults_of_loop(runner.get_loop())
            word = runner.run(_stay(settings, find, wanted))
    except TableError as problem:
        say(f"kickdoor: {problem}", err=True)
        return 1
    if word:
        say(word)
    return 0


async def _stay(settings: Settings, find: Callable[[], TableAddress], wanted: str) -> str:
    """Stay at a table, perhaps chosen in a lobby, until the player leaves or it closes; return the line to say after
    it. Raise TableError."""
    address: TableAddress | None = await asyncio.to_thread(find)
    assert address is not None
    if not address.solo and parse_join(address.string).table == LOBBY:
        watch = address.role == "watch"
        address = await choose_table(address.string, settings.name, wanted, watch, Printer(spoken(settings.ascii)))
        if address is None:
            return here().come_again
    try:
        return await _stay_at(settings, address)
    except SeatInUse as problem:
        say(f"{problem} Say yes to take the seat over.")
        answer = (await asyncio.to_thread(read_line)).strip()
    if answer.lower() not in ("yes", "y"):
        return "The seat stays with the other terminal."
    return await _stay_at(settings, address, takes=True)


async def _stay_at(settings: Settings, address: TableAddress, takes: bool = False) -> str:
    """Stay at this table as `_stay` does. takes: as for client_for. Raise SeatInUse too."""
    printer = Printer(spoken(settings.ascii))
    beside: set[asyncio.Task[None]] = set()

    def later(work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        beside.add(task)
        task.add_done_callback(beside.discard)

    if address.solo:
        later(keep_host(address, lambda problem: printer(f"{problem} Leave with quit; the game is saved.")))
    client = client_for(address, settings, takes=takes)
    try:
        return await _stay_with(client, address, settings, printer, later)
    except Exception as problem:
        if client.trusted or isinstance(problem, TableError):
            raise
        raise TableError(distrust_for(problem)) from None
    finally:
        await client.close()
        for task in beside:
            task.cancel()
        address.release()


async def _stay_with(
    client: Client, address: TableAddress, settings: Settings, printer: Printer, later: Later
) -> str:  # fmt: skip
    """Stay at a table with this client. later: runs a coroutine as a task."""
    session, record = await join_table(client, client.join(), address, settings, printer.glyphs, printer, later)
    record()
    if address.solo:
        await wait_for_deal(client)
        address.let_bots_in()
    desk = Desk(printer, StandardInput())
    if desk.typing.on_demand and address.role == "player":
        client.set(waits="never")  # a file has no empty lines to wait for
    client.gives_up = desk.typing.on_demand and not address.solo  # nobody is there to decide when to stop waiting
    how = await _converse(session, desk, settings)
    return await leave_table(client, session, record, address, how, plain=True)


async def _converse(session: TableSession, desk: Desk, settings: Settings) -> str:
    """Converse in the waiting room and at the table in turn; return how it ended: left, gone or closed."""
    talk: Conversation | None = None
    loop = asyncio.get_running_loop()

    def end() -> None:
        if talk is not None:
            talk.leave()

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and os.name == "posix":
            loop.add_signal_handler(number, end)
    desk.say("Say help for all words.")
    while True:
        kind = PlainTable if session.playing else PlainRoom
        talk = kind(session, desk, settings, talk.told if talk is not None else None)
        how = await talk.run()
        if how not in ("table", "waiting room"):
            return how
