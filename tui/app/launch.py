"""From a command to the screen: check the terminal, run the app, and print in one line how it ended."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from netcode.protocol.credentials import JoinError, data_folder, parse_join
from netcode.protocol.printing import say
from netcode.protocol.wire import LOBBY
from netcode.short_words.word_list import with_address
from tui.app.first_words import FIRST, first_words
from tui.app.given_string import given_string
from tui.app.start_host import TableAddress, TableError, list_hosts, locate, solo_request, start_solo
from tui.config.settings import Settings, SettingsError, load, usual_name
from tui.config.surroundings import here
from tui.lessons.progress import is_new_player
from tui.lessons.progress import load as load_progress

if TYPE_CHECKING:
    from tui.app.navigation import NavigationApp

PLAIN_GAME = {"pace": "book"}
"""The request of `kickdoor play` without options."""


def settings_with(ascii_only: bool = False, mouse: bool | None = None, name: str | None = None) -> Settings:
    """Return the player's settings, overridden by the command line. Raise click.UsageError if they cannot be used."""
    try:
        data_folder()
        settings = load()
    except SettingsError as problem:
        raise click.UsageError(str(problem)) from None
    except OSError as problem:
        raise click.UsageError(str(problem.strerror)) from None
    settings.ascii = settings.ascii or ascii_only
    settings.mouse = settings.mouse if mouse is None else mouse
    settings.name = (name or usual_name(settings))[:20]
    return settings


# Each command below runs the app and returns an exit code.
def menu(settings: Settings) -> int:
    """`kickdoor`: the menu."""
    return _run(settings, ("menu", "", {}))


def play(settings: Settings, **request: Any) -> int:
    """`kickdoor play`: a table against bots. A player who has never played and asks for nothing special is offered the
    first game. request: fields of netcode.host.config.HostConfig, `level` and `bots`."""
    if request == PLAIN_GAME and is_new_player():
        return _run(settings, ("offer", "", {}))
    return _run(settings, ("play", "", {}), lambda: start_solo(solo_request(request, settings), settings.name))


def _in_background(work: Callable[[], TableAddress]) -> Future[TableAddress]:
    """Do this work in a thread, so that the host starts while this process loads the toolkit."""
    done: Future[TableAddress] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except Exception as problem:
            done.set_exception(problem)

    threading.Thread(target=run, name="host", daemon=True).start()
    return done


def resume(settings: Settings) -> int:
    """`kickdoor play --resume`: the last unfinished solo game."""
    return _run(settings, ("resume", "", {}))


def join(settings: Settings, text: str, lan: bool = False, code: str = "") -> int:
    """`kickdoor join`: take a seat, or show the tables of a host. lan: find the host on the local network first. code:
    of the player's seat on another machine."""
    text = screen_string(text)
    token = checked_code(code)
    if lan:
        try:
            text = locate(text)
        except TableError as problem:
            say(f"kickdoor join: {problem}", err=True)
            return 1
    return _run(settings, _start_at("join", text, token))


def visit_lobby(settings: Settings, text: str, wanted: str = "") -> int:
    """Show the tables of a host. wanted: the name of the one to go to first."""
    return _run(settings, ("lobby", screen_string(text), {"wanted": wanted}))


def checked_code(code: str) -> bytes:
    """Return the token that a code stands for, b"" for none. Raise click.UsageError."""
    if not code:
        return b""
    from netcode.client.seat_code import code_bytes  # hardly anybody has a code

    try:
        return code_bytes(code)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None


def join_offered(settings: Settings, name: str = "") -> int:
    """`kickdoor join` without a string: return to the only table that is known here; else choose among those and the
    hosts of this network. name: only seats of this name."""
    from tui.app.offered_tables import offered_tables  # a join string needs no list

    tables = offered_tables(name)
    if len(tables) == 1:
        return _run(settings, ("offered", "", {"table": tables[0]}))
    return _run(settings, ("nearby", "", {"tables": tables}))


def nearby(settings: Settings) -> int:
    """`kickdoor join --lan`: choose among the hosts of this network. Without a terminal: print them."""
    return _run(settings, ("nearby", "", {})) if os.isatty(0) and os.isatty(1) else hosts()


def hosts() -> int:
    """Print the hosts that announce themselves on the local network."""
    try:
        lines = list_hosts()
    except TableError as problem:
        say(f"kickdoor join: {problem}", err=True)
        return 1
    say("\n".join(lines))
    return 0


def learn(settings: Settings, scene: int) -> int:
    """`kickdoor learn`: the first game, from this scene on. Raise click.UsageError if there is no such scene."""
    from tui.lessons.library import lessons  # it loads the rules: other commands need none

    found = len(lessons())
    if scene > found:
        raise click.UsageError(f"there are {found} scenes: name one from 1 to {found}")
    return _run(settings, ("learn", "", {"scene": scene}))


def puzzle(settings: Settings, name: str) -> int:
    """`kickdoor puzzle`: the list of puzzles, or one of them. Raise click.UsageError if there is none of this name."""
    from tui.lessons.library import LessonError, puzzle_named  # it loads the rules: other commands need none

    try:
        ident = puzzle_named(name).ident if name else ""
    except LessonError as problem:
        raise click.UsageError(str(problem)) from None
    return _run(settings, ("puzzle", ident, {}))


