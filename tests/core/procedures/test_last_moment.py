"""The last moment of a fight, in cases that no card of a built-in set brings about. One or two cards are changed."""

import pytest

from core.language import schema as v
from tests.core.changed_cards import scenario_passes, with_cards

DEADLY = with_cards(level_drain_pipe={"play": (v.Kill(),)})
"""The set with a curse that kills: Level Drain Pipe."""
HANDED_OVER = """
doors = ["Bearbug"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Ross", do = "play", card = "Wandering Monster", with = "Plot Bunny" },
  { by = "Kim", do = "play", card = "Reductio ad Absurdum", target = "Plot Bunny" },
  { by = "Kim", do = "play", card = "Tag, You're It" },
  { by = "Kim", do = "answer", pick = ["Roger"] },
  %s
]
rest = "none"
[scenario.seats.Kim]
level = %d
hand = ["Reductio ad Absurdum", "Tag, You're It", "Pressing Engagement"]
[scenario.seats.Roger]
level = 4
[scenario.seats.Ross]
level = 2
hand = ["Wandering Monster", "Plot Bunny", "Level Drain Pipe", "Two Trapdoors", "Prismatic Glitter", "Crowd-Pleasing"]
"""


@pytest.mark.proves("combat.last-moment")
def test_a_fighter_who_dies_leaves_a_moment_before_another_is_paid_the_winning_level() -> None:
    steps = """
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { expect = { dead = ["Roger"], winners = [], window = "reward", match_point = true, levels = { Kim = 9 } } },
  { close = true, refused = "combat.last-moment" },
  { by = "Ross", do = "play", card = "Prismatic Glitter", side = "monsters", refused = "combat.interfere" },
  { by = "Ross", do = "play", card = "Crowd-Pleasing", target = "Bearbug", refused = "combat.interfere" },
  { by = "Kim", do = "play", card = "Pressing Engagement", refused = "combat.interfere" },
  { pass = "all", expect = { winners = ["Kim"] } },
"""
    scenario_passes(HANDED_OVER % (steps, 9), DEADLY)


@pytest.mark.proves("combat.last-moment")
def test_a_curse_in_that_moment_costs_the_win_and_closes_it() -> None:
    steps = """
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger", expect = { window = "reward" } },
  { by = "Ross", do = "play", card = "Two Trapdoors", on = "Kim" },
  { expect = { winners = [], window = "", levels = { Kim = 8 }, monsters = [] } },
"""
    scenario_passes(HANDED_OVER % (steps, 9), DEADLY)


@pytest.mark.proves("combat.last-moment")
def test_a_fighter_who_dies_ends_the_fight_at_once_if_nobody_wins_by_it() -> None:
    steps = """
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { expect = { winners = [], window = "", levels = { Kim = 9 }, monsters = [] } },
"""
    scenario_passes(HANDED_OVER % (steps, 8), DEADLY)


@pytest.mark.proves("combat.last-moment")
def test_a_level_that_a_monster_orders_for_its_death_opens_a_moment_of_its_own() -> None:
    catalog = with_cards(plot_bunny={"killed": (v.Level(by=1, who="fighter"),)})
    scenario_passes(
        """
doors = ["Plot Bunny"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "claim", expect = { match_point = false } },
  { close = true, expect = { levels = { Kim = 9 }, winners = [], window = "reward", match_point = true } },
  { close = true, refused = "combat.last-moment" },
  { by = "Ross", do = "play", card = "Two Trapdoors", on = "Kim", expect = { levels = { Kim = 8 }, winners = [] } },
]
[scenario.seats.Kim]
level = 8
[scenario.seats.Ross]
hand = ["Two Trapdoors"]
""",
        catalog,
    )
