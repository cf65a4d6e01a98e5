"""The types of scenario files: exactly those that docs/scenarios.md describes. Unknown keys are refused."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.language.toml import TomlError, parse
from core.scenario.parts import (
    EVENTS,
    FIELDS,
    TAGS,
    Happening,
    Lesson,
    Name,
    Names,
    OptionSetup,
    Part,
    Puzzle,
    Reaction,
    SeatSetup,
    Step,
)

ROWS_LIMIT = 2000
"""Scenarios of one file."""
FOLDERS = ("scenarios", "lessons", "puzzles")
"""The folders of a pack that hold scenario files."""


class Scenario(Part, frozen=True, kw_only=True):
    """One scenario: the table at the beginning, the steps, and what it proves.

    rest: where cards are that the scenario does not name: below the named ones in their decks, in the discards, or
    nowhere. seals: the closed Seals, top first; seals_open: the open ones, the one in force last. open: whether asks,
    windows and dice may be left over at the end. where: the name of the file, for messages. lesson, puzzle: set if the
    first seat plays it as one; reactions: the acts of the other seats then.
    """

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    text: str = ""
    proves: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    turn: str | None = None
    doors: Names = ()
    treasures: Names = ()
    door_discards: Names = ()
    treasure_discards: Names = ()
    seals: Names = ()
    seals_open: Names = ()
    rest: Literal["deck", "discards", "none"] = "deck"
    dice: tuple[Annotated[int, Meta(ge=1, le=20)], ...] = ()
    options: OptionSetup = OptionSetup()
    seats: dict[Name, SeatSetup]
    steps: tuple[Step, ...]
    open: bool = False
    where: str = ""
    lesson: Lesson | None = None
    puzzle: Puzzle | None = None
    reactions: tuple[Reaction, ...] = ()


msgspec.json.Decoder(Scenario)
"""Makes msgspec build its information about the type now. If two threads do that at the same time, the process
crashes."""


class ScenarioError(Exception):
    """A scenario file that cannot be run: which file, which scenario, and why."""

    def __init__(self, where: str, name: str, text: str) -> None:
        super().__init__(f"{where}{f': {name}' if name else ''}: {text}")
        self.where, self.name, self.text = where, name, text


def load(data: bytes, where: str) -> list[Scenario]:
    """Return the scenarios of one file. where: its name, for messages. Raises ScenarioError if one cannot be read."""
    try:
        found = parse(data.decode())
    except UnicodeDecodeError as error:
        raise ScenarioError(where, "", f"not UTF-8 text: {error}") from error
    except TomlError as error:
        raise ScenarioError(where, "", str(error)) from error
    extra = sorted(set(found) - {"scenario"})
    if extra:
        raise ScenarioError(where, "", f"unknown key {extra[0]!r}; a file holds [[scenario]] tables only")
    rows = found.get("scenario", [])
    if not isinstance(rows, list) or not rows:
        raise ScenarioError(where, "", "holds no [[scenario]]")
    if len(rows) > ROWS_LIMIT:
        raise ScenarioError(where, "", f"holds {len(rows)} scenarios: at most {ROWS_LIMIT} in one file")
    return [_one(row, where, number) for number, row in enumerate(rows, 1)]


def _one(row: object, where: str, number: int) -> Scenario:
    if not isinstance(row, dict):
        raise ScenarioError(where, f"scenario {number}", "is not a table: write [[scenario]] above its keys")
    name = str(row.get("name", f"scenario {number}"))
    if "where" in row:
        raise ScenarioError(where, name, "unknown key 'where'")
    try:
        scenario = msgspec.convert(row, Scenario)
    except msgspec.ValidationError as error:
        raise ScenarioError(where, name, str(error)) from error
    for key, problem in mistakes_of(scenario):
        raise ScenarioError(where, name, f"{in_words(key)}: {problem}")
    return msgspec.structs.replace(scenario, where=where)


def in_words(key: str) -> str:
    """Return a key of a scenario with steps counted from 1: `steps[3].expect.foes` becomes `step 4, expect.foes`."""
    return re.sub(r"\bsteps\[(\d+)\]\.?", lambda at: f"step {int(at.group(1)) + 1}, ", key).removesuffix(", ")


def mistakes_of(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield (key, message) for things in a scenario that its types allow but that make no sense."""
    if not 1 <= len(scenario.seats) <= 6:
        yield "seats", "a scenario has one to six seats ([scenario.seats.Kim])"
    if scenario.turn is not None and scenario.turn not in scenario.seats:
        yield "turn", f"there is no seat {scenario.turn!r}"
    for key, steps in _all_steps(scenario):
        for at, step in enumerate(steps):
            problem = _problem(step)
            if problem:
                yield f"{key}[{at}]", problem
    for key, happening in _happenings(scenario):
        problem = _wrong_happening(happening)
        if problem:
            yield key, problem
    if scenario.lesson is not None and scenario.puzzle is not None:
        yield "puzzle", "a scenario is a lesson or a puzzle, not both"
    if scenario.reactions and scenario.lesson is None and scenario.puzzle is None:
        yield "reactions", "only a lesson or a puzzle has them: elsewhere the steps say what the others do"


