"""What each session is told: its newest view and the events it may know; nothing when nothing changed for it."""

from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec import Raw

from core.state.events import AnyEvent, seen_by
from core.state.forecast import Forecast
from core.view import View
from netcode.protocol import limits, wire
from netcode.table.rules_adapter import view_bytes
from netcode.table.session import Session


def _no_forecasts(seat: int, view: View) -> list[Forecast]:
    return []


class Broadcaster:
    """The current views of one match, its recent events, and what each session has been told.

    Each seat numbers its own events: gaps in a common numbering would reveal that something hidden happened.
    """

    def __init__(self, seats: int = 0) -> None:
        self.views: list[View] = []
        self.public: View | None = None
        self._forecast: Callable[[int, View], list[Forecast]] = _no_forecasts
        self._forecasts: dict[int, list[Forecast]] = {}
        self._bytes: dict[int, bytes] = {}
        self._events: dict[int, deque[wire.NumberedEvent]] = {
            seat: deque(maxlen=limits.EVENTS) for seat in range(-1, seats)
        }  # fmt: skip
        self._no = dict.fromkeys(self._events, 0)

    def happened(self, events: list[AnyEvent], only: int | None = None) -> None:
        """Note events. only: nothing changed that others may see, so this seat alone is told."""
        for seat, told in self._events.items():
            if only in (None, seat):
                for event in events:
                    seen = seen_by(event, seat)
                    if seen is not None:
                        self._no[seat] += 1
                        told.append(wire.NumberedEvent(self._no[seat], seen))

    def show(
        self, views: list[View], public: View, forecast: Callable[[int, View], list[Forecast]] | None = None
    ) -> None:
        """Set the current views. forecast(seat, view): what would come of its options; it is called only for a session
        that wants to know, as long as these views are current."""
        self.views, self.public, self._forecast = views, public, forecast or _no_forecasts
        self._bytes.clear()
        self._forecasts.clear()

    def news(self, session: Session, epoch: int, timers: wire.Timers, clocks: object, auto: bool) -> wire.Down | None:
        """Return what this session has to be told now: an Update, only the clocks, or None. It counts as told."""
        data = self._data(session.seat)
        events = self._unheard(session)
        if not (session.whole or events or data != session.shown or auto != session.auto):
            if session.clocks == clocks:
                return None
            session.clocks = clocks
            return wire.Ticked(timers)
        session.seq += 1
        forecasts = self._forecasts_for(session.seat) if session.forecasts else []
        view: Any = Raw(data) if data else None  # as it was packed to be compared
        update = wire.Update(epoch, session.seq, view, events, timers, session.whole, auto, forecasts)
        session.told, session.shown, session.whole = self._no.get(session.seat, 0), data, False
        session.clocks, session.auto = clocks, auto
        return update

    def _view(self, seat: int) -> View | None:
        return self.views[seat] if 0 <= seat < len(self.views) else self.public

    def _forecasts_for(self, seat: int) -> list[Forecast]:
        """Return what would come of the options of a seat; none for a spectator."""
        if seat not in self._forecasts and 0 <= seat < len(self.views):
            self._forecasts[seat] = self._forecast(seat, self.views[seat])
        return self._forecasts.get(seat, [])

    def _data(self, seat: int) -> bytes:
        data = self._bytes.get(seat)
        if data is None:
            view = self._view(seat)
            data = self._bytes[seat] = b"" if view is None else view_bytes(view)
        return data

    @property
    def last(self) -> int:
        """The number of the last public event."""
        return self._no[-1]

    def since(self, after: int) -> list[AnyEvent]:
        """Return the public events after the one of this number."""
        return [told.event for told in self._events[-1] if told.no > after]

    def _unheard(self, session: Session) -> list[wire.NumberedEvent]:
        unheard = self._no.get(session.seat, 0) - session.told
        if unheard <= 0 and not session.whole:
            return []
        return list(self._events.get(session.seat, ()))[-(limits.WHOLE_EVENTS if session.whole else unheard) :]
