"""Run scenarios: do each step through `submit` and `view`, and compare the outcome with what the scenario expects.

After every step the state is encoded and decoded. An accepted action must be among the legal ones; a refused one must
not be, and must change nothing. The caller reads the files.
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import Struct

from core.engine import Runaway
from core.language.catalog import Catalog
from core.scenario import guide_check
from core.scenario.cast import Cast, NotFound, lay_out
from core.scenario.expect import Snapshot, differences
from core.scenario.parts import Expect, Step
from core.scenario.schema import Scenario, ScenarioError, load
from core.scenario.steps import Contradiction, ScenarioGame
from core.state.rng import NO_MORE_DICE, DiceRanOut, DieTooHigh

__all__ = ["Failure", "Report", "Scenario", "ScenarioError", "load", "proofs", "run", "run_texts"]

_AN_END = "card text that ends"
_TURN_ASKS = ("kick", "trouble", "fight", "end")
"""Asks that belong to the course of a turn: a scenario may end with one of them unanswered."""


class Failure(Struct, frozen=True):
    """Why a scenario failed: at which step (0: laying out the table), what was expected, what was found."""

    where: str
    scenario: str
    step: int
    did: str
    expected: str
    found: str

    def __str__(self) -> str:
        return (
            f"{self.where}: {self.scenario}\n  step {self.step}: {self.did}\n"
            f"  expected: {self.expected}\n  found:    {self.found}"
        )


class Report(Struct, frozen=True):
    """The result of many scenarios: how many there were, and the failures."""

    scenarios: int
    failures: tuple[Failure, ...]

    def to_json(self) -> bytes:
        """Return the report as JSON."""
        return msgspec.json.encode(self)


def run(catalog: Catalog, scenario: Scenario, strict: bool = True) -> Failure | None:
    """Run one scenario with these cards. Return None if it passes, otherwise why it failed.

    strict: also check the legal actions and the encoding of the state at each step.
    """
    cast = Cast(catalog, scenario)
    try:
        game = ScenarioGame(cast, lay_out(cast), strict=strict)
    except ScenarioError as error:
        return Failure(scenario.where, scenario.name, 0, "laying out the table", "a table to begin with", error.text)
    except DiceRanOut as problem:
        return Failure(scenario.where, scenario.name, 0, "laying out the table", *_wrong_dice(scenario, problem))
    except Runaway as problem:
        return Failure(scenario.where, scenario.name, 0, "laying out the table", _AN_END, str(problem))
    for number, step in enumerate(scenario.steps, 1):
        failure = _step(game, step)
        if failure:
            return Failure(scenario.where, scenario.name, number, _in_words(step), *failure)
    for did, expected, found in guide_check.problems(catalog, scenario):
        return Failure(scenario.where, scenario.name, len(scenario.steps), did, expected, found)
    played = scenario.lesson is not None or scenario.puzzle is not None
    left = [] if scenario.open or played else _leftovers(game)
    if left:
        expected = "nothing left over (or open = true)"
        return Failure(scenario.where, scenario.name, len(scenario.steps), "the end", expected, ", ".join(left))
    return None


def _step(game: ScenarioGame, step: Step) -> tuple[str, str] | None:
    """Do a step; return (expected, found) if it fails."""
    try:
        refused = game.do(step)
        if refused != step.refused:
            return f"refused, citing {step.refused}" if step.refused else "accepted", game.verdict(refused)
        if step.expect is not None:
            return _compare(game, step.expect)
    except DiceRanOut as problem:
        return _wrong_dice(game.cast.scenario, problem)
    except Runaway as problem:
        return _AN_END, str(problem)
    except (NotFound, Contradiction) as problem:
        return problem.args[1] if len(problem.args) > 1 else "a step that can be done", str(problem.args[0])
    return None


def _wrong_dice(scenario: Scenario, problem: DiceRanOut) -> tuple[str, str]:
    """Return (expected, found) for a die that the scenario does not name, or names with a number that the die lacks."""
    named = list(scenario.dice)
    if isinstance(problem, DieTooHigh):
        number, sides = problem.args
        return f"a number from 1 to {sides} in dice for a die with {sides} sides", f"{number}, in dice = {named}"
    return "a number in dice for every die that is rolled", f"die {len(named) + 1} is rolled, but dice = {named}"


def _compare(game: ScenarioGame, expect: Expect) -> tuple[str, str] | None:
    wrong = differences(game.snapshot, expect)
    if not wrong:
        return None
    expected = "; ".join(f"{key} = {wanted}" for key, wanted, _ in wrong)
    found = "; ".join(f"{key} = {seen}" for key, _, seen in wrong)
    return expected, found


def _leftovers(game: ScenarioGame) -> list[str]:
    """Return the asks, windows and dice that are left over at the end."""
    snapshot = Snapshot(game.cast, game.state, [])
    window = snapshot.view().window
    left = [f"window {window.kind}"] if window else []
    for seat, name in enumerate(game.cast.names):
        left += [f"{name} is asked {ask.kind}" for ask in snapshot.asks(seat) if ask.kind not in _TURN_ASKS]
    unused = [number for number in game.state.dice if number != NO_MORE_DICE]
    if unused:
        left.append(f"dice not rolled: {unused}")
    return left


def _in_words(step: Step) -> str:
    """Return a step as it is written in its file, without its expectations."""
    words = msgspec.to_builtins(step)
    kept = [f"{key} = {value}" for key, value in words.items() if key not in ("expect", "refused", "legal", "vain")]
    return ", ".join(kept) or "expect"


# ---------------------------------------------------------------------------------------------------------- many files
def run_texts(
    catalog_for: Callable[[tuple[str, ...]], Catalog],
    texts: Mapping[str, bytes],
    sets: tuple[str, ...] = ("munchkins-and-mazes",),
) -> Report:
    """Run the scenarios of these files; return a report of all of them.

    Args:
        catalog_for: returns the catalog of some sets.
        texts: the files by name. sets: the default sets of scenarios that name none.
    """
    failures: list[Failure] = []
    count = 0
    for where, data in texts.items():
        try:
            scenarios = load(data, where)
        except ScenarioError as error:
            failures.append(Failure(error.where, error.name, 0, "reading the file", "a scenario file", error.text))
            continue
        count += len(scenarios)
        failures += run_all(catalog_for, scenarios, sets)
    return Report(count, tuple(failures))


def run_all(
    catalog_for: Callable[[tuple[str, ...]], Catalog], scenarios: Iterable[Scenario], sets: tuple[str, ...]
) -> list[Failure]:
    """Run these scenarios; return the failures. See run_texts."""
    found = (run(catalog_for(scenario.sets or sets), scenario) for scenario in scenarios)
    return [failure for failure in found if failure is not None]


def proofs(texts: Mapping[str, bytes]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield for each scenario of these files its name with its file, and what it proves. Raises ScenarioError."""
    for where, data in texts.items():
        for scenario in load(data, where):
            yield f"{where}: {scenario.name}", scenario.proves
