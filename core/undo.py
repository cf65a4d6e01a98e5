"""A step back: what was done last is taken back, if nobody has learned anything hidden by it.

Who keeps a game (the host, a replay) notes each action here. An action may be taken back as long as neither it nor
anything after it let a card cross between hidden and seen, threw a die, shuffled, drew, or showed somebody something:
every event must be of a kind that cannot (an allow-list), and the draws, the piles and every hand must be as they were.
Whether it may depends on what everybody has seen, so that saying so tells nothing.
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
_OPEN = ("table", "fight", "limbo", "body", "door", "treasure")
"""Zones whose cards everybody has seen."""
_HARMLESS = (
    E.LevelChanged, E.TurnBegan, E.PhaseBegan, E.Kicked, E.MonsterCame, E.MonsterLeft, E.Strengthened, E.HelperCame,
    E.HelperLeft, E.FighterChanged, E.StageSet, E.Safe, E.SafeUsed, E.Rides, E.Fled, E.FightEnded, E.UsedAbility,
    E.OfferClosed, E.SexChanged, E.LastingBegan, E.LastingArmed, E.LastingEnded, E.WindowOpened, E.WindowClosed, E.Held,
    E.Released, E.Chose, E.Noted, E.Settled, E.ReceivedOver, E.Moves, E.SoldDouble, E.Fizzled, E.SteppedBack,
)  # fmt: skip


@dataclass(frozen=True)
class Mark:
    """An action that may be taken back: whose, what (its name as on the wire), and the state before it."""

    seat: int
    what: str
    before: bytes


def harmless(event: E.AnyEvent) -> bool:
    """Whether nobody can have learned anything hidden from this event."""
    match event:
        case E.Moved():
            return event.frm in _OPEN and event.to in _OPEN and not event.hidden
        case E.Flipped():
            return not event.hidden
        case E.Offered():
            return not event.bargain.cards
    return isinstance(event, _HARMLESS)


def hidden_side(state: State) -> tuple[object, ...]:
    """Everything that nobody, or not everybody, knows, and how much chance was used: equal before and after a harmless
    action."""
    hands = tuple(tuple(seat.hand) for seat in state.seats)
    piles = tuple(state.door), tuple(state.treasure), tuple(state.seals)
    return state.draws, tuple(state.dice), state.turn.no > 0, piles, hands


class Marks:
    """The last few actions of a game that may be taken back, the latest last."""

    def __init__(self) -> None:
        self._marks: deque[Mark] = deque(maxlen=KEPT)

    @property
    def last(self) -> Mark | None:
        """What a step back would take back now; None: nothing."""
        return self._marks[-1] if self._marks else None

    def taken(
        self, seat: int, action: AnyAction, events: Sequence[E.AnyEvent], before: bytes, hidden: object, after: State
    ) -> None:
        """An action was taken. hidden: `hidden_side` of the state before it.

        What the host did (a clock ran out) and what nobody saw (a pass) is taken back together with the visible action
        before it.
        """
        playing = after.turn.no > 0 and not after.winners
        if not playing or hidden_side(after) != hidden or not all(harmless(event) for event in events):
            self._marks.clear()
        elif seat >= 0 and events:
            self._marks.append(Mark(seat, str(type(action).__struct_config__.tag), before))

    def back(self, now: State, seat: int) -> tuple[State, list[E.AnyEvent]]:
        """The state before the last mark, as a state after `now`, and what happened. seat: who asked for it.

        Raises IndexError without a mark.
        """
        mark = self._marks.pop()
        return restored(decode(mark.before), now), [E.SteppedBack(seat, mark.seat, mark.what)]


class Reversible:
    """A game that is played on and can step back: for whoever keeps one (the host) or plays one again (a replay).

    `state` is another object after a step back. before: the state before the last action, as bytes."""

    def __init__(self, cat: Catalog, state: State) -> None:
        self.cat, self.state = cat, state
        self.marks = Marks()
        self.before = b""

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[E.AnyEvent]:
        """As engine.submit; StepBack besides."""
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
    """An earlier state with counters that go on from now: revisions rise, and no number of an ask, a window, an offer
    or a card is used twice, so that no late answer to what was taken back can hit."""
    old.rev, old.step_no = now.rev + 1, now.step_no + 1
    for earlier, later in ((old, now), *zip(old.seats, now.seats, strict=True)):
        for counter in counter_fields(type(earlier)):
            setattr(earlier, counter, getattr(later, counter))
    for frame in old.stack:
        for ask in frame.asks:
            who = old.seats[ask.seat]
            who.asked += 1
            ask.id = who.asked
        if isinstance(frame, Window):
            old.window_no += 1
            frame.id = old.window_no
    _redate(old)
    return old


def _redate(state: State) -> None:
    """What was decided on the picture that was taken back is told that the fight has changed; offers that held do."""
    fight = state.fight
    for offer in state.offers:
        state.offer_no += 1
        offer.no = state.offer_no
        if fight is not None and offer.at >= fight.changed_at:
            offer.at = state.rev
    if fight is not None:
        fight.changed_at = state.rev
