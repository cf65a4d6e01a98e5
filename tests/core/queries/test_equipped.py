"""An Item is equipped if it lies upright and its owner may use it now. Some cards are changed for moments that no card
of a built-in set brings about."""

import pytest

from core.language import schema as v
from core.language.selectors import If
from tests.core.changed_cards import scenario_passes, with_cards

WORN = If(wears="head")


@pytest.mark.proves("item.not-usable")
def test_what_lies_in_the_way_is_turned_sideways_and_stays_so() -> None:
    """A Meat Shield that its owner cannot use leaves its hand free for a two-handed spear. When the owner is a Halfling
    again, the spear stays equipped."""
    scenario_passes(
        """
steps = [
  { expect = { equipped = { Kim = ["Meat Shield", "Turning Keys"] } } },
  { by = "Kim", do = "discard", card = "Halfling", expect = { carried = { Kim = ["Meat Shield", "Pickle Spear"] } } },
  { by = "Kim", do = "equip", card = "Pickle Spear" },
  { expect = { equipped = { Kim = ["Pickle Spear", "Turning Keys"] } } },
  { by = "Kim", do = "play", card = "Halfling" },
  { expect = { strength = { Kim = 6 }, carried = { Kim = ["Meat Shield"] } } },
]
[scenario.seats.Kim]
hand = ["Halfling"]
table = ["Halfling", "Cleric", "Meat Shield", "Turning Keys"]
carried = ["Pickle Spear"]
""",
        with_cards(),
    )


@pytest.mark.proves("item.not-usable")
def test_what_its_owner_may_not_use_cannot_be_unequipped() -> None:
    """It is shown sideways. Once its owner may use it, it can be."""
    scenario_passes(
        """
steps = [
  { by = "Kim", do = "discard", card = "Halfling", expect = { carried = { Kim = ["Meat Shield"] } } },
  { by = "Kim", do = "unequip", card = "Meat Shield", refused = "lies so", legal = false },
  { by = "Kim", do = "play", card = "Halfling" },
  { by = "Kim", do = "unequip", card = "Meat Shield", expect = { carried = { Kim = ["Meat Shield"] } } },
]
[scenario.seats.Kim]
hand = ["Halfling"]
table = ["Halfling", "Cleric", "Meat Shield", "Turning Keys"]
""",
        with_cards(),
    )


@pytest.mark.proves("item.not-usable")
def test_two_items_that_ask_about_each_other_count_as_they_lie() -> None:
    """A hat for players who wear a hat, and boots for players who wear no boots: such conditions do not recurse
    endlessly."""
    scenario_passes(
        """
steps = [
  { expect = { strength = { Kim = 7 }, equipped = { Kim = ["Coat Rack of Conquest", "Full Bucket Helm"] } } },
  { expect = { carried = { Kim = ["Wombat Boots"] } } },
]
[scenario.seats.Kim]
level = 2
table = ["Full Bucket Helm", "Wombat Boots", "Coat Rack of Conquest"]
""",
        with_cards(
            full_bucket_helm={"unless": None, "only": WORN},
            wombat_boots={"only": If(none=(If(wears="feet"),))},
        ),
    )


@pytest.mark.proves("item.not-usable")
def test_what_counts_equipped_items_changes_with_the_level_that_allows_one() -> None:
    scenario_passes(
        """
steps = [
  { expect = { strength = { Kim = 6 }, carried = { Kim = ["Wombat Boots"] } } },
  { by = "Roger", do = "play", card = "Level Drain Pipe", on = "Kim", expect = { levels = { Kim = 4 } } },
  { expect = { strength = { Kim = 6 }, equipped = { Kim = ["Coat Rack of Conquest", "Wombat Boots"] } } },
]
[scenario.seats.Kim]
level = 5
table = ["Wombat Boots", "Coat Rack of Conquest"]
[scenario.seats.Roger]
hand = ["Level Drain Pipe"]
""",
        with_cards(
            wombat_boots={"only": If(level_at_most=4), "bonus": 0}, level_drain_pipe={"play": (v.Level(by=-1),)}
        ),
    )  # fmt: skip
