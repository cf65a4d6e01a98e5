"""A table on loopback: a host process and three people, from sitting down through a turn played with real keys."""

import re

from tests.e2e.fast_player import play
from tests.e2e.hosts_and_players import ProgramRunner, be_ready
from tests.e2e.tmux_terminal import Screen

NAMES = ("Ann", "Ben", "Cleo")


def board(shown: str) -> list[str]:
    """Return the part that all screens must share: shape, Level, strength and hand of each seat, in any order."""
    return sorted(" ".join(found) for found in re.findall(r"([●■◆]) \w+ +(?:▸ +)?(\d+) +(\d+) +(\d+) ", shown))


def test_three_people_lay_out_their_first_cards_and_play_a_turn(runner: ProgramRunner) -> None:
    host = runner.host("--seats", "3")
    screens = [runner.join(name, host.join) for name in NAMES]
    for screen in screens:
        screen.wait_for("Press y when you are ready", stands=0.1)
    screens[0].wait_for(lambda shown: all(name in shown for name in NAMES))  # everybody is seen in the lobby
    for screen in screens:
        screen.press("y")

    for screen in screens:
        screen.wait_for("FIRST CARDS")
        be_ready(screen)
    for screen in screens:
        screen.wait_for(re.compile(r"Turn 1 "))
    active = whose_turn(screens)
    active.wait_for("Your turn")
    for screen in screens:
        screen.wait_for(lambda shown: board(shown) == board(active.text()) != [])

    before = doors(active.text())
    active.choose("kick open the door")
    for screen in screens:
        screen.wait_for(lambda shown: "0" < doors(shown) != before)
    play(screens, until=re.compile(r"Turn 2 "))
    for screen in screens:
        screen.wait_for(re.compile(r"Turn 2 "))
    assert whose_turn(screens) is not active


def doors(shown: str) -> str:
    """Return how many Door cards are left, as this screen says; empty if it does not."""
    found = re.search(r"doors (\d+)", shown)
    return found[1] if found is not None else ""


def whose_turn(screens: list[Screen]) -> Screen:
    """Return the screen of the player whose turn it is; all screens must agree on it."""
    turn = re.compile(r"Turn \d+ +([●■◆])")
    turns = {found[1] for screen in screens if (found := turn.search(screen.wait_for(turn)))}
    assert len(turns) == 1, f"the screens disagree: {turns}"
    (active,) = (screen for screen in screens if "Your turn" in screen.text())
    return active
