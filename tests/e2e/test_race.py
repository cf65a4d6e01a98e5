"""Two players respond to the same fight at once: the first card counts, the other player keeps theirs and reads why."""

import os
import re
import signal

from tests.e2e.hosts_and_players import RACE, ProgramRunner, fights_at, hand_of, numbers_of, wrapped
from tests.e2e.tmux_terminal import KIM_KICKS


def test_the_faster_of_two_one_shots_counts_and_the_other_stays_in_hand(runner: ProgramRunner) -> None:
    host = runner.host("--no-restart", "--pace", "relaxed", "--scenario", RACE)
    kim, roger, ann = runner.sit_down(host.join, ("Kim", "Roger", "Ann"))
    kim.choose("kick open the door")
    for neighbour in (roger, ann):
        neighbour.space(when=KIM_KICKS)
    cards = {roger: "Prismatic Glitter", ann: "Fireball, Indoors"}
    for player, card in cards.items():
        player.choose(f"play {card}")
        player.wait_for(f"{card.upper()} FOR WHICH SIDE?", stands=0.35)

    os.kill(host.process.pid, signal.SIGSTOP)  # so that both answer before either sees the other's action
    try:
        for player in cards:
            player.press("1")
            player.wait_gone("FOR WHICH SIDE?")
    finally:
        os.kill(host.process.pid, signal.SIGCONT)

    shown = kim.wait_for(lambda text: numbers_of(text)[:1] in ([11], [13]), stands=0.35)  # a sum counts up
    first, second = (roger, ann) if numbers_of(shown)[0] == 13 else (ann, roger)
    faster = "Roger" if first is roger else "Ann"
    told = second.wait_for(re.compile(rf"{faster} was .*faster"))
    by = re.search(r"was \d+ ms faster", told) or wrapped("less than a millisecond").search(told)
    assert by, f"not told by how much\n{told}"
    second.wait_for(lambda _: any(cards[second].split()[0] in line for line in hand_of(second)))  # below a note
    first.wait_for("Your hand is empty")
    second.choose(f"play {cards[second]}")
    second.choose("heroes")
    kim.wait_for(fights_at(16))
