"""A player whose client was killed during a fight returns to seat, hand and fight by joining again."""

import re

from tests.e2e.hosts_and_players import RACE, ProgramRunner, fights_at, hand_of
from tests.e2e.tmux_terminal import KIM_KICKS


def test_a_killed_client_returns_to_its_seat_and_hand_during_a_fight(runner: ProgramRunner) -> None:
    host = runner.host("--pace", "relaxed", "--scenario", RACE)
    kim, roger, ann = runner.sit_down(host.join, ("Kim", "Roger", "Ann"))
    kim.choose("kick open the door")
    for neighbour in (roger, ann):
        neighbour.space(when=KIM_KICKS)
    ann.wait_for("COMBAT")
    hand = hand_of(ann)
    assert "Fireball" in hand[0]

    ann.kill()
    ann.ended()
    kim.wait_for(re.compile(r"◆ Ann[\s\S]*offline"))
    kim.choose("give up and run")
    roger.wait_for("gives the fight up")

    back = runner.join("Ann", host.join)
    shown = back.wait_for("Kim gives the fight up")
    assert hand_of(back) == hand
    assert "◆ You" in shown, f"not her seat\n{shown}"
    kim.wait_gone("offline")
    back.choose("play Fireball")
    back.choose("heroes")
    kim.wait_for(fights_at(11))
