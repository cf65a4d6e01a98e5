"""Errors that a player reads as one clear sentence: no terminal, too small a window, no table, no host."""

import re
import signal
import subprocess

import pytest

from tests.e2e.hosts_and_players import PROGRAM, Host, ProgramRunner

BOTH = ("join", "watch")


@pytest.mark.parametrize("arguments", [(), ("play",), ("watch", "kickdoor://127.0.0.1/t#" + "A" * 43 + "." + "A" * 22)])
def test_without_a_terminal_nothing_is_drawn(runner: ProgramRunner, arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [*PROGRAM, *arguments], env=runner.env("Ann"), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"kickdoor.*: this needs a terminal: .*\n", done.stderr), done.stderr


def test_a_terminal_that_cannot_place_text_is_refused(runner: ProgramRunner) -> None:
    screen = runner.tmux.open("dumb", [*PROGRAM, "play"], {**runner.env("Ann"), "TERM": "dumb"})
    code, last = screen.ended()
    assert code == 2
    assert "TERM is unset or dumb" in last


@pytest.mark.parametrize(
    ("string", "sentence"),
    [
        ("", "the join string is empty"),
        ("192.168.0.7:7788", "a join string starts with kickdoor://"),
        ("kickdoor://127.0.0.1:7788/table", "this join string is damaged"),
        ("kickdoor://127.0.0.1:7788/table#abc", "this join string is cut off"),
        ("kickdoor://127.0.0.1:7788/table#abc.def", "the key in this join string is damaged"),
        ("kickdoor://127.0.0.1:99999/table#abc.def", "port 99999 in this join string is out of range"),
    ],
)
@pytest.mark.parametrize("command", BOTH)
def test_the_error_says_what_is_wrong_with_a_join_string(
    runner: ProgramRunner, command: str, string: str, sentence: str
) -> None:
    done = subprocess.run([*PROGRAM, command, string], env=runner.env("Ann"), capture_output=True, text=True)
    assert done.returncode == 2
    assert sentence in done.stderr and done.stderr.count("\n") == 1, done.stderr


def strings_of_strangers(host: Host, other: Host) -> dict[str, str]:
    """Return well-formed join strings that lead nowhere, with the error for each."""
    port = re.search(r":(\d+)/", other.join)
    assert port is not None
    head, _, token = host.join.rpartition(".")
    table = re.sub(r"/[^/#]+#", "/nowhere#", host.join)
    return {
        f"{head}.{'A' * len(token)}": "no table here fits this join string",
        host.watch: "this string is for spectators only",
        table: "no table here fits this join string",
        re.sub(r":\d+/", f":{port[1]}/", host.join): "refused the key",
    }


def test_the_error_says_why_a_string_leads_nowhere(runner: ProgramRunner) -> None:
    host, other = runner.host("--seats", "3"), runner.host("--seats", "3")
    screens = {runner.join("Ann", string): told for string, told in strings_of_strangers(host, other).items()}
    for screen, told in screens.items():
        code, last = screen.ended()
        assert code == 1
        assert told in last and "Traceback" not in last and len(last.splitlines()) == 1, last


def test_the_error_names_a_host_that_does_not_answer(runner: ProgramRunner) -> None:
    host = runner.host("--seats", "3")
    host.stop()
    code, last = runner.join("Ann", host.join).ended(timeout=40)
    assert code == 1
    assert "nobody answers at 127.0.0.1" in last and "is the host running" in last


def test_a_full_table_and_a_stopping_host_say_so(runner: ProgramRunner) -> None:
    host = runner.host("--seats", "3", "--bots", "2")
    ann = runner.join("Ann", host.join)
    ann.wait_for("Press y when you are ready")
    code, last = runner.join("Ben", host.join).ended()
    assert code == 1
    assert "all 3 seats at this table are taken" in last
    ann.press("y")
    ann.wait_for("FIRST CARDS")
    host.stop()
    ann.wait_for("The host has stopped. This table goes on when it is back")
    ann.press("C-q")
    ann.wait_for("LEAVE THE TABLE?")
    ann.press("1")
    code, last = ann.ended()
    assert code == 0
    assert "To return: kickdoor join" in last


def test_the_screen_reports_that_the_host_is_lost(runner: ProgramRunner) -> None:
    host = runner.host("--seats", "3", "--bots", "2")
    ann = runner.join("Ann", host.join)
    ann.wait_for("Press y when you are ready", stands=0.1)
    ann.press("y")
    ann.wait_for("FIRST CARDS")
    host.stop(signal.SIGKILL)
    ann.wait_for("NO CONNECTION")


def test_a_window_that_is_too_small_says_so_until_it_is_resized(runner: ProgramRunner) -> None:
    host = runner.host("--seats", "3", "--bots", "2")
    ann = runner.join("Ann", host.join, size=(60, 15))
    ann.wait_for("Press y", stands=0.1)
    ann.press("y")
    ann.wait_for("This window is 60 by 15; the table needs 60 by 20.")
    ann.resize(80, 24)
    shown = ann.wait_for("FIRST CARDS")
    assert "This window is" not in shown
    ann.resize(59, 20)
    ann.wait_for("This window is 59 by 20; the table needs 60 by 20.")
