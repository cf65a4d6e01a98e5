"""Deaths at moments when no card of a built-in set kills, and monsters that no built-in set has. One or two cards are
changed for each test."""

import pytest

from core.language import schema as v
from core.language.catalog import Catalog
from core.language.selectors import Cards, If
from tests.core import changed_cards
from tests.core.changed_cards import with_cards

DEADLY = with_cards(level_drain_pipe={"play": (v.Kill(),)}, two_trapdoors={"play": (v.Kill(),)})
"""The set with two curses that kill: Level Drain Pipe and Two Trapdoors."""


def scenario_passes(text: str, catalog: Catalog = DEADLY) -> None:
    """Check that a scenario passes with these cards."""
    changed_cards.scenario_passes(text, catalog)


# ------------------------------------------------------------------------------------------ before the fight is decided
@pytest.mark.proves("death.in-combat", "help.bribe-handover")
def test_a_fighter_who_dies_while_the_kill_is_claimed_has_killed_nothing_and_owes_nothing() -> None:
    scenario_passes(
        """
doors = ["Practice Rat"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger", gives = ["Reforged Sword"], treasures = 1 },
  { by = "Roger", do = "accept" },
  { by = "Kim", do = "claim", expect = { window = "claim" } },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Kim" },
  { expect = { window = "", asks = { Roger = "loot" }, options = { Roger = ["Reforged Sword", "Wombat Boots"] } } },
  { by = "Roger", do = "answer", pick = ["Wombat Boots"] },
  { expect = { monsters = [], levels = { Kim = 6, Roger = 2, Ross = 1 } } },
  { expect = { hand = { Roger = 9, Ross = ["Reforged Sword"] }, turn = "Roger" } },
]
[scenario.seats.Kim]
level = 6
table = ["Reforged Sword", "Wombat Boots"]
[scenario.seats.Roger]
level = 2
hand = ["Elf", "Orc", "Dwarf", "Halfling", "Cleric", "Thief", "Wizard", "Warrior"]
[scenario.seats.Ross]
hand = ["Level Drain Pipe"]
"""
    )


@pytest.mark.proves("death.in-combat", "help.treasure")
def test_a_helper_who_dies_adds_no_strength_any_more_and_the_fighter_draws_face_down() -> None:
    scenario_passes(
        """
doors = ["Bearbug"]
treasures = ["Pickle Spear", "Plot Armor"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger", gives = ["Reforged Sword"], treasures = 2 },
  { by = "Roger", do = "accept", expect = { heroes = 10 } },
  { by = "Roger", do = "use", card = "Warrior", pay = ["Elf", "Orc", "Dwarf"], expect = { heroes = 13 } },
  { by = "Kim", do = "claim" },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { expect = { helper = "", heroes = 8, dead = ["Roger"], window = "claim", identities = { Roger = ["Warrior"] } } },
  { pass = "all" },
  { expect = { levels = { Kim = 7, Roger = 2 }, hand = { Kim = ["Pickle Spear", "Plot Armor"] } } },
  { expect = { equipped = { Kim = ["Reforged Sword"] }, log = "You draw Pickle Spear" } },
]
[scenario.seats.Kim]
level = 6
table = ["Reforged Sword"]
[scenario.seats.Roger]
level = 2
hand = ["Elf", "Orc", "Dwarf"]
table = ["Warrior"]
[scenario.seats.Ross]
hand = ["Level Drain Pipe"]
"""
    )


@pytest.mark.proves("death.in-combat", "death.loot-when")
def test_fighter_and_helper_both_killed_leave_two_bodies_and_no_fight() -> None:
    scenario_passes(
        """
doors = ["Bearbug"]
dice = [2, 5]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger" },
  { by = "Roger", do = "accept" },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { expect = { hand = { Ross = ["Two Trapdoors", "Pickle Spear"] }, monsters = ["Bearbug"] } },
  { by = "Ross", do = "play", card = "Two Trapdoors", on = "Kim" },
  { expect = { hand = { Ross = ["Pickle Spear", "Plot Armor"] }, monsters = [], turn = "Roger" } },
  { expect = { door_top = "Bearbug" } },
]
[scenario.seats.Kim]
carried = ["Plot Armor"]
[scenario.seats.Roger]
carried = ["Pickle Spear"]
[scenario.seats.Ross]
hand = ["Level Drain Pipe", "Two Trapdoors"]
"""
    )


