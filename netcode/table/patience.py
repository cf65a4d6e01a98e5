"""Bots wait for the person who is alone with them: after acts that the person wants to read in their own time, and
until the person has answered or skipped each offer of a bot."""

from collections.abc import Sequence

from core.state import events as E
from core.state.actions import NO_RESPONSE
from core.state.events import AnyEvent
from core.state.model import Bargain
from core.state.views import View
from netcode.protocol import wire


class Patience:
    """Whether the bots wait for a key of that person. waits: the acts to wait after, see wire.Set; by default none."""

    def __init__(self) -> None:
        self._waits: wire.Waits = "never"
        self._read = True
        """Whether the person has read the last act that they want to read."""
        self._passed: set[int] = set()
        """The numbers of the offers that they have passed over."""

    def set(self, waits: wire.Waits) -> None:
        """Wait after these acts from now on."""
        self._waits = waits
        self._read = self._read or waits == "never"

    def note_act(self, before: View, after: View, events: Sequence[AnyEvent], bot: bool, seat: int) -> None:
        """Note a public act of a bot or of the host. bot: whether a bot did it. seat: the person's."""
        wanted = {"each": bot, "touching": touches(before, after, events, seat), "never": False}[self._waits]
        self._read = self._read and not wanted

    def acted(self) -> None:
        """Note that the person has acted, and so has read the bots' acts."""
        self._read = True

    def key(self, view: View) -> None:
        """Note that the person goes on and passes over the offers to them. view: their own."""
        self._read = True
        self._passed = {offer.no for offer in view.offers}

    @property
    def reads(self) -> bool:
        """Whether the person reads what bots do at all."""
        return self._waits != "never"

    def holds(self, view: View) -> bool:
        """Whether the bots wait now. view: the person's own."""
        return not self._read or any(offer.no not in self._passed for offer in offers_to(view))


def offers_to(view: View) -> list[Bargain]:
    """Return the offers of others that wait for an answer of this view's seat."""
    me = view.you.seat if view.you is not None else -1
    return [offer for offer in view.offers if offer.frm != me and offer.to in (me, -1)]


def touches(before: View, after: View, events: Sequence[AnyEvent], seat: int) -> bool:
    """Return whether an act concerns this seat: it curses the seat, plays into its fight or ends or decides it, changes
    its cards or Level, or makes a fight decide the game."""
    return _fight_changed(before, after, seat) or _match_point(before, after) or any(_names(e, seat) for e in events)


def concerns(before: View, after: View, events: Sequence[AnyEvent], seat: int, watched: bool = False) -> bool:
    """Return whether this seat wants to read an act: it strikes the seat, or it is done in a fight that the seat is in
    or could still play into, or one for the game. after: the view of the seat. watched: others see how long it reads,
    so what it could play does not count."""
    fight, you = after.fight or before.fight, after.you
    if fight is None:
        return any(_names(event, seat) for event in events)
    could = not watched and you is not None and any(not isinstance(option.action, NO_RESPONSE) for option in you.legal)
    return could or fight.match_point or seat in (fight.seat, fight.helper) or any(_names(e, seat) for e in events)


def _fight_changed(before: View, after: View, seat: int) -> bool:
    """Return whether the fight of this seat, as fighter or helper, has begun, ended or changed."""
    old, new = before.fight, after.fight
    mine = [fight is not None and seat in (fight.seat, fight.helper) for fight in (old, new)]
    if not any(mine):
        return False
    if old is None or new is None:
        return True
    return (old.no, old.changed_at, old.stage, old.helper) != (new.no, new.changed_at, new.stage, new.helper)


def _match_point(before: View, after: View) -> bool:
    was = before.fight is not None and before.fight.match_point
    return after.fight is not None and after.fight.match_point and not was


def _names(event: AnyEvent, seat: int) -> bool:
    """Return whether this seat loses or gains something by an event."""
    match event:
        case E.Moved():
            return seat in (event.at, event.to_seat, event.on_seat)
        case E.HandsPassed():
            return True
        case (
            E.LevelChanged() | E.Drew() | E.NewHand() | E.Died() | E.SexChanged() | E.LastingBegan() | E.Flipped()
            | E.Counted()
        ):  # fmt: skip
            return event.seat == seat
    return False
