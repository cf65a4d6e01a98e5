"""Which events of an update are new for one client."""

from core.state.events import AnyEvent
from netcode.protocol import wire


class Numbering:
    """The numbers of the events that one client has of one game.

    A restarted host continues the numbering if it could repeat the game; otherwise it begins again at 1. It sends the
    last event that the client has again, which tells the client which of the two has happened.
    """

    def __init__(self) -> None:
        self._epoch = self._last = 0
        self._event: AnyEvent | None = None

    def fresh(self, update: wire.Update) -> list[wire.NumberedEvent]:
        """Return the events that are new in this update."""
        last = self._last if self._goes_on(update) else 0
        return [item for item in update.events if item.no > last]

    def misses(self, update: wire.Update) -> bool:
        """Return whether events are missing between the known ones and this update."""
        fresh = self.fresh(update)
        return bool(fresh) and fresh[0].no > (self._last if self._goes_on(update) else 0) + 1

    def heard(self, update: wire.Update) -> None:
        """Take an update in."""
        fresh = self.fresh(update)
        if not self._goes_on(update):
            self._last, self._event = 0, None
        self._epoch = update.epoch
        if fresh:
            self._last, self._event = fresh[-1].no, fresh[-1].event

    def _goes_on(self, update: wire.Update) -> bool:
        """Return whether the numbers of an update continue the known ones."""
        known = [item.event for item in update.events if item.no == self._last]
        return update.epoch == self._epoch or (bool(known) and known[0] == self._event)
