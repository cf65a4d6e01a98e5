"""Why a card is in effect: the newest line of the log in which it was played, turned up or used, or caught somebody.
Pure."""

from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import View
from tui.scene.doers import asked_for, asking, by_card, compels
from tui.scene.scene import LogLine

KEPT = 12
"""At most this many cards are remembered; the oldest are dropped first."""


class Causes:
    """Remembers how cards came into effect, as far as the reader was told."""

    def __init__(self) -> None:
        self._lines: dict[int, LogLine] = {}
        self._newest = -1
        """The definition of the card that came into effect last in this turn; -1: none has."""

    @property
    def now(self) -> dict[int, LogLine]:
        """Return the line about each card, by the number of its definition."""
        return dict(self._lines)

    def clear(self) -> None:
        """Forget everything: another game."""
        self._lines.clear()
        self._newest = -1

    def named(
        self, event: AnyEvent, line: LogLine, catalog: Catalog, me: int, before: View | None = None
    ) -> LogLine:  # fmt: skip
        """Return the line of an event with its card: the one that has asked a seat for what it loses; the one by which
        somebody takes something from the reader, sees their hand, or has to help, which is the card that has asked
        somebody before, else the newest one. me: the reader's seat. before: the view before the event."""
        if isinstance(event, ev.TurnBegan):
            self._newest = -1
        if (card := asked_for(event, before)) >= 0:
            return replace(line, text=by_card(line.text, card, catalog))
        took = isinstance(event, ev.Moved) and event.why == "taken" and event.at == me >= 0
        saw = isinstance(event, ev.Shown) and event.at == me >= 0
        if not (took or saw) and not compels(event):
            return line
        return replace(line, text=by_card(line.text, asking(before, self._newest), catalog))

    def note(self, event: AnyEvent, line: LogLine) -> None:
        """Remember an event that brings a card into effect. line: its line of the log. What follows from a fight that
        is won does not come of a card that was played into it."""
        if isinstance(event, ev.StageSet) and event.stage == "won":
            self._newest = -1
        defn = _brought(event)
        if defn < 0:
            return
        self._newest = defn
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
