"""An attacker in its own process: python -m tests.faults.attacker NAME [fast].

It reads a string of the host from standard input (a join string if the attack does not say otherwise), prints "ready"
when it begins, and ends when it is killed. It yields the processor to others, since it stands for another machine;
fast: only to the measured processes.
"""

import asyncio
import contextlib
import itertools
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import cache, partial

import zmq

from core.state.actions import Done
from netcode.protocol import codec, wire
from netcode.protocol.credentials import new_pair, parse_join
from tests.faults import bearers, callers
from tests.faults.priority import come_second, step_back
from tests.faults.raw_zmtp import ATTACKS, shout, silent
from tests.netcode.raw_client import RawClient, hello

BOMBS = [
    b"\x91" * 4000, b"\xdd\xff\xff\xff\xff" + b"\xc0" * 4000, b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff", (b"\xdc\xea\x60" * 1400)[:4096], b"\x81\xa1k" + b"\x91" * 4000, b"\xd6\xff\0\0\0\0",
    b"\x85\xa1k\xa3act\xa1s\xc4\x10" + bytes(16) + b"\xa1n\x01\xa6action" + b"\x81\xa2do" * 1000,
]  # fmt: skip
"""The frames that cost most to unpack."""
FAST = "fast"
NO_SESSION = bytes(16)
"""A session that no host knows."""


def main() -> None:
    """Run the attack that the first argument names."""
    join = sys.stdin.readline().strip()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    come_second() if FAST in sys.argv[2:] else step_back()
    KINDS[sys.argv[1]](join)


@cache
def _ready() -> None:
    """Say that the attack has begun; only the first call does."""
    print("ready", flush=True)


# -------------------------------------------------------------------------------------- strangers without a join string
def strangers(join: str) -> None:
    """Anything except a CURVE handshake with the right key, on 32 connections at a time."""
    port = parse_join(join).port

    async def one(number: int) -> None:
        for parts in itertools.islice(itertools.cycle(ATTACKS.values()), number, None):
            await shout(port, parts)

    async def all_of_them() -> None:
        _ready()
        await asyncio.gather(*(one(number) for number in range(32)))

    asyncio.run(all_of_them())


def silence(join: str) -> None:
    """330 silent connections, opened again as the host closes them."""

    async def hold() -> None:
        while True:
            async with silent(parse_join(join).port, 330):
                _ready()
                await asyncio.sleep(4)

    asyncio.run(hold())


# ----------------------------------------------------------------------------------------- attackers with a join string
def newcomers(join: str) -> None:
    """Hellos with a valid join string, each with a new key; the first of them take all free seats."""
    _ready()
    for number in itertools.count():
        with RawClient(join, new_pair()) as raw:
            raw.send(hello(join, f"N{number % 1000}"))
            raw.socket.poll(200)


def _seated(join: str) -> tuple[RawClient, bytes]:
    """Take a seat and return its session; NO_SESSION if all are taken, so that whoever comes knocks."""
    raw, s = RawClient(join, new_pair()), NO_SESSION
    raw.send(hello(join))
    answer = asyncio.run(raw.answer((wire.Welcome, wire.Error, wire.Knocked)))
    assert answer is not None, "the host does not answer"
    if isinstance(answer, wire.Welcome):
        s = answer.s
        raw.send(wire.Set(s, ready=True))
    _ready()
    return raw, s


def _as_fast_as_possible(raw: RawClient, frames: "itertools.cycle[bytes]", read: bool) -> None:
    raw.socket.setsockopt(zmq.SNDTIMEO, 200)
    for frame in frames:
        try:
            raw.socket.send(frame)
        except zmq.Again:
            time.sleep(0.01)
        if read:
            try:
                while True:
                    raw.socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                continue


def flood(join: str) -> None:
    """Acts, talk and syncs without pause."""
    raw, s = _seated(join)
    acts = [codec.pack(wire.Act(s, n, Done())) for n in range(1, 400)]
    more = [codec.pack(wire.Say(s, "la" * 100)), codec.pack(wire.Sync(s))]
    _as_fast_as_possible(raw, itertools.cycle([*acts, *more]), read=True)


def bombs(join: str) -> None:
    """Frames that are not messages."""
    raw, _ = _seated(join)
    noise = [os.urandom(random.randint(1, 4096)) for _ in range(20)]
    _as_fast_as_possible(raw, itertools.cycle([*BOMBS, *noise]), read=True)


