"""Attacks by people who have a string of a host: join, watch or lobby. `attacker.py` runs them.

Most of them never say hello, or take a seat only to annoy.
"""

import asyncio
import contextlib
import itertools
import os
import random
import signal
import time
from collections.abc import Callable
from typing import Any

import zmq

from core.moves.legal import suggest
from netcode.client.client import Client, ClientError
from netcode.client.lobby_client import LobbyClient
from netcode.protocol import codec, wire
from netcode.protocol.credentials import new_pair, parse_join
from netcode.protocol.sockets import dealer
from tests.netcode.raw_client import RawClient, hello

MUTE = 360
"""How many silent connections with a finished handshake."""
BOMBERS, PARTS = 20, 5000
"""The number of connections, and the number of parts in each of their messages."""
BROKEN_S = 0.3
"""How long a flood with heartbeats lasts before its connection breaks (s)."""
KEY_S = 1 / 30
"""How often a keyboard repeats a key that is held down (s)."""
DELAYING = ("Offer", "Hold", "Equip", "Unequip", "Counter", "Withdraw", "Decline")
"""The beginnings of the names of actions that keep a player busy without advancing the game."""
Ready = Callable[[], None]


def hang_up(string: str, ready: Ready) -> None:
    """Come, leave, and hang up, at once or a moment later, again and again, with new keys and with old ones."""
    ready()
    pairs, target = [new_pair() for _ in range(4)], parse_join(string)
    rng = random.Random()
    for number in itertools.count():
        with RawClient(string, rng.choice([*pairs, new_pair()])) as raw:
            with contextlib.suppress(zmq.Again):
                raw.send(hello(string, f"H{number % 100}", role=rng.choice(("player", "watch"))))
                if rng.random() < 0.8 and raw.socket.poll(300):
                    answer = codec.unpack_down(raw.socket.recv())
                    if isinstance(answer, wire.Welcome) and rng.random() < 0.8:
                        raw.send(wire.Leave(answer.s))
                    elif target.table == wire.LOBBY and isinstance(answer, wire.Entered):
                        raw.send(wire.ListTables(answer.s))
            time.sleep(rng.choice((0.0, 0.0, 0.001, 0.01, 0.05)))


def heartbeats(string: str, ready: Ready) -> None:
    """Floods without hello and with a heartbeat every millisecond, whose connections break: libzmq 4.3.5 aborts when a
    heartbeat is due on a connection that broke while it was not read."""
    ready()
    parent = os.getpid()
    while True:
        child = os.fork()
        if child == 0:
            _flood_with_heartbeats(string, parent)
        time.sleep(BROKEN_S)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _flood_with_heartbeats(string: str, parent: int) -> None:
    raw = RawClient(string, new_pair(), heartbeat_ms=1)
    raw.socket.setsockopt(zmq.SNDTIMEO, 50)
    frame = bytes(4000)
    while os.getppid() == parent:  # end it with the attacker: otherwise it would keep its pipes open
        with contextlib.suppress(zmq.Again):
            raw.socket.send(frame)
    os._exit(1)


def multipart(string: str, ready: Ready) -> None:
    """Messages of thousands of parts, on connections that never say hello."""
    clients = [RawClient(string, new_pair()) for _ in range(BOMBERS)]
    for raw in clients:
        raw.socket.setsockopt(zmq.SNDTIMEO, 20)
    ready()
    while True:
        for raw in clients:
            with contextlib.suppress(zmq.Again):
                for _ in range(PARTS):
                    raw.socket.send(b"x", zmq.SNDMORE)
                raw.socket.send(b"x")


def mute(string: str, ready: Ready) -> None:
    """Hundreds of connections that finish the handshake and never say hello."""
    target, context = parse_join(string), zmq.Context[zmq.Socket[bytes]]()
    context.set(zmq.MAX_SOCKETS, 2 * MUTE)
    held = [dealer(context, new_pair(), target.key) for _ in range(MUTE)]  # a stream without references closes itself
    for sock in held:
        sock.connect(target.endpoint)
    ready()
    signal.pause()


# ----------------------------------------------------------------------------------------------------- with a seat
def held(join: str, ready: Ready) -> None:
    """A player who holds keys down: preferences, passes and talk thirty times a second."""

    async def hold(client: Client) -> None:
        ready()
        for number in itertools.count():
            s = client._s
            if client.stage == "closed":
                return
            keys: list[wire.Up] = [
                wire.Set(s, speed=("fast", "normal", "slow")[number % 3]), wire.Set(s, auto=number % 2 == 0),
                wire.Set(s, ready=True), wire.Set(s, skip=True), wire.Say(s, "la"), wire.Sync(s), wire.Back(s),
            ]  # fmt: skip
            client._send(keys[number // 30 % len(keys)])
            await asyncio.sleep(KEY_S)

    asyncio.run(_with_seats(join, ready, hold))


def stall(join: str, ready: Ready) -> None:
    """A player who is always busy and never advances the game: gear, offers, holds, empty preferences, questions."""

    async def dawdle(client: Client) -> None:
        ready()
        rng = random.Random()
        while client.stage != "closed":
            client._send(wire.Set(client._s))
            view = client.view
            rows = [] if view is None or view.you is None else view.you.legal
            idle = [row for row in rows if type(row.action).__name__.startswith(DELAYING)]
            if idle and not client.busy:
                for action in suggest(rng.choice(idle), 1):
                    client.act(action)
            await asyncio.sleep(0.5)

    asyncio.run(_with_seats(join, ready, dawdle))


def squat(join: str, ready: Ready) -> None:
    """Take every free seat, each with a new key, and do nothing with it."""

    async def sit(client: Client) -> None:
        ready()
        await client.wait_closed()

    asyncio.run(_with_seats(join, ready, sit, at_once=3))


async def _with_seats(join: str, ready: Ready, play: Callable[[Client], Any], at_once: int = 1) -> None:
    """Take a seat whenever one is free, with a new key and name each time, and play as `play` does until it is lost."""

    async def one() -> None:
        for number in itertools.count():
            client = Client(join, f"R{number % 100}", keep=False)
            try:
                await client.join(5)
                client.set(ready=True)
                await play(client)
            except (ClientError, TimeoutError):
                ready()  # it has tried: all seats are taken
            await client.close()
            await asyncio.sleep(0.3)

    await asyncio.gather(*(one() for _ in range(at_once)))


# ---------------------------------------------------------------------------------------------------------- the lobby
def lobbyists(lobby: str, ready: Ready) -> None:
    """Guests with new keys who open tables, with known and unknown sets, and ask for tables that do not exist."""

    async def visit() -> None:
        rng = random.Random()
        for number in itertools.count():
            client = LobbyClient(lobby, f"L{number % 100}", keep=False)
            try:
                await client.enter(5)
                ready()
                shuffled = rng.sample(client.sets, rng.randint(1, len(client.sets)))  # each order is loaded anew
                sets = rng.choice([shuffled, shuffled, ["no-such-set"], ["../../etc"]])
                for ask in (client.create(sets, title="\x1b[2J", seats=rng.randint(3, 6)), client.join_string("0" * 6)):
                    with contextlib.suppress(ClientError):
                        await ask
            except (ClientError, TimeoutError):
                ready()
            await client.close()

    asyncio.run(visit())
