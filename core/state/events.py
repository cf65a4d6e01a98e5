"""What happened: the Event union, plain data in the past tense. changes.py applies them to a State.

(Frames of the stack are control, kept by the engine; the counter of draws is kept by rng.py.)
`seen_by` says what of an event a seat may know: the event, a poorer one, or None. Zones of a Moved event are written
"hand", "table", "fight", "limbo", "body", "lasting", "door" and "treasure" (the discards); seats beside them.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from core.state.model import Bargain, Bonus, Lasting, defn_of
from core.state.numbers import SeatNo


class Event(Struct, gc=False, array_like=True, tag=True):
    """Past tense, plain data."""


class Drew(Event, array_like=True, tag=True):
    """Cards drawn into a hand. Others see how many, and which only if face up."""

    seat: SeatNo
    deck: str
    count: int
    cards: list[int]
    face_up: bool = False


class Turned(Event, array_like=True, tag=True):
    """The top Door card was turned face up (into limbo)."""

    seat: SeatNo
    card: int


class Shuffled(Event, array_like=True, tag=True):
    """A deck was made anew of its discards."""

    deck: str
    pile: list[int]


class Moved(Event, array_like=True, tag=True):
    """A card changed place. why is a word for the log: played, discarded, lost, sold, spent, given, taken, looted, ...

    seat: whose doing; at / to_seat: whose zones. hidden: from hand to hand, only the two know which card.
    on_seat: on whom a card was played, -1 if on nobody in particular.
    """

    card: int
    new: int
    frm: str
    at: SeatNo
    to: str
    to_seat: SeatNo
    why: str
    seat: SeatNo = -1
    on: int = 0
    up: bool = True
    hidden: bool = False
    on_seat: SeatNo = -1


class Flipped(Event, array_like=True, tag=True):
    """An Item was equipped, turned sideways, or handed to a carrier. hidden: among first cards, unseen by others.
    kept: it stays as it lies though the Ally that made room for it is gone."""

    seat: SeatNo
    card: int
    up: bool
    on: int = 0
    hidden: bool = False
    both: bool = False
    kept: bool = False


class LevelChanged(Event, array_like=True, tag=True):
    """A Level went up or down by `by`, for the reason given."""

    seat: SeatNo
    by: int
    level: int
    why: str


class Rolled(Event, array_like=True, tag=True):
    """A die: its number, what is added (label, amount), and the total needed (0: no such thing)."""

    seat: SeatNo
    die: int
    why: str
    adds: list[tuple[str, int]] = []
    need: int = 0
    monster: int = 0


class TurnBegan(Event, array_like=True, tag=True):
    """A turn began."""

    seat: SeatNo
    no: int


class PhaseBegan(Event, array_like=True, tag=True):
    """A phase of the turn began."""

    seat: SeatNo
    phase: str


class LaidOut(Event, array_like=True, tag=True):
    """First cards are shown: what a seat has put into play at the setup."""

    seat: SeatNo
    cards: list[int]


class Kicked(Event, array_like=True, tag=True):
    """A kick was announced."""

    seat: SeatNo


class FightBegan(Event, array_like=True, tag=True):
    """A combat began against the monster, which is on the table from now on."""

    seat: SeatNo
    card: int
    how: str


class MonsterCame(Event, array_like=True, tag=True):
    """A monster joined (a partner shares the group of its original)."""

    seat: SeatNo
    id: int
    defn: int
    group: int
    how: str


class MonsterLeft(Event, array_like=True, tag=True):
    """A monster left the combat: removed, killed, swapped. treasures: what its going is worth."""

    id: int
    defn: int
    how: str
    treasures: int = 0
    levels: int = 0


class Strengthened(Event, array_like=True, tag=True):
    """Strength was added to a side or a monster."""

    bonus: Bonus


class HelperCame(Event, array_like=True, tag=True):
    """Somebody helps, as agreed or compelled."""

    seat: SeatNo
    compelled: bool
    bargain: Bargain | None = None


class HelperLeft(Event, array_like=True, tag=True):
    """The helper is out of the fight."""

    seat: SeatNo
    why: str


class FighterChanged(Event, array_like=True, tag=True):
    """The fight has passed to somebody else."""

    frm: SeatNo
    to: SeatNo


class StageSet(Event, array_like=True, tag=True):
    """The fight has come to this stage: lost (they run), won, fled, ended; and by how much it was decided."""

    seat: SeatNo
    stage: str
    margin: int = 0


class Safe(Event, array_like=True, tag=True):
    """A seat need not roll against a monster (0: any)."""

    seat: SeatNo
    monster: int
    why: str


class SafeUsed(Event, array_like=True, tag=True):
    """An escape from the next monster is used up."""

    seat: SeatNo


class Rides(Event, array_like=True, tag=True):
    """A runner said which Vehicle is used."""

    seat: SeatNo
    card: int


class Fled(Event, array_like=True, tag=True):
    """One run from one monster: escaped or caught."""

    seat: SeatNo
    monster: int
    defn: int
    escaped: bool


class FightEnded(Event, array_like=True, tag=True):
    """The combat is over: killed, removed, fled, died, ended."""

    seat: SeatNo
    how: str


class UsedAbility(Event, array_like=True, tag=True):
    """An ability was used (per combat or turn it is counted), with how many cards paid."""

    seat: SeatNo
    card: int
    ability: int
    on: SeatNo
    paid: int
    scope: str


class Offered(Event, array_like=True, tag=True):
    """A bargain was proposed. Promised hand cards are named to the asked seat only."""

    bargain: Bargain
    cards: int = 0


class OfferClosed(Event, array_like=True, tag=True):
    """An offer is no more: accepted, declined, withdrawn, countered, lapsed."""

    no: int
    how: str
    seat: SeatNo


class Died(Event, array_like=True, tag=True):
    """Somebody died."""

    seat: SeatNo


class Returned(Event, array_like=True, tag=True):
    """The dead are back."""

    seat: SeatNo


class NewHand(Event, array_like=True, tag=True):
    """A new character gets its hand at the start of its own turn."""

    seat: SeatNo


class SealsMade(Event, array_like=True, tag=True):
    """The Seals are shuffled into a deck of their own; only how many there are is known."""

    count: int
    pile: list[int]


class SealOpened(Event, array_like=True, tag=True):
    """A Seal was opened: it is in force from now on."""

    seat: SeatNo
    defn: int
    open: int


class SealClosed(Event, array_like=True, tag=True):
    """The Seal on top was closed; the one below it, if any, holds again."""

    defn: int
    open: int
    why: str
    climber: SeatNo = -1


class SexChanged(Event, array_like=True, tag=True):
    """Somebody's sex was chosen or changed."""

    seat: SeatNo
    sex: str


