"""Compute the messages for each session: its newest view and the events it may know; nothing if nothing changed for
it."""

from collections import deque
from collections.abc import Callable, Sequence

from msgspec import Struct

from core.state.events import AnyEvent, seen_by
from core.state.forecasts import Forecast
from core.state.views import View
from netcode.protocol import limits, wire
from netcode.protocol.codec import packed
from netcode.protocol.deltas import NOTHING, Own, Parts, difference, own_part
from netcode.table.session import Session

Past = Sequence[tuple[Sequence[AnyEvent], int | None]]
"""Events of a match in batches, each with the only seat that may know it (None: all seats); see
Broadcaster.happened."""


class ClockNews(Struct):
    """The clocks in the form that sessions get. shown: a value that changes when a clock is set; read(): the time left
    now."""

    shown: object
    read: Callable[[], wire.Timers]
    _left: wire.Timers | None = None

    @property
    def left(self) -> wire.Timers:
        """The time left, computed for the first session that needs it."""
        if self._left is None:
            self._left = self.read()
        return self._left


def _no_forecasts(seat: int, view: View) -> list[Forecast]:
    return []


def _not_veiled(seat: int) -> bytes:
    return b""


class Broadcaster:
    """The current views of one match, its recent events, and what each session has been told.

    Each seat numbers its own events: gaps in a common numbering would reveal that something hidden happened.
    """

    def __init__(self, seats: int = 0) -> None:
        self.views: list[View] = []
        self.public: View | None = None
        self._forecast: Callable[[int, View], list[Forecast]] = _no_forecasts
        self._forecasts: dict[int, list[Forecast]] = {}
        self._veil: Callable[[int], bytes] = _not_veiled
        self._veiled: dict[int, bytes] = {}
        self._parts: dict[int, Parts] = {}
        self._own: dict[int, tuple[Own, bytes]] = {}
        """The own part of each seat, and its packed form."""
        self._differences: dict[bytes, bytes] = {}
        """The delta of the public part for each base."""
        self._events: dict[int, deque[AnyEvent]] = {
            seat: deque(maxlen=limits.GAME_EVENTS) for seat in range(-1, seats)
        }  # fmt: skip
        """The newest events of each seat; the last has the number of `_no`."""
        self._no = dict.fromkeys(self._events, 0)

    def happened(self, events: Sequence[AnyEvent], only: int | None = None) -> None:
        """Note events. only: the only seat that learns of them, because others may not see any change."""
        for event in events:
            whole = seen_by(event, -1) is event  # if spectators see all of it, so does every seat
            for seat in self._events if only is None else (only,):
                seen = event if whole else seen_by(event, seat)
                if seen is not None:
                    self._no[seat] += 1
                    self._events[seat].append(seen)

    def show(
        self, views: list[View], public: View, forecast: Callable[[int, View], list[Forecast]] = _no_forecasts,
        veil: Callable[[int], bytes] = _not_veiled,
    ) -> None:  # fmt: skip
        """Set the current views. forecast(seat, view): forecasts of its options; veil(seat): its veiled state, packed.
        They are called only for sessions that want these, and only while these views are current."""
        if public is self.public:
            for seat in [seat for seat in self._parts if seat >= 0 and views[seat] is not self.views[seat]]:
                del self._parts[seat]
        else:
            self._parts.clear()
            self._differences.clear()
        self.views, self.public, self._forecast, self._veil = views, public, forecast, veil
        self._forecasts.clear()
        self._veiled.clear()

    def news(
        self, session: Session, clocks: ClockNews, auto: bool = False, undo: wire.UndoInfo | None = None
    ) -> wire.Down | None:
        """Return the next message for this session (a Delta, only the clocks, or None), and count it as sent. A session
        that missed many events gets them in several whole Deltas and stays `whole` until the last one.

        auto: whether the host passes for its seat. undo: the action that an undo would take back now."""
        seat, whole = session.seat, session.whole
        parts, last = self._parts.get(seat) or self._parts_for(seat), self._no.get(seat, 0)
        if session.veiled:
            parts = Parts(parts.public, parts.own, self._veiled_for(seat))
        shown = session.shown
        clocks_as_before = session.clocks == clocks.shown
        if not whole and session.told >= last:
            if parts == shown and auto == session.auto and undo == session.undo:
                if clocks_as_before:
                    return None
                session.clocks = clocks.shown
                return wire.Ticked(clocks.left)
            first, events = 0, list[AnyEvent]()
        elif whole:
            first, events = self._missed(session, last)
        else:
            first, events = self._from(seat, session.told + 1, last)
        session.seq += 1
        base = NOTHING if whole else shown
        told = first + len(events) - 1 if events else last
        delta = wire.Delta(
            session.seq,
            self._public_difference(parts.public, base.public),
            difference(parts.own, base.own),
            first if events else 0,
            events,
            None if clocks_as_before and not whole else clocks.left,
            whole,
            auto,
            self._forecasts_for(seat) if session.forecasts else [],
            told < last,
            difference(parts.veiled, base.veiled) if session.veiled else b"",
            undo,
        )
        session.told, session.shown, session.whole = told, parts, delta.more
        session.clocks, session.auto, session.undo = clocks.shown, auto, undo
        return delta

    def _public_difference(self, part: bytes, base: bytes) -> bytes:
        """Return the delta of the public part, computed once for all sessions with the same base."""
        found = self._differences.get(base)
        if found is None:
            found = self._differences[base] = difference(part, base)
        return found

    def _forecasts_for(self, seat: int) -> list[Forecast]:
        """Return the forecasts of a seat's options; none for a spectator."""
        if seat not in self._forecasts and 0 <= seat < len(self.views):
            self._forecasts[seat] = self._forecast(seat, self.views[seat])
        return self._forecasts.get(seat, [])

    def _veiled_for(self, seat: int) -> bytes:
        """Return what a seat knows of the game, packed; nothing for a spectator."""
        if seat not in self._veiled and 0 <= seat < len(self.views):
            self._veiled[seat] = self._veil(seat)
        return self._veiled.get(seat, b"")

    def _parts_for(self, seat: int) -> Parts:
        """Compute the parts of a seat's view (-1: the spectators' view); none before the first match."""
        if self.public is None:
            return NOTHING
        if 0 <= seat < len(self.views):
            shared = self._parts.get(-1) or self._parts_for(-1)
            found = Parts(shared.public, self._packed_own(seat, own_part(self.views[seat], self.public)))
        else:
            found = Parts(packed(self.public))
        self._parts[seat] = found
        return found

    def _packed_own(self, seat: int, own: Own) -> bytes:
        """Return an own part packed, leaving those of other seats as they are. Asks and bargains are objects of the
        game, which may change objects that it has already shown."""
        if own.you.asks or own.offers or own.bargain:
            return packed(own)
        known = self._own.get(seat)
        if known is None or known[0] != own:
            known = self._own[seat] = own, packed(own)
        return known[1]

    @property
    def last(self) -> int:
        """The number of the last public event."""
        return self._no[-1]

    def since(self, after: int) -> list[AnyEvent]:
        """Return the public events after the one with this number."""
        return self._from(-1, after + 1, self.last)[1]

    def _missed(self, session: Session, last: int) -> tuple[int, list[AnyEvent]]:
        """Return the events to send this session with a whole view, up to the last one, and the number of the first:
        all events that it has missed, in portions of one delta, and some older ones. The first one is an event that its
        client already has, which shows that the numbering is the same."""
        newest = last - limits.WHOLE_EVENTS + 1
        heard = session.told if 0 <= session.told <= last else last
        first, events = self._from(session.seat, max(1, min(heard, newest)), last)
        return first, events[: limits.WHOLE_EVENTS]

    def _from(self, seat: int, first: int, last: int) -> tuple[int, list[AnyEvent]]:
        """Return a seat's events in this range of numbers, as far as they are kept, and the number of the first. The
        range ends with the newest event."""
        told = self._events.get(seat, ())
        count = min(len(told), last - first + 1)
        return last - count + 1, [told[at] for at in range(-count, 0)]
