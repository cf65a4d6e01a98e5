"""Lines of the log about several monsters of one name: which of them is meant, as on the screen."""

from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load as load_scenarios
from core.scenario.steps import ScenarioGame
from core.text.foes import Foes
from core.text.log import log_line
from tests.scenarios import catalog_for

SETS = ("munchkins-and-mazes", "apocalypse")
BEGIN = """
[[scenario]]
name = "several of one name"
proves = ["combat.copy"]
doors = ["Bearbug"]
rest = "none"
open = true
"""
HANDS = """
[scenario.seats.Ann]
level = 5
[scenario.seats.Bo]
hand = ["Life Partner", "Greater", "Portable Trapdoor", "It Has a Permit", "Prismatic Glitter"]
[scenario.seats.Cy]
hand = ["Photocopier", "Slightly Luminous", "Fistful of Angry Dice"]
"""
KICKED = '{ by = "Ann", do = "kick" }, { pass = "all" }'


def told(dice: str, *steps: str) -> list[list[str]]:
    """Return the lines of a spectator's log about each of these steps."""
    text = f"{BEGIN}dice = {dice}\nsteps = [{', '.join((KICKED, *steps))}]{HANDS}"
    (scenario,) = load_scenarios(text.encode(), "it.toml")
    cast = Cast(catalog_for(SETS), scenario)
    game, lines = ScenarioGame(cast, lay_out(cast)), []
    for step in scenario.steps:
        assert game.do(step) is None, game.reason
        foes, found = Foes(game.foes), []
        for event in game.events:
            line = log_line(event, cast.catalog, cast.names, -1, foes)
            found += [line] if line else []
            foes.follow(event)
        lines.append(found)
    return lines[2:]


COPY = '{ by = "Cy", do = "play", card = "Photocopier", target = "Bearbug" }'


def test_of_two_equal_monsters_the_log_says_which_one_a_card_was_played_on() -> None:
    before = '{ by = "Bo", do = "play", card = "Greater", target = "Bearbug" }'
    after = '{ by = "Cy", do = "play", card = "Slightly Luminous", target = "Bearbug#2" }'
    gone = '{ by = "Bo", do = "play", card = "Portable Trapdoor", target = "Bearbug" }'
    alone = '{ by = "Bo", do = "play", card = "It Has a Permit", target = "Bearbug" }'
    lines = told("[2]", before, COPY, after, gone, alone)
    assert lines[0] == ["Bo plays Greater on Bearbug"]
    assert lines[1][-1] == "A copy of Bearbug (Level 6) joins"
    assert lines[2] == ["Cy plays Slightly Luminous on Bearbug #2"]
    assert lines[3][-1].startswith("Bearbug #1 is ")
    assert lines[4] == ["Bo plays It Has a Permit on Bearbug"]


def test_what_is_played_on_one_of_two_partners_is_said_to_be_on_both() -> None:
    partner = '{ by = "Bo", do = "play", card = "Life Partner", target = "Bearbug#2" }'
    both = '{ by = "Bo", do = "play", card = "Greater", target = "Bearbug#3" }'
    lines = told("[2]", COPY, partner, both)
    assert lines[1] == ["Bo plays Life Partner on Bearbug #2", "Bo lets Bearbug (Level 6) join"]
    assert lines[2] == ["Bo plays Greater on Bearbug #2 and #3"]


def test_a_runner_sees_from_which_of_them_it_runs_never_the_card_that_brought_it() -> None:
    partner = '{ by = "Bo", do = "play", card = "Life Partner", target = "Bearbug" }'
    second = '{ by = "Ann", do = "roll", target = "Bearbug#2" }'
    first = '{ by = "Ann", do = "roll", target = "Bearbug" }'
    lines = told("[6, 5]", partner, '{ by = "Ann", do = "flee" }', '{ pass = "all" }', second, first)
    assert lines[3][:2] == ["Ann rolls 6 to run from Bearbug #2; 5 needed", "Ann escapes from Bearbug #2"]
    assert lines[4][:2] == ["Ann rolls 5 to run from Bearbug #1; 5 needed", "Ann escapes from Bearbug #1"]


def test_all_are_killed_in_the_end_and_nobody_counts_them() -> None:
    stronger = '{ by = "Bo", do = "play", card = "Prismatic Glitter", side = "heroes" }'
    more = '{ by = "Cy", do = "play", card = "Fistful of Angry Dice", side = "heroes" }'
    help_ = ['{ by = "Ann", do = "offer", kind = "help", to = "Bo", treasures = 0 }', '{ by = "Bo", do = "accept" }']
    won = told("[2]", COPY, stronger, more, *help_, '{ by = "Ann", do = "claim" }', '{ pass = "all" }')[-1]
    killed = [line for line in won if "killed" in line]
    assert len(killed) == 2 and all(line.startswith("Bearbug is killed") for line in killed)
