"""The cost of a host's own work for an action, from the arriving frame to the outgoing frames: a recorded game is
played again at tables of a real server, without sockets, threads, a disk, or decoding clients. Times are CPU time, and
the same steps are taken every time."""

import asyncio
import time
from collections.abc import Coroutine, Generator, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import patch

import zmq
from msgspec.structs import replace

from core.state.events import AnyEvent
from netcode.host.registry import LoadedPacks, Registry, TablePlan
from netcode.protocol import codec, wire
from netcode.protocol.credentials import KeyPair
from netcode.table.rules_adapter import Rules, RunningGame
from netcode.table.session import Session
from tests.bench.wire import NAMES, CountingTable
from tests.netcode.recorded_games import play_on
from tests.netcode.stepped_host import PAIR, FakeJournal, FakeWire, Frame, SocketlessServer, SteppedLoop

SETS = ("munchkins-and-mazes",)
SEED = b"served"
APART_S = 0.0007
"""Each table does the same as the one before it, this much later."""


@dataclass
class Sent:
    """A message of a recorded game. at: s since the game began; cards: how many cards are in play before it."""

    at: float
    seat: int
    message: wire.Up
    cards: int


@dataclass
class Game:
    """A recorded game of this many seats. sent: all messages of the players; acts: the actions that were accepted;
    over: whether it was played to its end."""

    seats: int
    sent: list[Sent] = field(default_factory=list)
    acts: int = 0
    over: bool = False

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.sent[-1].at


class _RecordedTable(CountingTable):
    """A table that notes its players' messages."""

    def record(self, game: Game) -> None:
        """Note all frames that are sent from now on."""
        began, handle, table = self.stamp, self.table.message, self.table

        def noted(session: Session, message: wire.Up, stamp: int) -> None:
            public = table.match.broadcaster.public if table.match is not None else None
            cards = sum(len(seat.table) for seat in public.seats) if public is not None else 0
            game.sent.append(Sent((stamp - began) / 1e9, session.seat, message, cards))
            handle(session, message, stamp)

        table.message = noted  # type: ignore[method-assign]

    def seed(self, number: int) -> bytes:
        return SEED

    def wait(self, ms: int) -> None:
        super().wait(ms + 3)  # no message is sent at the moment when a clock runs out


@cache
def recorded(seats: int, acts: int = 6000) -> Game:
    """Return a game of this many bots, of at most this many actions."""
    offline, game = _RecordedTable(SETS, seats), Game(seats)
    offline.record(game)
    players = offline.sit(*NAMES[:seats])
    play_on(offline, players, 1, acts, offline.catalog)
    assert offline.table.match is not None
    game.acts = offline.table.match.seq
    game.over = bool(offline.table.match.winners)
    return game


