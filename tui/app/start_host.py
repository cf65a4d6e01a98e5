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
from netcode.host import host_folders
from netcode.host.config import ConfigError, HostConfig
from netcode.host.local_host import LocalHost, resume_local_host, start_local_host
from netcode.host.logs import log_file
from netcode.host.saved_games import SavedGame, is_played, list_saved_games
from netcode.processes.start import child_command, child_env
from netcode.protocol.credentials import JoinError, data_folder, parse_join
from netcode.protocol.pack_files import user_packs
from netcode.protocol.ports import DEFAULT_PORT
from tui.config.settings import Settings

DEFAULT_SETS = ("munchkins-and-mazes",)
IDLE_S = 600
"""How long a hosted table waits while nobody is there (s), so that no host outlives a killed app for longer."""
CHECK_S = 0.5
"""How often the host of a solo game is checked."""
RESTARTS = 5
"""How often the host of a solo game is restarted before the app gives up."""
LOG, ERROR_BYTES = "host.log", 4096
"""The log of hosted tables in the data folder, and how much of it an error message may be."""
AT_ONCE = "at once"
"""The choice of no delay for spectators in the form of a hosted table."""
RESUMED = "Resumed where you left. The game stays saved whenever you leave."
EVERYBODY = "everybody on the network"


class TableError(Exception):
    """A table cannot be reached, or closed; the text is one line for people."""


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
    """Whether a coach tells what a good player would do: the first whole game."""
    name: str = ""
    """The table's name in the lobby of its host, if the player came from there and will return."""
    seat: str = ""
    """The name under which the seat is kept to which this leads without an invitation; "" if it leads to none."""
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
        """Let the bots of a solo game sit down: what its player sees first is there."""
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
    """Return what `start_solo` needs: what the player asked for; the settings fill in the rest."""
    return {
        "sets": request.get("sets") or DEFAULT_SETS, "bots": int(request.get("bots") or settings.bots),
        "level": request.get("level") or settings.level, "pace": request.get("pace") or "book",
        "options": request.get("options") or (), "seed": request.get("seed"), "speed": settings.speed,
        "hints": bool(request.get("hints")),
    }  # fmt: skip


def start_solo(request: dict[str, Any], player: str) -> TableAddress:
    """Start a private host for one player, whose bots wait for `let_bots_in`. Raise TableError if that fails.

    request: sets, bots, level, pace, options, seed, speed, and hints if there is to be a coach.
    """
    config = HostConfig(
        sets=tuple(request["sets"]), seats=request["bots"] + 1, bot_level=request["level"], pace=request["pace"],
        options=tuple(request["options"]), seed=request["seed"], speed=request["speed"],
    )  # fmt: skip
    try:
        host = start_local_host(config, player, bots_wait=True)
    except (ConfigError, PackError) as problem:
        raise TableError(str(problem)) from None
    return TableAddress(host.join, host=host, hints=bool(request.get("hints")))


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

    trouble: is told when that is impossible; the game is saved then.
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


def start_for_friends(
    values: dict[str, str], sets: Sequence[str], options: Sequence[str], restore: bool = False
) -> TableAddress:
    """Start the host that a filled-in form describes. It outlives this app, but not for long if nobody comes. Raise
    TableError if it does not start.

    restore: lead to the unfinished table of its journal instead of a new one.
    """
    open_to_all = values["reach"] == EVERYBODY
    command = [
        *child_command("tui"), "host", "--json", "--idle", str(IDLE_S), "--seats", values["seats"],
        "--bots", values["bots"], "--pace", values["pace"], "--port", values["port"] or str(DEFAULT_PORT),
        "--bind", "0.0.0.0" if open_to_all else "127.0.0.1",
    ]  # fmt: skip
    if not restore:
        command.append("--new")
    if values.get("announce") == "yes" and open_to_all:
        command.append("--announce")
    if values.get("knock") == "yes":
        command.append("--knock")
    if values.get("delay", AT_ONCE) != AT_ONCE:
        command += ["--watch-delay", values["delay"].partition(" ")[0]]
    for name in sets:
        command += ["--set", name]
    for option in options:
        command += ["--option", option]
    strings = _first_line(command)
    return TableAddress(strings["owner"], invitation=tuple(strings["joins"][:3]))


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
            raise TableError(text or "the host did not start") from None
    return answer


def _read(log: Path, began: int) -> str:
    """Return what a log has from this byte on, as far as an error message goes."""
    with log.open("rb") as file:
        file.seek(began)
        return file.read(ERROR_BYTES).decode(errors="replace")


# --------------------------------------------------------------------------------------------------- local network
NEEDS_ANNOUNCE = "its host needs --announce, which reaches nobody through SSH, VPNs or most guest networks"


def locate(string: str) -> str:
    """Return the join string with the address that its host has on the local network now. Raise TableError."""
    # whoever plays at a known host needs none of it
    from netcode.client.discovery import find
    from netcode.protocol.beacon import BeaconError

    try:
        found = asyncio.run(find(parse_join(string)))
    except (BeaconError, JoinError) as problem:
        raise TableError(str(problem)) from None
    if found is None:
        raise TableError(f"no host with the key of this string was found on the network: {NEEDS_ANNOUNCE}")
    return str(found)


def list_hosts() -> list[str]:
    """Return a line for each host that announces itself on the local network. Raise TableError if there is none."""
    # as in locate
    from netcode.client.discovery import listen
    from netcode.protocol.beacon import BeaconError

    try:
        found = asyncio.run(listen())
    except BeaconError as problem:
        raise TableError(str(problem)) from None
    if not found:
        raise TableError(f"no host was found on the network: {NEEDS_ANNOUNCE}")
    lines = [f"{one.host}:{one.port}  table {one.table or '-'}  {one.machine or '-'}  (key {one.key})" for one in found]
    return [*lines, "Anybody can claim to be any of these. With its join string: kickdoor join --lan -"]
