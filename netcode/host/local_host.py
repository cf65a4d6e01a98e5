"""A private host for one player: its own process on loopback, with its game saved in a folder until it is over."""

import json
import subprocess
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from netcode.host.config import ConfigError, HostConfig
from netcode.host.logs import SOLO_LOG, log_file
from netcode.host.saved_games import (
    SavedGame,
    SavedGameInfo,
    games_folder,
    is_abandoned,
    make_room,
    remove,
    save_info,
)
from netcode.processes.start import start_service
from netcode.protocol import limits
from netcode.protocol.credentials import data_folder, lock_folder, new_token, parse_join


class LocalHost(Struct, frozen=True):
    """A private host: the join string of its table, its saved game, and its process (None: another program started
    it)."""

    join: str
    saved: SavedGame
    process: subprocess.Popen[bytes] | None

    def let_bots_in(self) -> None:
        """Let its bots sit down, if they wait for that (see `start_local_host`)."""
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()

    def stop(self) -> None:
        """End the host now, without waiting for its player to return."""
        self.let_bots_in()
        if self.process is not None:
            self.process.terminate()
            self.process.wait(5)

    @property
    def crashed(self) -> bool:
        """Whether it ended before its game did: it crashed, or its player was suspended for longer than it waits."""
        if self.process is not None:
            code = self.process.poll()
            if code != 0:
                return code is not None
        from netcode.journal import JournalError  # loads sqlite, which supervisor and screen do not need

        try:
            return is_abandoned(self.saved.folder)
        except (OSError, JournalError):
            return False  # its folder was removed: the game is over


def start_local_host(config: HostConfig, player: str, *, bots_wait: bool = False) -> LocalHost:
    """Start a host process for one player and return once it listens. Raises ConfigError, one line for people.

    bots_wait: whether its bots wait for
    `let_bots_in`, or for bot_supervisor.HELD_S, so that they do not slow down what the player is waiting for.
    The process keeps running when this one ends. It ends when the player leaves the table, or has been gone for
    config.gone_s seconds; in the second case the game stays saved."""
    seats = max(config.seats, limits.SEATS_MIN)
    folder = games_folder() / new_token()[:6].hex()
    try:
        make_room()
        return _spawn(replace(config, seats=seats, bots=seats - 1), folder, player, bots_wait=bots_wait)
    except OSError as problem:
        raise ConfigError(f"{problem.filename or folder}: {problem.strerror}") from None
    except ConfigError:
        remove(folder)
        raise


def resume_local_host(saved: SavedGame) -> LocalHost:
    """Resume a saved game: at its host if that still runs, else at a new one. Raises ConfigError."""
    info = saved.info
    try:
        lock = lock_folder(saved.folder)
        if lock is None:
            return LocalHost(info.join, saved, None)
        lock.close()
        config = HostConfig(sets=info.sets, seats=info.seats, bots=info.seats - 1, bot_level=info.level, resume=True)
        try:
            last = parse_join(info.join).port  # a client that still tries to reconnect finds the host there
            return _spawn(config, saved.folder, info.player, last)
        except ConfigError:
            return _spawn(config, saved.folder, info.player)
    except OSError as problem:
        raise ConfigError(f"{problem.filename or saved.folder}: {problem.strerror}") from None


def _spawn(
    config: HostConfig, folder: Path, player: str, port: int = 0, bots_wait: bool = False
) -> LocalHost:  # fmt: skip
    solo = replace(config, bind="127.0.0.1", port=port, solo=True, json=True, data=str(folder))
    with log_file(SOLO_LOG) as log:
        child = start_service("netcode.host.main", stderr=log)
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(msgspec.json.encode(solo) + b"\n")
    child.stdin.flush()
    with child.stdout as answers:
        line = answers.readline()
    if not (bots_wait and line):
        child.stdin.close()
    try:
        answer = json.loads(line)
    except ValueError:
        child.wait(5)
        raise ConfigError(f"the table could not be opened, see {data_folder() / SOLO_LOG}") from None
    if "error" in answer:
        child.wait(5)
        raise ConfigError(answer["error"])
    info = SavedGameInfo(solo.sets, solo.seats, solo.bot_level, answer["join"], player)
    save_info(folder, info)
    return LocalHost(info.join, SavedGame(folder, info, 0.0), child)
