"""A host that goes is no exit: its players keep the table, read what has happened, and play on when it is back."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from netcode.processes.start import child_command, child_env
from tests.e2e.plain_player import PlainPlayer
from tests.tui.pty_terminal import Terminal


class HostOfATest:
    """`kickdoor host` with its default journal, started again at the same port."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home, self.options = home, options
        self.port = 0
        self.join = ""
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "HostOfATest":
        env = {**child_env(), "KICKDOOR_DATA": str(self.home / "host"), "HOME": str(self.home)}
        command = [*child_command("tui"), "host", "--json", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        self.join = line.split('"')[3]
        self.port = int(self.join.partition("//")[2].partition("/")[0].rpartition(":")[2])
        return self

    def end(self, number: int = signal.SIGINT) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(20)

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[HostOfATest]:
    one = HostOfATest(tmp_path, "--seats", "3", "--bots", "1", "--pace", "relaxed")
    yield one
    one.kill()


def seat(host: HostOfATest, home: Path, *args: str) -> Terminal:
    home.mkdir(exist_ok=True)
    return Terminal("join", host.join, *args, home=home, KICKDOOR_DATA=str(home / "data"))


def test_a_screen_stays_at_its_table_when_the_host_is_stopped_and_plays_on_when_it_is_back(
    host: HostOfATest, tmp_path: Path
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
            one.until("keeps this table")
            assert "hand" in shown.lower()
        host.start()
        for one in terminals:
            one.until("FIRST CARDS")
    finally:
        for one in terminals:
            one.close()


def test_lines_and_a_bot_stay_too_and_name_another_host_at_the_address(host: HostOfATest, tmp_path: Path) -> None:
    host.start()
    lines = PlainPlayer(tmp_path / "Kim", "join", "--plain", host.join, "--name", "Kim")
    env = {**child_env(), "KICKDOOR_DATA": str(tmp_path / "bot")}
    bot = subprocess.Popen(
        [*child_command("tui"), "bot", host.join, "--name", "Robin"], env=env, stdout=subprocess.PIPE, text=True
    )
    other = HostOfATest(tmp_path / "other", "--seats", "3")
    try:
        lines.until("Are you ready to play")
        assert bot.stdout is not None and "has seat" in bot.stdout.readline()
        lines.say("ready")
        lines.until("first cards")
        host.end(signal.SIGHUP)
        lines.until("the host has stopped. It keeps this table")
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


def test_without_a_journal_everybody_reads_that_nothing_comes_back(tmp_path: Path) -> None:
    host = HostOfATest(tmp_path, "--seats", "3", "--bots", "2", "--no-journal").start()
    killed = HostOfATest(tmp_path, "--seats", "3", "--bots", "2", "--no-journal").start()
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


def test_nothing_is_pasted_twice(host: HostOfATest, tmp_path: Path) -> None:
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
        menu.until("Your seat is kept")
        menu.press("q")
        assert menu.wait() == 0
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