class LastingBegan(Event, array_like=True, tag=True):
    """An effect waits or goes on for a seat."""

    seat: SeatNo
    lasting: Lasting


class LastingArmed(Event, array_like=True, tag=True):
    """A waiting effect counts from now on."""

    seat: SeatNo
    index: int
    since: int


class LastingEnded(Event, array_like=True, tag=True):
    """An effect is over (its card, if it has one, is moved by an event of its own)."""

    seat: SeatNo
    index: int
    defn: int
    why: str


class WindowOpened(Event, array_like=True, tag=True):
    """A moment to speak up."""

    kind: str
    id: int
    seat: SeatNo


class WindowClosed(Event, array_like=True, tag=True):
    """The moment is over."""

    id: int
    kind: str


class Held(Event, array_like=True, tag=True):
    """A seat froze the window."""

    seat: SeatNo


class Released(Event, array_like=True, tag=True):
    """A hold ended."""

    seat: SeatNo


class Shown(Event, array_like=True, tag=True):
    """A seat was shown another's hand; only they know the cards."""

    at: SeatNo
    seat: SeatNo
    cards: list[int]


class Chose(Event, array_like=True, tag=True):
    """Somebody chose one of several texts of a card."""

    seat: SeatNo
    defn: int
    text: str


class Noted(Event, array_like=True, tag=True):
    """A consequence that rules demand is due."""

    what: str
    seat: SeatNo


