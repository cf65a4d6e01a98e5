"""Why a card is in effect: the newest line of the log in which it was played, turned up or used, or caught somebody.
Pure."""

from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from tui.scene.scene import LogLine

KEPT = 12
"""At most this many cards are remembered; the oldest are dropped first."""


class Causes:
    """Remembers how cards came into effect, as far as the reader was told."""

    def __init__(self) -> None:
        self._lines: dict[int, LogLine] = {}

    @property
    def now(self) -> dict[int, LogLine]:
        """Return the line about each card, by the number of its definition."""
        return dict(self._lines)

    def clear(self) -> None:
        """Forget everything: another game."""
        self._lines.clear()

    def note(self, event: AnyEvent, line: LogLine) -> None:
        """Remember an event that brings a card into effect. line: its line of the log."""
        defn = _brought(event)
        if defn < 0:
            return
        self._lines.pop(defn, None)
        self._lines[defn] = line
        while len(self._lines) > KEPT:
            del self._lines[next(iter(self._lines))]


def _brought(event: AnyEvent) -> int:
    """Return the definition of the card that an event brings into effect, -1 if it brings none or a hidden one."""
    if isinstance(event, ev.Fled):
        return -1 if event.escaped else event.defn
    if isinstance(event, ev.Turned | ev.UsedAbility) or (isinstance(event, ev.Moved) and event.why == "played"):
        card = max(event.card, getattr(event, "new", 0))
        return defn_of(card) if card else -1
    return -1
