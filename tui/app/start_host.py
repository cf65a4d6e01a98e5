"""Start or find the host of a table: a private one for solo play, one for friends, or one on the local network."""

import asyncio
import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from cards import BUILT_IN
from core.language.errors import PackError
from netcode.client.earlier_games import EarlierGames
from netcode.client.found_host import FoundHost
from netcode.host import host_folders
from netcode.host.config import ConfigError, HostConfig
from netcode.host.local_host import LocalHost, resume_local_host, start_local_host
from netcode.host.logs import log_file
from netcode.host.saved_games import SavedGame, is_played, list_saved_games
from netcode.processes.start import child_command, child_env
from netcode.protocol.announcement import fingerprint
from netcode.protocol.credentials import JoinError, data_folder, parse_join
from netcode.protocol.pack_files import user_packs
from netcode.protocol.ports import DEFAULT_PORT
from tui.config.settings import Settings

DEFAULT_SETS = ("munchkins-and-mazes",)
IDLE_S = 600
"""How long (s) a hosted table waits for anybody, so that no host outlives a killed app by more."""
CHECK_S = 0.5
"""How often the host of a solo game is checked."""
RESTARTS = 5
"""How often the host of a solo game is restarted before the app gives up."""
LOG, ERROR_BYTES = "host.log", 4096
"""The log of hosted tables in the data folder, and the most bytes of it in an error message."""
AT_ONCE = "at once"
"""The value for no delay of spectators in the form of a hosted table."""
RESUMED = "Resumed where you left. The game stays saved whenever you leave."
EVERYBODY = "everybody on the network"
LOOPBACK = ("kickdoor://127.", "kickdoor://[::1]")
"""The beginnings of strings that work on this machine only."""


class TableError(Exception):
    """A table cannot be reached, or closed; the text is one line for people."""


class EntryError(TableError):
    """A table cannot be opened or entered as the player wants: they may change what they have typed, and try again.
    field: the row of the form that is wrong, "" if none is; instead: a value for it that would do."""

    def __init__(self, text: str, field: str = "", instead: str = "") -> None:
        super().__init__(text)
        self.field, self.instead = field, instead


class SeatInUse(TableError):
    """The player's seat is open in another terminal, which still answers: they decide which one has it."""


class TableAddress(Struct):
    """How to reach a table: a join or watch string and the role that it gives."""

    string: str
    role: Literal["player", "watch"] = "player"
    invitation: tuple[str, ...] = ()
    """Join strings to show to others."""
    host: LocalHost | None = None
    """The private host of a solo game."""
    greeting: str = ""
    """What the player reads first at the table."""
    hints: bool = False
    """Whether a coach tells what a good player would do, as in the first whole game."""
    name: str = ""
    """The table's name in the lobby of its host, if the player came from there and will return."""
    seat: str = ""
    """The name under which a seat is kept here, if this leads to that seat and has no invitation; otherwise ""."""
    code: bytes = b""
    """The code with which the player takes their seat from another machine."""

    @property
    def player(self) -> str:
        """The name under which the seat is kept; "" if unknown."""
        return self.host.saved.info.player if self.host is not None else self.seat

    @property
    def solo(self) -> bool:
        """Whether this is a game for one person."""
        return self.host is not None

    def let_bots_in(self) -> None:
        """Let the bots of a solo game sit down, once the player sees the first screen."""
        if self.host is not None:
            self.host.let_bots_in()

    def release(self) -> None:
        """Let the host of a solo game end: its player has left."""
        if self.host is not None:
            self.host.release()


def known_sets() -> tuple[str, ...]:
    """Return the ids of the built-in packs and of those in the player's own folder."""
    folder = user_packs()
    own = [entry.name for entry in folder.iterdir() if (entry / "pack.toml").is_file()] if folder.is_dir() else []
    return (*BUILT_IN, *sorted(own))


