"""Learning in a real terminal: the first start offers it once, a scene is played to its end, a puzzle is solved."""

import re

from tests.e2e.hosts_and_players import ProgramRunner, fights_at


def test_the_first_start_offers_the_first_game_once(runner: ProgramRunner) -> None:
    screen = runner.run("Ada")
    screen.wait_for("New here?")
    screen.press("y")
    screen.wait_for("Scene 1 of 5")
    screen.press("C-q")
    screen.wait_for("LEAVE?")
    screen.press("1")
    screen.wait_for("Play against bots")
    screen.press("Escape")
    assert screen.ended()[0] == 0
    again = runner.run("Ada")
    shown = again.wait_for("Play against bots")
    assert "New here?" not in shown


def test_a_scene_is_played_and_the_next_one_follows(runner: ProgramRunner) -> None:
    screen = runner.run("Ada", "learn", size=(120, 40))
    screen.wait_for("Scene 1 of 5")
    screen.choose("play Pickle Spear")
    screen.space(when="5 strong")
    screen.wait_for("kicks it open")
    screen.choose("kick open the door")
    screen.space(when="THE DOOR OPENS")
    screen.space(when="Every turn begins so")
    screen.choose("play Prismatic Glitter")
    screen.choose("heroes")
    screen.space(when="One-shots work")
    screen.choose("claim the kill")
    screen.space(when="THE FIGHT IS WON")
    screen.space(when="A kill pays a Level")
    screen.space(when="That was a whole fight")
    screen.wait_for(re.compile(r"Scene 2 of 5, step 1 of 3: Not alone"))


def test_a_solved_puzzle_is_listed_as_solved(runner: ProgramRunner) -> None:
    screen = runner.run("Ada", "puzzle", "two against", size=(120, 40))
    screen.wait_for("Two against one")
    screen.choose("play Challenge to Single Co")
    screen.wait_for(fights_at(14, 13))
    screen.choose("play Lasgun on")
    screen.choose("monsters")
    screen.space(when=re.compile("15"))
    screen.space(when="loses 14 : 15 and must run")
    screen.space(when="AVERTED")
    screen.space(when="A helper is the largest term")
    screen.wait_for("1 of 6 solved")
    screen.press("Escape")
    assert screen.ended()[0] == 0
    listed = runner.run("Ada", "puzzle", "--list")
    assert "solved  Two against one" in listed.ended()[1]
