"""A private host for one player: its own process on loopback, with its game saved in a folder until it is over."""

import json
import subprocess
import time
from contextlib import suppress
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

ENDING_S, LOOK_S = 2.5, 0.05
"""How long a resumed game waits for its last host, which may be ending just now, and how often it looks (s)."""


class LocalHost(Struct, frozen=True):
    """A private host: the join string of its table, its saved game, and its process (None: another program started
    it). The process ends when its standard input is closed: by `release`, or since this program has ended."""

    join: str
    saved: SavedGame
    process: subprocess.Popen[bytes] | None

    def let_bots_in(self) -> None:
        """Let its bots sit down, if they wait for that (see `start_local_host`)."""
        if self.process is not None:
            _let_bots_in(self.process)

    def release(self) -> None:
        """Let the host end: nobody plays here any more. An unfinished game stays saved."""
        if self.process is not None:
            _hang_up(self.process)

    def stop(self) -> None:
        """End the host now, and wait for that."""
        self.release()
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
    The process ends when the player leaves the table for good, has been silent for config.gone_s seconds, or when this
    program ends, however that is; in the last two cases the game stays saved."""
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
    """Resume a saved game at a new host, or at its last one if that does not end within ENDING_S. Raises
    ConfigError."""
    info = saved.info
    try:
        until = time.monotonic() + ENDING_S
        while (lock := lock_folder(saved.folder)) is None and time.monotonic() < until:
            time.sleep(LOOK_S)
        if lock is None:
            return LocalHost(info.join, saved, None)
        lock.close()
        config = HostConfig(sets=info.sets, seats=info.seats, bots=info.seats - 1, bot_level=info.level, resume=True,
                            remember=info.remember)  # fmt: skip
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
    if not bots_wait:
        _let_bots_in(child)
    try:
        answer = json.loads(line)
    except ValueError:
        _hang_up(child)
        child.wait(5)
        raise ConfigError(f"the table could not be opened, see {data_folder() / SOLO_LOG}") from None
    if "error" in answer:
        _hang_up(child)
        child.wait(5)
        raise ConfigError(answer["error"])
    info = SavedGameInfo(solo.sets, solo.seats, solo.bot_level, answer["join"], player, solo.remember)
    save_info(folder, info)
    return LocalHost(info.join, SavedGame(folder, info, 0.0), child)


def _hang_up(child: "subprocess.Popen[bytes]") -> None:
    """Close the standard input of a host, which ends it."""
    if child.stdin is not None:
        with suppress(BrokenPipeError):  # it has ended
            child.stdin.close()


def _let_bots_in(child: "subprocess.Popen[bytes]") -> None:
    """Tell a host that it may start its bots."""
    if child.stdin is not None and not child.stdin.closed:
        with suppress(BrokenPipeError):  # it has ended
            child.stdin.write(b"\n")
            child.stdin.flush()
