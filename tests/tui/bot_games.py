"""Real games between bots, seen through the eyes of one seat: what the screen is tested and photographed with."""

from collections.abc import Iterator

from core.language.catalog import Catalog
from core.state.events import AnyEvent, seen_by
from core.state.model import Options, State
from core.view import View, view
from netcode.protocol import wire
from netcode.simulation.game import SimulatedGame
from tests.tui import samples


def moments(
    seed: int, seats: int = 4, level: str = "normal", catalog: Catalog | None = None, options: Options | None = None
) -> Iterator[tuple[State, list[AnyEvent]]]:
    """A game after each of its decisions: the state and what has just happened."""
    happened: list[AnyEvent] = []

    def watch(state: State, seat: int, action: object, events: list[AnyEvent]) -> None:
        happened.extend(events)

    levels = [level] * seats
    table = SimulatedGame(catalog or samples.catalog(), levels, seed, options=options or Options(), watch=watch)
    yield table.state, list(table.opening)
    while not table.state.winners and table.step():
        yield table.state, list(happened)
        happened.clear()


def views(
    seed: int, seats: int = 4, level: str = "normal", catalog: Catalog | None = None, options: Options | None = None,
    every: int = 1,
) -> Iterator[tuple[int, View]]:  # fmt: skip
    """Every seat's view (and a spectator's) after each decision of a game, or after every so many."""
    for step, (state, _) in enumerate(moments(seed, seats, level, catalog, options)):
        if step % every == 0:
            for seat in range(-1, seats):
                yield seat, view(catalog or samples.catalog(), state, seat)


def told(events: list[AnyEvent], seat: int, first: int) -> list[wire.NumberedEvent]:
    """Events as the host tells them to a seat, numbered from `first`."""
    found = []
    for at, event in enumerate(events):
        seen = seen_by(event, seat)
        if seen is not None:
            found.append(wire.NumberedEvent(first + at, seen))
    return found
