"""A player's own statistics: one entry for each game played to its end, in a private file of the data folder.

Games that were watched or replayed do not count, nor games in which an undo took back something that had revealed
hidden cards.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import msgspec
from msgspec import Meta, Struct

from netcode.bots.personalities import level_of
from netcode.protocol.credentials import data_folder, lock_file, write_private
from netcode.recording.recorder import Finished
from netcode.recording.story import NAMES_MOST, Count, Names
from netcode.sandbox.regular_files import FileRefused, read_file

NAME = "career.json"
GAMES_KEPT = 5000
"""How many games the file keeps; the oldest are dropped."""
FILE_LIMIT = 8 * 1024 * 1024
"""Bytes of the file."""
LOCK_S = 2.0
"""How long to wait for another client of this user to finish writing the file."""

Word = Annotated[str, Meta(max_length=80)]
Words = Annotated[list[Word], Meta(max_length=NAMES_MOST)]


class PlayedGame(Struct, omit_defaults=True):
    """One game. game: its key, which is the same for all who played it. ended: seconds since 1970. people: how many
    other people sat at the table; bots: the levels of the bots. The rest is as in story.SeatTold."""

    game: Word
    ended: Annotated[int, Meta(ge=0, le=2**36)]
    sets: Words
    seats: Annotated[int, Meta(ge=1, le=12)]
    people: Annotated[int, Meta(ge=0, le=11)]
    bots: Words
    won: bool
    turns: Count
    level: Count
    kills: Count = 0
    helped: Count = 0
    strikes: Count = 0
    betrayals: Count = 0
    cursed: Count = 0
    rolls: Count = 0
    pips: Count = 0
    runs: Count = 0
    away: Count = 0
    deaths: Count = 0
    killers: Names = []


class _File(Struct):
    games: Annotated[list[PlayedGame], Meta(max_length=GAMES_KEPT)]


class CareerError(ValueError):
    """The career cannot be read or written; the text is one line for people."""


def career_path() -> Path:
    """Return the path of this user's career."""
    return data_folder() / NAME


def counts(finished: Finished) -> bool:
    """Return whether a finished game counts: somebody played it here without learning anything by an undo, and its
    story is known."""
    header = finished.header
    return header.seat >= 0 and header.counts and finished.story is not None and bool(header.winners)


def played_game(finished: Finished, ended: float) -> PlayedGame:
    """Return the entry of a game that counts. ended: seconds since 1970."""
    header, story = finished.header, finished.story
    assert story is not None, "a game that counts has a story"
    others = [seat for at, seat in enumerate(finished.info.seats) if at != header.seat]
    told = story.seats[header.seat]
    return PlayedGame(
        game=finished.key, ended=int(ended), sets=[pack.set_id for pack in header.packs], seats=len(story.seats),
        people=sum(not seat.bot for seat in others), bots=[level_of(seat.bot) for seat in others if seat.bot],
        won=header.seat in header.winners, turns=story.turns, level=told.level, kills=told.kills, helped=told.helped,
        strikes=told.strikes, betrayals=told.betrayals, cursed=told.cursed, rolls=told.rolls, pips=told.pips,
        runs=told.runs, away=told.away, deaths=len(told.deaths), killers=told.killers,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ the file
def read_career(path: Path) -> list[PlayedGame]:
    """Return all games, the oldest first; none if there is no file. Raises CareerError if it cannot be read, and
    ValueError (msgspec.MsgspecError) if it is damaged."""
    try:
        data = read_file(path, FILE_LIMIT)
    except FileNotFoundError:
        return []
    except (OSError, FileRefused) as problem:
        raise CareerError(f"{path} cannot be read: {problem}") from None
    return msgspec.json.decode(data, type=_File).games


def open_career(path: Path) -> tuple[list[PlayedGame], str]:
    """Return all games, and a sentence if the file was damaged: then it is set aside and a new career begins. Raises
    CareerError."""
    try:
        return read_career(path), ""
    except msgspec.MsgspecError:
        aside = path.with_name(f"career-damaged-{time.strftime('%Y%m%d-%H%M%S')}.json")
        try:
            os.replace(path, aside)
        except OSError as problem:
            raise CareerError(f"{path} is damaged and cannot be set aside: {problem.strerror}") from None
        return [], f"Your career could not be read and begins anew; the damaged file is now {aside}."


def count_game(path: Path, game: PlayedGame) -> str:
    """Add a game, unless it is there already. Return a sentence if the file was damaged, else "". Raises
    CareerError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(path.with_suffix(".lock")):
            games, problem = open_career(path)
            if all(known.game != game.game for known in games):
                _write(path, [*games, game][-GAMES_KEPT:])
            return problem
    except OSError as problem:
        raise CareerError(f"{path} cannot be written: {problem.strerror}") from None


def uncount_game(path: Path, key: str) -> str:
    """Remove a game, if it is there, because its end was taken back. Return a sentence as `count_game` does. Raises
    CareerError."""
    if not path.exists():
        return ""
    try:
        with _locked(path.with_suffix(".lock")):
            games, problem = open_career(path)
            kept = [known for known in games if known.game != key]
            if len(kept) < len(games):
                _write(path, kept)
            return problem
    except OSError as problem:
        raise CareerError(f"{path} cannot be written: {problem.strerror}") from None


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """Keep other clients of this user out. Raises CareerError if one of them does not finish."""
    until = time.monotonic() + LOCK_S
    lock = lock_file(path)
    while lock is None:
        if time.monotonic() > until:
            raise CareerError(f"{path} is in use by another kickdoor: this game was not counted")
        time.sleep(0.02)
        lock = lock_file(path)
    try:
        yield lock
    finally:
        lock.close()


def _write(path: Path, games: list[PlayedGame]) -> None:
    write_private(path, msgspec.json.encode(_File(games)).decode())
