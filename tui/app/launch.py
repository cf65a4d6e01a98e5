"""From a command to the screen: checks the terminal, runs the app, and says in one line how it ended."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import click

from netcode.protocol.credentials import JoinError, parse_join
from netcode.protocol.wire import LOBBY
from tui.config.settings import Settings, SettingsError, load, usual_name


def settings_with(plain: bool = False, mouse: bool | None = None, name: str | None = None) -> Settings:
    """The player's settings with what the command line says on top. Raises click.UsageError."""
    try:
        settings = load()
    except SettingsError as problem:
        raise click.UsageError(str(problem)) from None
    settings.ascii = settings.ascii or plain
    settings.mouse = settings.mouse if mouse is None else mouse
    settings.name = (name or usual_name(settings))[:20]
    return settings


def menu(settings: Settings) -> int:
    """`kickdoor`: the menu."""
    return _run(settings, ("menu", "", {}))


def play(settings: Settings, **wishes: Any) -> int:
    """`kickdoor play`: a table against bots. wishes: fields of netcode.host.main.HostConfig, `level` and `bots`."""
    return _run(settings, ("play", "", wishes))


def resume(settings: Settings) -> int:
    """`kickdoor play --resume`: the game that was left last."""
    return _run(settings, ("resume", "", {}))


def join(settings: Settings, text: str, lan: bool = False) -> int:
    """`kickdoor join`: sit down, or see the tables of a host. lan: wherever on the own network its host is now."""
    text = _checked(text)
    if lan:
        from tui.app.start_host import Trouble, located

        try:
            text = located(text)
        except Trouble as problem:
            click.echo(f"kickdoor join: {problem}", err=True)
            return 1
    return _run(settings, _way("join", text))


def hosts() -> int:
    """`kickdoor join --lan`: which hosts announce themselves. Returns the exit code."""
    from tui.app.start_host import Trouble, around

    try:
        lines = around()
    except Trouble as problem:
        click.echo(f"kickdoor join: {problem}", err=True)
        return 1
    click.echo("\n".join(lines))
    return 0


def watch(settings: Settings, text: str) -> int:
    """`kickdoor watch`: look on, or see the tables of a host."""
    return _run(settings, _way("watch", _checked(text)))


def _way(kind: str, text: str) -> tuple[str, str, dict[str, Any]]:
    """Where a string leads: to a table, or to a host's lobby."""
    return ("lobby" if parse_join(text).table == LOBBY else kind, text, {})


def replay(settings: Settings, path: str) -> int:
    """`kickdoor replay`: look at a recorded game. Raises click.UsageError if it is none."""
    from netcode.recording.recording import ReplayError, read_header

    try:
        read_header(Path(path))
    except ReplayError as problem:
        raise click.UsageError(str(problem)) from None
    return _run(settings, ("replay", path, {}))


def _checked(text: str) -> str:
    """A join string that can be one; `-` is read from standard input. Raises click.UsageError."""
    if text == "-":
        if sys.stdin.isatty():
            click.echo("join string: ", nl=False, err=True)
        text = sys.stdin.readline().strip()
        _take_terminal()
    try:
        parse_join(text)
    except JoinError as problem:
        raise click.UsageError(str(problem)) from None
    return text


def _take_terminal() -> None:
    """Keys come from the terminal again after a join string was piped in."""
    if sys.stdin.isatty() or os.name != "posix":
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        return  # no terminal at all: _need_terminal says so
    os.dup2(terminal, 0)
    os.close(terminal)


def _need_terminal() -> None:
    """Raises click.UsageError without a terminal to draw on and take keys from."""
    if not (os.isatty(0) and os.isatty(1)):
        raise click.UsageError("this needs a terminal: run it in a window of its own, or over ssh with `ssh -t`")
    if os.environ.get("TERM", "") in ("", "dumb") and os.name == "posix":
        raise click.UsageError("this terminal cannot place text (TERM is unset or dumb): try TERM=xterm-256color")


def _run(settings: Settings, start: tuple[str, str, dict[str, Any]]) -> int:
    """Run the app to its end; prints its last words. Returns the exit code."""
    _need_terminal()
    from tui.app.navigation import FlowApp

    app = FlowApp(settings, start)
    loop = asyncio.SelectorEventLoop() if sys.platform == "win32" else None
    app.run(mouse=settings.mouse, loop=loop)
    if app.failed:
        click.echo(f"kickdoor: {app.failed}", err=True)
        return 1
    if app.farewell:
        click.echo(app.farewell)
    return app.return_code or 0
