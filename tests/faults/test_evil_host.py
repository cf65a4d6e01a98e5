"""Real clients in a real terminal at an evil host: keys are answered, and a client ends on request, or with one
sentence. `python -m tests.faults.evil_runs` tries far more values."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import msgpack
import pytest

from netcode.client.connection import distrust
from netcode.client.flood import FLOODED
from netcode.protocol.credentials import new_pair
from netcode.protocol.deltas import inflated
from tests.faults.evil_host import VICTIM, EvilHost, altered, frame, parts, start_evil_host
from tests.faults.evil_runs import Victim
from tests.netcode.raw_client import RawClient, hello
from tests.patience import PATIENCE_S
from tests.tui.pty_terminal import Terminal

TALK = frame("talk", seat=1, name="Gilda", text="y" * 300)
SHOWS = {"screen": "READY?", "plain": "Say help", "bot": "has seat", "watch": "You are a spectator"}
"""The text that each kind of client shows when it is at the table."""


class Evening:
    """One evil host, and its victims in terminals."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._victims = folder, list[Victim]()
        self.host: EvilHost | None = None

    def start(self, **config: object) -> EvilHost:
        """Start the host."""
        self.host = start_evil_host(**config)
        return self.host

    def victim(self, kind: str, **config: object) -> tuple[EvilHost, Victim]:
        """Start the host and a client at it."""
        host = self.start(**config)
        self._victims.append(Victim(kind, host, self._folder))
        return host, self._victims[-1]

    def close(self) -> None:
        """End both."""
        for victim in self._victims:
            victim.terminal.close()
        if self.host is not None:
            self.host.process.kill()
            self.host.process.communicate()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    found = Evening(tmp_path)
    yield found
    found.close()


def words(text: str) -> str:
    """Return the words of a text, however it was wrapped."""
    return " ".join(text.split())


@pytest.mark.long(0)
def test_keys_are_answered_in_a_flood(evening: Evening) -> None:
    host, victim = evening.victim("screen", bots=2)
    victim.sit_down()
    host.tell("flood", frames=[])  # whole views, which take longest to read
    for _ in range(4):
        assert victim.answers() is not None
    host.tell("stop")
    host.tell("send", frames=[TALK] * 1500)  # no more at once than an honest table may send
    for _ in range(4):
        assert victim.answers() is not None
    assert not victim.complaint()


@pytest.mark.long(0)
@pytest.mark.parametrize(("kind", "shows"), [("screen", "READY?"), ("plain", "Say help")])
@pytest.mark.parametrize("how", ["SIGTERM", "closed"])
def test_a_client_ends_in_the_middle_of_a_flood(evening: Evening, kind: str, shows: str, how: str) -> None:
    host, victim = evening.victim(kind)
    victim.terminal.until(shows, PATIENCE_S)
    host.tell("flood", frames=[frame("ticked", timers={}), frame("pong", nonce=0)])
    victim.terminal.read(0.3)
    if how == "closed":
        os.close(victim.terminal.fd)
        victim.terminal.fd = os.open(os.devnull, os.O_RDONLY)
    else:
        os.kill(victim.terminal.pid, signal.SIGTERM)
    assert victim.terminal.wait(PATIENCE_S) == (0 if how == "SIGTERM" else 1)


@pytest.mark.long(0)
@pytest.mark.parametrize(("kind", "how"), [("screen", "\x11"), ("plain", "quit\r"), ("bot", "\x03")])
def test_a_client_is_left_by_its_keys_while_its_host_hangs(evening: Evening, kind: str, how: str) -> None:
    host, victim = evening.victim(kind)
    victim.terminal.until(SHOWS[kind], PATIENCE_S)
    os.kill(host.process.pid, signal.SIGSTOP)
    victim.terminal.press(how)
    if kind == "plain":
        victim.terminal.until("leave, the seat stays yours")
        victim.terminal.press("1\r")
    assert victim.terminal.wait(PATIENCE_S) == (1 if kind == "bot" else 0)
    assert b"Traceback" not in victim.terminal.bytes


@pytest.mark.long(4)
@pytest.mark.parametrize("kind", ["screen", "plain", "bot", "watch"])
def test_a_host_that_says_what_cannot_be_is_left_with_one_sentence(evening: Evening, kind: str) -> None:
    host, victim = evening.victim(kind)
    victim.terminal.until(SHOWS[kind], PATIENCE_S)
    host.tell("send", frames=[frame("ticked", timers={"window": 2**60})])
    assert victim.terminal.wait(PATIENCE_S) == 1
    end = distrust("").split(",")[1]
    assert words(end) in words(victim.terminal.bytes.decode(errors="replace"))
    assert not victim.complaint()


