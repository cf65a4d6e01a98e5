"""Scenarios: every packaged one passes, and the runner reports every mistake in one."""

import pytest

from cards import BUILT_IN
from core.scenario.cast import Cast, begin
from core.scenario.runner import Report, ScenarioError, load, run, run_texts
from core.state.rng import die
from tests.scenarios import catalog_for, packaged, packaged_proofs

PACKAGED = packaged()


@pytest.mark.long(5)
@pytest.mark.parametrize("name", PACKAGED)
def test_packaged_scenarios_pass(name: str) -> None:
    set_id, data = PACKAGED[name]
    found = [run(catalog_for(scenario.sets or (set_id,)), scenario) for scenario in load(data, name)]
    failures = [str(failure) for failure in found if failure is not None]
    assert found and not failures, "\n" + "\n".join(failures)


def test_every_scenario_proves_something_that_exists() -> None:
    from core.authoring.clauses import load as load_clauses

    ids = {definition.full_id for definition in catalog_for(BUILT_IN).cards} | set(load_clauses())
    unknown = [(name, proved) for name, found in packaged_proofs() for proved in found if proved not in ids]
    silent = [name for name, found in packaged_proofs() if not found]
    assert not unknown
    assert not silent


# ------------------------------------------------------------------------------------------------ the runner itself
GLITTER = """
[[scenario]]
name = "Glitter"
proves = ["item.one-shot"]
turn = "Kim"
doors = ["Glampire"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { expect = { heroes = 8, foes = 14, window = "", asks = { Kim = "fight" }, monsters = ["Glampire"] } },
  { by = "Kim", do = "play", card = "Prismatic Glitter", side = "heroes", expect = { heroes = 13 } },
  { by = "Kim", do = "sell", cards = ["Pickle Spear"], refused = "when.no-combat-changes" },
]
[scenario.seats.Kim]
level = 4
hand = ["Prismatic Glitter"]
table = ["Cleric", "Pickle Spear"]
"""


def outcome(text: str) -> str:
    """Return "fine", or why the one scenario of this text fails."""
    report = run_texts(catalog_for, {"it.toml": text.encode()})
    return str(report.failures[0]) if report.failures else "fine"


def changed(old: str, new: str) -> str:
    assert old in GLITTER
    return outcome(GLITTER.replace(old, new, 1))


def test_the_scenario_passes() -> None:
    assert outcome(GLITTER) == "fine"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("heroes = 13", "heroes = 14", "found:    heroes = 13"),
        ('Kim = "fight"', 'Kim = "end"', "found:    asks = {'Kim': 'fight'}"),
        ('window = ""', 'window = "claim"', "window = "),
        ('monsters = ["Glampire"]', "monsters = []", "monsters = ['Glampire']"),
        ("when.no-combat-changes", "item.sell", "refused, citing when.no-combat-changes"),
        (', refused = "when.no-combat-changes"', "", "expected: accepted"),
        ('side = "heroes", expect', 'side = "heroes", refused = "item.one-shot", expect', "found:    accepted"),
        ("{ pass = \"all\" },", "", "no fight"),
        ("table = [", "carried = [\"Glampire\"]\ntable = [", "named 2 times"),
        ('card = "Prismatic Glitter"', 'card = "Plot Armor"', "no Plot Armor in sight of Kim"),
        ('card = "Prismatic Glitter"', 'card = "Glitzer"', "no card is called 'Glitzer'"),
        ('doors = ["Glampire"]', 'doors = ["Glampire"]\ndice = [3]', "dice not rolled: [3]"),
        ('doors = ["Glampire"]', 'doors = ["Plot Armor"]', "Plot Armor is a treasure card and cannot be in doors"),
        ('doors = ["Glampire"]', 'doors = ["Glampire"]\ntreasure_discards = ["Elf"]', "Elf is a door card and"),
        ('by = "Kim", do = "sell"', 'by = "Tim", do = "sell"', "there is no seat 'Tim'"),
        ("level = 4", "levle = 4", "unknown field `levle`"),
        ("expect = { heroes = 13 }", "expect = { heros = 13 }", "unknown field `heros`"),
        ('do = "sell", cards', 'do = "sell", pay = ["Cleric"], cards', "step 5: 'pay' means nothing to 'sell'"),
        ('do = "kick"', 'do = "kicks"', "there is no action 'kicks'"),
        ('{ pass = "all" }', '{ pass = "all", close = true }', "one thing"),
    ],
)  # fmt: skip
def test_a_mistake_fails_the_scenario(old: str, new: str, says: str) -> None:
    assert says in changed(old, new)


def test_an_ask_left_over_fails_unless_the_scenario_is_open() -> None:
    text = GLITTER.replace('{ pass = "all" },\n', "", 1).split("  { expect", 1)[0] + "]\n[scenario.seats.Kim]\n"
    assert "window kick" in outcome(text)
    assert outcome(text.replace('turn = "Kim"', 'turn = "Kim"\nopen = true')) == "fine"


ROLL = """
[[scenario]]
name = "Kim runs away"
proves = ["flee.roll"]
dice = [5]
doors = ["Glampire"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "flee" },
  { pass = "all" },
  { by = "Kim", do = "roll", expect = { log = "Kim escapes from Glampire" } },
]
[scenario.seats.Kim]
"""


def test_a_die_that_the_scenario_does_not_name_fails_it() -> None:
    """A scenario that rolls a die it does not name would pass or fail by chance."""
    assert outcome(ROLL) == "fine"
    assert outcome(ROLL.replace("dice = [5]\n", "")) == (
        "it.toml: Kim runs away\n"
        "  step 5: by = Kim, do = roll\n"
        "  expected: a number in dice for every die that is rolled\n"
        "  found:    die 1 is rolled, but dice = []"
    )


def test_a_table_that_begins_as_a_scenario_rolls_random_dice_after_the_named_ones() -> None:
    catalog = catalog_for(("munchkins-and-mazes",))
    (scenario,) = load(ROLL.encode(), "it.toml")
    state, _ = begin(Cast(catalog, scenario), b"seed")
    assert die(state) == 5
    assert die(state) in range(1, 7)


def test_a_pass_needs_a_window() -> None:
    assert "no window is open" in changed("{ expect =", '{ pass = "all" },\n  { expect =')


def test_an_answer_needs_an_ask() -> None:
    assert "is not asked anything" in outcome(
        GLITTER.replace('{ by = "Kim", do = "kick" },', '{ by = "Bystander", do = "answer", pick = [0] },')
    )


def test_invalid_files_raise_an_error() -> None:
    for text in ("", "name = 3", "[[scenario]]\nname = 'x'\n", "not toml", "[[scenario]]\nsteps = 3\n"):
        with pytest.raises(ScenarioError):
            load(text.encode(), "it.toml")


def test_a_report_is_json() -> None:
    report = run_texts(catalog_for, {"a.toml": GLITTER.encode(), "b.toml": b"x"})
    assert isinstance(report, Report)
    assert (report.scenarios, len(report.failures)) == (1, 1)
    assert b'"where":"b.toml"' in report.to_json()


def test_a_step_can_name_the_second_copy_of_a_card() -> None:
    text = """
[[scenario]]
name = "Two"
proves = ["self.class-one"]
steps = [
  { by = "Kim", do = "play", card = "Warrior#2" },
  { by = "Kim", do = "play", card = "Warrior", refused = "self.class-one" },
]
[scenario.seats.Kim]
hand = ["Warrior", "Warrior"]
"""
    assert outcome(text) == "fine"
    assert "there is no Warrior#3" in outcome(text.replace("Warrior#2", "Warrior#3"))
