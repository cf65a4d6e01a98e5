"""Bots choose among texts that change their own fight: they pay for a fight that is lost otherwise, and only then."""

import random

import pytest

from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load
from core.scenario.steps import ScenarioGame
from core.state.actions import Answer
from core.view import view
from netcode.bots.brain import Brain
from tests.scenarios import catalog_for

CATALOG = catalog_for(("apocalypse",))
APPEARS = """
[[scenario]]
name = "a monster gives its fighter a choice"
sets = ["apocalypse"]
doors = ["%s"]
steps = [{ by = "Molly", do = "kick" }, { pass = "all" }]
[scenario.seats.Molly]
level = %d
table = [%s]
"""


def chosen(monster: str, level: int, table: str) -> str:
    """Return the text that a bot chooses as this monster appears."""
    (scenario,) = load((APPEARS % (monster, level, table)).encode(), "it.toml")
    cast = Cast(CATALOG, scenario)
    game = ScenarioGame(cast, lay_out(cast), strict=True)
    for step in scenario.steps:
        assert game.do(step) is None
    (ask,) = [ask for ask in game.state.stack[-1].asks if ask.kind == "option"]
    action = Brain(CATALOG, "normal", random.Random(1)).decide(view(CATALOG, game.state, ask.seat))
    assert isinstance(action, Answer)
    return ask.texts[ask.options.index(action.picks[0])]


@pytest.mark.parametrize(
    ("level", "table", "text"),
    [(2, '"Bicycle Helmet"', "bag an Item"), (6, '"Bicycle Helmet"', "keep your Items")],
    ids=["lost otherwise", "won anyway"],
)
def test_it_gives_an_item_for_strength_that_it_misses(level: int, table: str, text: str) -> None:
    assert chosen("Self-Service Checkout", level, table) == text


def test_it_opens_a_seal_to_make_a_deadly_monster_weaker() -> None:
    assert chosen("Planet Nine and a Half", 7, "") == "open a Seal, it is 6 weaker"


def test_it_signs_nothing_in_a_fight_that_it_wins() -> None:
    assert chosen("Cultist With a Clipboard", 5, "") == "do not sign"
