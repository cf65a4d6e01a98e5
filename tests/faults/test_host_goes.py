"""The end of a host does not end its players' programs: they keep the table, say what has happened, and play on when
the host is back."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from netcode.processes.start import child_command, child_env
from tests.e2e.plain_player import PlainPlayer
from tests.faults.restarted_host import RestartedHost, lobby, seat
from tests.tui.pty_terminal import Terminal


@pytest.fixture
def host(tmp_path: Path) -> Iterator[RestartedHost]:
    one = RestartedHost(tmp_path, "--seats", "3", "--bots", "1", "--pace", "relaxed")
    yield one
    one.kill()


@pytest.mark.long(0)
def test_a_screen_stays_at_its_table_when_the_host_is_stopped_and_plays_on_when_it_is_back(
    host: RestartedHost, tmp_path: Path
) -> None:
    host.start()
    terminals = [seat(host, tmp_path / name, "--name", name) for name in ("Kim", "Ann")]
    try:
        for one in terminals:
            one.until("Press y when you are ready")
        host.end(signal.SIGTERM)  # in the waiting room: no game is in progress
        for one in terminals:
            one.until("the host has stopped")
        host.start()
        for one in terminals:
            one.until("The connection is back")
            one.press("y")
        for one in terminals:
            one.until("FIRST CARDS")
        host.end(signal.SIGINT)
        for one in terminals:
            shown = one.until("NO CONNECTION")
            one.until("This table goes on when it is back")
            assert "hand" in shown.lower()
        host.start()
        for one in terminals:
            one.until("FIRST CARDS")
    finally:
        for one in terminals:
            one.close()


@pytest.mark.long(0)
def test_lines_and_a_bot_stay_too_and_name_another_host_at_the_address(host: RestartedHost, tmp_path: Path) -> None:
    host.start()
    env = {**child_env(), "KICKDOOR_DATA": str(tmp_path / "bot")}
    bot = subprocess.Popen(
        [*child_command("tui"), "bot", host.join, "--name", "Robin"], env=env, stdout=subprocess.PIPE, text=True
    )
    assert bot.stdout is not None and "has seat" in bot.stdout.readline()
    lines = PlainPlayer(tmp_path / "Kim", "join", "--plain", host.join, "--name", "Kim")
    other = RestartedHost(tmp_path / "other", "--seats", "3")
    try:
        lines.until("Are you ready to play")
        lines.say("ready")
        lines.until("first cards")
        host.end(signal.SIGHUP)
        lines.until("the host has stopped. This table goes on")
        other.port = host.port
        other.start()
        lines.until("another host is at 127.0.0.1")
        other.end()
        assert bot.poll() is None
        host.start()
        lines.until("The connection is back.")
        lines.say("say we are back")
        lines.until("Kim says: we are back")
        host.end(signal.SIGKILL)
        lines.until("Connection lost")
        lines.say("quit")
        lines.until("leave, the seat stays yours")
        lines.say("1")
        assert "kickdoor join" in lines.until("To return")
        assert bot.poll() is None
    finally:
        lines.close()
        other.kill()
        bot.kill()
        bot.wait()


@pytest.mark.long(0)
def test_without_a_journal_everybody_reads_that_nothing_comes_back(tmp_path: Path) -> None:
    host = RestartedHost(tmp_path, "--seats", "3", "--bots", "2", "--no-journal").start()
    killed = RestartedHost(tmp_path, "--seats", "3", "--bots", "2", "--no-journal").start()
    kim, ann = seat(host, tmp_path / "Kim"), seat(killed, tmp_path / "Ann")
    try:
        for one in (kim, ann):
            one.until("Press y when you are ready")
        host.end(signal.SIGTERM)
        kim.until("It kept no journal")
        assert kim.wait() == 1
        killed.end(signal.SIGKILL)
        ann.until("keeps no journal")
        ann.press("\x11")
        ann.until("To return")
    finally:
        for one in (kim, ann):
            one.close()
        for one_host in (host, killed):
            one_host.kill()


@pytest.mark.long(0)
def test_visitors_of_a_lobby_wait_for_their_host_and_have_its_list_again(tmp_path: Path) -> None:
    host = RestartedHost(tmp_path, "--seats", "3", "--bots", "1").start()
    unkept = RestartedHost(tmp_path, "--seats", "3", "--no-journal").start()
    ann = lobby(host, tmp_path / "Ann", "--name", "Ann")
    other = lobby(unkept, tmp_path / "Kim", "--name", "Kim")
    try:
        ann.until("sit down")
        host.end(signal.SIGINT)  # nobody has a seat, and no game is in progress
        ann.until("the host has stopped. This list is back when the host is")
        host.start()
        ann.until_gone("No connection")
        ann.press("\r")
        ann.until("Press y when you are ready")
        other.until("sit down")
        unkept.end(signal.SIGINT)
        other.wait()
        assert "It kept no journal" in " ".join(other.text().split())
    finally:
        for one in (ann, other):
            one.close()
        for running in (host, unkept):
            running.kill()


@pytest.mark.long(0)
def test_nothing_is_pasted_twice(host: RestartedHost, tmp_path: Path) -> None:
    home = tmp_path / "home"
    host.start()
    opened = [ann := seat(host, tmp_path / "Ann", "--name", "Ann")]
    try:
        ann.until("Press y when you are ready")  # so the table is hers
        opened.append(cyd := seat(host, home, "--name", "Cyd"))
        cyd.until("Press y when you are ready")
        for one in (ann, cyd):
            one.press("y")
        cyd.until("FIRST CARDS")
        cyd.press("\x11")
        cyd.until("LEAVE THE TABLE?")
        cyd.press("1")
        assert cyd.wait() == 0
        assert "To return: kickdoor join" in cyd.text()
        data = str(home / "data")
        opened.append(menu := Terminal(home=home, KICKDOOR_DATA=data))
        menu.until("Ann's table, seat Cyd")
        menu.press("1")
        menu.until("FIRST CARDS")
        menu.press("\x11")
        menu.until("LEAVE THE TABLE?")
        menu.press("1")
        menu.until("Your seat is kept")  # the menu stays open
        opened.append(back := Terminal("join", home=home, KICKDOOR_DATA=data))
        back.until("FIRST CARDS")
        back.press("\x11")
        back.until("LEAVE THE TABLE?")
        back.press("1")
        assert back.wait() == 0
        host.end()
        gone = PlainPlayer(home, "join", "--plain")
        try:
            gone.until("nobody answers at 127.0.0.1")
        finally:
            gone.close()
    finally:
        for one in opened:
            one.close()
