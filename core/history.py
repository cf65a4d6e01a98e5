"""Undo history for a player who is alone with bots: it leads back to any action, even if hidden cards were seen since.

The present line of play is a list of legs: a state, and the few actions after it. The state before an action is found
by repeating the actions of its leg up to that point: the same actions give the same state, dice and cards included.
Going back cuts the line there and begins a new leg.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core import engine
from core.knowledge.seen import Seen, all_learn
from core.language.catalog import Catalog
from core.state import events as E
from core.state.actions import NO_RESPONSE, AnyAction, Default, Pass, Refusal
from core.state.model import State, decode
from core.view import view

LEG = 16
"""The most actions of a leg, and so the most actions that going back repeats."""
LEGS_KEPT = 1250
"""How many legs are kept: 20 000 actions, far more than any game has. The oldest legs of a longer game are dropped."""
OPEN = ("table", "fight", "limbo", "body", "door", "treasure")
"""Zones whose cards everybody has seen."""
_SEEN = (*OPEN, "lasting")
HARMLESS = (
    E.LevelChanged, E.TurnBegan, E.PhaseBegan, E.Kicked, E.MonsterCame, E.MonsterLeft, E.Strengthened, E.HelperCame,
    E.HelperLeft, E.FighterChanged, E.StageSet, E.Safe, E.SafeUsed, E.Rides, E.Fled, E.FightEnded, E.UsedAbility,
    E.OfferClosed, E.SexChanged, E.LastingBegan, E.LastingArmed, E.LastingEnded, E.WindowOpened, E.WindowClosed, E.Held,
    E.Released, E.Chose, E.Noted, E.Settled, E.ReceivedOver, E.Moves, E.SoldDouble, E.Fizzled, E.SteppedBack,
    E.ExtraTurn,
)  # fmt: skip
"""Events that never reveal anything hidden."""


@dataclass(frozen=True)
class Taken:
    """An action of the present line: its number in the game, counted from 1, and the seats that learned something by
    it that they did not know before, as bits."""

    number: int
    seat: int
    action: AnyAction
    learners: int

    @property
    def what(self) -> str:
        """The name of the action on the wire."""
        return str(type(self.action).__struct_config__.tag)


@dataclass
class _Leg:
    """before: the state at its beginning; seen: what each seat knew then."""

    before: bytes
    seen: list[Seen]
    taken: list[Taken] = field(default_factory=list)


class History:
    """The actions of the present line of play; each leads back to the state before it."""

    def __init__(self, present: bytes, seen: Sequence[Seen] = ()) -> None:
        """present: the state at its beginning, the earliest state to go back to. seen: what each seat knows."""
        self._legs: deque[_Leg] = deque([_Leg(present, _copies(seen))], LEGS_KEPT)

    def note(self, taken: Taken, before: bytes, seen: Sequence[Seen] = ()) -> None:
        """Note an action that was carried out. before: the state that it was taken in; seen: what each seat knew."""
        if len(self._legs[-1].taken) == LEG:
            self._legs.append(_Leg(before, _copies(seen)))
        self._legs[-1].taken.append(taken)

    def find(self, number: int) -> Taken | None:
        """Return the action of this number; None if it is not in the present line or was dropped."""
        return next((taken for leg in self._legs for taken in leg.taken if taken.number == number), None)

    def before(self, cat: Catalog, number: int) -> State:
        """Return the state before the action of this number, which must be in the present line."""
        return self.known_before(cat, number)[0]

    def known_before(self, cat: Catalog, number: int) -> tuple[State, list[Seen]]:
        """Return the state before the action of this number, and what each seat knew then."""
        leg = next(leg for leg in self._legs if any(taken.number == number for taken in leg.taken))
        state, seen = decode(leg.before), _copies(leg.seen)
        for taken in leg.taken:
            if taken.number == number:
                break
            result = engine.submit(cat, state, taken.seat, taken.action)
            assert not isinstance(result, Refusal), "what was possible once is possible again"
            all_learn(cat, seen, result)
        return state, seen

    def learned(self, seat: int, since: int) -> bool:
        """Return whether this seat has learned anything from the action of this number or from a later one."""
        later = (taken for leg in self._legs for taken in leg.taken if taken.number >= since)
        return any(taken.learners >> seat & 1 for taken in later)

    def has_acted(self, seat: int) -> bool:
        """Return whether an action of this seat is in the present line."""
        return any(taken.seat == seat for leg in reversed(self._legs) for taken in reversed(leg.taken))

    def last_choice(self, cat: Catalog, seat: int) -> int:
        """Return the number of the last action of a seat that was a choice; 0: there is none. A pass is no choice if
        the seat could do nothing else in the window: undoing it would only make the seat pass again."""
        for leg in reversed(self._legs):
            for taken in reversed(leg.taken):
                if taken.seat == seat and not self._had_to_pass(cat, taken):
                    return taken.number
        return 0

    def _had_to_pass(self, cat: Catalog, taken: Taken) -> bool:
        if not isinstance(taken.action, Pass):
            return False
        you = view(cat, self.before(cat, taken.number), taken.seat).you
        return you is not None and not you.asks and all(isinstance(row.action, NO_RESPONSE) for row in you.legal)

    def cut(self, number: int, present: bytes, seen: Sequence[Seen] = ()) -> None:
        """Drop the action of this number and all later ones. present: the state from which the line continues; seen:
        what each seat knows."""
        while self._legs and (not self._legs[-1].taken or self._legs[-1].taken[0].number >= number):
            self._legs.pop()
        if self._legs:
            leg = self._legs[-1]
            leg.taken = [taken for taken in leg.taken if taken.number < number]
        self._legs.append(_Leg(present, _copies(seen)))


def _copies(seen: Iterable[Seen]) -> list[Seen]:
    return [one.copy() for one in seen]


# ------------------------------------------------------------------------------------------------- who learns what
def harmless(event: E.AnyEvent) -> bool:
    """Return whether nobody can have learned anything hidden from this event."""
    match event:
        case E.Moved():
            return event.frm in OPEN and event.to in OPEN and not event.hidden
        case E.Flipped():
            return not event.hidden
        case E.Offered():
            return not event.bargain.cards
    return isinstance(event, HARMLESS)


def random_side(state: State) -> tuple[object, ...]:
    """Return the piles and how many random numbers were drawn; as long as both stay equal, nothing was drawn or
    rolled."""
    return state.draws, list(state.dice), list(state.door), list(state.treasure), list(state.seals)


def learners(seat: int, action: AnyAction, events: Sequence[E.AnyEvent], before: object, after: State) -> int:
    """Return as bits the seats that know more than before an action: another seat made a choice, or they saw something
    hidden. before: the `random_side` of the state before it."""
    everybody = (1 << len(after.seats)) - 1
    if random_side(after) != before or after.winners:
        return everybody
    chose = action.seat if isinstance(action, Default) else seat
    found = _but(everybody, chose) if chose >= 0 else 0
    for event in events:
        found |= _taught(event, everybody)
    for frame in after.stack:
        for ask in frame.asks:
            found |= 1 << ask.seat if ask.kind == "recover" else 0  # it sees the discards (cards.discards)
    return found


def _but(everybody: int, seat: int) -> int:
    return everybody & ~(1 << seat) if seat >= 0 else everybody


def _taught(event: E.AnyEvent, everybody: int) -> int:
    """Return who learns something hidden from this event, as bits."""
    if harmless(event):
        return 0
    match event:
        case E.Moved() if event.hidden and event.to == "table":  # a first card: only its owner sees it
            return 0
        case E.Moved() if event.frm == "hand":
            return 1 << event.to_seat if event.hidden and event.to_seat >= 0 else _but(everybody, event.at)
        case E.Moved() if not event.hidden and event.frm in _SEEN and event.to in (*_SEEN, "hand"):
            return 0
        case E.Flipped() | E.Counted() | E.Undone():
            return 0
        case E.Offered():
            return 1 << event.bargain.to if event.bargain.to >= 0 else _but(everybody, event.bargain.frm)
        case E.LaidOut():
            return _but(everybody, event.seat)
        case E.Peeked() | E.Shown():
            return 1 << event.seat
    return everybody
