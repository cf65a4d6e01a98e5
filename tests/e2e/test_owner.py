"""Undo votes and the owner's requests in real terminals."""

import re

from tests.e2e.hosts_and_players import RACE, ProgramRunner, log_says, wrapped
from tests.e2e.tmux_terminal import KIM_KICKS, READ_S, Screen


def sat_down(runner: ProgramRunner) -> list[Screen]:
    """Return the screens of Kim (the owner), Roger and Ann, before Kim's door."""
    host = runner.host("--pace", "relaxed", "--scenario", RACE)
    kim = runner.join("Kim", host.owner)
    kim.wait_for("Press y when you are ready", stands=0.1)
    kim.press("y")
    roger, ann = runner.sit_down(host.join, ("Roger", "Ann"))
    kim.wait_for("Table")
    return [kim, roger, ann]


def test_an_undo_happens_only_if_all_players_agree(runner: ProgramRunner) -> None:
    kim, roger, ann = sat_down(runner)
    kim.choose("kick open the door")
    for neighbour in (roger, ann):
        neighbour.space(when=KIM_KICKS)
    kim.choose("give up and run")
    roger.wait_for("Kim gives the fight up")
    kim.press("u")
    kim.choose("ask them")
    kim.wait_for("Waiting for Roger, Ann")
    roger.wait_for("Kim asks to take this back: Kim runs away")
    roger.choose("agree")
    kim.wait_for("Waiting for Ann")
    ann.choose("no, leave it as it is")
    for screen in (kim, roger, ann):
        screen.wait_for("Ann said no")
    roger.wait_for("Kim gives the fight up", stands=READ_S)

    roger.press("u")
    roger.choose("ask them")
    for screen in (kim, ann):
        screen.choose("agree")
    for screen, whose in ((kim, "Your"), (ann, "Kim's")):
        log_says(screen, f'{whose} "run away" is taken back, as Roger asked')
    kim.choose("give up and run")
    ann.wait_for("Kim gives the fight up")


def test_the_owner_pauses_lets_a_bot_play_hands_the_table_over_and_bans(runner: ProgramRunner) -> None:
    kim, roger, ann = sat_down(runner)
    kim.press("a")
    kim.choose("pause the game")
    roger.wait_for("THE TABLE IS PAUSED")
    kim.press("a")
    kim.choose("resume the game")
    roger.wait_gone("THE TABLE IS PAUSED")

    kim.press("a")
    kim.choose("Roger")
    kim.choose("let a bot play")
    roger.wait_for("A BOT PLAYS FOR YOU")
    ann.wait_for(re.compile(r"■ Roger[\s\S]*away, bot"))
    roger.press("x")
    roger.wait_gone("A BOT PLAYS FOR YOU")
    ann.wait_gone("away, bot")

    kim.press("a")
    kim.choose("Roger")
    kim.choose("make them the owner")
    kim.wait_for("MAKE ROGER THE OWNER", stands=READ_S)
    kim.press("Enter")
    ann.wait_for(wrapped("The table is Roger's now."))
    roger.wait_for(wrapped("The table is yours now (a)."))
    roger.press("a")
    roger.choose("Ann")
    roger.choose("ban")
    code, last = ann.ended()
    assert code == 1 and "The table's owner sent you away for good." in last, last
    kim.wait_for(wrapped("No new players are admitted."))
    kim.press("a")
    kim.wait_for(wrapped("Only the owner of the table can do that"))
    kim.wait_for(re.compile(r"◆ Ann[\s\S]*gone, bot"))
