"""Tables to sit down at: a private one against bots, or one for friends; each with a host process of its own."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from netcode.host.local_host import LocalHost
    from netcode.host.saved_games import SavedGame

DEFAULT_SETS = ("munchkins-and-mazes",)
AT_ONCE = "at once"


class Trouble(Exception):
    """Something that ends a visit to a table; the text is one line for people."""


@dataclass
class Table:
    """A table to sit down at: its string, as what, the join strings to show others, the host of one for one, and its
    name in a host's lobby if one came from there (and goes back)."""

    string: str
    role: Literal["player", "watch"] = "player"
    invitation: tuple[str, ...] = ()
    host: "LocalHost | None" = None
    name: str = ""

    @property
    def player(self) -> str:
        """Whose seat it is, if that is known: "" otherwise."""
        return self.host.kept.card.player if self.host is not None else ""

    @property
    def solo(self) -> bool:
        """Whether it is for one."""
        return self.host is not None


def known_sets() -> tuple[str, ...]:
    """Ids of the built-in packs and of those in the player's own folder."""
    from cards import BUILT_IN
    from netcode.protocol.pack_files import user_packs

    folder = user_packs()
    own = [entry.name for entry in folder.iterdir() if (entry / "pack.toml").is_file()] if folder.is_dir() else []
    return (*BUILT_IN, *sorted(own))


def solo(wishes: dict[str, Any], player: str) -> Table:
    """Start a private host for one player. Raises Trouble.

    The host's side is imported here, beside the first frame and not before it.
    """
    from netcode.host.local_host import start_local_host
    from netcode.host.main import ConfigError, HostConfig
    from netcode.protocol.pack_files import PackError

    config = HostConfig(
        sets=tuple(wishes["sets"]), seats=wishes["bots"] + 1, bot_level=wishes["level"], pace=wishes["pace"],
        options=tuple(wishes["options"]), seed=wishes["seed"], speed=wishes["speed"],
    )  # fmt: skip
    try:
        host = start_local_host(config, player)
    except (ConfigError, PackError) as problem:
        raise Trouble(str(problem)) from None
    return Table(host.join, host=host)


def again(kept: "SavedGame") -> Table:
    """Go on with a game for one that was left. Raises Trouble."""
    from netcode.host.local_host import resume_local_host
    from netcode.host.main import ConfigError

    try:
        host = resume_local_host(kept)
    except ConfigError as problem:
        raise Trouble(f"The game cannot be gone on with: {problem}") from None
    return Table(host.join, host=host)


def hosted(values: dict[str, str], sets: Sequence[str], options: Sequence[str]) -> Table:
    """Start a host for friends as its form says; it goes on when this app ends. Raises Trouble."""
    command = [
        sys.executable, "-m", "tui", "host", "--json", "--restart", "--seats", values["seats"],
        "--bots", values["bots"], "--pace", values["pace"], "--port", values["port"] or "7788",
        "--bind", "0.0.0.0" if values["reach"] == "everybody on the network" else "127.0.0.1",
    ]  # fmt: skip
    if values.get("announce") == "yes" and values["reach"] == "everybody on the network":
        command.append("--announce")
    if values.get("delay", AT_ONCE) != AT_ONCE:
        command += ["--watch-delay", values["delay"].partition(" ")[0]]
    for name in sets:
        command += ["--set", name]
    for option in options:
        command += ["--option", option]
    strings = _first_answer(command)
    return Table(strings["owner"], invitation=tuple(strings["joins"][:3]))


NOT_HEARD = "it has to be started with --announce, which reaches nobody through SSH, VPNs or most guest networks"


def located(string: str) -> str:
    """The join string with the address at which its host is on the own network now. Raises Trouble."""
    from netcode.client.discovery import find
    from netcode.protocol.beacon import BeaconError
    from netcode.protocol.credentials import JoinError, parse_join

    try:
        found = asyncio.run(find(parse_join(string)))
    except (BeaconError, JoinError) as problem:
        raise Trouble(str(problem)) from None
    if found is None:
        raise Trouble(f"no host with the key of this string is heard on the network: {NOT_HEARD}")
    return str(found)


def around() -> list[str]:
    """A line for each host that announces itself on the own network. Raises Trouble."""
    from netcode.client.discovery import listen
    from netcode.protocol.beacon import BeaconError

    try:
        found = asyncio.run(listen())
    except BeaconError as problem:
        raise Trouble(str(problem)) from None
    if not found:
        raise Trouble(f"no host is heard on the network: {NOT_HEARD}")
    lines = [f"{one.host}:{one.port}  table {one.table or '-'}  {one.machine or '-'}  (key {one.key})" for one in found]
    return [*lines, "Anybody can claim to be any of these. With its join string: kickdoor join --lan -"]


def _first_answer(command: list[str]) -> dict[str, Any]:
    """Start a host and read its first line. Raises Trouble with what it had to say instead."""
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )  # fmt: skip
    assert child.stdout is not None and child.stderr is not None
    line = child.stdout.readline()
    try:
        answer: dict[str, Any] = json.loads(line)
    except ValueError:
        child.wait(10)
        text = child.stderr.read().decode(errors="replace").strip().removeprefix("kickdoor host: ")
        raise Trouble(text or "the host did not start") from None
    return answer
