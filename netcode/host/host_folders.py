"""Default journals: hosts that were started without --data have a folder for each port, in the data folder.

A folder is removed when its host ends, unless a game in it is unfinished, or people were at a table: those find it
again for ten minutes. The next host at the same port restores it; so the same command brings the table back after
Ctrl-C, a crash or a power cut.
"""

import logging
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from netcode.host.addresses import address_of, socket_address
from netcode.host.config import ConfigError, HostConfig
from netcode.host.outliving import people_left_at
from netcode.host.saved_games import is_abandoned, remove
from netcode.protocol.credentials import SERVER_KEY, data_folder
from netcode.reporting import complain

LOG = logging.getLogger("kickdoor.host_folders")
FOLDERS = 20
"""The number of folders that are kept for hosts that ended during a game; the least recently used one makes room."""
PORTS_TRIED = 50
"""The number of free ports that are tried in search of one without an unfinished game."""
AWAITED_S = 600
"""How long a host that ended while people were at its tables can be started again with these tables, even if no game
is in progress there: about as long as their clients wait."""
ENDED_CODES = (0, 2)
"""Exit codes of a host that ended in order or never started: its folder stays only if a game is in progress."""


def hosts_folder() -> Path:
    """Return the folder that has a folder for each port."""
    return data_folder() / "hosts"


def folder_at(port: int) -> Path:
    """Return the folder of the default journal of a host at this port."""
    return hosts_folder() / str(port)


def club_folder(name: str) -> Path:
    """Return the default folder of a host of a club; name: its port, or another name. It is never removed: it has the
    host's key and its name in the club."""
    return data_folder() / "club" / name


def key_folder(folder: Path) -> Path:
    """Return the folder with the key of a host of a club: its own, or the one that hosts with default folders share."""
    shares = folder.parent == data_folder() / "club" and not (folder / SERVER_KEY).exists()
    return folder.parent if shares else folder


def run_with_default_journal(config: HostConfig, run: Callable[[HostConfig], int]) -> int:
    """Run a host with the default journal of its port, and remove the journal if no game in it is unfinished.

    run: serves with a configuration and returns the exit code. Port 0 becomes a free port. Returns the exit code; 2 if
    the folder cannot be used."""
    try:
        hosts_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        port = config.port or _new_port(config.bind)
        _make_room()
        _remove_stale(folder_at(port))
        _mention_others(port, config)
    except ConfigError as problem:
        complain(f"kickdoor host: {problem}")
        return 2
    except OSError as problem:
        complain(f"kickdoor host: {problem.filename or 'the system'}: {problem.strerror}")
        return 2
    folder = folder_at(port)
    code = run(replace(config, port=port, data=str(folder)))
    _tidy(folder, crashed=code not in ENDED_CODES)
    return code


def unfinished_at(port: int) -> bool:
    """Return whether a host at this port ended with unfinished tables, and none has restored them yet."""
    from netcode.journal import JOURNAL, JournalError  # loads sqlite, which supervisor and screen do not need

    try:
        return (folder_at(port) / JOURNAL).exists() and is_abandoned(folder_at(port))
    except (OSError, JournalError):
        return False  # the host that is started there reports what is wrong


def _new_port(bind: str) -> int:
    """Return a port that is free now and whose folder has nothing to restore. Raises ConfigError, OSError."""
    address = address_of(bind)
    for _ in range(PORTS_TRIED):
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.bind(socket_address(address, 0))
            port = int(probe.getsockname()[1])
        if not folder_at(port).exists():
            return port
    raise ConfigError(f"no free port without an unfinished game in {hosts_folder()} was found: name one with --port")


def _mention_others(port: int, config: HostConfig) -> None:
    """Name the other ports with unfinished tables, if the user named no port: they may be looking for one."""
    if config.port:
        return
    others = [number for number in _ports() if number != port and unfinished_at(number)]
    if others:
        names = ", ".join(f"--port {number}" for number in others[:3])
        complain(f"kickdoor host: unfinished tables of earlier hosts wait: {names} restores them")


def _ports() -> list[int]:
    """Return the ports that have folders, the most recently used first."""
    folders = [entry for entry in hosts_folder().iterdir() if entry.name.isdecimal() and entry.is_dir()]
    return [int(entry.name) for entry in sorted(folders, key=lambda entry: -entry.stat().st_mtime)]


def _make_room() -> None:
    """Remove the least recently used folders to make room for one. Those of running hosts stay."""
    for port in _ports()[FOLDERS - 1 :]:
        remove(folder_at(port))


def _remove_stale(folder: Path) -> None:
    """Remove the folder of a host that ended in order while people were at tables without a game in progress, if that
    was so long ago that their clients no longer wait for it."""
    left = people_left_at(folder)
    if not left or abs(time.time() - left) < AWAITED_S:  # whatever the clock was set to meanwhile
        return
    from netcode.journal import JournalError, playing_in  # loads sqlite, which supervisor and screen do not need

    try:
        stale = not playing_in(folder)
    except (OSError, JournalError):
        return  # the host that is started there reports what is wrong
    if stale:
        remove(folder)


def _tidy(folder: Path, crashed: bool) -> None:
    """Remove the folder of a host that has ended, unless it has something to restore."""
    if not any(folder.glob("table.*")):
        shutil.rmtree(folder, ignore_errors=True)
        return
    from netcode.journal import JournalError, playing_in  # loads sqlite, which supervisor and screen do not need

    try:
        kept = is_abandoned(folder) if crashed else bool(playing_in(folder)) or people_left_at(folder) > 0
    except (OSError, JournalError) as problem:
        LOG.warning("the journal in %s stays: %s", folder, problem)
        return
    if not kept:
        remove(folder)
