"""What two players have done to each other in this game, as everybody could see. Pure."""

from collections import Counter, deque
from collections.abc import Sequence

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import View
from tui.scene.cells import count

KINDS = ("helped", "compelled", "strengthened", "cursed", "hindered", "took")
"""What one player can do to another, the friendly first."""
_WORDS = {
    "helped": "helped {whom}", "compelled": "was made to help {whom}", "strengthened": "added to {whose} side",
    "cursed": "cursed {whom}", "hindered": "played against {whose} side", "took": "took from {whom}",
}  # fmt: skip


Dealing = tuple[int, int, str]
"""Who did it, to whom, and its kind."""
UNDOABLE = 256
"""So many of the newest dealings can be taken back; those before are only counted."""


class Dealings:
    """Counts who did what to whom, event by event."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._old = Counter[Dealing]()
        self._newest: deque[tuple[int, Dealing]] = deque()
        """Each with the revision of the view that told of it."""
        self._rev = 0
        self._heroes: tuple[int, ...] = ()
        """Who fights now: the fighter, and the helper."""

    def clear(self) -> None:
        """Forget everything: another game."""
        self._old.clear()
        self._newest.clear()
        self._heroes = ()

    def hear(self, events: Sequence[AnyEvent], view: View | None) -> None:
        """Count these events. view: the table after them, None: not known. What the table takes back does not count."""
        self._rev = view.rev if view is not None else self._rev
        for event in events:
            self._hear(event)
        if view is not None and any(isinstance(event, ev.SteppedBack) for event in events):
            fight = view.fight
            self._heroes = tuple(seat for seat in (fight.seat, fight.helper) if seat >= 0) if fight is not None else ()

    def between(self, me: int, other: int) -> tuple[str, str]:
        """Return what another seat has done to the reader, and the reader to it, in words; "" for nothing."""
        return _told(self._done(other, me), "you", "your"), _told(self._done(me, other), "them", "their")

    def _done(self, by: int, to: int) -> dict[str, int]:
        """Return how often a seat has done each kind of thing to another one, in the order of KINDS."""
        counts = self._old + Counter(dealing for _, dealing in self._newest)
        return {kind: counts[by, to, kind] for kind in KINDS if (by, to, kind) in counts}

    def _hear(self, event: AnyEvent) -> None:
        match event:
            case ev.SteppedBack() if event.rev >= 0:
                while self._newest and self._newest[-1][0] > event.rev:
                    self._newest.pop()
            case ev.FightBegan():
                self._heroes = (event.seat,)
            case ev.FightEnded():
                self._heroes = ()
            case ev.FighterChanged():
                self._heroes = tuple(event.to if seat == event.frm else seat for seat in self._heroes)
            case ev.HelperCame() if self._heroes:
                self._count(event.seat, self._heroes[0], "compelled" if event.compelled else "helped")
                self._heroes = (self._heroes[0], event.seat)
            case ev.HelperLeft():
                self._heroes = tuple(seat for seat in self._heroes if seat != event.seat)
            case ev.Strengthened() if event.bonus.by:
                friendly = (event.bonus.side == "heroes") == (event.bonus.by > 0)
                for seat in self._heroes:
                    self._count(event.bonus.seat, seat, "strengthened" if friendly else "hindered")
            case ev.MonsterCame() if event.seat not in self._heroes:
                for seat in self._heroes:
                    self._count(event.seat, seat, "hindered")
            case ev.Moved() if event.why == "played" and event.on_seat >= 0 and event.new:
                if self._catalog.cards[defn_of(event.new)].kind == "curse":
                    self._count(event.seat, event.on_seat, "cursed")
            case ev.Moved() if event.why == "taken" and event.at >= 0 and event.to_seat >= 0:
                self._count(event.to_seat, event.at, "took")

    def _count(self, by: int, to: int, kind: str) -> None:
        if by >= 0 and to >= 0 and by != to:
            self._newest.append((self._rev, (by, to, kind)))
            if len(self._newest) > UNDOABLE:
                self._old[self._newest.popleft()[1]] += 1


def _told(done: dict[str, int], whom: str, whose: str) -> str:
    """Return what somebody has done to a player in words: `helped you once, cursed you twice`; "" for nothing."""
    return ", ".join(f"{_WORDS[kind].format(whom=whom, whose=whose)} {_times(times)}" for kind, times in done.items())


def _times(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times) or count(times, "time")
