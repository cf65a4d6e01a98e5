"""The folder of a ladder: what is played, in `ladder.json`, and every game that was played, a line each. The games that
numbers are fitted on are kept the same way.

Games are added one by one, so stopping a run costs only the games in progress. Cards are named, not numbered, so the
files can be read without the program.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from core.language.catalog import Catalog
from netcode.lab.commands import is_command
from netcode.protocol.credentials import LOCK, lock_folder
from netcode.simulation.game import GameResult
from netcode.simulation.plan import GamePlan, play_planned, tables


class Numbered(Protocol):
    """A record of a game, a line of a file. game: its number in the run."""

    FILE: ClassVar[str]

    @property
    def game(self) -> int: ...


Kept = TypeVar("Kept", bound=Numbered)
AnyRun = TypeVar("AnyRun", bound="Described")

DAMAGE = (msgspec.DecodeError, UnicodeDecodeError)
"""The errors of reading a damaged file."""
LATER = ("code",)
"""Fields that folders of earlier versions lack; such folders are resumed without them."""


class Described(Struct, frozen=True):
    """The common facts of the games of a folder, in a file of it."""

    FILE: ClassVar[str]


class PlayedGame(Struct, frozen=True, omit_defaults=True):
    """How one game went. game: its number in the run; why: see SimulatedGame.play; winners, first: seats; levels: of
    all seats at the start of each round; played: the seats that played each card; identities: of each seat at the end;
    held: the turns that each identity was in play, over all seats; misplays: by seat, refused actions and failures;
    refused, repeated: see GameResult. Cards are named by their full ids."""

    FILE: ClassVar[str] = "games.jsonl"

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
    repeated: dict[str, int] = {}


Workers = Callable[[Callable[[GamePlan], PlayedGame], Iterable[GamePlan]], Iterator[PlayedGame]]
"""Play games on some machine; they come in the order in which they end."""


def play_recorded(plan: GamePlan) -> PlayedGame:
    """Play this game. Raises ValueError (PackError is one), with one line for people, for its sets or players."""
    play = play_planned
    if any(map(is_command, plan.bots)):
        from netcode.lab.hosted import play_hosted as play  # it loads a host and clients, which not every worker needs
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
        repeated=result.repeated,
    )


class Run(Described, frozen=True):
    """The common facts of the games of a ladder. program: the version that played them; packs: the hashes of the sets
    of each mix; code: by player, the hash of its files (player_code.py), without built-in players; the rest as in
    Ladder, options as they are spelled in commands."""

    FILE: ClassVar[str] = "ladder.json"

    program: str
    players: tuple[str, ...]
    mixes: tuple[tuple[str, ...], ...]
    packs: tuple[tuple[str, ...], ...]
    seats: int
    lone: bool
    seed: int
    budget: int
    options: tuple[str, ...]
    gauntlet: bool = False
    code: dict[str, str] = {}


class Records(Generic[Kept]):
    """The games of a folder by number; more can be added."""

    def __init__(self, file: Path, games: dict[int, Kept]) -> None:
        self.games = games
        self._file = file.open("ab")

    def add(self, game: Kept) -> None:
        """Keep a game, unless it is there already."""
        if game.game not in self.games:
            self.games[game.game] = game
            self._file.write(msgspec.json.encode(game) + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def records_at(folder: Path, run: Described, kind: type[Kept]) -> Iterator[Records[Kept]]:
    """Open a folder for the games of this run, locked against other processes; a half-written last line is dropped.
    kind: the type of a record. Raises ValueError, with one line for people, and changes nothing if the folder belongs
    to another run."""
    try:
        if folder.exists():
            _check(folder, run)  # before anything is written into it
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(folder)
        if lock is None:
            raise ValueError(f"{folder} is in use: another command adds games to it")
        try:
            _claim(folder, run)
            records = Records(folder / kind.FILE, _whole_games(folder, kind))
            try:
                yield records
            finally:
                records.close()
        finally:
            lock.close()
    except OSError as problem:
        raise ValueError(f"{folder} cannot be used: {problem.strerror}") from None


def read_run(folder: Path) -> Run:
    """Return the plan of the ladder in a folder. Raises ValueError, with one line for people."""
    return _read_run(folder, Run)


def read_games(folder: Path) -> dict[int, PlayedGame]:
    """Return the whole games of a ladder's folder, by number. Raises ValueError, with one line for people."""
    return _read_games(folder, PlayedGame)


def _read_run(folder: Path, kind: type[AnyRun]) -> AnyRun:
    path = folder / kind.FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no games of kickdoor ladder: there is no {kind.FILE}") from None
    except OSError as problem:
        raise ValueError(f"{path} cannot be read: {problem.strerror}") from None
    except DAMAGE as problem:
        raise ValueError(
            f"{path} is damaged ({problem}): put a copy of it back, or name another folder; the games in this one stay"
        ) from None


def _read_games(folder: Path, kind: type[Kept]) -> dict[int, Kept]:
    games: dict[int, Kept] = {}
    decoder = msgspec.json.Decoder(kind)
    try:
        lines = (folder / kind.FILE).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return games
    except OSError as problem:
        raise ValueError(f"{folder / kind.FILE} cannot be read: {problem.strerror}") from None
    for number, line in enumerate(lines, 1):
        try:
            game = decoder.decode(line)
        except DAMAGE:
            raise ValueError(
                f"{folder / kind.FILE}, line {number} is damaged: delete the line, and the game is played again"
            ) from None
        games.setdefault(game.game, game)
    return games


def _whole_games(folder: Path, kind: type[Kept]) -> dict[int, Kept]:
    """Return the games of a folder, and cut off a half-written line."""
    games, path = _read_games(folder, kind), folder / kind.FILE
    if path.exists():
        os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
    return games


def _claim(folder: Path, run: Described) -> None:
    """Write the plan of a run into a new folder. Raises ValueError if the folder is not for this run."""
    if not _check(folder, run):
        fresh = folder / f"{run.FILE}.new"
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(run)) + b"\n")
        fresh.replace(folder / run.FILE)


def _check(folder: Path, run: Described) -> bool:
    """Return whether this run has begun in a folder. Raises ValueError if another one has, or other files are there."""
    if (folder / run.FILE).exists():
        there = _read_run(folder, type(run))
        for name in run.__struct_fields__:
            had, wanted = getattr(there, name), getattr(run, name)
            if had != wanted and (had or name not in LATER):
                raise ValueError(f"{folder} holds the games of another command ({_difference(name, had, wanted)}): "
                                 "name another folder")  # fmt: skip
        return True
    others = [path.name for path in folder.iterdir() if path.name not in (LOCK, f"{run.FILE}.new")]
    if others:
        raise ValueError(f"{folder} holds other files ({min(others)}): name a new folder")
    return False


def _difference(name: str, had: object, wanted: object) -> str:
    if name == "packs":
        return "its card sets have changed since"
    if isinstance(had, dict) and isinstance(wanted, dict):
        changed = [player for player in wanted if had.get(player) != wanted[player]] or sorted(had)
        return f"the {name} of {', '.join(changed)} has changed"
    return f"{name}: {_words(had)}, now {_words(wanted)}"


def _words(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join("+".join(one) if isinstance(one, tuple) else one for one in value) or "none"
