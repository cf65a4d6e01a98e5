"""Tables that begin from a scenario file: who sits where, what is refused, and restoring one after a crash."""

import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.e2e.hosts_and_players import PROGRAM, RACE, SCENARIOS, ProgramRunner, fights_at, hand_of
from tests.e2e.ssh_server import free_port
from tests.e2e.tmux_terminal import KIM_KICKS

WORKED = str(SCENARIOS / "worked-combat.toml")


def test_players_get_the_seats_of_their_names_in_the_scenario_and_bots_take_its_names(runner: ProgramRunner) -> None:
    host = runner.host("--scenario", f"{WORKED}#2", "--bots", "1")
    roger = runner.join("Roger", host.join)
    shown = roger.wait_for("Press y when you are ready")
    assert re.search(r"● Kim +free", shown) and re.search(r"◆ Bystander +bot", shown), shown
    assert re.search(r"■ Roger \((owner|you)\)", shown), f"Roger does not sit in Roger's seat\n{shown}"
    guest = runner.join("Zoe", host.join)
    for screen in (roger, guest):
        screen.wait_for("Press y when you are ready", stands=0.1)
        screen.press("y")
    guest.wait_for(re.compile(r"Your turn[\s\S]*● You +(▸ +)?4 +8 [\s\S]*Cleric"))  # the free seat is Kim's
    assert "Advantaged" in hand_of(roger)[0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--scenario", "nowhere.toml"), "nowhere.toml cannot be read: No such file or directory"),
        (("--scenario", f"{WORKED}#3"), "holds 2 scenarios: there is no number 3"),
        (("--scenario", str(Path(__file__))), "not TOML"),
        (("--scenario", WORKED, "--option", "listen"), "--option and --scenario exclude each other"),
        (("--scenario", WORKED, "--bots", "4"), "4 bots do not fit 3 seats"),
    ],
)
def test_an_unusable_scenario_is_refused_in_one_line(
    runner: ProgramRunner, options: tuple[str, ...], sentence: str
) -> None:
    done = subprocess.run(
        [*PROGRAM, "host", "--port", "0", *options], env=runner.env("host"), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert sentence in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_host_killed_during_a_fight_restores_the_table_and_its_players_return(runner: ProgramRunner) -> None:
    port, data = free_port(), str(runner.folder / "journal")
    options = ("--pace", "relaxed", "--data", data)
    host = runner.host(*options, "--scenario", RACE, port=port)
    kim, roger, ann = runner.sit_down(host.join, ("Kim", "Roger", "Ann"))
    kim.choose("kick open the door")
    for neighbour in (roger, ann):
        neighbour.space(when=KIM_KICKS)
    roger.choose("play Prismatic Glitter")
    roger.choose("heroes")
    for screen in (kim, roger, ann):
        screen.wait_for(fights_at(13))
    hand = hand_of(ann)

    host.stop(signal.SIGKILL)
    for screen in (kim, roger, ann):
        screen.wait_for("NO CONNECTION")
    runner.host(*options, port=port)
    for screen in (kim, roger, ann):
        screen.wait_gone("NO CONNECTION")
        screen.wait_for(fights_at(13))
    assert hand_of(ann) == hand
    ann.choose("play Fireball")
    ann.choose("heroes")
    kim.wait_for(fights_at(16))
