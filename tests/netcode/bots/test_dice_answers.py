"""Bots have a die rolled again if the new number is likely to be better for them, and leave it otherwise."""

import random

import pytest

from core.language import schema as v
from core.language.catalog import Catalog
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load
from core.scenario.steps import ScenarioGame
from core.state.actions import Action, Answer, Legal, Pick, Play
from core.state.model import State
from core.state.reader import Reader, seat_with_card
from core.view import view
from netcode.bots.brain import Brain
from netcode.bots.effect_values import read
from netcode.bots.player import Observation
from netcode.bots.points import LEVEL, mod_points
from netcode.simulation.game import SimulatedGame
from tests.blends import values_of
from tests.core.dice_pack import CATALOG
from tests.netcode.bots.bot_views import ViewBuilder, ask
from tests.netcode.bots.bot_views import decided as decided_on
from tests.scenarios import catalog_for

RUN = """
[[scenario]]
name = "running from a Large Puddle"
turn = "Molly"
dice = [%d]
doors = ["Large Puddle"]
steps = [
  { by = "Molly", do = "kick" }, { pass = "all" }, { by = "Molly", do = "flee" }, { pass = "all" },
  { by = "Molly", do = "roll" },
]
[scenario.seats.Molly]
level = 3
table = [%s]
[scenario.seats.Nick]
level = 3
table = [%s]
"""

PLAY = """
[[scenario]]
name = "a card has a die rolled"
turn = "Molly"
dice = [%d]
steps = [{ by = "Molly", do = "play", card = "%s" }]
[scenario.seats.Molly]
level = 3
hand = ["%s"]
table = ["Gambler"]
"""


GROUP = """
[[scenario]]
name = "everybody rolls a die"
turn = "Molly"
dice = [%d]
steps = [{ by = "Molly", do = "play", card = "Group Check", on = "Nick" }]
[scenario.seats.Molly]
level = 3
hand = ["Group Check"]
table = ["Candle Hat of Second Looks"]
[scenario.seats.Nick]
level = 9
[scenario.seats.Olga]
level = 8
"""


LAPS = """
[[scenario]]
name = "cards that give extra turns"
turn = "Molly"
steps = [%s]
[scenario.seats.Molly]
hand = ["Lap", "Lap"]
"""


def position(text: str, catalog: Catalog = CATALOG) -> State:
    """Return the state after the steps of a scenario."""
    (scenario,) = load(text.encode(), "it.toml")
    cast = Cast(catalog, scenario)
    game = ScenarioGame(cast, lay_out(cast), strict=True)
    for step in scenario.steps:
        assert game.do(step) is None
    return game.state


def decided(state: State, seat: int, catalog: Catalog = CATALOG) -> Action | None:
    """Return what a bot in this seat does."""
    bot = Brain(catalog, "normal", random.Random(1), values_of(catalog))
    return bot.decide(Observation(view(catalog, state, seat)))


def rolls_again(text: str, seat: int, catalog: Catalog = CATALOG) -> bool:
    """Return whether a bot in this seat has the die of this position rolled again."""
    state = position(text, catalog)
    assert [ask.kind for ask in state.stack[-1].asks if ask.seat == seat] == ["throw again"]
    answer = decided(state, seat, catalog)
    assert isinstance(answer, Answer)
    (pick,) = answer.picks
    assert pick == 0 or seat_with_card(Reader(catalog, state), pick) == seat
    return pick != 0


@pytest.mark.parametrize(("number", "again"), [(2, True), (5, False)])
def test_it_rolls_again_to_escape(number: int, again: bool) -> None:
    assert rolls_again(RUN % (number, '"Lucky Sock"', ""), 0) == again


def test_it_leaves_a_rival_who_was_caught() -> None:
    assert not rolls_again(RUN % (1, "", '"Hex Doll"'), 1)


@pytest.mark.parametrize(
    ("number", "card", "again"),
    [(1, "Coin", True), (4, "Coin", False), (1, "Spinner", True), (20, "Spinner", False), (3, "Spinner", False)],
)
def test_it_reads_what_a_number_does(number: int, card: str, again: bool) -> None:
    assert rolls_again(PLAY % (number, card, card), 0) == again


@pytest.mark.parametrize(("number", "again"), [(3, True), (8, False), (16, False)])
def test_of_a_die_that_everybody_rolls_it_judges_its_own(number: int, again: bool) -> None:
    assert rolls_again(GROUP % number, 0, catalog_for(("munchkins-and-mazes",))) == again


def test_the_sides_of_a_die_count_in_the_value_of_its_text() -> None:
    spin = v.Die(save="x", sides=20)
    twenty = v.Level(who="you", if_=v.If(saved="x", at_least=20))
    assert read((spin, twenty)).you == pytest.approx(LEVEL / 20)
    high = v.Level(who="you", if_=v.If(none=(v.If(saved="x", at_most=4),)))
    assert read((v.Die(save="x"), high)).you == pytest.approx(LEVEL / 3)
    branch = v.Branch(if_=v.If(saved="x", at_most=2), then=(v.Level(who="you"),), else_=(v.Level(who="you", by=-1),))
    assert read((v.Die(save="x"), branch)).you == pytest.approx(-LEVEL / 3)
    assert read((spin, v.Bonus(by=v.Amount(saved="x"), side="heroes"))).heroes == pytest.approx(10.5)


def test_it_plays_a_card_for_an_extra_turn_and_no_second_one_of_which_nothing_comes() -> None:
    assert isinstance(decided(position(LAPS % ""), 0), Play)
    assert not isinstance(decided(position(LAPS % '{ by = "Molly", do = "play", card = "Lap" }'), 0), Play)


@pytest.mark.parametrize("number", range(3))
def test_bots_play_whole_games_with_dice_and_extra_turns(number: int) -> None:
    game = SimulatedGame(CATALOG, ["easy", "normal", "hard", "random"], number)
    assert game.play(1000) == "ended"
    assert game.refused == []


def test_rolling_again_is_worth_what_it_does() -> None:
    """A card for every die is worth more than one for rolls to run away; one for everybody's dice more than one for its
    owner's; one that stays more than one that is discarded. Bots compare cards in hand in the same way."""
    everything = mod_points(v.ThrowAgain(per="turn"))
    assert everything > mod_points(v.ThrowAgain(of="run", per="turn")) > 0
    assert mod_points(v.ThrowAgain(whose="any", per="turn")) > everything
    assert everything > mod_points(v.ThrowAgain(spent=True)) > 0
    table = ViewBuilder()
    cards = [table.holds("Cocked Die"), table.holds("Candle Hat of Second Looks"), table.holds("Crown of Small Taxes")]
    row = Legal(Answer(1), Pick("picks", tuple(cards), 1, 1))
    assert decided_on(table.see(row, asks=[ask("charity", *cards)])) == Answer(1, (cards[2],))
