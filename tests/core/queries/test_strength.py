"""A bonus that does not count for one hero still counts for the other: effects on a player concern that player's
cards."""

import pytest

from core.language import schema as v
from core.language.selectors import If
from tests.core.changed_cards import scenario_passes, with_cards

FIGHT = """
doors = ["Bearbug"]
steps = [
  {{ by = "Kim", do = "kick" }},
  {{ pass = "all" }},
  {{ by = "Kim", do = "offer", to = "Roger" }},
  {{ by = "Roger", do = "accept", expect = {{ heroes = 5 }} }},
  {{ by = "{thrower}", do = "play", card = "Prismatic Glitter", side = "heroes", expect = {{ heroes = {heroes} }} }},
]
[scenario.seats.Kim]
level = 3
hand = ["Prismatic Glitter"]
[scenario.seats.Roger]
level = 2
curses = ["Butterfingers"]
hand = ["Prismatic Glitter"]
[scenario.seats.Ross]
hand = ["Prismatic Glitter"]
"""


@pytest.mark.parametrize(("thrower", "heroes"), [("Kim", 10), ("Roger", 5), ("Ross", 10)])
@pytest.mark.parametrize(
    "ignore", [v.Ignore(what="one-shots"), v.Ignore(what="bonuses"), v.Ignore(what="items", tag="wet")]
)
def test_a_curse_on_one_hero_takes_only_what_that_one_throws(ignore: v.Ignore, thrower: str, heroes: int) -> None:
    catalog = with_cards(
        butterfingers={"play": (v.Linger(until="next-combat", mods=(ignore,)),)},
        prismatic_glitter={"copies": 3, "tags": ("wet",)},
    )
    scenario_passes(FIGHT.format(thrower=thrower, heroes=heroes), catalog)


def test_what_a_monster_takes_is_taken_from_whatever_is_thrown_for_the_heroes() -> None:
    catalog = with_cards(bearbug={"mods": (v.Ignore(what="one-shots"),)}, prismatic_glitter={"copies": 3})
    scenario_passes(FIGHT.format(thrower="Ross", heroes=5), catalog)


@pytest.mark.parametrize("drawback", [None, True, False])
def test_a_cheat_gives_the_highest_bonus_whatever_is_said_of_its_condition(drawback: bool | None) -> None:
    """A `drawback` mark asks about no other seat: the bonus still depends on the owner alone."""
    mod = v.Strength(by=2, if_=If(has="wizard", drawback=drawback))
    scenario_passes(
        """
steps = [{ expect = { strength = { Kim = 3 } } }]
[scenario.seats.Kim]
table = ["Cheat! > Tricorne of Three Opinions"]
""",
        with_cards(tricorne_of_three_opinions={"bonus": 0, "mods": (mod,)}),
    )
