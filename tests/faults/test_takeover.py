"""A player's seat is theirs although the process that has it lives on: frozen, stopped, or on a dead line."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from netcode.processes.start import child_command, child_env
from tests.e2e.plain_player import PlainPlayer
from tests.faults.restarted_host import RestartedHost, seat
from tests.patience import PATIENCE_S
from tests.tui.pty_terminal import Terminal


@pytest.fixture
def host(tmp_path: Path) -> Iterator[RestartedHost]:
    one = RestartedHost(tmp_path, "--seats", "3", "--bots", "2", "--pace", "relaxed").start()
    yield one
    one.kill()


@pytest.mark.long(0)
def test_a_frozen_client_loses_its_seat_to_the_same_command_and_reads_why(host: RestartedHost, tmp_path: Path) -> None:
    home = tmp_path / "Kim"
    opened = [first := seat(host, home)]
    try:
        first.until("Press y when you are ready")
        first.press("y")
        first.until("FIRST CARDS")
        os.kill(first.pid, signal.SIGSTOP)
        opened.append(second := seat(host, home))
        shown = second.until("FIRST CARDS")
        assert "(you)" in shown or "You" in shown
        os.kill(first.pid, signal.SIGCONT)
        first.until("You joined again from elsewhere")
        assert first.wait() == 1
        second.press("\x11")
        second.until("LEAVE THE TABLE?")
    finally:
        for one in opened:
            one.close()


@pytest.mark.long(0)
def test_a_client_that_answers_keeps_its_seat_until_the_other_terminal_says_yes(
    host: RestartedHost, tmp_path: Path
) -> None:
    home = tmp_path / "Kim"
    opened = [first := seat(host, home)]
    lines = None
    try:
        first.until("Press y when you are ready")
        opened.append(second := seat(host, home))
        second.until("You sit here in another terminal")
        second.press("n")
        assert second.wait() == 0
        first.read(0.2)
        assert "Press y when you are ready" in first.text()
        lines = PlainPlayer(home, "join", "--plain")
        lines.until("Say yes to take the seat over")
        lines.say("yes")
        lines.until("Are you ready to play?")
        first.until("You joined again from elsewhere")
        opened.append(third := Terminal("join", home=home, KICKDOOR_DATA=str(home / "data")))
        third.until("You sit here in another terminal")
        third.press("y")
        third.until("Press y when you are ready")
        lines.until("You joined again from elsewhere")
    finally:
        for one in opened:
            one.close()
        if lines is not None:
            lines.close()


@pytest.mark.long(0)
def test_another_name_takes_another_seat(host: RestartedHost, tmp_path: Path) -> None:
    home = tmp_path / "Kim"
    opened = [first := seat(host, home)]
    try:
        first.until("Press y when you are ready")
        opened.append(second := seat(host, home, "--name", "Ann"))
        second.until("all 3 seats at this table are taken")
    finally:
        for one in opened:
            one.close()


@pytest.mark.long(0)
def test_a_code_takes_the_seat_to_another_machine(host: RestartedHost, tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "Kim", tmp_path / "elsewhere"
    opened = [first := seat(host, home, "--name", "Kim")]
    try:
        first.until("Press y when you are ready")
        first.press("y")
        first.until("FIRST CARDS")
        shows = subprocess.run(
            [*child_command("tui"), "seat"], env={**child_env(), "KICKDOOR_DATA": str(home / "data")},
            capture_output=True, text=True, timeout=PATIENCE_S, check=True,
        )  # fmt: skip
        assert host.join in shows.stdout
        code = shows.stdout.split("--code ")[1].strip()
        opened.append(second := seat(host, elsewhere, "--name", "Kim", "--code", code.lower()))
        second.until("FIRST CARDS")
        first.until("Your seat was taken to another machine at 127.0.0.1")
        assert first.wait() == 1
        opened.append(third := seat(host, tmp_path / "third", "--name", "Kim", "--code", code))
        third.until("this code leads to no seat")
    finally:
        for one in opened:
            one.close()