def _all_steps(scenario: Scenario) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield every list of steps with its key."""
    yield "steps", scenario.steps
    for at, reaction in enumerate(scenario.reactions):
        yield f"reactions[{at}].steps", reaction.steps
    for number, task in enumerate(scenario.lesson.tasks if scenario.lesson is not None else ()):
        yield f"lesson.tasks[{number}].first", task.first
        for at, way in enumerate(task.ways):
            yield f"lesson.tasks[{number}].ways[{at}]", way
        for at, mistake in enumerate(task.mistakes):
            yield f"lesson.tasks[{number}].mistakes[{at}].steps", mistake.steps
    if scenario.puzzle is not None:
        yield "puzzle.solution", scenario.puzzle.solution
        for at, mistake in enumerate(scenario.puzzle.mistakes):
            yield f"puzzle.mistakes[{at}].steps", mistake.steps


def _happenings(scenario: Scenario) -> Iterator[tuple[str, Happening]]:
    """Yield every happening that is waited for, with its key."""
    for at, reaction in enumerate(scenario.reactions):
        yield f"reactions[{at}].when", reaction.when
    for number, task in enumerate(scenario.lesson.tasks if scenario.lesson is not None else ()):
        key = f"lesson.tasks[{number}]"
        yield from ((f"{key}.done[{at}]", done) for at, done in enumerate(task.done))
        yield from ((f"{key}.mistakes[{at}].when", mistake.when) for at, mistake in enumerate(task.mistakes))
    if scenario.puzzle is not None:
        yield from ((f"puzzle.solved[{at}]", solved) for at, solved in enumerate(scenario.puzzle.solved))
        yield from ((f"puzzle.mistakes[{at}].when", wrong.when) for at, wrong in enumerate(scenario.puzzle.mistakes))


def _wrong_happening(wanted: Happening) -> str | None:
    """Return what is wrong with the form of a happening, None if nothing is."""
    if wanted.do is None and wanted.event is None and wanted.expect is None:
        return "waits for nothing: give it do, event or expect"
    if wanted.do is not None and wanted.do not in TAGS:
        return f"there is no action {wanted.do!r}; actions are {', '.join(TAGS)}"
    if wanted.event is not None and wanted.event not in EVENTS:
        near = get_close_matches(wanted.event, EVENTS, n=1, cutoff=0.5)
        return f"there is no event {wanted.event!r}{f'; did you mean {near[0]!r}?' if near else ''}"
    if wanted.by is not None and wanted.do is None:
        return "by goes with do"
    if (wanted.seat is not None or wanted.how is not None) and wanted.event is None:
        return "seat and how go with an event"
    if wanted.card is not None and wanted.do is None and wanted.event is None:
        return "card goes with do or an event"
    return None


def _problem(step: Step) -> str | None:
    """Return what is wrong with the form of a step, None if nothing is."""
    acts = [step.do is not None, step.pass_ is not None, step.close is not None, step.default is not None]
    if sum(acts) > 1:
        return "does one thing: an action, a pass, a close or a default"
    if not any(acts):
        return None if step.expect is not None and step.refused is None else "does nothing and expects nothing"
    if (step.do is None) != (step.by is None):
        return "by and do go together"
    if step.legal is False and step.refused is None:
        return "legal = false needs a refused"
    if step.vain is not None and (step.do is None or step.refused is not None):
        return "vain goes with an action that is accepted"
    if step.do is not None and step.do not in TAGS:
        return f"there is no action {step.do!r}; actions are {', '.join(TAGS)}"
    return _surplus(step)


def _surplus(step: Step) -> str | None:
    always = ("by", "do", "pass_", "close", "default", "refused", "legal", "vain", "expect")
    allowed = (*always, *FIELDS.get(step.do or "", ()))
    for name in step.__struct_fields__:
        if getattr(step, name) is not None and name not in allowed:
            key = name.rstrip("_")
            return f"{key!r} means nothing to {step.do!r}" if step.do else f"{key!r} needs a do"
    return None