@pytest.mark.proves("death.nothing")
def test_offers_by_and_to_a_dead_player_lapse() -> None:
    scenario_passes(
        """
steps = [
  { by = "Kim", do = "give", cards = ["Plot Armor"], to = "Roger" },
  { by = "Roger", do = "offer", kind = "trade", to = "Ross", gives = ["Pickle Spear"], wants = ["Wombat Boots"] },
  { expect = { offers = 2 } },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { expect = { offers = 0, hand = { Kim = ["Pickle Spear"] } } },
  { expect = { carried = { Kim = ["Plot Armor"], Ross = ["Wombat Boots"] } } },
  { by = "Roger", do = "discard", card = "Elf", refused = "death.nothing" },
]
[scenario.seats.Kim]
level = 3
carried = ["Plot Armor"]
[scenario.seats.Roger]
carried = ["Pickle Spear"]
table = ["Elf"]
[scenario.seats.Ross]
carried = ["Wombat Boots"]
hand = ["Level Drain Pipe"]
"""
    )


# --------------------------------------------------------------------------------------------------- while running away
@pytest.mark.proves("flee.dead-stop", "flee.atomic", "death.loot-when")
def test_a_runner_killed_between_two_rolls_stops_and_the_helper_runs_on() -> None:
    scenario_passes(
        """
doors = ["Practice Rat"]
dice = [6, 6, 6]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Ross", do = "play", card = "Wandering Monster", with = "Bearbug" },
  { by = "Kim", do = "offer", to = "Roger" },
  { by = "Roger", do = "accept" },
  { by = "Kim", do = "flee" },
  { pass = "all" },
  { by = "Kim", do = "answer", pick = ["Kim"] },
  { by = "Roger", do = "answer", pick = ["Kim"] },
  { by = "Kim", do = "roll", target = "Practice Rat" },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Kim" },
  { expect = { dead = ["Kim"], asks = { Roger = "roll" }, hand = { Ross = [] } } },
  { by = "Roger", do = "roll", target = "Bearbug" },
  { by = "Roger", do = "roll", target = "Practice Rat" },
  { expect = { hand = { Roger = ["Plot Armor"], Ross = [] }, turn = "Roger" } },
]
[scenario.seats.Kim]
carried = ["Plot Armor"]
[scenario.seats.Roger]
level = 2
[scenario.seats.Ross]
hand = ["Level Drain Pipe", "Wandering Monster", "Bearbug"]
"""
    )


@pytest.mark.proves("flee.bad-stuff", "flee.order")
def test_the_price_of_an_escape_is_paid_before_running_from_the_next_monster() -> None:
    """One monster lets its runner escape but still hurts it; another monster beside it does not let go."""
    price = v.Discard(cards=Cards(of="victim", zone="hand"))
    catalog = with_cards(zombie_apologist={"mods": (v.Spares(if_=If(level_at_most=2)),), "escaped": (price,)})
    scenario_passes(
        """
doors = ["Zombie Apologist"]
dice = [6]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Roger", do = "play", card = "Wandering Monster", with = "Bearbug" },
  { by = "Kim", do = "flee" },
  { pass = "all", expect = { asks = { Kim = "lose" } } },
  { by = "Kim", do = "answer", pick = ["Elf"] },
  { expect = { asks = { Kim = "roll" }, options = { Kim = ["Bearbug"] }, hand = { Kim = ["Orc"] } } },
  { by = "Kim", do = "roll", target = "Bearbug", expect = { asks = { Kim = "end" } } },
]
[scenario.seats.Kim]
hand = ["Elf", "Orc"]
[scenario.seats.Roger]
hand = ["Wandering Monster", "Bearbug"]
""",
        catalog,
    )


# --------------------------------------------------------------------------------------------------- after a won combat
@pytest.mark.proves("help.treasure", "death.nothing", "help.treasure-picks")
def test_a_fighter_killed_while_treasure_is_shared_leaves_the_helper_only_what_was_promised() -> None:
    scenario_passes(
        """
doors = ["Bearbug"]
treasures = ["Pickle Spear", "Plot Armor"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger", treasures = 1 },
  { by = "Roger", do = "accept" },
  { by = "Kim", do = "claim" },
  { pass = "all", expect = { asks = { Kim = "share" } } },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Kim" },
  { expect = { dead = [], levels = { Kim = 7 }, hand = { Roger = 1 }, turn = "Roger" } },
]
[scenario.seats.Kim]
level = 6
[scenario.seats.Roger]
level = 2
[scenario.seats.Ross]
hand = ["Level Drain Pipe"]
"""
    )


