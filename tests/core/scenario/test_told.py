"""Scenarios told in words: what each has, what happens, what is refused and why."""

import pytest

import cards
from core.language import catalog as catalogs
from core.scenario.schema import load
from core.scenario.told import LINES, told

MAZES = catalogs.load([cards.pack_files("munchkins-and-mazes")])
RUN = """
[[scenario]]
name = "A tie"
doors = ["Practice Rat"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "claim", refused = "combat.compare" },
]
open = true

[scenario.seats.Kim]
hand = ["Greater", "Orc"]
table = ["Cheat! > Threehander"]
"""


def test_an_example_tells_situation_events_and_refusals() -> None:
    (scenario,) = load(RUN.replace('table = ["Cheat! > Threehander"]', "").encode(), "test")
    lines = told(MAZES, scenario)
    assert lines[:2] == ("Kim: Level 1; in hand Greater and Orc.", "Behind the door: Practice Rat.")
    assert "Kim fights Practice Rat (Level 1)." in lines
    assert lines[-1].startswith("Kim cannot claim the kill: To win, the heroes need more strength")


def test_attachments_and_unknown_cards_are_named_as_written() -> None:
    (scenario,) = load(RUN.replace("Orc", "No Such Card").encode(), "test")
    assert told(MAZES, scenario)[0] == "Kim: Level 1; in play Cheat! on Threehander; in hand Greater and No Such Card."


@pytest.mark.parametrize("set_id", cards.BUILT_IN)
def test_every_scenario_can_be_told(set_id: str) -> None:
    catalog = catalogs.load([cards.pack_files(set_id)])
    found = [one for name, data in cards.scenario_files(set_id).items() for one in load(data, name) if not one.sets]
    for scenario in found[:: max(1, len(found) // 60)]:
        lines = told(catalog, scenario)
        assert 1 <= len(lines) <= LINES, scenario.name
        assert all(line and "{" not in line for line in lines), scenario.name