@pytest.mark.long(0)
@pytest.mark.parametrize(("kind", "size"), [("screen", 65536), ("plain", 65536), ("bot", 0)])
def test_a_message_without_end_ends_a_client_before_it_takes_much_memory(
    evening: Evening, kind: str, size: int
) -> None:
    host, victim = evening.victim(kind)
    victim.terminal.until(SHOWS[kind], PATIENCE_S)
    assert not victim.has_ended()
    quiet = victim.peak_mib
    host.tell("send", frames=[parts(2400 if size else 400_000, size)])
    give_up_at = time.monotonic() + PATIENCE_S
    while not victim.has_ended() and time.monotonic() < give_up_at:
        victim.terminal.read(0.005)
    assert victim.peak_mib < quiet * 1.5, f"from {quiet:.0f} to {victim.peak_mib:.0f} MiB"
    assert victim.terminal.status == 1
    assert words(FLOODED[1:]) in words(victim.terminal.bytes.decode(errors="replace"))
    assert not victim.complaint()


@pytest.mark.long(0)
def test_a_table_that_cannot_be_drawn_is_left_with_one_sentence(evening: Evening) -> None:
    host, victim = evening.victim("screen", bots=2)
    victim.sit_down()
    shown = msgpack.unpackb(host.honest()["delta"], strict_map_key=False)
    own = msgpack.unpackb(inflated(shown["own"], b""), strict_map_key=False)
    at, legal = next((at, value) for at, value in enumerate(own[0]) if value and isinstance(value[0], dict))
    no_set = {"field": "pay", "among": [1]}  # in actions that have no such set
    evil = altered(shown, ["own", 0, at], [{**one, "pick": no_set} for one in legal])
    host.tell("send", frames=[b"@delta" + msgpack.packb(evil)])
    assert victim.terminal.wait(PATIENCE_S) == 1
    assert b"so the connection was closed" in victim.terminal.bytes
    assert not victim.complaint()


@pytest.mark.long(0)
def test_a_list_of_tables_that_changes_all_the_time_can_be_used_and_left(evening: Evening, tmp_path: Path) -> None:
    host = evening.start()
    terminal = Terminal("join", host.lobby, "--name", VICTIM, home=tmp_path)
    try:
        terminal.until("sit down", PATIENCE_S)
        rows = [[{"table": f"{at}-{one}", "sets": ["axe-cop"], "seats": 3} for one in range(20)] for at in range(50)]
        host.tell("send", frames=[frame("tables", rev=at, rows=those) for at, those in enumerate(rows * 20)])
        for _ in range(20):
            terminal.press("\x1b[B")
            terminal.read(0.05)
        terminal.press("\x11")
        assert terminal.wait(PATIENCE_S) == 0
        assert b"cannot be" not in terminal.bytes and b"Traceback" not in terminal.bytes
    finally:
        terminal.close()


@pytest.mark.long(0)
def test_a_table_that_is_not_where_its_lobby_says_can_be_left(evening: Evening, tmp_path: Path) -> None:
    """First the lobby names a table that does not exist, then one whose host ends before it lets anybody in."""
    host = evening.start()
    terminal = Terminal("join", host.lobby, "--name", VICTIM, home=tmp_path, size=(100, 30))
    try:
        terminal.until("sit down", PATIENCE_S)
        host.tell("alter", kind="way", path=["table"], value="nowhere")
        host.sent()  # it answers when it has done what it was told
        terminal.press_until("\r", "no table here fits this join string", PATIENCE_S)
        host.tell("honest")
        host.tell("mute", kinds=["welcome"])
        host.sent()
        terminal.press("\r")
        host.process.kill()
        terminal.press("\x11")
        assert terminal.wait(PATIENCE_S) == 0
        assert b"Traceback" not in terminal.bytes and not list(tmp_path.rglob("crash*"))
    finally:
        terminal.close()


FAILING = """
import sys
from tui.{module} import {place}
def fail(*_):
    raise ZeroDivisionError
{place}.{method} = fail
sys.argv = ["kickdoor", *{arguments!r}]
from tui.__main__ import main
main()
"""


@pytest.mark.long(0)
@pytest.mark.parametrize(
    ("options", "module", "place", "method"),
    [
        ((), "screens.waiting_room", "WaitingRoomScreen", "redraw"),
        (("--plain",), "plain.room", "PlainRoom", "question"),
        (("--plain",), "scene.table_session", "TableSession", "heard"),
    ],
)
def test_an_internal_error_at_the_host_of_somebody_else_is_one_sentence(
    evening: Evening, tmp_path: Path, options: tuple[str, ...], module: str, place: str, method: str
) -> None:
    host = evening.start()
    arguments = ["join", host.join, *options]
    code = FAILING.format(module=module, place=place, method=method, arguments=arguments)
    terminal = Terminal(home=tmp_path, code=code)
    try:
        if method == "heard":
            terminal.until("Say help", PATIENCE_S)
            other = RawClient(host.join, new_pair())
            with other:
                other.send(hello(host.join, "Roger"))  # everybody is told
                assert terminal.wait(PATIENCE_S) == 1
        assert terminal.status == 1 or terminal.wait(PATIENCE_S) == 1
        said = words(terminal.bytes.decode(errors="replace"))
        assert "what the host says cannot be used here (zerodivisionerror" in said.lower(), said
        assert "Traceback" not in said and not list(tmp_path.rglob("crash*"))
    finally:
        terminal.close()