def fat(join: str) -> None:
    """Frames of the greatest length that the socket takes, and now and then a longer one."""
    raw, _ = _seated(join)
    _as_fast_as_possible(raw, itertools.cycle([bytes(15 * 1024)] * 200 + [bytes(64 * 1024)]), read=True)


def deaf(join: str) -> None:
    """Requests for a whole update as often as a host allows, without reading the answers."""
    raw, s = _seated(join)
    raw.socket.setsockopt(zmq.RCVHWM, 1)
    sync = codec.pack(wire.Sync(s))
    talk = codec.pack(wire.Say(s, "la" * 140))
    while True:
        for frame in (sync, talk):
            with contextlib.suppress(zmq.Again):  # the host has closed the connection
                raw.socket.send(frame, zmq.NOBLOCK)
        time.sleep(1.01)


def endless(join: str) -> None:
    """Messages of very many frames, which ZeroMQ takes whole or not at all; an attacker with a seat waits for the
    game."""
    raw, s = _seated(join)
    if s != NO_SESSION:
        _see_the_game(raw)
        asyncio.run(raw.answer(wire.Update, 20))
        time.sleep(1)  # let the others play, so that they have something to lose
    raw.socket.setsockopt(zmq.SNDTIMEO, -1)
    part = bytes(15 * 1024)
    while True:
        for _ in range(12_000):
            raw.socket.send(part, zmq.SNDMORE)
        raw.socket.send(part)  # earlier messages leave only now


def _see_the_game(raw: RawClient) -> None:
    while (update := asyncio.run(raw.answer(wire.Update, 20))) is None or update.view is None:
        assert update is not None, "no game has begun"


def suspended(join: str) -> None:
    """A player who is seated, and then suspended."""
    _seated(join)
    os.kill(os.getpid(), signal.SIGSTOP)


def pings(join: str) -> None:
    """Floods with many heartbeats whose connections break unread, one after the other, once the game has begun:
    libzmq 4.3.5 aborts a host that is too busy to read while that happens."""
    token, parent = b"", os.getpid()
    _ready()
    while True:
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            _flood_and_read_nothing(join, token, theirs, parent)
        os.close(theirs)
        token = os.read(ours, 64)
        time.sleep(0.35)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ours)


def _end_with(parent: int) -> None:
    """End with the process that started this one; otherwise it would never end, or keep pipes open."""
    while os.getppid() == parent:
        time.sleep(0.05)
    os._exit(1)


def _flood_and_read_nothing(join: str, token: bytes, tell: int, parent: int) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    raw = RawClient(join, new_pair(), heartbeat_ms=1)
    try:
        raw.send(hello(join, token=token or parse_join(join).token))
    except zmq.Again:
        os._exit(1)  # the host is not running now
    welcome = asyncio.run(raw.answer(wire.Welcome, 1.0))
    if welcome is None:
        os._exit(1)
    raw.send(wire.Set(welcome.s, ready=True))
    _see_the_game(raw)
    os.write(tell, welcome.token)
    for n in itertools.count(1):
        raw.socket.send(codec.pack(wire.Act(welcome.s, n, Done())))


def _announced(attack: Callable[[str, Callable[[], None]], None]) -> Callable[[str], None]:
    return lambda join: attack(join, _ready)


KINDS: dict[str, Callable[[str], None]] = {
    "strangers": strangers, "silence": silence, "flood": flood, "bombs": bombs, "fat": fat, "deaf": deaf,
    "newcomers": newcomers, "endless": endless, "pings": pings, "suspended": suspended,
    **{
        attack.__name__: partial(attack, ready=_ready)
        for attack in (
            bearers.hang_up, bearers.heartbeats, bearers.multipart, bearers.mute, bearers.held, bearers.stall,
            bearers.squat, bearers.lobbyists,
        )
    },
    **{name: _announced(attack) for name, attack in {**callers.CHURNS, **callers.LINES, **callers.HELLOS}.items()},
}  # fmt: skip
BEARABLE = ("strangers", "silence", "flood", "bombs", "fat", "deaf", "newcomers")
"""The attacks that a host survives by itself, without the front."""

if __name__ == "__main__":
    main()
