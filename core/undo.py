"""Undo: a table of people may take back the last action if it revealed nothing hidden; somebody alone with bots may go
back to before any of their own actions.

The host and replays note each action here. A table can undo an action as long as neither it nor anything after it moved
a card between hidden and seen, rolled a die, shuffled, drew, or showed cards: every event must be of a harmless kind
(an allow-list), and the random draws, the piles and every hand must be as before. Everybody knows whether that is so,
so offering an undo reveals nothing. The undo history of a player alone with bots is in history.py.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from core import engine
from core.history import History, Taken, harmless, learners, random_side
from core.knowledge.seen import all_learn, look_again, nothing_seen
from core.language.catalog import Catalog
from core.state import events as E
from core.state.actions import AnyAction, Refusal, StepBack
from core.state.model import State, Window, decode, encode
from core.state.numbers import counter_fields
from core.state.refusals import reason

KEPT = 8
"""At most this many actions can be undone, one after another."""
@dataclass(frozen=True)
class Mark:
    """An action that can be undone: its seat, its name on the wire, the state before it, and its number in the game."""

    seat: int
    what: str
    before: bytes
    number: int = 0


def hidden_side(state: State) -> tuple[object, ...]:
    """Return everything that is not public, and how many random draws were made; a harmless action leaves it equal."""
    hands = tuple(tuple(seat.hand) for seat in state.seats)
    return random_side(state), state.turn.no > 0, hands


def _searched(state: State) -> bool:
    """Return whether somebody is choosing among the discards now and so sees them (cards.discards)."""
    return any(ask.kind == "recover" for frame in state.stack for ask in frame.asks)


class Marks:
    """The last actions of a game that can be undone, the latest last."""

    def __init__(self) -> None:
        self._marks: deque[Mark] = deque(maxlen=KEPT)

    @property
    def last(self) -> Mark | None:
        """The action that an undo would take back now; None if there is none."""
        return self._marks[-1] if self._marks else None

    def note(
        self, seat: int, action: AnyAction, events: Sequence[E.AnyEvent], before: bytes, hidden: object, after: State,
        number: int = 0,
    ) -> None:  # fmt: skip
        """Note an action. hidden: `hidden_side` of the state before it. number: which action of the game it is.

        Actions of the host (a time limit) and actions without an event (a pass) are undone together with the visible
        action before them.
        """
        playing = after.turn.no > 0 and not after.winners and not _searched(after)
        if not playing or hidden_side(after) != hidden or not all(harmless(event) for event in events):
            self._marks.clear()
        elif seat >= 0 and events:
            self._marks.append(Mark(seat, str(type(action).__struct_config__.tag), before, number))

    def clear(self) -> None:
        """Forget all actions."""
        self._marks.clear()

    def back(self, now: State, seat: int) -> tuple[State, list[E.AnyEvent]]:
        """Return the state before the last mark, as a state that follows `now`, and the event. seat: who asked for it.

        Raises IndexError if there is no mark.
        """
        mark = self._marks.pop()
        old = decode(mark.before)
        back = E.SteppedBack(seat, mark.seat, mark.what, old.rev)
        return restored(old, now), [back]


class Reversible:
    """A game that can be undone, for the host and for replays.

    state: an undo replaces this object. number: how many actions there have been. before: the state before the last
    action, as bytes. history: the undo history of a player alone with bots, once `remember` has begun to keep it. seen:
    what each seat has learned of hidden cards.
    """

    def __init__(self, cat: Catalog, state: State, number: int = 0) -> None:
        self.cat, self.state, self.number = cat, state, number
        self.marks = Marks()
        self.before = b""
        self.history: History | None = None
        self.seen = [nothing_seen(cat, state, seat) for seat in range(len(state.seats))]

    def remember(self, keep: bool) -> None:
        """Keep an undo history from now on, or forget it."""
        if not keep:
            self.history = None
        elif self.history is None:
            self.history = History(encode(self.state), self.seen)

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[E.AnyEvent]:
        """Do as engine.submit, and carry out StepBack too."""
        self.before = encode(self.state)
        if isinstance(action, StepBack):
            return self._back(action) if seat == -1 else Refusal("bad", reason("bad"))
        hidden = hidden_side(self.state)
        result = engine.submit(self.cat, self.state, seat, action)
        if not isinstance(result, Refusal):
            number = self.number + 1
            self.marks.note(seat, action, result, self.before, hidden, self.state, number)
            if self.history is not None:
                seen = learners(seat, action, result, hidden[0], self.state)
                self.history.note(Taken(number, seat, action, seen), self.before, self.seen)
            self.number = number
            all_learn(self.cat, self.seen, result)
        return result

    def _back(self, action: StepBack) -> Refusal | list[E.AnyEvent]:
        """Undo the last action, or go back to the state before the action that `to` names."""
        if action.to >= 0:
            return self._far_back(action)
        mark = self.marks.last
        if mark is None:
            return Refusal("bad", reason("bad"))
        self.state, events = self.marks.back(self.state, action.seat)
        look_again(self.seen, self.state)
        self._went(mark.number)
        return events

    def _far_back(self, action: StepBack) -> Refusal | list[E.AnyEvent]:
        taken = self.history.find(action.to) if self.history is not None else None
        if self.history is None or taken is None:
            return Refusal("bad", reason("bad"))
        old, self.seen = self.history.known_before(self.cat, action.to)
        # first cards are laid out unseen, so the action is not named
        what = taken.what if old.turn.no > 0 else ""
        learnt = self.history.learned(action.seat, action.to)
        back = E.SteppedBack(action.seat, taken.seat, what, old.rev, learnt)
        self.state = restored(old, self.state)
        self.marks.clear()
        self._went(action.to)
        return [back]

    def _went(self, number: int) -> None:
        """Note that the game has gone back to before the action of this number."""
        self.number += 1
        if self.history is not None:
            self.history.cut(number, encode(self.state), self.seen)


def restored(old: State, now: State) -> State:
    """Return an earlier state with the counters of the present one: revisions keep rising, and no number of an ask, a
    window, an offer or a card is used twice. So a late answer to something undone matches nothing."""
    old.rev, old.step_no = now.rev + 1, now.step_no + 1
    for earlier, later in ((old, now), *zip(old.seats, now.seats, strict=True)):
        for counter in counter_fields(type(earlier)):
            setattr(earlier, counter, getattr(later, counter))
    for frame in old.stack:
        for ask in frame.asks:
            seat = old.seats[ask.seat]
            seat.asked += 1
            ask.id = seat.asked
        if isinstance(frame, Window):
            old.window_no += 1
            frame.id = old.window_no
    _redate(old)
    return old


def _redate(state: State) -> None:
    """Mark the fight as changed now, so that decisions based on an undone view are refused. Valid offers stay valid."""
    fight = state.fight
    for offer in state.offers:
        state.offer_no += 1
        offer.no = state.offer_no
        if fight is not None and offer.at >= fight.changed_at:
            offer.at = state.rev
    if fight is not None:
        fight.changed_at = state.rev