@pytest.mark.proves("help.treasure", "death.nothing")
def test_a_helper_killed_while_treasure_is_shared_takes_nothing() -> None:
    scenario_passes(
        """
doors = ["Bearbug"]
treasures = ["Pickle Spear", "Plot Armor"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger", treasures = 1 },
  { by = "Roger", do = "accept" },
  { by = "Kim", do = "claim" },
  { pass = "all", expect = { asks = { Kim = "share" } } },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { expect = { dead = ["Roger"], hand = { Kim = ["Pickle Spear", "Plot Armor"], Roger = 0 } } },
  { expect = { asks = { Kim = "end" } } },
]
[scenario.seats.Kim]
level = 6
[scenario.seats.Roger]
level = 2
[scenario.seats.Ross]
hand = ["Level Drain Pipe"]
"""
    )


# -------------------------------------------------------------------------------------------------------- while looting
@pytest.mark.proves("death.loot", "death.loot-when", "death.nothing")
def test_a_looter_killed_while_looting_takes_nothing_and_is_looted_next() -> None:
    scenario_passes(
        """
steps = [
  { by = "Rita", do = "play", card = "Level Drain Pipe", on = "Kim", expect = { asks = { Roger = "loot" } } },
  { by = "Rita", do = "play", card = "Two Trapdoors", on = "Roger" },
  { expect = { dead = ["Kim", "Roger"], asks = { Ross = "loot" } } },
  { by = "Ross", do = "answer", pick = ["Elf"] },
  { expect = { hand = { Ross = ["Elf"] }, asks = { Rita = "loot" }, options = { Rita = ["Orc", "Dwarf"] } } },
  { by = "Rita", do = "answer", pick = ["Orc"] },
  { expect = { asks = { Ross = "loot" }, options = { Ross = ["Halfling", "Warrior", "Wizard"] } } },
  { by = "Ross", do = "answer", pick = ["Halfling"] },
  { by = "Rita", do = "answer", pick = ["Wizard"] },
  { expect = { hand = { Ross = ["Elf", "Halfling"], Rita = ["Orc", "Wizard"], Kim = 0 }, turn = "Roger" } },
  { expect = { dead = [] } },
]
[scenario.seats.Kim]
hand = ["Elf", "Orc", "Dwarf"]
[scenario.seats.Roger]
level = 9
hand = ["Halfling", "Warrior", "Wizard"]
[scenario.seats.Ross]
level = 4
[scenario.seats.Rita]
level = 2
hand = ["Level Drain Pipe", "Two Trapdoors"]
"""
    )


@pytest.mark.proves("death.turn-ends", "turn.charity-dead")
def test_a_player_who_dies_in_their_own_turn_kicks_no_more_doors_and_gives_no_charity() -> None:
    scenario_passes(
        """
dice = [2, 5]
doors = ["Elf"]
steps = [
  { by = "Kim", do = "kick", expect = { window = "kick" } },
  { by = "Roger", do = "play", card = "Level Drain Pipe", on = "Kim" },
  { expect = { window = "", turn = "Roger", hand = { Kim = 0 } } },
]
[scenario.seats.Kim]
level = 3
[scenario.seats.Roger]
hand = ["Level Drain Pipe"]
"""
    )
    scenario_passes(
        """
doors = ["Practice Rat"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "claim" },
  { pass = "all" },
  { by = "Kim", do = "end_turn", expect = { asks = { Kim = "charity" } } },
  { by = "Roger", do = "play", card = "Level Drain Pipe", on = "Kim", expect = { asks = { Roger = "loot" } } },
  { by = "Roger", do = "answer", pick = ["Elf"], expect = { asks = { Ross = "loot" } } },
  { by = "Ross", do = "answer", pick = ["Orc"] },
  { expect = { turn = "Roger", dead = [], hand = { Roger = 1, Ross = 1 } } },
]
[scenario.seats.Kim]
level = 3
hand = ["Elf", "Orc", "Dwarf", "Halfling", "Thief", "Wizard"]
[scenario.seats.Roger]
level = 2
hand = ["Level Drain Pipe"]
[scenario.seats.Ross]
"""
    )
