"""Judge how a lesson or a puzzle is played: its present task, the player's acts and mistakes, and the reasons.

`Guide` is what the screen talks to; `check` plays every way, mistake and solution that the file names.
"""

from dataclasses import dataclass
from typing import Literal

from core.language.catalog import Catalog
from core.moves.timeouts import default_action
from core.scenario.cast import NotFound
from core.scenario.guided_game import HOST, ME, GuidedGame, Mark, Occurrence
from core.scenario.parts import Lesson, Mistake, Puzzle, Task
from core.scenario.schema import Scenario, ScenarioError
from core.state import actions as a
from core.state.events import TurnBegan
from core.state.model import Ask
from core.state.reader import Reader
from core.text.foes import Foes
from core.text.log import log_line

Kind = Literal["task", "why", "mistake", "solved", "failed", "shown", "over"]
READ_FIRST = "First read on: the coach has stopped the game."
MARKS = 50
"""At most this many acts can be taken back."""


@dataclass(frozen=True)
class Word:
    """A message of the coach. task: play; why, mistake, failed, shown: read it and continue; solved, over: the end."""

    kind: Kind
    text: str


class Guide:
    """A lesson or a puzzle under way. Raises ScenarioError if its table cannot be laid out, ValueError for a scenario
    that is neither."""

    def __init__(self, catalog: Catalog, scenario: Scenario) -> None:
        told = scenario.lesson or scenario.puzzle
        if told is None:
            raise ValueError(f"{scenario.name} is neither a lesson nor a puzzle")
        self.told: Lesson | Puzzle = told
        try:
            self.game = GuidedGame(catalog, scenario)
        except NotFound as lost:
            raise ScenarioError(scenario.where, scenario.name, str(lost)) from lost
        self.at = 0
        """The number of the task, or of the next step of a solution that is being shown."""
        self.word = Word("task", "")
        self.game.settle()
        self.game.watch = self._watch
        self._first = self._here = self.game.mark()
        self._turn = self.game.state.turn.no
        self._marks: list[Mark] = []
        self._begin()

    @property
    def task(self) -> Task | None:
        """The task of a lesson; None in a puzzle, and after the last."""
        tasks = self.told.tasks if isinstance(self.told, Lesson) else ()
        return tasks[self.at] if self.at < len(tasks) else None

    def _begin(self) -> None:
        """Begin the task: let the others do what comes first. Leave out a task of which nothing is left to do."""
        if isinstance(self.told, Puzzle):
            self.word = Word("task", self.told.goal)
            return
        task = self.task
        if task is None:
            self.word = Word("over", self.told.after)
            return
        self.word = Word("task", "")
        for step in task.first:
            self.game.do(step)
            self.game.settle()
        if self._holds(task):
            self.at += 1
            self._begin()
            return
        self.word = Word("task", task.say)
        self._here = self.game.mark()
        self._marks = []

    def _holds(self, task: Task) -> bool:
        """Return whether what a task expects holds already, so that nothing is left to do."""
        now = Occurrence(HOST, None, [])
        wanted = [done for done in task.done if done.do is None and done.event is None]
        return any(self.game.fits(done, now) for done in wanted)

    # --------------------------------------------------------------------------------------------------------- acting
    def act(self, action: a.AnyAction) -> a.Refusal | None:
        """Do an action of the person who plays; return why it is refused, None if it is not."""
        if self.word.kind == "why":
            self.go_on()
        if self.word.kind not in ("task", "over"):
            return a.Refusal("stale", READ_FIRST)
        mark = self.game.mark()
        refusal = self.game.submit(ME, action)
        if refusal is None:
            self._marks = [*self._marks[-MARKS + 1 :], mark]
            self.game.settle()
        return refusal

    def act_for_silence(self, ask: Ask) -> None:
        """Answer an ask of the person who plays as the host does for a silent player."""
        self.act(default_action(Reader(self.game.catalog, self.game.state), ask))

    def go_on(self) -> None:
        """Continue: to the next task, to the moment before a mistake, or to the next step of a solution."""
        if self.word.kind == "why":
            self.at += 1
            self._begin()
        elif self.word.kind == "mistake":
            self.game.back_to(self._here)
            self._resume()
        elif self.word.kind == "failed":
            self.again()
        elif self.word.kind == "shown":
            self._show_next()

    @property
    def takes_back(self) -> bool:
        """Whether there is an act that can be taken back now."""
        return bool(self._marks) and self.word.kind in ("task", "mistake", "failed")

    def take_back(self) -> bool:
        """Take the last act back; return False if there is none."""
        if not self.takes_back:
            return False
        self.game.back_to(self._marks.pop())
        self._resume()
        return True

    def again(self) -> None:
        """Begin the puzzle, or the task of the lesson, again."""
        self.game.back_to(self._here)
        self._resume()
        self._marks = []

    def _resume(self) -> None:
        """Show the same task again, at the table as it is now."""
        task = self.task
        self.word = Word("task", self.told.goal if isinstance(self.told, Puzzle) else task.say if task else "")
        self.game.settle()

    # -------------------------------------------------------------------------------------------------------- judging
    def _watch(self, seen: Occurrence) -> bool:
        """Judge what has just happened; return whether the others stop."""
        if self.word.kind != "task" or not self.word.text:
            return False
        if isinstance(self.told, Puzzle):
            self._judge_puzzle(self.told, seen)
            return self.word.kind != "task"
        task = self.task
        if task is not None:
            wrong = self._mistake(task.mistakes, seen)
            if wrong is not None:
                self.word = Word("mistake", wrong.say)
                return True
            if any(self.game.fits(done, seen) for done in task.done):
                self.word = Word("why", task.why)
        return False

    def _mistake(self, mistakes: tuple[Mistake, ...], seen: Occurrence) -> Mistake | None:
        return next((mistake for mistake in mistakes if self.game.fits(mistake.when, seen)), None)

    def _judge_puzzle(self, puzzle: Puzzle, seen: Occurrence) -> None:
        wrong = self._mistake(puzzle.mistakes, seen)
        if any(self.game.fits(solved, seen) for solved in puzzle.solved):
            self.word = Word("solved", puzzle.why)
        elif wrong is not None:
            self.word = Word("failed", wrong.say)
        elif self.game.state.winners or self._turns_over(puzzle, seen):
            self.word = Word("failed", puzzle.late)

    def _turns_over(self, puzzle: Puzzle, seen: Occurrence) -> bool:
        began = [event.no for event in seen.events if isinstance(event, TurnBegan)]
        return any(number >= self._turn + puzzle.turns for number in began)

    # ------------------------------------------------------------------------------------------------------- solutions
    def show_solution(self) -> None:
        """Play the solution of a puzzle from the beginning, one step at a time."""
        self.again()
        self.at = 0
        self.word = Word("shown", "")
        self._show_next()

    def _show_next(self) -> None:
        """Play the next step of the solution, and the passes after it; after the last one begin again."""
        assert isinstance(self.told, Puzzle)
        steps = self.told.solution
        if self.at >= len(steps):
            self.at = 0
            self.again()
            return
        said: list[str] = []
        while self.at < len(steps):
            before = len(self.game.news)
            self.game.submit(ME, self.game.action_of(steps[self.at]))
            said += self._lines(before)
            self.game.stopped = False
            self.game.settle()
            self.at += 1
            if self.at < len(steps) and steps[self.at].pass_ is None:
                break
        self.word = Word("shown", " ".join(said))

    def _lines(self, since: int) -> list[str]:
        """Return the lines of the log about the events from this number on."""
        fight = self.game.state.fight
        foes = Foes(fight.monsters if fight is not None else ())
        lines = [log_line(event, self.game.catalog, self.game.cast.names, ME, foes) for event in self.game.news[since:]]
        return [line if line.endswith((".", "!", "?")) else f"{line}." for line in lines if line]
