"""A test mode of the read caches: after each event, all cached answers are computed again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from core.moves.timing import Moment, mode, moment
from core.procedures.over_limit import excess_of
from core.queries.cache import traits
from core.queries.conditions import equipped
from core.queries.strength import figures_at_rest
from core.state.events import AnyEvent
from core.state.game import Game
from core.state.model import Placed
from core.state.read_cache import GEAR, MODS, Reads
from core.state.reader import Reader, living
from core.state.views import SeatView

ALONE_EVERY = 8
"""One in this many answers, in turn, is computed without any cache. The other answers are computed from cached reads.
If a caller has changed these reads, a wrong answer may not show."""


def check_kept(g: Reader) -> int:
    """Compute all cached answers of a state again; return how many there were.

    Raises AssertionError if one differs: an event does not touch the inputs of the query, or a caller has changed the
    answer.
    """
    kept, shared = g.reads, _empty(g)
    found: list[tuple[str, Reads, tuple[int, ...]]] = [("table", kept.table, ())]
    for name, part in (("gear", GEAR), ("modifiers", MODS)):
        found += [(name, known, (seat,)) for seat, known in enumerate(kept.seats[part]) if known]
    for no, there in enumerate(kept.traits):
        if there not in (-1, traits(shared, no)):
            raise AssertionError(f"the traits of seat {no} are kept as {there}, now they are {traits(shared, no)}")
    answers = _check_shown(shared, kept.shown)
    if kept.settled:
        _check_settled(shared)
    for name, reads, seat in found:
        for query, args, value in _answers(reads):
            if any(isinstance(arg, Moment) and arg != moment(g, args[0], mode(g)) for arg in args):
                continue  # kept for another moment
            answers += 1
            by_itself = (answers + g.state.rev) % ALONE_EVERY == 0
            afresh = query(_empty(g) if by_itself else shared, *seat, *args)
            if value != afresh:
                what = f"{query.__name__}{(*seat, *args)}, by {name}"
                raise AssertionError(f"{what}, is kept as {value}, now it is {afresh}")
    return answers


def _check_shown(g: Reader, shown: list[SeatView | None]) -> int:
    """Return how many seats have a cached view. Raise AssertionError if one is outdated by an event."""
    for no, view in enumerate(shown):
        seat = g.state.seats[no]
        table = [replace(entry, up=entry.up and _may_count(g, no, entry)) for entry in seat.table]
        now = (seat.level, seat.dead, seat.sex, table, seat.lasting, *figures_at_rest(g, no))
        if view and (view.level, view.dead, view.sex, view.table, view.lasting, view.strength, view.run) != now:
            raise AssertionError(f"seat {no} is shown as {view}, now it has {now}")
    return len([view for view in shown if view is not None])


def _may_count(g: Reader, seat: int, entry: Placed) -> bool:
    """Return whether a card that lies upright is shown so: an Item that its owner may not use is not
    (item.not-usable)."""
    definition = g.of(entry.card)
    return not definition.gear or equipped(g, seat, entry, definition)


def _check_settled(g: Reader) -> None:
    """Raise AssertionError if a consequence for a seat is due although the cache says that none is."""
    alive = living(g)
    due = [excess_of(g, seat) for seat in alive]
    players = [g.state.seats[seat] for seat in alive]
    won = max(player.level for player in players) >= g.state.options.win_level
    sealed = g.state.seals_open and any(player.gained >= 3 and not player.sealed for player in g.state.seats)
    if any(due) or won or sealed:
        raise AssertionError(f"it is kept that nothing is due: too much {due}, won {won}, a Seal {sealed}")


def _answers(reads: Reads) -> Iterator[tuple[Any, tuple[Any, ...], Any]]:
    """Yield each cached answer, with its query and its arguments besides the seat."""
    for key, value in list(reads.items()):
        query, args = key if isinstance(key, tuple) else (key, ())
        yield query, args, value


def _empty(g: Reader) -> Reader:
    """Return a reader of the same state with a separate cache."""
    kept = g.state.reads
    g.state.reads = None  # type: ignore[misc]
    empty = Reader(g.cat, g.state)
    g.state.reads = kept  # type: ignore[misc]
    return empty


@contextmanager
def checked_after_each_event() -> Iterator[list[int]]:
    """Check all cached answers after each event of every game; yield the counts of answers that were checked."""
    counts: list[int] = []
    emit = Game.emit

    def checked(g: Game, event: AnyEvent) -> None:
        emit(g, event)
        try:
            counts.append(check_kept(g))
        except AssertionError as error:
            raise AssertionError(f"after {event}: {error}") from error

    with patch.object(Game, "emit", checked):
        yield counts
