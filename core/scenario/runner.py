"""Scenario files run: each step is done through the public doors of the engine, judged, and its outcome compared.

After every step the state goes through bytes and back; what is accepted must be among the legal actions, what is
refused must not be and must change nothing. Reading files is the caller's job.
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import Struct

from core.language.catalog import Catalog
from core.scenario.cast import Cast, Lost, lay_out
from core.scenario.expect import Scene, differences
from core.scenario.schema import Expect, Scenario, ScenarioError, Step, load
from core.scenario.steps import Refused, ScenarioGame
from core.state.rng import NO_MORE_DICE, DiceRanOut

__all__ = ["Failure", "Report", "Scenario", "ScenarioError", "load", "proofs", "run", "run_texts"]

_TURN_ASKS = ("kick", "trouble", "fight", "end")
"""Prompts of a turn itself: a scenario may end while one of them stands."""


class Failure(Struct, frozen=True):
    """A scenario that did not come out: at which step (0: laying out the table), what was expected, what was found."""

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
    """What running many scenarios came to: how many there were, and those that failed."""

    scenarios: int
    failures: tuple[Failure, ...]

    def to_json(self) -> bytes:
        """The report as JSON."""
        return msgspec.json.encode(self)


def run(catalog: Catalog, scenario: Scenario, strict: bool = True) -> Failure | None:
    """Run one scenario with these cards. strict: also check legal actions and bytes after each step."""
    cast = Cast(catalog, scenario)
    try:
        game = ScenarioGame(cast, lay_out(cast), strict=strict)
    except ScenarioError as error:
        return Failure(scenario.where, scenario.name, 0, "laying out the table", "a table to begin with", error.text)
    except DiceRanOut:
        return Failure(scenario.where, scenario.name, 0, "laying out the table", *_dice_ran_out(scenario))
    for number, step in enumerate(scenario.steps, 1):
        failure = _step(game, step)
        if failure:
            return Failure(scenario.where, scenario.name, number, _told(step), *failure)
    left = [] if scenario.open else _leftovers(game)
    if left:
        expected = "no prompt left over (or open = true)"
        return Failure(scenario.where, scenario.name, len(scenario.steps), "the end", expected, ", ".join(left))
    return None


def _step(game: ScenarioGame, step: Step) -> tuple[str, str] | None:
    """Do a step; (expected, found) if it does not come out."""
    try:
        refused = game.do(step)
        if refused != step.refused:
            return f"refused, citing {step.refused}" if step.refused else "accepted", game.verdict(refused)
        if step.expect is not None:
            return _compare(game, step.expect)
    except DiceRanOut:
        return _dice_ran_out(game.cast.scenario)
    except (Lost, Refused) as problem:
        return problem.args[1] if len(problem.args) > 1 else "a step that can be done", str(problem.args[0])
    return None


def _dice_ran_out(scenario: Scenario) -> tuple[str, str]:
    """(expected, found) for a die that the scenario does not name."""
    named = list(scenario.dice)
    return "a number in dice for every die that is rolled", f"die {len(named) + 1} is rolled, but dice = {named}"


def _compare(game: ScenarioGame, expect: Expect) -> tuple[str, str] | None:
    wrong = differences(Scene(game.cast, game.state, game.events), expect)
    if not wrong:
        return None
    expected = "; ".join(f"{key} = {wanted}" for key, wanted, _ in wrong)
    found = "; ".join(f"{key} = {seen}" for key, _, seen in wrong)
    return expected, found


def _leftovers(game: ScenarioGame) -> list[str]:
    """Prompts and windows that stand at the end."""
    scene = Scene(game.cast, game.state, [])
    window = scene.view().window
    left = [f"window {window.kind}"] if window else []
    for seat, name in enumerate(game.cast.names):
        left += [f"{name} is asked {ask.kind}" for ask in scene.asks(seat) if ask.kind not in _TURN_ASKS]
    unused = [number for number in game.state.dice if number != NO_MORE_DICE]
    if unused:
        left.append(f"dice not rolled: {unused}")
    return left


def _told(step: Step) -> str:
    """A step in the words of its file."""
    words = msgspec.to_builtins(step)
    kept = [f"{key} = {value}" for key, value in words.items() if key not in ("expect", "refused", "legal")]
    return ", ".join(kept) or "expect"


# ---------------------------------------------------------------------------------------------------------- many files
def run_texts(
    catalog_for: Callable[[tuple[str, ...]], Catalog],
    texts: Mapping[str, bytes],
    sets: tuple[str, ...] = ("munchkins-and-mazes",),
) -> Report:
    """Run the scenarios of these files, given by name. catalog_for: the catalog of these sets; sets: the default."""
    failures: list[Failure] = []
    count = 0
    for where, data in texts.items():
        try:
            scenarios = load(data, where)
        except ScenarioError as error:
            failures.append(Failure(error.where, error.name, 0, "reading the file", "a scenario file", error.text))
            continue
        for scenario in scenarios:
            count += 1
            failure = run(catalog_for(scenario.sets or sets), scenario)
            if failure:
                failures.append(failure)
    return Report(count, tuple(failures))


def proofs(texts: Mapping[str, bytes]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """For each scenario of these files its name with its file, and what it proves. Raises ScenarioError."""
    for where, data in texts.items():
        for scenario in load(data, where):
            yield f"{where}: {scenario.name}", scenario.proves
