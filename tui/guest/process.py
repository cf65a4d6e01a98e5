"""The program of a guest: a process of its own, forked from one that has loaded all of this and holds no secret.

`preload` runs once before anybody is there, `run` in the process of each guest, when it has given up every right that
it does not need (netcode/door).
"""

from contextlib import ExitStack
from pathlib import Path

import click

from netcode.client.route import through_a_door
from netcode.client.saved_seats import known_seats
from netcode.door.confinement.namespaces import PORT
from netcode.door.messages import Start
from netcode.protocol.credentials import JoinError, keeping_in, parse_join
from netcode.protocol.printing import say
from netcode.protocol.wire import LOBBY
from netcode.sandbox.process import in_a_sandbox
from tui.app import launch
from tui.config.settings import Settings, SettingsError, load
from tui.config.surroundings import Surroundings, begun, lacks_characters
from tui.guest import loaded
from tui.guest.page import page
from tui.plain import launch as spoken

BROKEN = "Your settings here cannot be read; the usual ones apply."


def preload() -> None:
    """Load and prepare what every guest needs once, so that no guest spends time or memory on it."""
    loaded.prepare()


def run(start: Start) -> int:
    """Be the client of a guest to its end; return the exit code."""
    if start.what == "help":
        say(page(start.door))
        return 0
    with ExitStack() as place:
        place.enter_context(keeping_in(Path(start.folder)))
        place.enter_context(in_a_sandbox())
        if start.alone:
            place.enter_context(through_a_door(PORT))
        place.enter_context(begun(surroundings(start)))
        return _play(start)


def surroundings(start: Start) -> Surroundings:
    """Return the surroundings of a guest."""
    return Surroundings(
        terminal=start.environment.get("TERM", ""),
        lacks_characters=lacks_characters(start.environment),
        remote=True,
        settings=Path(start.folder) / "settings.toml",
        door=start.door or "ssh HOST",
        code=start.code,
    )


def by_lines(start: Start) -> bool:
    """Return whether this guest plays by lines: nothing can be drawn where they are."""
    return not start.terminal or start.environment.get("TERM", "") in ("", "dumb")


def _play(start: Start) -> int:
    """Go to the table or the lobby, and stay there."""
    try:
        settings = load()
    except SettingsError:
        settings = Settings()
        say(BROKEN, err=True)
    settings.name = seated_as(start.join) or start.name[:20]
    way = spoken if by_lines(start) else launch
    what, _, wanted = start.what.partition(" ")
    try:
        if what == "table":
            return way.visit_lobby(settings, start.join, wanted)
        return way.watch(settings, start.join) if what == "watch" else way.join(settings, start.join)
    except click.ClickException as problem:
        say(f"kickdoor: {problem.format_message()}", err=True)
    except KeyboardInterrupt:
        say("")
    return 1


def seated_as(string: str) -> str:
    """Return the name under which this guest has a seat where a string leads, "" if there is none: the seat is theirs
    whatever user name they type now."""
    try:
        to = parse_join(string)
    except JoinError:
        return ""  # joining reports what is wrong with it
    for known in known_seats():
        if known.join.key == to.key and to.table in (known.join.table, LOBBY):
            return known.name
    return ""
