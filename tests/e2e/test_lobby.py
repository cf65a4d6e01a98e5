"""A host's lobby in real terminals: a player opens a table, another joins it, and both return after a crash."""

import re
import signal

from tests.e2e.hosts_and_players import ProgramRunner
from tests.e2e.ssh_server import free_port


def test_two_players_meet_in_the_lobby_and_play_at_a_table_one_of_them_opened(runner: ProgramRunner) -> None:
    port, data = free_port(), str(runner.folder / "journal")
    host = runner.host("--data", data, port=port)
    ann, ben = (runner.join(name, host.strings["lobby"]) for name in ("Ann", "Ben"))
    for screen in (ann, ben):
        screen.wait_for("Tables of")
    ann.press("c")
    ann.wait_for("Open a table")
    ann.press("Down")
    ann.wait_for("Its name in the lobby")
    ann.type("Evening")
    ann.wait_for(re.compile(r"Table name +Evening"))
    ann.press("Enter")
    ann.wait_for("Seats at the table")
    ann.press("Left")
    ann.wait_for(re.compile(r"Seats +3"))
    ann.press("Down", "Right")
    ann.wait_for(re.compile(r"Bots +1"))
    ann.press("Down", "Down", "Right")
    ann.wait_for(re.compile(r"Pace +relaxed"))
    ann.press("C-s")
    ann.wait_for("Press y when you are ready")

    ben.wait_for(re.compile(r"Evening .* 1 of 3 +1 +1 +waiting .* Ann"))
    ben.press("2")
    ben.wait_for("Ann owns it.")
    ben.press("Enter")
    for screen in (ben, ann):
        screen.wait_for("Press y when you are ready", stands=0.1)
        screen.press("y")
    for screen in (ann, ben):
        screen.wait_for("YOUR FIRST CARDS")

    host.stop(signal.SIGKILL)
    for screen in (ann, ben):
        screen.wait_for("NO CONNECTION")
    runner.host("--data", data, port=port)
    for screen in (ann, ben):
        screen.wait_gone("NO CONNECTION")
        screen.wait_for("YOUR FIRST CARDS")

    ben.press("C-q")
    ben.choose("leave, the seat stays yours")
    ben.wait_for("Your seat is kept: press ENTER at that table")
    ben.wait_for(re.compile(r"> \[2\] +Evening .* playing .* Ann"))
    ben.press("Enter")
    ben.wait_for("YOUR FIRST CARDS")
    ben.press("C-q")
    ben.choose("leave, the seat stays yours")
    ben.wait_for("Your seat is kept: press ENTER at that table")
    ben.press("Escape")
    code, _ = ben.ended()
    assert code == 0


def test_a_lobby_without_its_host_is_reported_in_one_sentence(runner: ProgramRunner) -> None:
    host = runner.host()
    host.stop()
    ann = runner.join("Ann", host.strings["lobby"])
    code, last = ann.ended()
    assert code == 1 and "nobody answers at 127.0.0.1" in last and "Traceback" not in last, last
    bot = runner.run("Bot", "bot", host.strings["lobby"])
    code, last = bot.ended()
    assert code == 1 and "this string leads to a host's lobby, not to a table" in " ".join(last.split()), last
