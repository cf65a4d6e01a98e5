"""Undo: take back the last action, if nobody has learned anything hidden from it.

The host and replays note each action here. An action can be undone as long as neither it nor anything after it moved a
card between hidden and seen, rolled a die, shuffled, drew, or showed cards: every event must be of a harmless kind (an
allow-list), and the random draws, the piles and every hand must be as before. Everybody knows whether that is so, so
offering an undo reveals nothing.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from core import engine
from core.language.catalog import Catalog
from core.state import events as E
from core.state.actions import AnyAction, Refusal, StepBack
from core.state.model import State, Window, decode, encode
from core.state.numbers import counter_fields
from core.state.refusals import reason

KEPT = 8
"""At most this many actions can be undone, one after another."""
_OPEN = ("table", "fight", "limbo", "body", "door", "treasure")
"""Zones whose cards everybody has seen."""
_HARMLESS = (
    E.LevelChanged, E.TurnBegan, E.PhaseBegan, E.Kicked, E.MonsterCame, E.MonsterLeft, E.Strengthened, E.HelperCame,
    E.HelperLeft, E.FighterChanged, E.StageSet, E.Safe, E.SafeUsed, E.Rides, E.Fled, E.FightEnded, E.UsedAbility,
    E.OfferClosed, E.SexChanged, E.LastingBegan, E.LastingArmed, E.LastingEnded, E.WindowOpened, E.WindowClosed, E.Held,
    E.Released, E.Chose, E.Noted, E.Settled, E.ReceivedOver, E.Moves, E.SoldDouble, E.Fizzled, E.SteppedBack,
    E.ExtraTurn,
)  # fmt: skip


@dataclass(frozen=True)
class Mark:
    """An action that can be undone: its seat, its name as on the wire, and the state before it."""

    seat: int
    what: str
    before: bytes


def harmless(event: E.AnyEvent) -> bool:
    """Return whether nobody can have learned anything hidden from this event."""
    match event:
        case E.Moved():
            return event.frm in _OPEN and event.to in _OPEN and not event.hidden
        case E.Flipped():
            return not event.hidden
        case E.Offered():
            return not event.bargain.cards
    return isinstance(event, _HARMLESS)


def hidden_side(state: State) -> tuple[object, ...]:
    """Return everything that is not public, and how many random draws were made; a harmless action leaves it equal."""
    hands = tuple(tuple(seat.hand) for seat in state.seats)
    piles = tuple(state.door), tuple(state.treasure), tuple(state.seals)
    return state.draws, tuple(state.dice), state.turn.no > 0, piles, hands


def _searched(state: State) -> bool:
    """Return whether somebody is just choosing among the discards, and so sees them (cards.discards)."""
    return any(ask.kind == "recover" for frame in state.stack for ask in frame.asks)


class Marks:
    """The last actions of a game that can be undone, the latest last."""

    def __init__(self) -> None:
        self._marks: deque[Mark] = deque(maxlen=KEPT)

    @property
    def last(self) -> Mark | None:
        """The action that an undo would take back now; None if there is none."""
        return self._marks[-1] if self._marks else None

    def taken(
        self, seat: int, action: AnyAction, events: Sequence[E.AnyEvent], before: bytes, hidden: object, after: State
    ) -> None:
        """Note an action. hidden: `hidden_side` of the state before it.

        Actions of the host (a time limit) and actions without an event (a pass) are undone together with the visible
        action before them.
        """
        playing = after.turn.no > 0 and not after.winners and not _searched(after)
        if not playing or hidden_side(after) != hidden or not all(harmless(event) for event in events):
            self._marks.clear()
        elif seat >= 0 and events:
            self._marks.append(Mark(seat, str(type(action).__struct_config__.tag), before))

    def back(self, now: State, seat: int) -> tuple[State, list[E.AnyEvent]]:
        """Return the state before the last mark, as a state that follows `now`, and the event. seat: who asked for it.

        Raises IndexError if there is no mark.
        """
        mark = self._marks.pop()
        return restored(decode(mark.before), now), [E.SteppedBack(seat, mark.seat, mark.what)]


class Reversible:
    """A game that can be undone, for the host and for replays.

    state: becomes another object with an undo. before: the state before the last action, as bytes.
    """

    def __init__(self, cat: Catalog, state: State) -> None:
        self.cat, self.state = cat, state
        self.marks = Marks()
        self.before = b""

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[E.AnyEvent]:
        """Do as engine.submit, and carry out StepBack too."""
        self.before = encode(self.state)
        if isinstance(action, StepBack):
            if seat != -1 or self.marks.last is None:
                return Refusal("bad", reason("bad"))
            self.state, events = self.marks.back(self.state, action.seat)
            return events
        hidden = hidden_side(self.state)
        result = engine.submit(self.cat, self.state, seat, action)
        if not isinstance(result, Refusal):
            self.marks.taken(seat, action, result, self.before, hidden, self.state)
        return result


def restored(old: State, now: State) -> State:
    """Return an earlier state with the counters of the present one: revisions rise, and no number of an ask, a window,
    an offer or a card is used twice. So a late answer to something undone matches nothing."""
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
