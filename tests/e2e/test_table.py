"""A table on loopback: a host process and three people, from sitting down through a turn played with real keys."""

import re
import time

from tests.e2e.house import House
from tests.e2e.terminal import READ_S, Screen

NAMES = ("Ann", "Ben", "Cleo")
LONGEST_S = 60.0


def board(shown: str) -> list[str]:
    """What everybody sees alike: the level track and the rows of the table, without the mark of the own seat."""
    lines = shown.splitlines()
    top = next(at for at, line in enumerate(lines) if line.startswith("── Table"))
    return [" ".join(line.replace("*", " ").split()) for line in lines[top - 1 : top + 4]]


def test_three_people_lay_out_their_first_cards_and_play_a_turn(house: House) -> None:
    host = house.host("--seats", "3")
    screens = [house.join(name, host.join) for name in NAMES]
    for screen in screens:
        screen.wait_for("Press y when you are ready", stands=0.1)
    shown = screens[0].text()
    assert all(name in shown for name in NAMES), f"not everybody is seen in the lobby\n{shown}"
    for screen in screens:
        screen.press("y")

    for screen in screens:
        screen.wait_for("First cards: lay out")
        screen.choose("ready, begin")
    for screen in screens:
        screen.wait_for(re.compile(r"^ T1 ", re.MULTILINE))
    active = whose_turn(screens)
    active.wait_for("Your turn")
    assert len({tuple(board(screen.text())) for screen in screens}) == 1, house.tmux.all_text()

    active.choose("kick open the door")
    for screen in screens:
        screen.wait_for("open the door" if screen is active else "opens the door")
    play_turn(active, screens)
    for screen in screens:
        screen.wait_for(re.compile(r"^ T2 ", re.MULTILINE), timeout=30)
    assert whose_turn(screens) is not active


def whose_turn(screens: list[Screen]) -> Screen:
    """The screen of the player whose turn it is, as all of them say."""
    turns = {re.search(r"turn: [A-C] (\w+)", screen.text())[1] for screen in screens}  # type: ignore[index]
    assert len(turns) == 1, f"the screens disagree: {turns}"
    return screens[NAMES.index(turns.pop())]


CHOICES = ("claim the kill", "give up and run", "run from", "loot the room", "end your turn", "let it strike")
"""What a player in a hurry picks first."""


def play_turn(active: Screen, screens: list[Screen]) -> None:
    """Play the open turn to its end by the digits on the screens, whatever the door held."""
    deadline = time.monotonic() + LONGEST_S
    while not re.match(r" T2 ", active.text()):
        assert time.monotonic() < deadline, f"the turn never ended\n{active.tmux.all_text()}"
        for screen in screens:
            key = answer_to(screen.text())
            if key:
                screen.press(key)
        time.sleep(READ_S)


def answer_to(shown: str) -> str:
    """The key of a player in a hurry: what ends the turn soonest, a pass, else the first of what is offered."""
    if not re.search(r"^!! ", shown, re.MULTILINE):
        return ""
    for label in CHOICES:
        found = re.search(rf"\[([1-9])\] {label}", shown)
        if found is not None:
            return found[1]
    if "[SPACE]" in shown:
        return "Space"
    free = re.search(r" (\d) \[ \]", shown)
    if free is not None and "[ENTER] take" not in shown:
        return free[1]
    return "Enter" if "[ENTER]" in shown else "1"
