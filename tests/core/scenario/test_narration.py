"""Scenarios told in words: the situation, the events, and refusals with their reasons."""

import pytest

import cards
from core.language import catalog as catalogs
from core.scenario.narration import LINES, narrate
from core.scenario.schema import load

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
CURFEW = """
[[scenario]]
name = "Curfew"
turn = "Cy"
doors = ["Kid", "Militia", "Blogger"]
steps = [
  { by = "Bo", do = "play", card = "Disaster! Curfew", on = "Ann" },
  { by = "Cy", do = "kick" },
  { pass = "all" },
  { by = "Cy", do = "loot" },
  { by = "Cy", do = "end_turn" },
  { by = "Ann", do = "kick" },
  { pass = "all" },
  { by = "Ann", do = "trouble", card = "Feral Intern", refused = "turn.trouble" },
  { by = "Ann", do = "loot", refused = "turn.loot" },
]
open = true

[scenario.seats.Ann]
hand = ["Feral Intern"]

[scenario.seats.Bo]
hand = ["Disaster! Curfew"]

[scenario.seats.Cy]
"""


def test_an_example_tells_situation_events_and_refusals() -> None:
    (scenario,) = load(RUN.replace('table = ["Cheat! > Threehander"]', "").encode(), "test")
    lines = narrate(MAZES, scenario)
    assert lines[:2] == ("Kim: Level 1; in hand Greater and Orc.", "Behind the door: Practice Rat.")
    assert "Kim fights Practice Rat (Level 1)." in lines
    assert lines[-1].startswith("Kim cannot claim the kill: To win, the heroes need more strength")


def test_attachments_and_unknown_cards_are_named_as_written() -> None:
    (scenario,) = load(RUN.replace("Orc", "No Such Card").encode(), "test")
    (first, *_) = narrate(MAZES, scenario)
    assert first == "Kim: Level 1; in play Cheat! on Threehander; in hand Greater and No Such Card."


@pytest.mark.long(4)
@pytest.mark.parametrize("set_id", cards.BUILT_IN)
def test_every_scenario_can_be_told(set_id: str) -> None:
    catalog = catalogs.load([cards.pack_files(set_id)])
    found = [one for name, data in cards.scenario_files(set_id).items() for one in load(data, name) if not one.sets]
    for scenario in found[:: max(1, len(found) // 60)]:
        lines = narrate(catalog, scenario)
        assert 1 <= len(lines) <= LINES, scenario.name
        assert all(line and "{" not in line for line in lines), scenario.name


@pytest.mark.long(4)
@pytest.mark.parametrize("set_id", cards.BUILT_IN)
def test_what_a_card_forbids_is_told_with_its_name(set_id: str) -> None:
    catalog = catalogs.load([cards.pack_files(set_id)])
    found = [one for name, data in cards.scenario_files(set_id).items() for one in load(data, name) if not one.sets]
    by_card = ("no looting", "no sale", "no switching", "no asking", "item.barred", "combat.many-abilities")
    told_of = [one for one in found if any(step.refused in by_card for step in one.steps)]
    for scenario in told_of:
        text = " ".join(narrate(catalog, scenario))
        for unnamed in ("A card in play", "A card bars", "A monster in this fight"):
            assert unnamed not in text, scenario.name
    assert told_of or set_id == "warhammer-40k"


def test_a_delayed_curse_is_named_when_it_begins_and_when_it_forbids() -> None:
    catalog = catalogs.load([cards.pack_files("apocalypse")])
    (scenario,) = load(CURFEW.encode(), "test")
    lines = narrate(catalog, scenario)
    assert "Disaster! Curfew affects Ann in the next turn." in lines
    assert "Disaster! Curfew affects Ann from now on." in lines
    assert lines[-2] == "Ann cannot look for trouble: Disaster! Curfew forbids you to look for trouble."
    assert lines[-1] == "Ann cannot loot the room: Disaster! Curfew forbids you to loot the room."


WEARS = """
[[scenario]]
name = "Boots"
steps = [{ by = "Kim", do = "play", card = "Pickle Spear" }]
open = true

[scenario.seats.Kim]
hand = ["Pickle Spear"]
"""


def test_an_example_ends_with_the_strengths_that_have_changed() -> None:
    (scenario,) = load(WEARS.encode(), "test")
    assert narrate(MAZES, scenario)[-1] == "Kim has strength 5 in the end, before 1."
