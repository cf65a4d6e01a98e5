"""Collect the messages of one game that one client receives, so that its story can be told at the end (narrator.py).

A moment is one update: the events that matter and the figures of its view. When something is taken back, the undone
moments are dropped.
"""

from collections.abc import Sequence

from msgspec import Struct

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.views import FightView, View
from netcode.protocol import wire
from netcode.recording.narrator import Moment, Narrator, Sums
from netcode.recording.numbering import Numbering
from netcode.recording.recording import MESSAGES_LIMIT
from netcode.recording.review import Position, Reviewer, position
from netcode.recording.story import Story

TOLD = (
    ev.TurnBegan, ev.LevelChanged, ev.Turned, ev.Rolled, ev.Fled, ev.FightBegan, ev.FightEnded, ev.MonsterLeft,
    ev.HelperCame, ev.HelperLeft, ev.Strengthened, ev.Undone, ev.UsedAbility, ev.Died, ev.Won,
)  # fmt: skip
"""Events that a story uses, besides cards that move for one of the reasons in MOVED."""
MOVED = ("played", "spent", "discarded", "sold")
UNFIT_GAME_ERRORS = (LookupError, ValueError, TypeError, AttributeError)
"""The errors of telling a story whose messages do not fit their cards, as in a damaged recording."""


class _Kept(Struct):
    """A moment, with the revision and the state of the game after it, which identify it when something is taken back.
    (Older recordings do not say which revision the game went back to.) rest: the known facts of a table at rest."""

    moment: Moment
    rest: Position | None
    rev: int
    state: tuple[object, ...]


class Chronicle:
    """The part of one game that one client has received. seat: its seat, -1 for a spectator. undone: the number of
    undos; learnt: an undo left somebody knowing more than before (SteppedBack)."""

    def __init__(self, catalog: Catalog, seat: int) -> None:
        self._catalog, self._seat = catalog, seat
        self._kept: list[_Kept] = []
        self._numbering = Numbering()
        self._ms = self.undone = 0
        self.learnt = False
        self._gap = self._in_parts = False

    def heard(self, update: wire.Update, ms: int) -> None:
        """Take in an update. ms: since the game began."""
        if update.view is None or len(self._kept) >= MESSAGES_LIMIT:
            return
        fresh = self._fresh(update)
        self._ms = max(self._ms, ms)
        state = _state(update.view)
        if self._kept and update.view.rev < self._kept[-1].rev:  # the host has restored an older copy of the game
            self._gap = True
        back = [event for event in fresh if isinstance(event, ev.SteppedBack)]
        if back:
            self.undone += len(back)
            self.learnt = self.learnt or any(event.learnt for event in back)
            self._drop_undone(back[-1].rev, state)
            fresh = fresh[max(at for at, event in enumerate(fresh) if event is back[-1]) + 1 :]
        told = [event for event in fresh if _counts(event)]
        if self._in_parts:
            earlier: Sequence[AnyEvent] = self._kept.pop().moment.events
            told = [*earlier, *told]
        self._in_parts = update.more
        self._kept.append(_Kept(_moment(update.view, told), position(update.view), update.view.rev, state))

    def _fresh(self, update: wire.Update) -> list[AnyEvent]:
        """Return the events that are new."""
        fresh = self._numbering.fresh(update)
        self._gap = self._gap or bool(self._kept and self._numbering.misses(update))
        self._numbering.heard(update)
        return [item.event for item in fresh]

    def _drop_undone(self, rev: int, state: tuple[object, ...]) -> None:
        """Drop the moments after this revision; where it is unknown, after the last one with this state."""
        for at in range(len(self._kept) - 1, -1, -1):
            kept = self._kept[at]
            if kept.rev <= rev or (rev < 0 and kept.state == state):
                del self._kept[at + 1 :]
                return

    def story(self) -> Story | None:
        """Return the story so far; None if there is nothing to tell or it does not fit the cards."""
        if not self._kept:
            return None
        narrator = Narrator(self._catalog, self._seat)
        try:
            for kept in self._kept:
                narrator.tell(kept.moment)
            story = narrator.story()
            moments = ((kept.moment, kept.rest) for kept in self._kept)
            story.mattered = Reviewer(self._catalog, self._seat).swings(moments)
        except UNFIT_GAME_ERRORS:
            return None
        story.gap, story.seconds, story.undone = self._gap, self._ms // 1000, self.undone
        return story


def _counts(event: AnyEvent) -> bool:
    """Return whether a story uses this event."""
    return isinstance(event, TOLD) or (isinstance(event, ev.Moved) and event.why in MOVED)


def _moment(view: View, events: Sequence[AnyEvent]) -> Moment:
    levels = tuple(seat.level for seat in view.seats)
    resolving = view.top in ("program", "throw")
    return Moment(view.turn_no, view.win_level, levels, _sums(view.fight), resolving, tuple(events))


def _sums(fight: FightView | None) -> Sums | None:
    if fight is None:
        return None
    return Sums(
        fight.no, fight.seat, fight.helper, fight.heroes, fight.foes, fight.winning, fight.match_point,
        fight.stage == "fight", tuple(monster.defn for monster in fight.monsters),
    )  # fmt: skip


def _state(view: View) -> tuple[object, ...]:
    """Return the parts of a view that are equal again after an undo, so without anything that is renumbered."""
    fight = view.fight
    return (
        view.turn_no, view.phase, view.top, view.doors, view.doors_out, view.treasures, view.treasures_out,
        tuple(
            (seat.level, seat.hand, seat.dead, seat.strength, tuple((card.card, card.up) for card in seat.table))
            for seat in view.seats
        ),
        None if fight is None else (fight.no, fight.stage, fight.seat, fight.helper, fight.heroes, fight.foes,
                                    len(fight.monsters), len(fight.cards)),
        tuple(view.winners),
    )  # fmt: skip
