"""A private host for one player: a process of its own on loopback, its game kept in a folder until it is over."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import msgspec

from netcode.host.bot_supervisor import child_env
from netcode.host.main import ConfigError, HostConfig
from netcode.host.saved_games import LOCK, SavedGame, SavedGameInfo, abandoned, games_folder, keep, make_room, sweep
from netcode.journal import JournalError
from netcode.protocol import limits
from netcode.protocol.credentials import data_folder, lock_file, new_token, parse_join

LOG_KEPT = 1 << 20
"""Bytes of the hosts' log that are kept before it is begun anew."""


@dataclass(frozen=True)
class LocalHost:
    """A private host: the string that leads to its table, the game it has, and its process (None: not ours)."""

    join: str
    kept: SavedGame
    process: subprocess.Popen[bytes] | None

    def stop(self) -> None:
        """End it now instead of letting it wait for its player."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(5)

    @property
    def crashed(self) -> bool:
        """Whether it came to an end that it did not choose itself (not ours: an end that left the game unfinished)."""
        if self.process is not None:
            return self.process.poll() not in (None, 0)
        try:
            return abandoned(self.kept.folder)
        except (OSError, JournalError):
            return False  # swept away: the game is over


def start_local_host(config: HostConfig, player: str) -> LocalHost:
    """Start a host process for one player and return once it listens. It outlives us: it ends when the player leaves
    the table for good, or has been gone for config.gone_s seconds; then the game is kept. Raises ConfigError with one
    line."""
    seats = max(config.seats, limits.SEATS_MIN)
    folder = games_folder() / new_token()[:6].hex()
    try:
        make_room()
        return _spawn(replace(config, seats=seats, bots=seats - 1), folder, player)
    except OSError as problem:
        raise ConfigError(f"{problem.filename or folder}: {problem.strerror}") from None
    except ConfigError:
        sweep(folder)
        raise


def resume_local_host(kept: SavedGame) -> LocalHost:
    """Go on with a game: at its host if that still runs, else at a new one, where it was left. Raises ConfigError."""
    card = kept.card
    try:
        lock = lock_file(kept.folder / LOCK)
        if lock is None:
            return LocalHost(card.join, kept, None)
        lock.close()
        config = HostConfig(sets=card.sets, seats=card.seats, bots=card.seats - 1, bot_level=card.level)
        try:
            last = parse_join(card.join).port  # who is still waiting there finds it again
            return _spawn(config, kept.folder, card.player, last)
        except ConfigError:
            return _spawn(config, kept.folder, card.player)
    except OSError as problem:
        raise ConfigError(f"{problem.filename or kept.folder}: {problem.strerror}") from None


def _spawn(config: HostConfig, folder: Path, player: str, port: int = 0) -> LocalHost:
    solo = replace(config, bind="127.0.0.1", port=port, solo=True, json=True, data=str(folder))
    with _log_file() as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "netcode.host.main"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=child_env(), start_new_session=True,
        )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    with child.stdin as pipe:
        pipe.write(msgspec.json.encode(solo))
    with child.stdout as answers:
        line = answers.readline()
    try:
        answer = json.loads(line)
    except ValueError:
        child.wait(5)
        raise ConfigError(f"the table could not be opened, see {_log_path()}") from None
    if "error" in answer:
        child.wait(5)
        raise ConfigError(answer["error"])
    card = SavedGameInfo(solo.sets, solo.seats, solo.bot_level, answer["join"], player)
    keep(folder, card)
    return LocalHost(card.join, SavedGame(folder, card, 0.0), child)


def _log_path() -> Path:
    return data_folder() / "solo-host.log"


def _log_file() -> IO[bytes]:
    path = _log_path()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
    if file.tell() > LOG_KEPT:
        file.truncate(0)
    return file
