"""Bots choose among texts that change a fight: for their own fight they pay only if it would otherwise be lost; a
rival's fight they turn if they can."""

import random

import pytest

from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load
from core.scenario.steps import ScenarioGame
from core.state.actions import Answer
from core.view import view
from netcode.bots.brain import Brain
from netcode.bots.player import Observation
from tests.blends import values_of
from tests.scenarios import catalog_for

APPEARS = """
[[scenario]]
name = "a monster gives somebody a choice"
sets = ["%s"]
doors = ["%s"]
steps = [{ by = "Molly", do = "kick" }, { pass = "all" }]
[scenario.seats.Molly]
level = %d
table = [%s]
[scenario.seats.Nick]
hand = [%s]
"""


def chosen(monster: str, level: int, table: str, set_id: str = "apocalypse", hand: str = "") -> str:
    """Return the text that a bot chooses as this monster appears. hand: of the player to the left of its fighter."""
    return chosen_in(APPEARS % (set_id, monster, level, table, hand), set_id)


def chosen_in(text: str, set_id: str) -> str:
    """Return the text that a bot chooses at the end of a scenario."""
    catalog = catalog_for((set_id,))
    (scenario,) = load(text.encode(), "it.toml")
    cast = Cast(catalog, scenario)
    game = ScenarioGame(cast, lay_out(cast), strict=True)
    for step in scenario.steps:
        assert game.do(step) is None
    (ask,) = [ask for ask in game.state.stack[-1].asks if ask.kind == "option"]
    bot = Brain(catalog, "normal", random.Random(1), values_of(catalog))
    action = bot.decide(Observation(view(catalog, game.state, ask.seat)))
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


@pytest.mark.parametrize(
    ("level", "text"), [(9, "Feed it a card: +2"), (8, "Only watch")], ids=["won by 1", "lost anyway"]
)
def test_it_feeds_a_monster_that_a_rival_would_beat_by_a_little(level: int, text: str) -> None:
    assert chosen("Three-Minded Chimera", level, '"Pickle Spear"', "munchkins-and-mazes", hand='"Elf"') == text


STAFF = """
[[scenario]]
name = "a rival has the fighter choose"
sets = ["warhammer-40k"]
doors = ["Plague Chef"]
steps = [
  { by = "Molly", do = "kick" }, { pass = "all" },
  { by = "Nick", do = "use", card = "Staff of Reasonable Force", on = "Molly", pay = ["Orks"] },
]
[scenario.seats.Molly]
level = %d
hand = ["Necrons"]
[scenario.seats.Nick]
table = ["Staff of Reasonable Force"]
hand = ["Orks"]
"""


@pytest.mark.parametrize(
    ("level", "text"), [(8, "discard a card"), (5, "have -3")], ids=["it would turn the fight", "lost anyway"]
)
def test_it_keeps_the_strength_by_which_it_wins(level: int, text: str) -> None:
    assert chosen_in(STAFF % level, "warhammer-40k") == text


HORN = """
[[scenario]]
name = "a card of one's own offers a Treasure or strength"
sets = ["axe-cop"]
doors = ["Lava Shark"]
steps = [
  { by = "Molly", do = "kick" }, { pass = "all" },
  { by = "Molly", do = "play", card = "Unicorn Horn" },
]
[scenario.seats.Molly]
level = 8
hand = ["Unicorn Horn"]
table = [%s]
"""


@pytest.mark.parametrize(
    ("table", "text"),
    [("", "Poke: +4 for the heroes"), ('"Axe a Fireman Lent You"', "Make a wish: draw a Treasure")],
    ids=["lost without it", "won anyway"],
)
def test_its_own_card_gives_the_strength_that_it_misses(table: str, text: str) -> None:
    assert chosen_in(HORN % table, "axe-cop") == text