def puzzle_list() -> int:
    """`kickdoor puzzle --list`: print the puzzles with what is solved."""
    from tui.lessons.library import LessonError, puzzles  # it loads the rules, which no other command waits for

    try:
        found, wrong = puzzles()
    except LessonError as problem:
        raise click.UsageError(str(problem)) from None
    solved = set(load_progress().puzzles)
    for number, told in enumerate(found, 1):
        say(f"{number}  {'solved' if told.ident in solved else 'open  '}  {told.name}  ({told.pack})")
    for line in wrong:
        say(line, err=True)
    return 0


def watch(settings: Settings, text: str) -> int:
    """`kickdoor watch`: spectate a table, or show the tables of a host."""
    return _run(settings, _start_at("watch", screen_string(text)))


def replay(settings: Settings, path: str) -> int:
    """`kickdoor replay`: step through a recording. Raise click.UsageError if the file is no recording."""
    from netcode.recording.recording import ReplayError, read_header  # no other command needs them

    try:
        read_header(Path(path))
    except ReplayError as problem:
        raise click.UsageError(str(problem)) from None
    return _run(settings, ("replay", path, {}))


def _start_at(kind: str, text: str, code: bytes = b"") -> tuple[str, str, dict[str, Any]]:
    """Where the app starts with this string: at a table, or in the lobby of a host. code: of a seat at that table."""
    return ("lobby" if parse_join(text).table == LOBBY else kind, text, {"code": code})


def checked_string(text: str) -> str:
    """Return the join string in a text; `-` reads it from standard input. Short words, perhaps after an address, are
    exchanged for theirs. Raise click.UsageError, click.ClickException."""
    string = given_string(text)
    if with_address(string) is not None:
        return _string_by_words(string)
    try:
        return str(parse_join(string))
    except JoinError as problem:
        raise click.UsageError(str(problem)) from None


def screen_string(text: str) -> str:
    """Return the join string in a text, as `checked_string`; keys come from the terminal then."""
    string = checked_string(text)
    if text == "-":
        _take_terminal()
    return string


def _string_by_words(text: str) -> str:
    """Return the join string to which short words lead. Raise click.ClickException."""
    from tui.app.by_words import string_of  # loads the network's side, which a start does not need

    try:
        return string_of(text)
    except TableError as problem:
        raise click.ClickException(str(problem)) from None


def _take_terminal() -> None:
    """Read keys from the terminal again after a join string came through a pipe."""
    if sys.stdin.isatty() or os.name != "posix":
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        return  # there is no terminal: _need_terminal says so
    os.dup2(terminal, 0)
    os.close(terminal)


def _need_terminal() -> None:
    """Raise click.UsageError unless there is a terminal to draw on and to read keys from."""
    if not (os.isatty(0) and os.isatty(1)):
        raise click.UsageError("this needs a terminal: run it in a window of its own, or over ssh with `ssh -t`")
    if here().terminal in ("", "dumb") and os.name == "posix":
        raise click.UsageError("this terminal cannot place text (TERM is unset or dumb): try TERM=xterm-256color")


def _ask_the_terminal_for_its_size() -> None:
    """Forget a size that is exported: it was true of another window, or of this one before somebody resized it, and
    everything that looks for a size would believe it."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


async def _show_menu(app: "NavigationApp") -> None:
    from tui.app.menu_flow import show_menu  # a game needs no menu at its start

    await show_menu(app)


async def _offer_then_play(app: "NavigationApp") -> None:
    from tui.app.menu_flow import offer_then_play  # the same

    await offer_then_play(app)


async def _show_nearby(app: "NavigationApp") -> None:
    from tui.app.nearby import show_nearby  # it loads what searches a network

    app.farewell = await show_nearby(app, app.start[2].get("tables", ()))


async def _change_settings(app: "NavigationApp") -> str:
    from tui.app.menu_flow import change_settings  # the same

    return await change_settings(app)


_FLOWS = {"menu": _show_menu, "offer": _offer_then_play, "nearby": _show_nearby}
"""The functions that lead through the app, by its start; other starts are a table or a screen."""


def _run(
    settings: Settings, start: tuple[str, str, dict[str, Any]], begin: Callable[[], TableAddress] | None = None
) -> int:
    """Run the app to its end, print its last line, and return the exit code. begin: opens the table to go to."""
    _need_terminal()
    _ask_the_terminal_for_its_size()
    gc.disable()  # off until the app has settled: collecting garbage while modules load takes a fifth of the start
    with first_words(FIRST[start[0]]) if start[0] in FIRST else nullcontext():
        begun = _in_background(begin) if begin is not None else None
        from tui.app.navigation import NavigationApp  # loads the toolkit; the first words are shown already

        if begin is not None:
            import tui.app.play_session  # noqa: F401  the next that is needed

        form = None if here().own_machine else _change_settings
        app = NavigationApp(settings, start, begun, _FLOWS.get(start[0]), form)
        loop = asyncio.SelectorEventLoop() if sys.platform == "win32" else None
        app.run(mouse=settings.mouse, loop=loop)
    if app.failed:
        say(f"kickdoor: {app.failed}", err=True)
        return 1
    if app.farewell:
        say(app.farewell)
    return app.return_code or 0
