"""The rule book's worked combat, played through three screens with real keys: Kim, the Glampire, Roger's offer."""

import re

from tests.e2e.hosts_and_players import SCENARIOS, ProgramRunner, fights_at, log_says
from tests.e2e.tmux_terminal import KIM_KICKS, Screen

NAMES = ("Kim", "Roger", "Bystander")


def sums(screen: Screen, heroes: int, foes: int) -> str:
    """Return the text on the screen once the combat panel shows these totals."""
    return screen.wait_for(fights_at(heroes, foes))


def explained(screen: Screen, term: str) -> None:
    """Check that the explanation of the sums contains this term."""
    screen.press("w")
    screen.wait_for(re.compile(term))
    screen.press("Escape")


def test_the_worked_combat_of_the_book_has_the_same_numbers(runner: ProgramRunner) -> None:
    host = runner.host("--pace", "relaxed", "--scenario", str(SCENARIOS / "worked-combat.toml"))
    kim, roger, other = runner.sit_down(host.join, NAMES)

    kim.choose("kick open the door")
    for neighbour in (roger, other):
        neighbour.space(when=KIM_KICKS)
    for screen in (kim, roger, other):
        shown = sums(screen, 8, 14)
        assert re.search(r"Level 4 \+ (Pickle Spear|gear) 4 .*Glampire.* 14", shown), shown
    kim.wait_for("+7 WINS LEVEL 5, 4 TREASURES")

    kim.choose("use Cleric")
    for card in ("Elf", "Warrior", "Dwarf"):
        kim.choose(card)
    kim.wait_for(re.compile("ENTER +pay these"))
    kim.press("Enter")
    for screen in (kim, roger, other):
        sums(screen, 17, 14)
    explained(kim, r"Cleric.* \+9\b")

    kim.choose("claim the kill")
    roger.wait_for("Kim claims the kill (17 to 14)")
    roger.choose("play Advantaged")
    for screen in (kim, roger, other):
        assert "5 TREASURES" in sums(screen, 17, 20).upper()
    explained(roger, r"Advantaged.* \+6\b")

    roger.choose("offer help")
    roger.choose("offer Kim help")
    roger.wait_for("YOU HELP FOR 1 TREASURE")
    roger.choose("send this offer")
    kim.wait_for("Roger offers you help for 1 Treasure")
    kim.choose("answer Roger")
    kim.choose("decline")
    log_says(roger, "Kim says no to your offer")

    kim.choose("play Prismatic Glitter")
    kim.choose("heroes")
    for screen in (kim, roger, other):
        assert re.search("(KIM WINS|YOU WIN) BY 2", sums(screen, 22, 20))

    kim.choose("claim the kill")
    for neighbour in (roger, other):
        neighbour.space(when=re.compile("Kim claims the kill", re.IGNORECASE))
    shown = kim.wait_for("Cardboard")
    for card in ("Cardboard", "Plot Armor", "Turning", "Wombat", "Meat"):
        assert card in shown, f"{card} is not in Kim's hand\n{shown}"
    roger.space(when=re.compile("Kim wins the fight", re.IGNORECASE))  # a moment: he has played into it
    shown = log_says(roger, "Kim gains 1 level (the kill)")
    assert "Kim draws 5 Treasures" in shown and "Plot Armor" not in shown, f"Roger sees Kim's hand\n{shown}"
    shown = roger.wait_for("Table")
    assert re.search(r"● Kim +(▸ +)?5 ", shown), f"Kim is not at Level 5\n{shown}"
    assert re.search(r"■ You +(▸ +)?2 ", shown), f"Roger is not at Level 2\n{shown}"