class Settled(Event, array_like=True, tag=True):
    """A due consequence is being worked off."""

    what: str
    seat: SeatNo


class ReceivedOver(Event, array_like=True, tag=True):
    """Cards just received are ordinary from now on (-1: everybody's)."""

    seat: SeatNo


class Moves(Event, array_like=True, tag=True):
    """A free action (equipping, offers) of this turn was counted."""

    seat: SeatNo


class SoldDouble(Event, array_like=True, tag=True):
    """An Item of a sale counted twice; once a turn."""

    seat: SeatNo
    card: int


class Fizzled(Event, array_like=True, tag=True):
    """A card found nothing to do, and why."""

    seat: SeatNo
    defn: int
    why: str


class SteppedBack(Event, array_like=True, tag=True):
    """The table took back what `by` did last (the action's name), as `seat` had asked. Nothing of it holds any more."""

    seat: SeatNo
    by: SeatNo
    what: str


class Won(Event, array_like=True, tag=True):
    """The game is over."""

    seats: list[SeatNo]
    why: str


AnyEvent = (
    Drew | Turned | Shuffled | Moved | Flipped | LevelChanged | Rolled | TurnBegan | PhaseBegan | LaidOut | Kicked
    | FightBegan | MonsterCame | MonsterLeft | Strengthened | HelperCame | HelperLeft | FighterChanged | StageSet
    | Safe | SafeUsed | Rides | Fled | FightEnded | UsedAbility | Offered | OfferClosed | Died | Returned | NewHand
    | SealsMade | SealOpened | SealClosed | SexChanged | LastingBegan | LastingArmed | LastingEnded
    | WindowOpened | WindowClosed | Held | Released | Shown | Chose | Noted | Settled | ReceivedOver | Moves
    | SoldDouble | Fizzled | SteppedBack | Won
)  # fmt: skip


# ----------------------------------------------------------------------------------------------- who may see what
def _drew(event: Drew, seat: int) -> AnyEvent | None:
    if seat == event.seat:
        return event
    seen = [defn_of(card) for card in event.cards] if event.face_up else []  # which cards, not their ids in that hand
    return Drew(event.seat, event.deck, event.count, seen, event.face_up)


def _moved(event: Moved, seat: int) -> AnyEvent | None:
    if event.hidden and event.to == "table":
        return event if seat == event.to_seat else None
    if not event.hidden or seat in (event.at, event.to_seat):
        mine = event.new if event.to != "hand" or seat == event.to_seat else 0
        theirs = event.card if event.frm != "hand" or seat == event.at else 0
        if mine == event.new and theirs == event.card:
            return event
        known = mine or theirs or defn_of(event.new)
        return msgspec.structs.replace(event, card=theirs or defn_of(known), new=mine or defn_of(known))
    return msgspec.structs.replace(event, card=0, new=0)


def _shown(event: Shown, seat: int) -> AnyEvent | None:
    return event if seat in (event.seat, event.at) else Shown(event.at, event.seat, [])


def _offered(event: Offered, seat: int) -> AnyEvent | None:
    bargain = event.bargain
    if not bargain.cards or seat in (bargain.frm, bargain.to):
        return event
    return Offered(msgspec.structs.replace(bargain, cards=[]), len(bargain.cards))


def _nobody(event: AnyEvent, seat: int) -> AnyEvent | None:
    return None


_SIGHT: dict[type, Callable[[Any, int], AnyEvent | None]] = {
    Drew: _drew,
    Moved: _moved,
    Flipped: lambda event, seat: event if not event.hidden or seat == event.seat else None,
    Shown: _shown,
    Offered: _offered,
    Noted: _nobody,
    Settled: _nobody,
    Moves: _nobody,
    ReceivedOver: _nobody,
    Shuffled: lambda event, seat: Shuffled(event.deck, []),
    SealsMade: lambda event, seat: SealsMade(event.count, []),
}


def seen_by(event: AnyEvent, seat: int) -> AnyEvent | None:
    """What this seat (-1: a spectator) may know of the event; None: nothing at all."""
    sight = _SIGHT.get(type(event))
    return event if sight is None else sight(event, seat)
