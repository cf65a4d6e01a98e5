"""Find the lessons and puzzles of the built-in packs and of the player's own packs, and lay one out."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

import cards
from core.language.errors import PackError
from core.scenario.guide import Guide
from core.scenario.schema import Scenario, ScenarioError, load
from netcode.protocol.pack_catalog import catalog_of
from netcode.protocol.pack_files import load_packs, user_packs
from netcode.sandbox.regular_files import FileRefused, toml_files
from netcode.table.scenario_files import ScenarioTableError, parsed_scenarios, read_texts

FILES_MOST = 50
"""At most this many files of lessons or puzzles are read from one of the player's own packs."""


class LessonError(ValueError):
    """A lesson or a puzzle cannot be played; one line for people."""


class Told(Struct, frozen=True):
    """A lesson or a puzzle: the pack it belongs to, and the scenario."""

    pack: str
    scenario: Scenario

    @property
    def name(self) -> str:
        """The title."""
        return self.scenario.name

    @property
    def ident(self) -> str:
        """The name by which a solved puzzle is remembered."""
        return f"{self.pack}/{self.name}"


def lessons() -> list[Told]:
    """Return the scenes of the first game, in order. Raises LessonError."""
    return [told for told in _built_in("lessons") if told.scenario.lesson is not None]


def puzzles() -> tuple[list[Told], list[str]]:
    """Return every puzzle, and a line for each file of the player's own packs that cannot be read."""
    found, wrong = list(_built_in("puzzles")), []
    for told in _own("puzzles"):
        if isinstance(told, str):
            wrong.append(told)
        else:
            found.append(told)
    return [told for told in found if told.scenario.puzzle is not None], wrong


def _built_in(folder: str) -> Iterator[Told]:
    for pack in cards.BUILT_IN:
        for name, data in cards.scenario_files(pack, folder).items():
            try:
                yield from (Told(pack, scenario) for scenario in load(data, f"{pack}/{folder}/{name}"))
            except ScenarioError as problem:
                raise LessonError(str(problem)) from None


def _own(folder: str) -> Iterator[Told | str]:
    """Yield what the player's own packs have, or why a file cannot be read."""
    home = user_packs()
    inside = sorted(home.iterdir()) if home.is_dir() else []
    for pack in inside:
        if (pack / "pack.toml").is_file() and (pack / folder).is_dir():
            yield from _own_pack(pack, folder)


def _own_pack(pack: Path, folder: str) -> Iterator[Told | str]:
    try:
        parsed = parsed_scenarios(read_texts(toml_files(pack / folder, FILES_MOST)))
    except (FileRefused, ScenarioTableError, OSError) as problem:
        yield f"{pack / folder}: {problem}"
        return
    for name, file in parsed.items():
        if file.wrong:
            yield f"{name}: {file.wrong}"
        yield from (Told(pack.name, scenario) for scenario in file.scenarios)


def lay_out(told: Told) -> Guide:
    """Return a lesson or a puzzle, laid out. Raises LessonError."""
    try:
        packs = load_packs(told.scenario.sets or (told.pack,))
        return Guide(catalog_of([(pack.set_id, pack.files) for pack in packs]), told.scenario)
    except (PackError, ScenarioError, ValueError) as problem:
        raise LessonError(f"{told.name} cannot be played: {problem}") from None


def puzzle_named(name: str) -> Told:
    """Return the puzzle with this name, a name that begins so, or this number in the list. Raises LessonError."""
    found, _ = puzzles()
    if name.isdecimal() and 1 <= int(name) <= len(found):
        return found[int(name) - 1]
    fitting = [told for told in found if told.name.casefold().startswith(name.casefold())]
    if not fitting:
        names = ", ".join(told.name for told in found)
        raise LessonError(f"there is no puzzle {name!r}; there are {names}")
    return fitting[0]