def solo_request(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the request for `start_solo`: what the player asked for, with the rest from the settings."""
    return {
        "sets": request.get("sets") or DEFAULT_SETS, "bots": int(request.get("bots") or settings.bots),
        "level": request.get("level") or settings.level, "pace": request.get("pace") or "book",
        "options": request.get("options") or (), "seed": request.get("seed"), "speed": settings.speed,
        "hints": bool(request.get("hints")), "remember": settings.bots_remember,
    }  # fmt: skip


def start_solo(request: dict[str, Any], player: str) -> TableAddress:
    """Start a private host for one player, whose bots wait for `let_bots_in`. Raise TableError if that fails.

    request: sets, bots, level, pace, options, seed, speed, whether bots remember earlier games, and hints for a coach.
    """
    config = HostConfig(
        sets=tuple(request["sets"]), seats=request["bots"] + 1, bot_level=request["level"], pace=request["pace"],
        options=tuple(request["options"]), seed=request["seed"], speed=request["speed"],
        remember=request["remember"],
    )  # fmt: skip
    try:
        host = start_local_host(config, player, bots_wait=True)
    except (ConfigError, PackError) as problem:
        raise TableError(str(problem)) from None
    greeting = EarlierGames(data_folder()).problem() if config.remember else ""
    return TableAddress(host.join, host=host, greeting=greeting, hints=bool(request.get("hints")))


def games_to_resume() -> list[SavedGame]:
    """Return the saved games that are not being played in another terminal, the newest first. Raise TableError if there
    is none."""
    saved = list_saved_games()
    free = [game for game in saved if not game.played]
    if saved and not free:
        raise TableError("The game to resume is open in another terminal. A new one: kickdoor play.")
    if not free:
        raise TableError("There is no game to resume: start one with kickdoor play.")
    return free


def resume_saved(saved: SavedGame) -> TableAddress:
    """Start a private host that resumes a saved game. Raise TableError if that fails, or its player is at the table."""
    if is_played(saved.info):
        raise TableError("This game is open in another terminal.")
    return _resume(saved)


def _resume(saved: SavedGame) -> TableAddress:
    try:
        host = resume_local_host(saved)
    except ConfigError as problem:
        raise TableError(f"The game cannot be resumed: {problem}") from None
    return TableAddress(host.join, host=host, greeting=RESUMED)


async def keep_host(address: TableAddress, trouble: Callable[[str], None]) -> None:
    """Restart the host of a solo game whenever it dies, at the same port, where the client reconnects by itself.

    trouble: called when that is impossible; the game is saved.
    """
    for _ in range(RESTARTS):
        while address.host is not None and not address.host.crashed:
            await asyncio.sleep(CHECK_S)
        if address.host is not None:
            try:
                address.host = (await asyncio.to_thread(_resume, address.host.saved)).host
            except TableError as problem:
                trouble(str(problem))
                return


def unfinished_at(values: dict[str, str]) -> bool:
    """Return whether the journal of the port in this form has unfinished tables."""
    port = values["port"] or str(DEFAULT_PORT)
    return port.isdecimal() and host_folders.unfinished_at(int(port))


def bind_of(values: dict[str, str]) -> str:
    """Return the address to listen at that this form asks for."""
    return "0.0.0.0" if values["reach"] == EVERYBODY else "127.0.0.1"


def start_for_friends(
    values: dict[str, str], sets: Sequence[str], options: Sequence[str], restore: bool = False
) -> TableAddress:
    """Start the host that a filled-in form describes. It outlives this app, but not for long if nobody comes. Raise
    TableError if it does not start.

    restore: lead to the unfinished table of its journal instead of a new one.
    """
    command = [
        *child_command("tui"), "host", "--json", "--idle", str(IDLE_S), "--seats", values["seats"],
        "--bots", values["bots"], "--pace", values["pace"], "--port", values["port"] or str(DEFAULT_PORT),
        "--bind", bind_of(values),
    ]  # fmt: skip
    if not restore:
        command.append("--new")
    if values.get("announce") == "yes" and values["reach"] == EVERYBODY:
        command.append("--announce")
    if values.get("remember") == "yes":
        command.append("--remember")
    if values.get("knock") == "yes":
        command.append("--knock")
    if values.get("delay", AT_ONCE) != AT_ONCE:
        command += ["--watch-delay", values["delay"].partition(" ")[0]]
    for name in sets:
        command += ["--set", name]
    for option in options:
        command += ["--option", option]
    strings = _first_line(command)
    others = [join for join in strings["joins"] if not join.startswith(LOOPBACK)] or strings["joins"]
    return TableAddress(strings["owner"], invitation=tuple(others[:3]))


def _first_line(command: list[str]) -> dict[str, Any]:
    """Start a host and return its first line of JSON. Raise TableError with its error message if there is none. It logs
    to a file: it outlives this app, so nobody would read a pipe."""
    try:
        log = log_file(LOG)
    except OSError as problem:
        raise TableError(f"{problem.filename}: {problem.strerror}") from None
    with log:
        began = log.tell()
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=child_env(),
            start_new_session=True,
        )  # fmt: skip
        assert child.stdout is not None
        line = child.stdout.readline()
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError:
            child.wait(10)
            text = _read(data_folder() / LOG, began).strip().removeprefix("kickdoor host: ")
            raise EntryError(text or "the host did not start") from None
    return answer


def _read(log: Path, began: int) -> str:
    """Return the text of a log from this byte on, at most as much as an error message may have."""
    with log.open("rb") as file:
        file.seek(began)
        return file.read(ERROR_BYTES).decode(errors="replace")


# --------------------------------------------------------------------------------------------------- local network
NEEDS_ANNOUNCE = "its host needs --announce, which reaches nobody through SSH, VPNs or most guest networks"


def locate(string: str) -> str:
    """Return the join string with the address that its host has on the local network now. Raise TableError."""
    # only needed to find hosts on the local network
    from netcode.client.discovery import DiscoveryError, find

    try:
        found = asyncio.run(find(parse_join(string)))
    except (DiscoveryError, JoinError) as problem:
        raise EntryError(str(problem)) from None
    if found is None:
        raise EntryError(f"no host with the key of this string was found on the network: {NEEDS_ANNOUNCE}")
    return str(found)


def hosts_nearby() -> list[list[tuple[str, int]]]:
    """Return the addresses of each host that announces itself on the local network, with its port. Raise TableError."""
    return [[(address, one.port) for address in one.addresses] for one in _search()]


def found_hosts(needed: bool = True) -> list[FoundHost]:
    """Return the hosts that announce themselves on the local network. needed: raise TableError if there is none."""
    found = _search()
    if needed and not found:
        raise TableError(f"no host was found on the network: {NEEDS_ANNOUNCE}")
    return found


def _search() -> list[FoundHost]:
    # as in locate
    from netcode.client.discovery import DiscoveryError, find_hosts

    try:
        return asyncio.run(find_hosts())
    except DiscoveryError as problem:
        raise TableError(str(problem)) from None


def host_lines(found: list[FoundHost]) -> list[str]:
    """Return a line for each of these hosts."""
    return [f"{one.place}  table {one.table or '-'}  {one.machine or '-'}  (key {one.key})" for one in found]


def list_hosts() -> list[str]:
    """Return a line for each host that announces itself on the local network. Raise TableError if there is none."""
    lines = host_lines(found_hosts())
    return [*lines, "Anybody can claim to be any of these. With its join string: kickdoor join --lan -"]


def string_at(host: FoundHost, text: str) -> str:
    """Return the join string that a player was given, with the address at which its host was found. Raise TableError if
    it is none, or of another host."""
    try:
        join = parse_join(text)
    except JoinError as problem:
        raise TableError(str(problem)) from None
    if fingerprint(join.key) != host.key:
        raise TableError("this string is of another host: choose the one that its owner means, or use the string alone")
    return str(next(host.at(join)))
