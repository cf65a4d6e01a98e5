"""What two players have done to each other in this game, as everybody could see. Pure."""

from collections import Counter, deque
from collections.abc import Sequence

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import View
from core.text.grammar import how_often

KINDS = ("helped", "compelled", "strengthened", "gave", "cursed", "hindered", "took", "levelled")
"""What one player can do to another, the friendly first."""
_GIVEN = ("given", "charity", "promised")
"""Reasons for moves of cards that a player hands to another one for nothing, or for help."""
_WORDS = {
    "helped": "helped {whom}", "compelled": "was made to help {whom}", "strengthened": "added to {whose} side",
    "gave": "gave {whom} cards", "cursed": "cursed {whom}", "hindered": "played against {whose} side",
    "took": "took from {whom}", "levelled": "took levels from {whom}",
}  # fmt: skip


Dealing = tuple[int, int, str]
"""Who did it, to whom, and its kind."""
UNDOABLE = 256
"""At most this many of the newest dealings can be taken back; older ones are only counted."""


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
        self._played = (-1, "")
        """Who played the last card, and its name, while its text may still run. A Curse is not kept here."""

    def clear(self) -> None:
        """Forget everything: another game."""
        self._old.clear()
        self._newest.clear()
        self._heroes, self._played = (), (-1, "")

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
            case ev.Moved() if event.why == "played" and event.seat >= 0 and event.new:
                self._hear_played(event)
            case ev.Moved() if event.why == "taken" and event.at >= 0 and event.to_seat >= 0:
                self._count(event.to_seat, event.at, "took")
            case ev.Moved() if event.why in _GIVEN and event.at >= 0 and event.to_seat >= 0:
                self._count(event.at, event.to_seat, "gave")
            case ev.LevelChanged() if event.by < 0 and event.why and event.why == self._played[1]:
                self._count(self._played[0], event.seat, "levelled")

    def _hear_played(self, event: ev.Moved) -> None:
        """Count a card that is played on a player, or on a monster in a fight."""
        card = self._catalog.cards[defn_of(event.new)]
        self._played = (event.seat, card.name) if card.kind != "curse" else (-1, "")
        if card.kind == "curse":
            self._count(event.seat, event.on_seat, "cursed")
        elif card.kind == "enhancer" and card.card.bonus:
            for seat in self._heroes:
                self._count(event.seat, seat, "hindered" if card.card.bonus > 0 else "strengthened")

    def _count(self, by: int, to: int, kind: str) -> None:
        if by >= 0 and to >= 0 and by != to:
            self._newest.append((self._rev, (by, to, kind)))
            if len(self._newest) > UNDOABLE:
                self._old[self._newest.popleft()[1]] += 1


def dealing_lines(to_you: str, by_you: str) -> list[str]:
    """Return the deeds of a seat and of the reader to each other as sentences; none where nothing was done."""
    return [f"In this game: {to_you}."] * bool(to_you) + [f"You: {by_you}."] * bool(by_you)


def _told(done: dict[str, int], whom: str, whose: str) -> str:
    """Return what somebody has done to a player in words: `helped you once, cursed you twice`; "" for nothing."""
    return ", ".join(f"{_WORDS[kind].format(whom=whom, whose=whose)} {how_often(n)}" for kind, n in done.items())
