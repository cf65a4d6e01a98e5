"""Connections that are lost between any two callbacks of the host's loop: of players, spectators, guests of the lobby.

A script in which people sit down, play, talk, leave and come back is run once for each callback of the loop, and a
connection is lost there. Whatever the moment, no internal error is met, and the others play on.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import cache, partial

import pytest

from core.state.actions import Done
from netcode.protocol import limits, wire
from tests.netcode.stepped_host import SETS, SteppedHost
from tests.thorough import share, some

PLAYERS = ("Kim", "Roger", "Ross")
EVERYBODY = (*PLAYERS, "Ann", "Vic")
LOST = ("Kim", "Roger", "Ann", "Vic")
SOME = 5
"""The less harmful losses are tried only at every n-th callback."""


async def evening(host: SteppedHost) -> None:
    """Play a short evening: Ann spectates and leaves, Vic visits the lobby, Roger leaves for good, Kim comes back."""
    record = host.table.record
    for name in PLAYERS:
        host.hello(name, record.join)
    host.hello("Ann", record.watch, role="watch")
    host.hello("Vic", host.lobby.token, wire.LOBBY)
    await asyncio.sleep(0.1)
    for name in PLAYERS:
        host.say(name, lambda s: wire.Set(s, ready=True))
    host.say("Vic", lambda s: wire.CreateTable(s, 1, [SETS[0]], "Tea", 3))
    await beats(host, 5)  # no client sends its part of the fair deal, which waits for them a moment
    host.say("Kim", lambda s: wire.Act(s, 1, Done()))
    host.say("Ann", lambda s: wire.Say(s, "Hello!"))
    host.say("Ann", wire.Leave)
    host.say("Roger", lambda s: wire.Act(s, 1, Done()))
    host.say("Vic", lambda s: wire.EnterTable(s, host.table.id, True))
    await asyncio.sleep(0.1)
    host.hello("Ann", record.watch, role="watch")
    host.hello("Kim", resume_token(host, "Kim") or record.join)
    host.say("Ross", lambda s: wire.Admin(s, "kick", 1))
    host.say("Kim", lambda s: wire.Admin(s, "pause"))
    host.say("Kim", lambda s: wire.Admin(s, "resume"))
    await asyncio.sleep(0.1)
    host.say("Roger", wire.Leave)
    host.say("Ann", wire.Leave)
    host.say("Kim", lambda s: wire.Back(s))
    await beats(host, 2)
    await beats(host, limits.LOST_MS // 1000 + 3)


def resume_token(host: SteppedHost, name: str) -> bytes:
    """Return the newest resume token of a client, empty if it has none."""
    return next((one.token for one in reversed(host.heard(name, wire.Welcome))), b"")


async def beats(host: SteppedHost, seconds: int) -> None:
    """Let this much time pass, while everybody sends heartbeats."""
    for nonce in range(seconds):
        for name in EVERYBODY:
            at_table = name != "Vic"
            if host.session(name):
                host.say(name, partial(wire.Ping, nonce=nonce) if at_table else wire.ListTables)
        await asyncio.sleep(1)


@cache
def callbacks() -> int:
    """Return how many callbacks the loop runs in an evening without a lost connection."""
    host = SteppedHost()
    host.run(evening)
    return host.steps


def undisturbed_by(then: Callable[[SteppedHost], None], at: int, caplog: pytest.LogCaptureFixture) -> SteppedHost:
    """Run an evening in which something happens at this callback; check that the host meets no internal error."""
    caplog.clear()
    host = SteppedHost(at, then)
    host.run(evening)
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert errors == [], (at, errors, [record.exc_text for record in caplog.records][:1])
    assert host.server.lost == [] and host.table.faults.in_a_row == 0, at
    return host


def test_the_script_plays_an_evening() -> None:
    host = SteppedHost()
    host.run(evening)
    assert callbacks() == host.steps > 200, "the same script makes the same callbacks"
    assert host.heard("Vic", wire.Created) and host.heard("Vic", wire.Way)
    assert len(host.heard("Ross", wire.Talk)) == 1
    assert [bye.reason for bye in host.heard("Ann", wire.Bye)] == ["left"]
    assert host.heard("Ross", wire.Update)[-1].view is not None and host.heard("Kim", wire.Pong)


@pytest.mark.long
@pytest.mark.parametrize("name", LOST)
def test_a_connection_lost_between_any_two_callbacks_harms_nobody(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """In a turn (tests/thorough.py) each callback is tried with only one of the four names."""
    for at in share(some(range(1, callbacks()), 30), 4, LOST.index(name)):
        host = undisturbed_by(lambda host: host.hang_up(name), at, caplog)
        gone = host.server.wire.gone
        assert not gone & set(host.server._runners), (at, "its connection is remembered")
        assert not any(session.address in gone for session in host.table.table.seating.spectators), at
        others = [other for other in ("Ross", "Kim") if other != name]
        assert all(host.heard(other, wire.Pong) for other in others), (at, "the others are not answered")


@pytest.mark.long
@pytest.mark.parametrize("name", ("Kim", "Ann", "Vic"))
def test_a_client_that_reads_no_more_after_any_callback_harms_nobody(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    for at in share(some(range(1, callbacks(), SOME), 6), 2, LOST.index(name)):
        undisturbed_by(lambda host: host.stop_reading(name), at, caplog)


@pytest.mark.long(0)
@pytest.mark.parametrize("name", ("Kim", "Ann", "Vic"))
def test_a_client_that_is_back_at_once_after_any_callback_harms_nobody(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    def back(host: SteppedHost) -> None:
        host.hang_up(name)
        record = host.table.record
        if name == "Vic":
            host.hello(name, host.lobby.token, wire.LOBBY)
        elif name == "Ann":
            host.hello(name, record.watch, role="watch")
        else:
            host.hello(name, record.join)

    for at in share(range(3, callbacks(), SOME), 2, LOST.index(name)):
        undisturbed_by(back, at, caplog)


@pytest.mark.long(0)
def test_a_host_that_is_told_to_stop_after_any_callback_ends(caplog: pytest.LogCaptureFixture) -> None:
    for at in range(3, callbacks(), SOME):
        host = undisturbed_by(lambda host: host.server.stop(), at, caplog)
        assert host.ended
