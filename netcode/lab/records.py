"""The folder of a ladder: what is played, in `ladder.json`, and every game that was played, a line each.

Games are added one by one, so whatever stops a run costs the games in progress only. Numbers of cards are names here:
the files can be read without the program.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from core.language.catalog import Catalog
from netcode.lab.commands import is_command
from netcode.protocol.credentials import LOCK, lock_folder
from netcode.simulation.game import GameResult
from netcode.simulation.plan import GamePlan, play_planned, tables

RUN, GAMES = "ladder.json", "games.jsonl"


class PlayedGame(Struct, frozen=True, omit_defaults=True):
    """How one game went. game: its number in the run; why: see SimulatedGame.play; winners, first: seats; levels: of
    all seats at the start of each round; played: by card, the seats that played it; identities: of each seat at the
    end; held: by identity, the turns that it was in play, over all seats; misplays: by seat, refused actions and
    failures, of which refused has the first. Cards are named by their full ids."""

    game: int
    sets: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    why: str
    winners: tuple[int, ...]
    first: int
    turns: int
    decisions: int
    seconds: float
    levels: tuple[tuple[int, ...], ...]
    played: dict[str, tuple[int, ...]] = {}
    identities: tuple[tuple[str, ...], ...] = ()
    held: dict[str, int] = {}
    misplays: dict[int, int] = {}
    refused: tuple[str, ...] = ()


Workers = Callable[[Callable[[GamePlan], PlayedGame], Iterable[GamePlan]], Iterator[PlayedGame]]
"""Play games on some machine; they come in the order in which they end."""


def play_recorded(plan: GamePlan) -> PlayedGame:
    """Play this game. Raises ValueError (PackError is one), with one line for people, for its sets or players."""
    play = play_planned
    if any(map(is_command, plan.bots)):
        from netcode.lab.hosted import play_hosted as play  # a host, clients: not for every worker
    return recorded(tables(plan.sets, plan.packs)[0], plan, play(plan))


def recorded(catalog: Catalog, plan: GamePlan, result: GameResult) -> PlayedGame:
    """Return a game's record."""
    ids = [definition.full_id for definition in catalog.cards]
    return PlayedGame(
        game=plan.index,
        sets=plan.sets,
        bots=plan.bots,
        seed=plan.seed,
        why=result.why,
        winners=tuple(result.winners),
        first=result.first,
        turns=result.turns,
        decisions=result.decisions,
        seconds=round(result.seconds, 3),
        levels=tuple(tuple(levels) for levels in result.levels),
        played={ids[no]: tuple(seats) for no, seats in sorted(result.players.items())},
        identities=tuple(tuple(ids[no] for no in numbers) for numbers in result.identities),
        held={ids[no]: turns for no, turns in sorted(result.held.items())},
        misplays=result.misplays,
        refused=tuple(result.refused),
    )


class Run(Struct, frozen=True):
    """What the games of a folder have in common. program: the version that played them; packs: the hashes of the sets
    of each mix; the rest as in Ladder, options as they are spelled in commands."""

    program: str
    players: tuple[str, ...]
    mixes: tuple[tuple[str, ...], ...]
    packs: tuple[tuple[str, ...], ...]
    seats: int
    lone: bool
    seed: int
    budget: int
    options: tuple[str, ...]


class Records:
    """The games of a folder, by number, and where more of them are added."""

    def __init__(self, file: Path, games: dict[int, PlayedGame]) -> None:
        self.games = games
        self._file = file.open("ab")

    def add(self, game: PlayedGame) -> None:
        """Keep a game, unless it is there already."""
        if game.game not in self.games:
            self.games[game.game] = game
            self._file.write(msgspec.json.encode(game) + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def records_at(folder: Path, run: Run) -> Iterator[Records]:
    """Open a folder for the games of this run, and no other process's; a half-written last line is dropped. Raises
    ValueError, with one line for people, if it is another run's."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(folder)
        if lock is None:
            raise ValueError(f"{folder} is in use: another command adds games to it")
        try:
            _claim(folder, run)
            records = Records(folder / GAMES, _whole_games(folder))
            try:
                yield records
            finally:
                records.close()
        finally:
            lock.close()
    except OSError as problem:
        raise ValueError(f"{folder} cannot be used: {problem.strerror}") from None


def read_run(folder: Path) -> Run:
    """Return what was played in a folder. Raises ValueError, with one line for people."""
    try:
        return msgspec.json.decode((folder / RUN).read_bytes(), type=Run)
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no games of kickdoor ladder: there is no {RUN}") from None
    except OSError as problem:
        raise ValueError(f"{folder / RUN} cannot be read: {problem.strerror}") from None
    except msgspec.DecodeError as problem:
        raise ValueError(f"{folder / RUN} is damaged: {problem}") from None


def read_games(folder: Path) -> dict[int, PlayedGame]:
    """Return the whole games of a folder, by number. Raises ValueError, with one line for people."""
    games: dict[int, PlayedGame] = {}
    decoder = msgspec.json.Decoder(PlayedGame)
    try:
        lines = (folder / GAMES).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return games
    except OSError as problem:
        raise ValueError(f"{folder / GAMES} cannot be read: {problem.strerror}") from None
    for number, line in enumerate(lines, 1):
        try:
            game = decoder.decode(line)
        except msgspec.DecodeError:
            raise ValueError(
                f"{folder / GAMES}, line {number} is damaged: delete the line, and the game is played again"
            ) from None
        games.setdefault(game.game, game)
    return games


def _whole_games(folder: Path) -> dict[int, PlayedGame]:
    """Return the games of a folder, and cut off a half-written line."""
    games, path = read_games(folder), folder / GAMES
    if path.exists():
        os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
    return games


def _claim(folder: Path, run: Run) -> None:
    """Write down what is played in a folder. Raises ValueError if another run is there, or other files are."""
    if (folder / RUN).exists():
        there = read_run(folder)
        for name in Run.__struct_fields__:
            had, wanted = getattr(there, name), getattr(run, name)
            if had != wanted:
                raise ValueError(f"{folder} holds the games of another command ({_difference(name, had, wanted)}): "
                                 "name another folder")  # fmt: skip
        return
    others = [path.name for path in folder.iterdir() if path.name not in (LOCK, f"{RUN}.new")]
    if others:
        raise ValueError(f"{folder} holds other files ({min(others)}): name a new folder")
    fresh = folder / f"{RUN}.new"
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(run)) + b"\n")
    fresh.replace(folder / RUN)


def _difference(name: str, had: object, wanted: object) -> str:
    if name == "packs":
        return "its card sets have changed since"
    return f"{name}: {_words(had)}, now {_words(wanted)}"


def _words(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join("+".join(one) if isinstance(one, tuple) else one for one in value) or "none"
