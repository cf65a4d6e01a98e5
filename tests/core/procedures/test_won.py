"""Texts of the winners' cards for a fight that is won with a kill (combat.won-texts)."""

import pytest

from tests.core.kitchen import outcome

HELPED = """
[[scenario]]
name = "Fighter and helper, before Treasure is shared"
turn = "Molly"
doors = ["Large Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all", expect = { heroes = 6, foes = 5 } },
  { by = "Molly", do = "offer", to = "Nick", treasures = 1 },
  { by = "Nick", do = "accept" },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { asks = { Molly = "share" }, levels = { Molly = 5, Nick = 2, Olga = 1 } } },
  { expect = { counters = { Nick = { Sourdough = 1 }, Olga = {} } } },
  { default = "Molly" },
]
[scenario.seats.Molly]
level = 3
table = ["Trophy Shelf", "Mop"]
[scenario.seats.Nick]
table = ["Sourdough", "Trophy Shelf"]
[scenario.seats.Olga]
table = ["Sourdough"]
"""

ORDER = """
[[scenario]]
name = "One after another as they lie: what is lost meanwhile does nothing, and Treasure comes afterwards"
turn = "Molly"
rest = "none"
doors = ["Small Puddle"]
treasures = ["Cheer", "Fork"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all" },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { asks = { Molly = "lose" }, levels = { Molly = 3 } } },
  { expect = { hand = { Molly = 0 }, treasures = 2 } },
  { expect = { options = { Molly = ["Mop", "Sourdough", "Sourdough", "Trophy Shelf"] } } },
  { expect = { counters = { Molly = { Sourdough = 1 } } } },
  { by = "Molly", do = "answer", pick = ["Sourdough#2"] },
  { expect = { counters = { Molly = { Sourdough = 1 } }, asks = { Molly = "end" } } },
  { expect = { hand = { Molly = 1 }, treasures = 1 } },
]
[scenario.seats.Molly]
level = 1
table = ["Sourdough", "Trophy Shelf", "Compost", "Sourdough"]
carried = ["Mop"]
[scenario.seats.Nick]
"""

NINE = """
[[scenario]]
name = "No winning level from a shelf"
turn = "Molly"
doors = ["Small Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all", expect = { match_point = false } },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { levels = { Molly = 9 }, winners = [] } },
]
[scenario.seats.Molly]
level = 8
table = ["Trophy Shelf"]
[scenario.seats.Nick]
"""

SIDEWAYS = """
[[scenario]]
name = "A card that lies sideways does nothing"
turn = "Molly"
doors = ["Small Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all" },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { counters = { Molly = { Sourdough = 1 } }, levels = { Molly = 4 } } },
]
[scenario.seats.Molly]
level = 3
carried = ["Sourdough"]
counters = { Sourdough = 1 }
[scenario.seats.Nick]
"""

KILLED = """
[[scenario]]
name = "A monster killed outright counts, one that is washed away does not"
turn = "Molly"
doors = ["Small Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all" },
  { by = "Molly", do = "play", card = "CARD", target = "Small Puddle" },
  LAST
]
[scenario.seats.Molly]
hand = ["CARD"]
table = ["Sourdough"]
[scenario.seats.Nick]
"""

LOST = """
[[scenario]]
name = "A lost fight brings nothing"
turn = "Molly"
doors = ["Large Puddle"]
dice = [6]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all" },
  { by = "Molly", do = "flee" },
  { pass = "all" },
  { by = "Molly", do = "roll", expect = { counters = { Molly = {} }, asks = { Molly = "end" } } },
]
[scenario.seats.Molly]
table = ["Sourdough"]
[scenario.seats.Nick]
"""


@pytest.mark.proves("combat.won-texts")
def test_texts_of_fighter_and_helper_run_before_treasure_is_drawn() -> None:
    assert outcome(HELPED) == "fine"
    assert outcome(ORDER) == "fine"
    assert outcome(SIDEWAYS) == "fine"


@pytest.mark.proves("combat.won-texts")
def test_the_level_of_such_a_text_is_not_the_winning_one() -> None:
    assert outcome(NINE) == "fine"


@pytest.mark.proves("combat.won-texts")
def test_a_fight_without_a_kill_or_a_lost_one_brings_nothing() -> None:
    killed = '{ pass = "all", expect = { counters = { Molly = { Sourdough = 1 } }, levels = { Molly = 2 } } }'
    removed = "{ expect = { counters = { Molly = {} }, levels = { Molly = 1 } } }"
    assert outcome(KILLED.replace("CARD", "Blowtorch").replace("LAST", killed)) == "fine"
    assert outcome(KILLED.replace("CARD", "Hose").replace("LAST", removed)) == "fine"
    assert outcome(LOST) == "fine"
