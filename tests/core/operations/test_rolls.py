"""Rolls whose number a card decides."""

import msgspec

from core.language import schema as v
from core.scenario.runner import load, run
from tests.scenarios import catalog_for

TIED = """
[[scenario]]
name = "Two who may loot roll for who is first"
doors = ["Elf"]
dice = [3, 4]
steps = [
  { by = "Kim", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { by = "Kim", do = "play", card = "Level Drain Pipe", on = "Ross" },
  { by = "Kim", do = "play", card = "Two Trapdoors", on = "Kim", expect = { asks = { Ross = "loot" } } },
  { by = "Ross", do = "answer", pick = ["Orc"], expect = { hand = { Ross = 1, Roger = 1 } } },
]
[scenario.seats.Kim]
hand = ["Level Drain Pipe", "Level Drain Pipe", "Two Trapdoors", "Orc", "Dwarf"]
[scenario.seats.Roger]
[scenario.seats.Ross]
"""


def test_a_fixed_number_that_lasts_longer_than_one_roll_decides_no_roll() -> None:
    """Otherwise two players with the same number until the end of the turn would roll forever for who is first."""
    catalog = catalog_for(("munchkins-and-mazes",))
    pipe, edition = catalog.named("Level Drain Pipe"), catalog.named("Two Trapdoors")
    fixed = (v.Linger(until="turn", mods=(v.RollIs(value=2),)),)
    catalog = catalog.with_card(pipe.no, msgspec.structs.replace(pipe.card, play=fixed, copies=2))
    catalog = catalog.with_card(edition.no, msgspec.structs.replace(edition.card, play=(v.Kill(),)))
    (scenario,) = load(TIED.encode(), "rolls")
    failure = run(catalog, scenario)
    assert failure is None, f"\n{failure}"
