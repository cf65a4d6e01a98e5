"""Texts of cards in play that run at a moment of the game: at the start of a turn, and after a fight that is won."""

import pytest

from tests.core.kitchen import outcome

DAWN = """
[[scenario]]
name = "The Jar fills before the Colander, and the Apprentice wears out after it, if it is still there"
turn = "Molly"
steps = [
  { expect = { asks = { Molly = "lose" }, counters = { Molly = { Jar = 1, Apprentice = 2 }, Nick = {} } } },
  { by = "Molly", do = "answer", pick = ["LOST"] },
  { expect = { asks = { Molly = "kick" }, counters = { Molly = { LEFT = 1 } } } },
]
[scenario.seats.Molly]
table = ["Jar", "Colander", "Apprentice"]
counters = { Apprentice = 2 }
[scenario.seats.Nick]
table = ["Yeast"]
"""

SIDEWAYS = """
[[scenario]]
name = "Yeast grows only where it is worn"
turn = "Molly"
steps = [{ expect = { counters = { Molly = COUNTERS }, asks = { Molly = "kick" } } }]
[scenario.seats.Molly]
PLACE = ["Yeast"]
"""

WON = """
[[scenario]]
name = "Identities, Allies and Item Enhancers on equipped Items say something of a fight that is won"
turn = "Molly"
doors = ["Small Puddle", "Plumber"]
treasures = ["Cheer", "Fork"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all" },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { hand = { Molly = ["Cheer", "Fork", "Plumber"] } } },
  { expect = { counters = { Molly = COUNTERS } } },
]
[scenario.seats.Molly]
level = 2
table = ["Hen", "Jackdaw", "Patina > Mop"]
MORE
[scenario.seats.Nick]
"""


@pytest.mark.proves("turn.texts")
def test_texts_for_the_start_of_a_turn_run_one_after_another_as_they_lie() -> None:
    assert outcome(DAWN.replace("LOST", "Apprentice").replace("LEFT", "Jar")) == "fine"
    assert outcome(DAWN.replace("LOST", "Jar").replace("LEFT", "Apprentice")) == "fine"
    assert outcome(SIDEWAYS.replace("PLACE", "table").replace("COUNTERS", "{ Yeast = 1 }")) == "fine"
    assert outcome(SIDEWAYS.replace("PLACE", "carried").replace("COUNTERS", "{}")) == "fine"


def test_every_kind_of_lasting_card_has_a_say_after_a_fight() -> None:
    assert outcome(WON.replace("COUNTERS", "{ Patina = 1 }").replace("MORE", "")) == "fine"
    assert outcome(WON.replace("COUNTERS", "{}").replace("MORE", 'carried = ["Mop"]')) == "fine"
