"""Positions at a table of a real host in the test's loop, alone or among people."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from core.scenario.schema import load as load_scenarios
from core.state.actions import Action
from netcode.client.client import Client
from netcode.host.registry import TableEntry, TablePlan
from netcode.protocol import wire
from tests.netcode.in_process_host import SETS, in_process_host


@dataclass(frozen=True)
class Position:
    """A position to begin from. game: its scenario; seat: of whoever is tested; before: the acts that come first, each
    with its seat; alone: at a private table with bots."""

    game: str
    seat: int = 0
    before: tuple[tuple[int, Callable[[Client], Action]], ...] = ()
    alone: bool = False


def plan_of(position: Position) -> TablePlan:
    """Return the table of a position."""
    (scenario,) = load_scenarios(position.game.encode(), "held")
    bots = 2 if position.alone else 0
    return TablePlan(sets=SETS, seats=3, bots=bots, solo=position.alone, pace="relaxed", scenario=scenario)


@asynccontextmanager
async def hosted(position: Position) -> AsyncIterator[tuple[TableEntry, list[Client]]]:
    """Run a host with a table in this position."""
    async with in_process_host(tables=(), plans=(plan_of(position),)) as inside:
        (entry,) = inside.registry.tables.values()
        names = ("Kim",) if position.alone else ("Kim", "Roger", "Ross")
        clients = await inside.seated(entry, *names)
        for seat, action in position.before:
            await clients[seat].do(action(clients[seat]))
            await clients[seat].wait_for(lambda one: one.view.window is None or one.view.window.kind != "kick")
        yield entry, clients


def listen(client: Client) -> list[wire.Up]:
    """Return a list that collects everything that this client sends from now on, except heartbeats."""
    sent: list[wire.Up] = []
    send = client._send

    def sending(message: wire.Up) -> bool:
        if not isinstance(message, wire.Ping):
            sent.append(message)
        return send(message)

    client._send = sending  # type: ignore[method-assign]
    return sent
