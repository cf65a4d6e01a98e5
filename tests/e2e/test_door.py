"""Guests of an SSH door, with the real `ssh` client: their key is their seat, and a table is all that they get."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e.hosts_and_players import ProgramRunner
from tests.e2e.plain_player import PlainPlayer
from tests.e2e.ssh_door import Door

pytest.importorskip("asyncssh", reason="needs the extra serve")
pytestmark = [
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs the ssh client"),
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="guests are confined on Linux only"),
]
READY = "Press y when you are ready"
SIX = Path(__file__).with_name("six.toml")
GAME_S = 300.0
"""How long six scripted guests may take for the end of a game (s)."""


@pytest.fixture
def open_door(runner: ProgramRunner) -> Iterator[Callable[..., Door]]:
    """Open doors; close them at the end."""
    doors: list[Door] = []

    def opened(*options: str) -> Door:
        doors.append(Door(runner, *options))
        return doors[-1]

    yield opened
    for door in doors:
        door.close()


def test_words_are_asked_for_once_and_a_key_brings_its_seat_back_from_anywhere(open_door: Callable[..., Door]) -> None:
    """`kill -9` of ssh, another HOME, the same key: the same seat, and no question."""
    door = open_door("--seats", "3", "--bots", "1")
    ann, ben = door.sit_down("Ann"), door.sit_down("Ben")
    for screen in (ann, ben):
        screen.press("y")
    ann.wait_for("First cards")
    os.kill(ann.pid, signal.SIGKILL)
    ann.ended()
    back = door.come("Ann", home="Elsewhere")
    shown = back.wait_for("First cards")
    assert "words" not in shown and "kickdoor://" not in back.full_text()
    assert door.opened["join"] not in door.log() and door.words not in door.log()


def test_the_newest_session_of_a_key_has_the_seat_even_if_the_older_is_stopped(
    open_door: Callable[..., Door], runner: ProgramRunner
) -> None:
    door = open_door("--seats", "3")
    first = door.sit_down("Ann")
    first.kill()
    first.ended()
    within = ["sh", "-c", '"$@"; exit $?', "sh", *door.command("Ann")]  # tmux continues a stopped child of its own
    older = runner.tmux.open("Ann", within, runner.env("Ann"))
    older.wait_for(READY)
    ssh = int(Path(f"/proc/{older.pid}/task/{older.pid}/children").read_text().split()[0])
    os.kill(ssh, signal.SIGSTOP)
    try:
        newer = door.come("Ann")
        newer.wait_for(READY)
    finally:
        os.kill(ssh, signal.SIGCONT)
    older.ended()
    newer.wait_for(READY, stands=0.5)


def test_after_five_wrong_tries_the_words_rest(open_door: Callable[..., Door]) -> None:
    """The host counts the wrong tries of all connections together. After five, it refuses the right words too."""
    door = open_door("--seats", "3")
    first, second, number = door.words.split("-")
    wrong = f"{second}-{first}-{number}"
    for _ in range(5):
        screen = door.come("Eve")
        screen.wait_for("words")
        screen.type(wrong)
        screen.press("Enter")
        screen.wait_for(re.compile("wrong|do not fit|not the words|lead nowhere|rest", re.IGNORECASE))
        screen.kill()
    late = door.come("Late")
    late.wait_for("words")
    late.type(door.words)
    late.press("Enter")
    late.wait_for(re.compile(r"\brest\b"))


def test_a_code_brings_the_seat_back_without_a_key(open_door: Callable[..., Door]) -> None:
    door = open_door("--seats", "3")
    ann = door.sit_down("Ann", keyless=True)
    code = re.search(r"\b[a-z]+-[a-z]+-\d{4,}\b", ann.wait_for(READY))
    assert code is not None, ann.text()
    ann.kill()
    ann.ended()
    back = door.come("Ann", keyless=True)
    back.wait_for("return code")
    back.type(code[0])
    back.press("Enter")
    shown = back.wait_for(READY)
    assert len(re.findall(r"[●■◆] ann\b", shown)) == 1, shown


def test_a_guest_gets_the_table_and_nothing_else(open_door: Callable[..., Door], runner: ProgramRunner) -> None:
    """No command, no file transfer, no forwarding of ports, agent or X11, no environment; and help is a page."""
    door = open_door("--seats", "3")
    ann = door.sit_down("Ann")
    ann.kill()
    ann.ended()
    for command in ("id", "sh -c id", "join; id", "scp -t /tmp/x", "rsync --server . /", "../../bin/sh", "a" * 5000):
        code, said = door.run("Ann", command)
        assert code != 0 and "uid=" not in said, said
    code, said = door.run("Ann", "help")
    assert code == 0 and "Nothing to install" in said and "kickdoor://" not in said
    code, said = door.run("Ann", "sftp", options=("-s",))
    assert code != 0 and "subsystem" in said
    refused = (
        ("-W", "127.0.0.1:22"), ("-W", "127.0.0.1:7788"), ("-W", f"127.0.0.1:{door.port}"),
        ("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "-N"),
    )  # fmt: skip
    for options in refused:
        code, said = door.run("Ann", options=options)
        assert code != 0, said
    with socket.create_server(("127.0.0.1", 0)) as free:
        near = free.getsockname()[1]
    for option in (("-L", f"127.0.0.1:{near}:127.0.0.1:22"), ("-D", f"127.0.0.1:{near}")):
        _forwards_nothing(door, runner, near, *option)
    with_all = door.command("Ann", "-tt", "-A", "-X", "-o", "SetEnv=LD_PRELOAD=/tmp/x.so KICKDOOR_DATA=/tmp/x")
    screen = runner.tmux.open("Ann", with_all, {**runner.env("Ann"), "DISPLAY": ":9"})
    screen.wait_for(READY)  # the options were refused, and the guest has the seat


def _forwards_nothing(door: Door, runner: ProgramRunner, near: int, *option: str) -> None:
    """See that a port that ssh opens on its own side leads nowhere."""
    command = door.command("Ann", "-T", "-N", "-o", "BatchMode=yes", *option)
    ssh = subprocess.Popen(command, env=runner.env("Ann"), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        sock = _connected(near)
        with sock:
            sock.settimeout(20)
            # SOCKS 4 to port 22 of loopback; for -L these are bytes that no server answers
            sock.sendall(b"\x04\x01\x00\x16\x7f\x00\x00\x01\x00")
            try:
                answer = sock.recv(100)
            except ConnectionError:
                answer = b""
        assert not answer.startswith(b"\x00\x5a") and b"SSH-" not in answer
    finally:
        ssh.kill()
        ssh.communicate()


def _connected(port: int) -> socket.socket:
    """Return a connection to this port of loopback, once somebody listens there."""
    until = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 5)
        except ConnectionRefusedError:
            assert time.monotonic() < until, "ssh has not opened its port"
            time.sleep(0.05)


def test_a_window_follows_its_size_and_a_spectator_watches(open_door: Callable[..., Door]) -> None:
    door = open_door("--seats", "3", "--bots", "2")
    ann = door.sit_down("Ann", size=(80, 24))
    ann.resize(120, 40)
    ann.wait_for(lambda text: any(len(line.rstrip()) > 90 for line in text.splitlines()) or len(text.splitlines()) > 30)
    ann.press("y")
    ann.wait_for("First cards")
    wes = door.come("Wes", "watch")
    wes.wait_for("words")
    wes.type(door.words)
    wes.press("Enter")
    wes.wait_for(re.compile("SPECTATING", re.IGNORECASE))


def test_six_guests_play_a_game_to_its_end(open_door: Callable[..., Door], runner: ProgramRunner) -> None:
    """By pipes (`ssh -T`): each guest gets the plain mode, and a script answers what it asks. All are one Level from
    the end, since whole games of six who play at random take many minutes."""
    door = open_door("--scenario", str(SIX), "--pace", "quick")
    names = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")
    for name in names:  # each is asked once for the words; from then on the key is enough
        screen = door.sit_down(name)
        screen.kill()
        screen.ended()
    players = [
        PlainPlayer(
            runner.folder / name, program=door.command(name, "-T", "-o", "BatchMode=yes"), seed=seed,
            HOME=str(runner.folder / name),
        )
        for seed, name in enumerate(names)
    ]  # fmt: skip
    try:
        with ThreadPoolExecutor(len(players)) as threads:
            for done in [threads.submit(player.play, GAME_S) for player in players]:
                done.result()
        for player in players:
            assert not [line for line in player.lines if "Traceback" in line or "kickdoor://" in line]
    finally:
        for player in players:
            player.close()