# ---------------------------------------------------------------------------------------------------------- the server
class _CountingWire(FakeWire):
    """Keeps the first frame of each connection, its Welcome, and counts the bytes of all."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0

    def _send(self, address: bytes, frame: bytes) -> zmq.ZMQError | None:
        self.bytes += len(frame)
        self.sent.setdefault(address, [frame])
        return None


class _SameGame(Rules):
    """Rules that deal the recorded game each time."""

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        return super().deal(seats, SEED)


_LOADED: dict[tuple[object, ...], LoadedPacks] = {}


class ServedHost:
    """A server with tables and spectators, at which a game is played again and again. costs: the CPU of each message of
    one game, including all its effects before the next message, as a mean of the tables, ms. bytes: sent in it."""

    def __init__(self, game: Game, tables: int = 1, spectators: int = 0) -> None:
        self.game, self._seats = game, [(table, seat) for table in range(tables) for seat in range(game.seats)]
        self._watchers = [(table, game.seats + number) for table in range(tables) for number in range(spectators)]
        self._tables = tables
        self._loop = SteppedLoop(lambda: None)
        self.costs: list[float] = []
        self.bytes = 0

    def games(self) -> Generator[float, None, None]:
        """Play the game once for each step; yield the CPU of an action, ms. After a finished game the next one is
        played at the same tables; after an unfinished one, at new tables."""
        try:
            self._run(self._open())
            while True:
                self._run(self._play())
                yield sum(self.costs) / self.game.acts
                if not self.game.over:
                    self._run(self._close())
                    self._run(self._open())
        finally:
            self._run(self._close())
            self._loop.close()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this on this host's own clock: others may run in turn with it."""
        with (
            patch("time.monotonic", self._loop.time), patch("time.monotonic_ns", lambda: int(self._loop.time() * 1e9)),
            patch("netcode.host.server.Probe"),  # it wakes up ten times a second
        ):  # fmt: skip
            self._loop.run_until_complete(work)

    async def _open(self) -> None:
        """Open the tables and let everybody in."""
        self._played = 0
        registry = Registry(FakeJournal(self._loop), self._tables, _SameGame)  # type: ignore[arg-type]
        registry._cache = _LOADED
        plan = TablePlan(sets=SETS, seats=self.game.seats, pace="book", seed=1)
        self._entries = [registry.open(plan, registry.cards(SETS, ())) for _ in range(self._tables)]
        self._server = SocketlessServer(registry, KeyPair(PAIR.public, PAIR.secret), keep=True)
        self._wire = _CountingWire()
        self._server.serve(self._wire)
        self._serving = asyncio.ensure_future(self._server.run())
        for table, number in [*self._seats, *self._watchers]:
            record = self._entries[table].record
            if number < self.game.seats:
                hello = wire.Hello(wire.WIRE, wire.WIRE, record.table, record.join, NAMES[number])
            else:
                hello = wire.Hello(wire.WIRE, wire.WIRE, record.table, record.watch, f"Wes {number}", "watch")
            self._arrive((table, number), codec.pack(hello))
            await asyncio.sleep(0.01)

    def _packed(self, table: int, seat: int) -> Iterator[bytes]:
        """Yield the frames of a seat, for the next game. The numbers of actions continue."""
        welcome = codec.unpack_down(self._wire.sent[_address(table, seat)][0])
        assert isinstance(welcome, wire.Welcome)
        for one in self.game.sent:
            if one.seat == seat:
                message = replace(one.message, s=welcome.s)
                if isinstance(message, wire.Act):
                    message = replace(message, n=message.n + self._played * len(self.game.sent))
                yield codec.pack(message)

    async def _play(self) -> None:
        """Play one game at all tables, and note its cost."""
        frames = {who: iter(list(self._packed(*who))) for who in self._seats}
        before, began, self.costs = self._wire.bytes, self._loop.time(), []
        for one in self.game.sent:
            await asyncio.sleep(began + one.at - self._loop.time())
            spent = time.process_time()
            for table in range(self._tables):
                self._arrive((table, one.seat), next(frames[table, one.seat]))
                await asyncio.sleep(0)
            await asyncio.sleep(APART_S)
            self.costs.append((time.process_time() - spent) * 1000 / self._tables)
        self.bytes, self._played = self._wire.bytes - before, self._played + 1
        played = [entry.table.match.seq for entry in self._entries if entry.table.match is not None]
        assert played == [self.game.acts] * self._tables, f"{played} actions, not {self.game.acts}: another game"

    def _arrive(self, who: tuple[int, int], frame: bytes) -> None:
        address = _address(*who)
        key = f"{who[0]:04}{who[1]:02}".ljust(40, ".")
        self._server._read([address, Frame(frame, key)], int(self._loop.time() * 1e9))
        self._loop.call_soon(self._server._work_now)

    async def _close(self) -> None:
        self._server.stop()
        await asyncio.wait_for(self._serving, 60)


def _address(table: int, seat: int) -> bytes:
    return b"%04d%02d" % (table, seat)
