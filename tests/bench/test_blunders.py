"""Each kind of blunder: a scenario with one, and a scenario that only looks like one; and the command that counts
them."""

import json
from pathlib import Path

import pytest

from cards import BUILT_IN
from core.language.catalog import Catalog
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import Scenario, load
from core.scenario.steps import ScenarioGame
from core.state.actions import AnyAction
from core.state.model import encode
from netcode.bots.win_blockers import win_blockers
from tests.bench import blunders, positions
from tests.bench.blunders import NAMES, Counts, Judge, exceeded
from tests.bench.trials import best_gear
from tests.blends import catalog_of

FILE = Path(__file__).with_name("blunders.cases.toml")
CASES = {scenario.name: scenario for scenario in load(FILE.read_bytes(), FILE.name)}
NOT = "not: "
CATALOG = catalog_of(("munchkins-and-mazes",))
STOPPERS = win_blockers(CATALOG)
ONE_TOO_MANY = """
[[scenario]]
name = "it"
sets = ["axe-cop"]
steps = []
seats = { Kim = { hand = ["T. Rex Feet"], table = ["Flaming Hula Hoop", "Shoes Full of Springs"] } }
"""


class JudgedScenario(ScenarioGame):
    """A scenario with a judge."""

    def __init__(self, catalog: Catalog, scenario: Scenario) -> None:
        cast = Cast(catalog, scenario)
        super().__init__(cast, lay_out(cast), strict=False)
        self.judge = Judge(catalog, STOPPERS)

    def _submit(self, seat: int, action: AnyAction) -> str | None:
        self.judge.before(self.state, seat, action)
        refused = super()._submit(seat, action)
        if refused is None:
            self.judge.after(self.state, seat, action, self.events)
        return refused


def found(scenario: Scenario) -> list[str]:
    """Return the kinds of the blunders in a scenario."""
    game = JudgedScenario(CATALOG, scenario)
    for step in scenario.steps:
        assert game.do(step) is None, (step, game.reason)
    game.judge.end(game.state)
    return [one.kind for one in game.judge.found]


@pytest.mark.parametrize("kind", NAMES)
def test_a_blunder_is_found(kind: str) -> None:
    assert found(CASES[kind]) == [kind]


@pytest.mark.parametrize("kind", NAMES)
def test_what_looks_like_a_blunder_is_none(kind: str) -> None:
    assert found(CASES[NOT + kind]) == []


def test_every_scenario_is_of_a_kind() -> None:
    assert sorted(CASES) == sorted([*NAMES, *(NOT + name for name in NAMES)])


def test_an_item_for_which_another_would_have_to_go_adds_only_the_difference() -> None:
    """In Axe Cop the Item may still be played: then one of the two is turned sideways at once."""
    cast = Cast(catalog_of(("axe-cop",)), load(ONE_TOO_MANY.encode(), "it.toml")[0])
    best, _ = best_gear(cast.catalog, encode(lay_out(cast)), 0)
    assert best == 2 + 4


def test_cards_that_stop_a_winner_are_found_by_trial() -> None:
    names = {CATALOG.cards[no].name for no in STOPPERS}
    assert {"Greater", "Crowd-Pleasing", "Fireball, Indoors"} <= names
    assert not names & {"Advantaged!", "Elf", "Meat Shield", "Find a Typo in the Rulse"}


def test_a_hundred_positions_are_stored_with_their_blunders() -> None:
    there = positions.stored()
    assert len(there) == positions.COUNT
    assert {one.kind for one in there} <= set(NAMES) and {one.set_id for one in there} <= set(BUILT_IN)


def test_repeated_blunders_are_counted_and_too_many_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    some = positions.stored()[:8]
    done = positions.repeated(some, "normal", 0)
    mended = [one for one in some if one not in done]
    assert mended and len(done) < len(some)
    monkeypatch.setattr(positions, "stored", lambda: some)
    assert positions.main(["--bot", "normal", "--budget", "0", "--most", str(len(done))]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == len(done)
    assert positions.main(["--bot", "normal", "--budget", "0", "--most", str(len(done) - 1)]) == 1


def test_too_many_of_a_kind_are_told() -> None:
    counts = Counts(games=10)
    counts.by_kind["own goal", 2] = 3
    assert exceeded(counts, {"own goal": 0.3}) == []
    assert exceeded(counts, {"own goal": 0.2}) == ["own goal: 0.300 in a game, 0.200 are allowed"]


def test_the_command_prints_a_line_for_each_kind_and_fails_above_its_bounds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bounds = tmp_path / "bounds.toml"
    bounds.write_text("[bounds]\n" + "\n".join(f'"{name}" = -1.0' for name in NAMES))
    assert blunders.main(["--bot", "random", "--games", "1", "--jobs", "1", "--within", str(bounds)]) == 1
    told = capsys.readouterr()
    rows = [json.loads(row) for row in told.out.splitlines()]
    assert {row["name"] for row in rows} == {*NAMES, "all blunders"}
    assert told.err.count("too many: ") == len(NAMES)
