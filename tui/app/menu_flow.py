"""The menu and its forms: what the player chooses there, until they quit."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from functools import partial

from msgspec.structs import replace

from netcode.host.saved_games import list_saved_games
from netcode.protocol.credentials import JoinError, parse_join
from netcode.short_words.word_list import with_address
from tui.app.by_words import string_of
from tui.app.first_words import CONNECTING
from tui.app.free_port import check_port
from tui.app.menu_rows import (
    FIND_HOST,
    ON_OWN_MACHINE,
    SEAT,
    SPECTATOR,
    built_in_heads,
    host_rows,
    join_rows,
    menu_rows,
    options_in,
    play_rows,
    sets_in,
    settings_rows,
    unfinished_rows,
    with_values,
)
from tui.app.navigation import NavigationApp, leads_to_lobby
from tui.app.offered_tables import offered_tables
from tui.app.start_host import (
    EntryError,
    TableAddress,
    TableError,
    games_to_resume,
    known_sets,
    locate,
    start_for_friends,
    unfinished_at,
)
from tui.config.settings import SettingsError, save
from tui.config.surroundings import here
from tui.lessons import progress
from tui.screens.career import CareerScreen
from tui.screens.first_start import PLAY, FirstStartScreen
from tui.screens.forms import ChoiceScreen, FormScreen, Values
from tui.screens.main_menu import MainMenuScreen
from tui.screens.replay_list import ReplayListScreen
from tui.screens.settings import SettingsScreen
from tui.widgets.entry.fields import Row


async def show_menu(app: NavigationApp) -> None:
    """Show the menu until the player quits; a new player is offered the first game once."""
    offered = await _offer_first_game(app)
    note, cursor = offered, 0
    while True:
        seats = await asyncio.to_thread(offered_tables)
        rows = menu_rows(app.settings, [game for game in list_saved_games() if not game.played], seats)
        screen = MainMenuScreen(rows, built_in_heads(), app.glyphs, note, cursor)
        answer = await app.push_screen_wait(screen)
        if answer is None or answer == "quit":
            return
        cursor = screen.at
        try:
            if answer.startswith(SEAT):
                note = await app.go_to(seats[int(answer.removeprefix(SEAT))])
            else:
                note = await _open(app, answer)
        except (TableError, SettingsError) as problem:
            note = str(problem)


async def offer_then_play(app: NavigationApp) -> None:
    """Ask somebody who has never played whether to learn the game; if not, begin a game. Raise TableError."""
    progress.note_offer()
    learns = await app.push_screen_wait(FirstStartScreen(app.glyphs, PLAY))
    app.farewell = await (app.learn() if learns else app.play_solo({}))


async def _open(app: NavigationApp, name: str) -> str:
    """Open a row of the menu; return a note for the menu."""
    if name == "play":
        return await app.play_solo({})
    if name == "new":
        return await _play_form(app)
    if name == "resume":
        return await app.resume(games_to_resume())
    if name == "host":
        return await _host_form(app)
    if name == "join":
        return await _join_form(app)
    if name == "settings":
        return await change_settings(app)
    if name == "replays":
        return await _list_replays(app)
    if name == "career":
        await app.push_screen_wait(CareerScreen(app.glyphs))
        return ""
    if name == "learn":
        return await app.learn()
    if name == "puzzles":
        return await app.puzzles()
    book = app.book(name)
    app.hold()  # do not paint what the menu has covered before the book opens
    await app.push_screen_wait(book)
    return ""


async def _offer_first_game(app: NavigationApp) -> str:
    """Ask a new player once whether to learn the game; return a note for the menu."""
    if not progress.is_new_player():
        return ""
    progress.note_offer()
    if not await app.push_screen_wait(FirstStartScreen(app.glyphs)):
        return ""
    try:
        return await app.learn()
    except TableError as problem:
        return str(problem)


async def _list_replays(app: NavigationApp) -> str:
    """Show the list of recorded games until the player leaves it; return what was wrong with a recording, or ""."""
    chosen, problem = None, ""
    while not problem:
        chosen = await app.push_screen_wait(ReplayListScreen(app.glyphs, at=chosen))
        if chosen is None:
            return ""
        problem = await app.show_replay(chosen)
    return problem


async def _form(app: NavigationApp, title: str, rows: list[Row]) -> Values | None:
    """Show a form; return its values, or None if the player left it."""
    answer = await app.push_screen_wait(FormScreen(title, rows, app.glyphs))
    return answer[1] if answer is not None else None


async def _form_until_done(
    app: NavigationApp, title: str, rows: list[Row], do: Callable[[Values], Awaitable[str]]
) -> str:
    """Show a form until what it asks for is done, or the player leaves it; return the line to show then. Whatever is
    wrong stands in the form, which keeps its values."""
    problem = at = ""
    while True:
        answer = await app.push_screen_wait(FormScreen(title, rows, app.glyphs, problem=problem, at=at))
        if answer is None:
            return ""
        values = answer[1]
        app.settings.name = values["name"] or app.settings.name
        try:
            return await do(values)
        except EntryError as wrong:
            problem, at = str(wrong), wrong.field
            values = values | {at: wrong.instead} if wrong.instead else values
        rows = [dataclasses.replace(row, value=values.get(row.name, row.value)) for row in rows]


async def _play_form(app: NavigationApp) -> str:
    values = await _form(app, "Play against bots", play_rows(app.settings, known_sets()))
    if values is None:
        return ""
    app.settings.name = values["name"] or app.settings.name
    request = {
        "sets": sets_in(values), "bots": int(values["bots"]), "level": values["level"], "pace": values["pace"],
        "options": options_in(values),
    }  # fmt: skip
    return await app.play_solo(request)


async def _host_form(app: NavigationApp) -> str:
    return await _form_until_done(app, "Host a table", host_rows(app.settings, known_sets()), partial(_host, app))


async def _host(app: NavigationApp, values: Values) -> str:
    """Open the table that a form describes, and stay there. Raise EntryError, TableError."""
    await asyncio.to_thread(check_port, values)
    restore = False
    if await asyncio.to_thread(unfinished_at, values):
        answer = await app.push_screen_wait(ChoiceScreen("Host a table", unfinished_rows(), app.glyphs))
        if answer is None:
            return ""
        restore = answer == "restore"
    remember = {"remember": "yes" if app.settings.bots_remember else "no"}
    find = partial(start_for_friends, values | remember, sets_in(values), options_in(values), restore)
    return await app.visit(find, "Opening the table..")


async def _join_form(app: NavigationApp) -> str:
    return await _form_until_done(app, "Join a table", join_rows(app.settings), partial(_join, app))


async def _join(app: NavigationApp, values: Values) -> str:
    """Go to the table or lobby that a form names, and stay there. Raise EntryError, TableError."""
    string = values["string"]
    if with_address(string) is not None:
        async with app.waiting("Asking the host for the way to its table.."):
            string = await asyncio.to_thread(string_of, string)
    else:
        try:
            string = str(parse_join(string))
        except JoinError as problem:
            raise EntryError(str(problem), "string") from None
        if values["lan"] == FIND_HOST:
            async with app.waiting("Looking for the host on this network.."):
                string = await asyncio.to_thread(locate, string)
    if leads_to_lobby(string):
        return await app.visit_lobby(string)
    address = TableAddress(string, "watch" if values["as"] == SPECTATOR else "player")
    return await app.visit(lambda: address, CONNECTING)


async def change_settings(app: NavigationApp) -> str:
    """Show the settings until the player has saved or left them; return a note. Raise SettingsError."""
    rows = settings_rows(app.settings)
    shown = [row for row in rows if here().own_machine or row.name not in ON_OWN_MACHINE]
    screen = SettingsScreen("Settings", shown, app.glyphs, app.settings)
    answer = await app.push_screen_wait(screen)
    if answer is None:
        return ""
    values = {row.name: row.value for row in rows} | answer[1]
    app.settings = replace(with_values(app.settings, values), keys=screen.keys)
    save(app.settings)
    app.apply_settings()
    return "Settings are saved."
