"""Whole games between bots, as states, events and views of each seat, for tests of the screen and its pictures."""

from collections.abc import Iterator

from core.language.catalog import Catalog
from core.state.events import AnyEvent, seen_by
from core.state.model import Options, State
from core.state.views import View
from core.view import view
from netcode.protocol import wire
from netcode.simulation.game import SimulatedGame
from tests.tui import samples


def moments(
    seed: int, seats: int = 4, level: str = "normal", catalog: Catalog | None = None, options: Options | None = None
) -> Iterator[tuple[State, list[AnyEvent]]]:
    """Yield the state after each decision of a game, and the events since the previous one."""
    for _, state, events in decisions(seed, seats, level, catalog, options):
        yield state, events


def decisions(
    seed: int, seats: int = 4, level: str = "normal", catalog: Catalog | None = None, options: Options | None = None
) -> Iterator[tuple[int, State, list[AnyEvent]]]:
    """Yield for each decision of a game the seat that has decided, -1 for the opening; the state after it; the events
    since the previous one."""
    happened: list[AnyEvent] = []
    decided = [-1]

    def watch(state: State, seat: int, action: object, events: list[AnyEvent]) -> None:
        happened.extend(events)
        decided.append(seat)

    levels = [level] * seats
    table = SimulatedGame(catalog or samples.catalog(), levels, seed, options=options or Options(), watch=watch)
    yield -1, table.state, list(table.opening)
    while not table.state.winners and table.step():
        yield decided[-1], table.state, list(happened)
        happened.clear()


def views(
    seed: int, seats: int = 4, level: str = "normal", catalog: Catalog | None = None, options: Options | None = None,
    every: int = 1,
) -> Iterator[tuple[int, View]]:  # fmt: skip
    """Yield (seat, view) for every seat and a spectator (-1), after every `every`-th decision of a game."""
    for step, (state, _) in enumerate(moments(seed, seats, level, catalog, options)):
        if step % every == 0:
            for seat in range(-1, seats):
                yield seat, view(catalog or samples.catalog(), state, seat)


def events_for(events: list[AnyEvent], seat: int, first: int) -> list[wire.NumberedEvent]:
    """Return the events that the host sends to a seat, numbered from `first`."""
    found = []
    for at, event in enumerate(events):
        seen = seen_by(event, seat)
        if seen is not None:
            found.append(wire.NumberedEvent(first + at, seen))
    return found
