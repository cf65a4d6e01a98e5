"""A table on loopback: a host process and three people, from sitting down through a turn played with real keys."""

import re

from tests.e2e.fast_player import play
from tests.e2e.hosts_and_players import ProgramRunner
from tests.e2e.tmux_terminal import Screen

NAMES = ("Ann", "Ben", "Cleo")


def board(shown: str) -> list[str]:
    """Return what all screens must share: the level track and the seats, without the mark of the player's own seat."""
    lines = shown.splitlines()
    tops = [at for at, line in enumerate(lines) if line.startswith("── Table")]
    return [" ".join(line.replace("*", " ").split()) for top in tops for line in lines[top - 1 : top + 4]]


def test_three_people_lay_out_their_first_cards_and_play_a_turn(runner: ProgramRunner) -> None:
    host = runner.host("--seats", "3")
    screens = [runner.join(name, host.join) for name in NAMES]
    for screen in screens:
        screen.wait_for("Press y when you are ready", stands=0.1)
    screens[0].wait_for(lambda shown: all(name in shown for name in NAMES))  # everybody is seen in the lobby
    for screen in screens:
        screen.press("y")

    for screen in screens:
        screen.wait_for("First cards: lay out")
        screen.choose("ready, begin")
    for screen in screens:
        screen.wait_for(re.compile(r"^ T1 ", re.MULTILINE))
    active = whose_turn(screens)
    active.wait_for("Your turn")
    for screen in screens:
        screen.wait_for(lambda shown: board(shown) == board(active.text()) != [])

    active.choose("kick open the door")
    for screen in screens:
        screen.wait_for("open the door" if screen is active else "opens the door")
    play(screens, until=re.compile(r"^ T2 ", re.MULTILINE), timeout=60)
    for screen in screens:
        screen.wait_for(re.compile(r"^ T2 ", re.MULTILINE), timeout=30)
    assert whose_turn(screens) is not active


def whose_turn(screens: list[Screen]) -> Screen:
    """Return the screen of the player whose turn it is; all screens must agree on it."""
    turns = {re.search(r"turn: [A-C] (\w+)", screen.text()).group(1) for screen in screens}
    assert len(turns) == 1, f"the screens disagree: {turns}"
    return screens[NAMES.index(turns.pop())]
