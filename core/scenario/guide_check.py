"""Check a lesson or a puzzle by playing its ways, its mistakes, its solution, and a game in which the player stays
silent."""

from collections.abc import Iterator

from core.language.catalog import Catalog
from core.moves.legal import legal
from core.scenario.cast import NotFound
from core.scenario.guide import Guide
from core.scenario.guided_game import ME
from core.scenario.parts import Lesson, Mistake, Puzzle, Step
from core.scenario.schema import Scenario
from core.state import actions as a

SILENT_ANSWERS = 200
"""At most this many answers of a silent player until a puzzle has ended."""
Wrong = tuple[str, str, str]
"""An act, the expected result, and the found one."""


def problems(catalog: Catalog, scenario: Scenario) -> Iterator[Wrong]:
    """Yield what is wrong with a lesson or a puzzle when it is played. Raises ScenarioError."""
    if scenario.lesson is not None:
        yield from _lesson(catalog, scenario, scenario.lesson)
    if scenario.puzzle is not None:
        yield from _puzzle(catalog, scenario, scenario.puzzle)


# ------------------------------------------------------------------------------------------------------------- lessons
def _lesson(catalog: Catalog, scenario: Scenario, lesson: Lesson) -> Iterator[Wrong]:
    for number, task in enumerate(lesson.tasks):
        for at, way in enumerate(task.ways):
            wrong = _way(_guide_at(catalog, scenario, lesson, number), way)
            if wrong:
                yield f"task {number + 1}, way {at + 1}", "the task done by its last step", wrong
        for mistake in task.mistakes:
            wrong = _mistake(_guide_at(catalog, scenario, lesson, number), mistake, "mistake")
            if wrong:
                yield f"task {number + 1}, a mistake", f"taken back with {mistake.say!r}", wrong


def _guide_at(catalog: Catalog, scenario: Scenario, lesson: Lesson, number: int) -> Guide:
    """Return the lesson at this task, the first way of each earlier task played."""
    guide = Guide(catalog, scenario)
    for task in lesson.tasks[:number]:
        play(guide, task.ways[0])
        guide.go_on()
    return guide


def _way(guide: Guide, steps: tuple[Step, ...]) -> str:
    """Return what is wrong with a way to do a task, "" if nothing is."""
    wrong = play(guide, steps)
    if wrong:
        return wrong
    return "" if guide.word.kind == "why" else _found(guide)


# ------------------------------------------------------------------------------------------------------------- puzzles
def _puzzle(catalog: Catalog, scenario: Scenario, puzzle: Puzzle) -> Iterator[Wrong]:
    guide = Guide(catalog, scenario)
    wrong = play(guide, puzzle.solution)
    if wrong or guide.word.kind != "solved":
        yield "the solution", "the puzzle solved by its last step", wrong or _found(guide)
    for mistake in puzzle.mistakes:
        wrong = _mistake(Guide(catalog, scenario), mistake, "failed")
        if wrong:
            yield "a mistake", f"the end with {mistake.say!r}", wrong
    for words, first in _single_acts(catalog, scenario):
        guide = Guide(catalog, scenario)
        if first is not None:
            guide.act(first)
        _stay_silent(guide)
        if guide.word.kind == "solved":
            yield words, "a puzzle that takes more than one act", "solved"
        elif guide.word.kind != "failed":
            yield words, "an end", _found(guide)


def _single_acts(catalog: Catalog, scenario: Scenario) -> Iterator[tuple[str, a.Action | None]]:
    """Yield each whole act that is possible at the beginning, with words for it; the first entry is to do nothing."""
    yield "no act at all", None
    guide = Guide(catalog, scenario)
    for row in legal(catalog, guide.game.state, ME):
        if row.pick is None and not isinstance(row.action, a.Pass | a.Hold):
            yield f"only {row.action}", row.action


def _stay_silent(guide: Guide) -> None:
    """Answer as a silent player until the puzzle has ended."""
    for _ in range(SILENT_ANSWERS):
        if guide.word.kind != "task":
            return
        view = guide.game.view()
        asks = view.you.asks if view.you is not None else []
        if asks:
            guide.act_for_silence(asks[0])
        elif view.window is not None and not view.window.passed:
            guide.act(a.Pass(view.window.id))
        else:
            return


# ------------------------------------------------------------------------------------------------------------- playing
def _mistake(guide: Guide, mistake: Mistake, kind: str) -> str:
    """Return what is wrong with the steps of a mistake, "" if nothing is."""
    wrong = play(guide, mistake.steps)
    if wrong:
        return wrong
    return "" if (guide.word.kind, guide.word.text) == (kind, mistake.say) else _found(guide)


def play(guide: Guide, steps: tuple[Step, ...]) -> str:
    """Play steps of the person who plays; return what went wrong, "" if nothing did."""
    for number, step in enumerate(steps, 1):
        if guide.word.kind != "task":
            return f"over before step {number}: {_found(guide)}"
        try:
            refusal = guide.act(guide.game.action_of(step))
        except NotFound as lost:
            return f"step {number}: {lost.args[0]}"
        if refusal is not None:
            return f"step {number}: refused, citing {refusal.clause}: {refusal.text}"
    return ""


def _found(guide: Guide) -> str:
    return f"{guide.word.kind}: {guide.word.text}"
