"""A host of many tables in the event loop of a test, with real sockets, and rules that fail on demand."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.scenario.schema import Scenario
from core.state.actions import AnyAction, Refusal
from core.state.events import AnyEvent
from core.state.forecasts import Forecast
from core.state.views import View
from core.undo import Mark
from netcode.client.client import Client
from netcode.client.lobby_client import LobbyClient
from netcode.host.front_connections import FrontConnections
from netcode.host.load_monitor import LoadMonitor
from netcode.host.lobby import Lobby
from netcode.host.registry import Registry, TableEntry, TablePlan
from netcode.host.server import Server
from netcode.journal import Journal, JournalHome
from netcode.protocol import wire
from netcode.protocol.credentials import Join, KeyPair, new_pair, new_token
from netcode.protocol.pack_files import PackFiles
from netcode.table.rules_adapter import Rules, RunningGame
from tests.patience import PATIENCE_S

SETS = ("munchkins-and-mazes",)
TRAPPED = "listen"
"""Tables with this option use rules that fail on demand."""


@dataclass
class Trap:
    """What fails at a trapped table. action: each action of this type; views: this many of the next views (-1: all).
    sprung: how many failures there were."""

    action: type | None = None
    views: int = 0
    sprung: int = 0

    def spring(self) -> None:
        """Raise an internal error."""
        self.sprung += 1
        raise RuntimeError("an error made by the test")


class TrappedGame:
    """A game of the real rules that may fail."""

    def __init__(self, play: RunningGame, trap: Trap) -> None:
        self._play, self._trap = play, trap

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
        if self._trap.action is not None and isinstance(action, self._trap.action):
            self._trap.spring()
        return self._play.submit(seat, action)

    def check(self, seat: int, action: AnyAction) -> Refusal | None:
        return self._play.check(seat, action)

    @property
    def rev(self) -> int:
        return self._play.rev

    def views(self, seats: int) -> tuple[View, list[View]]:
        if self._trap.views:
            self._trap.views -= 1
            self._trap.spring()
        return self._play.views(seats)

    def forecasts(self, seat: int, view: View) -> list[Forecast]:
        return self._play.forecasts(seat, view)

    def veiled(self, seat: int) -> bytes:
        return self._play.veiled(seat)

    def words(self, seat: int, before: View, events: Sequence[AnyEvent], names: Sequence[str]) -> int:
        return self._play.words(seat, before, events, names)

    def save(self) -> bytes:
        return self._play.save()

    def last(self) -> Mark | None:
        return self._play.last()

    def remember(self, keep: bool) -> None:
        self._play.remember(keep)

    def last_choice(self, seat: int) -> int:
        return self._play.last_choice(seat)

    def has_acted(self, seat: int) -> bool:
        return self._play.has_acted(seat)


class TrappedRules(Rules):
    """Rules whose games may fail."""

    trap: Trap

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        play, events = super().deal(seats, seed)
        return TrappedGame(play, self.trap), events

    def load(self, saved: bytes, number: int = 0) -> RunningGame:
        return TrappedGame(super().load(saved, number), self.trap)


@dataclass
class InProcessHost:
    """A running host and its parts."""

    host: Server
    registry: Registry
    pair: KeyPair
    load: LoadMonitor
    trap: Trap
    lobby: Lobby
    faults: list[str]
    clients: list[Any] = field(default_factory=list)

    def string(self, table: str, token: bytes) -> str:
        """Return a join string for a table."""
        return str(Join("127.0.0.1", self.host.port, table, self.pair.public, token))

    @property
    def lobby_string(self) -> str:
        """The join string of the lobby."""
        return self.string(wire.LOBBY, self.lobby.token)

    def client(self, string: str, name: str, **more: Any) -> Client:
        """Return a client that has not joined yet; it is closed at the end."""
        client = Client(string, name, keep=False, **more)
        self.clients.append(client)
        return client

    async def visitor(self, name: str = "Vic", **more: Any) -> LobbyClient:
        """Return a visitor of the lobby."""
        visitor = LobbyClient(self.lobby_string, name, keep=False, **more)
        self.clients.append(visitor)
        await visitor.enter()
        return visitor

    async def seated(self, entry: TableEntry, *names: str) -> list[Client]:
        """Seat these players at a table and wait until the game has begun."""
        clients = [self.client(self.string(entry.id, entry.record.join), name) for name in names]
        for client in clients:
            await client.join()
            client.set(ready=True)
        for client in clients:
            await client.wait_for(lambda one: one.view is not None)
        return clients


@asynccontextmanager
async def in_process_host(
    folder: Path | None = None, *, tables: Sequence[tuple[str, ...]] = ((),), pace: Any = "relaxed", limit: int = 20,
    pair: KeyPair | None = None, trap: Trap | None = None, front: FrontConnections | None = None,
    plans: Sequence[TablePlan] = (), opened: Callable[[Path], JournalHome] = Journal,
) -> AsyncIterator[InProcessHost]:  # fmt: skip
    """Run a host. It restores the tables of its journal; if there are none, it opens one for each list of options in
    `tables` and one for each of `plans`. front: the host's end of the channel to a front. opened: opens the journal of
    the folder."""
    trap, load = trap or Trap(), LoadMonitor()

    def rules(packs: Sequence[PackFiles], options: Sequence[str], scenario: Scenario | None, later: bool) -> Rules:
        made = (TrappedRules if TRAPPED in options else Rules)(packs, options, scenario, later)
        if isinstance(made, TrappedRules):
            made.trap = trap
        return made

    journal = opened(folder) if folder is not None else None
    registry = Registry(journal, limit, rules)
    faults = registry.resume()
    if not registry.tables:
        for options in tables:
            registry.open(TablePlan(sets=SETS, seats=3, pace=pace, options=options), registry.cards(SETS, options))
        for plan in plans:
            registry.open(plan, registry.cards(plan.sets, plan.options, plan.scenario))
    pair = pair or new_pair()
    token = new_token() if journal is None else journal.fact("lobby", new_token())
    assert token is not None
    lobby = Lobby(registry, token, {name: name for name in (*SETS, "axe-cop")}, load, "here")
    host = Server(registry, pair, lobby, load=load, keep=True, front=front)
    host.bind("127.0.0.1", 0)
    running = asyncio.ensure_future(host.run())
    inside = InProcessHost(host, registry, pair, load, trap, lobby, faults)
    try:
        yield inside
    finally:
        for client in inside.clients:
            await client.close()
        host.stop()
        await asyncio.wait_for(running, PATIENCE_S)
