"""The events: one struct for each kind, in the past tense; apply.py applies them to a State.

Frames of the stack are control data, so they change without events; so does the counter of rng.py. `seen_by` says what
a seat may know of an event. Zones of a Moved event are "hand", "table", "fight", "limbo", "body", "lasting",
"treasure-pile", "door-pile", "door" and "treasure" (the last two are the discards); the seat of a zone is in a separate
field.
"""

import re
from collections.abc import Callable
from typing import Any, get_args

import msgspec
from msgspec import Struct

from core.state.model import Bargain, Bonus, Lasting, defn_of
from core.state.numbers import (
    CardNo,
    Deck,
    DefnNo,
    DefnOrNone,
    EachSeat,
    MonsterOrNext,
    Ordinal,
    Pile,
    SeatNo,
    Short,
    Small,
    Sum,
    Text,
    Word,
)


class Event(Struct, gc=False, array_like=True, tag=True):
    """The base of all events: past tense, plain data."""


class Drew(Event, array_like=True, tag=True):
    """Cards drawn into a hand. Others see their number, and the cards only if face up."""

    seat: SeatNo
    deck: Deck
    count: Small
    cards: Short[CardNo]
    face_up: bool = False


class Turned(Event, array_like=True, tag=True):
    """The top Door card was turned face up (into limbo)."""

    seat: SeatNo
    card: CardNo


class Shuffled(Event, array_like=True, tag=True):
    """The discards of a deck were shuffled into a new one."""

    deck: Deck
    pile: Pile


class Moved(Event, array_like=True, tag=True):
    """A card changed its zone.

    why: a word for the log (played, discarded, lost, sold, spent, given, taken, looted, ...). seat: who did it. at,
    to_seat: the seats of the two zones. hidden: from hand to hand, only the two seats know the card; or a first card.
    on_seat: the seat a card was played on, -1 for none.
    """

    card: CardNo
    new: CardNo
    frm: Word
    at: SeatNo
    to: Word
    to_seat: SeatNo
    why: Text
    seat: SeatNo = -1
    on: CardNo = 0
    up: bool = True
    hidden: bool = False
    on_seat: SeatNo = -1


class Flipped(Event, array_like=True, tag=True):
    """An Item was equipped, turned sideways, or given to a carrier.

    hidden: a first card, unseen by the others. kept: it stays although the Ally that made room for it is gone.
    """

    seat: SeatNo
    card: CardNo
    up: bool
    on: CardNo = 0
    hidden: bool = False
    both: bool = False
    kept: bool = False


class Counted(Event, array_like=True, tag=True):
    """The counters on a card in play changed by `by`, to `counters`."""

    seat: SeatNo
    card: CardNo
    by: Small
    counters: Small


class LevelChanged(Event, array_like=True, tag=True):
    """A Level changed by `by`, to `level`."""

    seat: SeatNo
    by: Small
    level: Small
    why: Text


class Rolled(Event, array_like=True, tag=True):
    """A die was rolled: its sides, its number, what is added to it (label, amount), and the total needed (0: none). on:
    the other seat that it is aimed at, -1 for none."""

    seat: SeatNo
    die: Small
    why: Text
    adds: Short[tuple[Text, Sum]] = []
    need: Small = 0
    monster: CardNo = 0
    sides: Small = 6
    on: SeatNo = -1


class RolledAgain(Event, array_like=True, tag=True):
    """A seat used a card to have the die of `roller` rolled again. ability: stands for its modifier in `model.Used`.
    scope: whether the use counts for the combat or the turn; "" for neither."""

    seat: SeatNo
    card: CardNo
    roller: SeatNo
    ability: Small
    scope: Word


class TurnBegan(Event, array_like=True, tag=True):
    """A turn began. after: for an extra turn, the seat whose turn came before it; else -1."""

    seat: SeatNo
    no: Ordinal
    after: SeatNo = -1


class ExtraTurn(Event, array_like=True, tag=True):
    """A seat is given one more turn after the present one."""

    seat: SeatNo
    defn: DefnOrNone


class PhaseBegan(Event, array_like=True, tag=True):
    """A phase of the turn began."""

    seat: SeatNo
    phase: Word


class LaidOut(Event, array_like=True, tag=True):
    """The first cards that a seat has put into play were shown."""

    seat: SeatNo
    cards: Short[CardNo]


class Kicked(Event, array_like=True, tag=True):
    """A kick was announced."""

    seat: SeatNo


class FightBegan(Event, array_like=True, tag=True):
    """A combat began against the monster, which is on the table from now on."""

    seat: SeatNo
    card: CardNo
    how: Word


class MonsterCame(Event, array_like=True, tag=True):
    """A monster joined. by: the card that brought it, 0 if none did.

    group: for a partner, the group of its original; if `how` is COPIED, the group that was copied. Cards on that group
    count for the copy too, which then has its own group (combat.copy).
    """

    seat: SeatNo
    id: CardNo
    defn: DefnNo
    group: CardNo
    how: Word
    by: CardNo = 0


class MonsterLeft(Event, array_like=True, tag=True):
    """A monster left the combat (removed, killed, swapped, undone). treasures, levels: what that pays."""

    id: CardNo
    defn: DefnNo
    how: Word
    treasures: Small = 0
    levels: Small = 0


class Strengthened(Event, array_like=True, tag=True):
    """Strength was added to a side or a monster."""

    bonus: Bonus


class Undone(Event, array_like=True, tag=True):
    """A card played into the combat was undone: the strength that it gave is gone."""

    seat: SeatNo
    card: CardNo


class HelperCame(Event, array_like=True, tag=True):
    """A seat joined the fight as helper, by a bargain or compelled. Only the two seats of the bargain see promised hand
    cards; cards: how many these are, for the others."""

    seat: SeatNo
    compelled: bool
    bargain: Bargain | None = None
    cards: Small = 0


class HelperLeft(Event, array_like=True, tag=True):
    """The helper left the fight."""

    seat: SeatNo
    why: Text


class FighterChanged(Event, array_like=True, tag=True):
    """The fight passed to another seat. treasures: what the old fighter's own cards add to its kills so far."""

    frm: SeatNo
    to: SeatNo
    treasures: Small = 0


class StageSet(Event, array_like=True, tag=True):
    """The fight reached a stage: lost (they run), won, fled or ended. margin: by how much it was decided."""

    seat: SeatNo
    stage: Word
    margin: Sum = 0


class Safe(Event, array_like=True, tag=True):
    """A seat need not roll to escape (model.Escape)."""

    seat: SeatNo
    monster: MonsterOrNext
    why: Text


class SafeUsed(Event, array_like=True, tag=True):
    """A seat used its escape from the next monster."""

    seat: SeatNo


class Rides(Event, array_like=True, tag=True):
    """A runner chose the Vehicle it uses."""

    seat: SeatNo
    card: CardNo


COPIED = "is copied"
"""How a copy comes into the combat."""
NOT_PURSUED, NO_ROLL_NEEDED = "it does not pursue", "no roll is needed"
"""Why somebody escapes without a roll."""
NO_ESCAPE = "no roll escapes from it"
"""Why somebody is caught without a roll."""


class Fled(Event, array_like=True, tag=True):
    """A runner escaped from a monster or was caught. why: what decided it without a roll; empty after a roll."""

    seat: SeatNo
    monster: CardNo
    defn: DefnNo
    escaped: bool
    why: Text = ""


class FightEnded(Event, array_like=True, tag=True):
    """The combat is over: killed, removed, fled, died, ended."""

    seat: SeatNo
    how: Word


class UsedAbility(Event, array_like=True, tag=True):
    """An ability was used. paid: cards paid. scope: whether the use counts for the combat or the turn."""

    seat: SeatNo
    card: CardNo
    ability: Small
    on: SeatNo
    paid: Small
    scope: Word


class Offered(Event, array_like=True, tag=True):
    """A bargain was proposed. Only its two seats see promised hand cards; cards: how many these are, for the others."""

    bargain: Bargain
    cards: Small = 0


class OfferClosed(Event, array_like=True, tag=True):
    """An offer ended: accepted, declined, withdrawn, countered or lapsed."""

    no: Ordinal
    how: Word
    seat: SeatNo


class Died(Event, array_like=True, tag=True):
    """A player died."""

    seat: SeatNo


class Returned(Event, array_like=True, tag=True):
    """A dead player is back with a new character."""

    seat: SeatNo


class NewHand(Event, array_like=True, tag=True):
    """A new character gets its hand at the start of its own turn."""

    seat: SeatNo


class SealsMade(Event, array_like=True, tag=True):
    """The Seals were shuffled into a deck; only their number is public."""

    count: Small
    pile: Pile


class SealOpened(Event, array_like=True, tag=True):
    """A Seal was opened and is in force."""

    seat: SeatNo
    defn: DefnNo
    open: Small


class SealClosed(Event, array_like=True, tag=True):
    """The top open Seal was closed; the one below it, if any, is in force again."""

    defn: DefnNo
    open: Small
    why: Text
    climber: SeatNo = -1


class SexChanged(Event, array_like=True, tag=True):
    """The sex of a player's character was chosen or changed."""

    seat: SeatNo
    sex: Word


class LastingBegan(Event, array_like=True, tag=True):
    """A lasting effect began for a seat."""

    seat: SeatNo
    lasting: Lasting


class LastingArmed(Event, array_like=True, tag=True):
    """A lasting effect that waited counts from now on. defn: the card that it comes from, -1 in events of older
    versions."""

    seat: SeatNo
    index: Small
    since: Ordinal
    defn: DefnOrNone = -1


class LastingEnded(Event, array_like=True, tag=True):
    """A lasting effect ended (its card, if it has one, leaves by a Moved event)."""

    seat: SeatNo
    index: Small
    defn: DefnOrNone
    why: Text


class WindowOpened(Event, array_like=True, tag=True):
    """A window opened."""

    kind: Word
    id: Ordinal
    seat: SeatNo


class WindowClosed(Event, array_like=True, tag=True):
    """A window closed."""

    id: Ordinal
    kind: Word


class Held(Event, array_like=True, tag=True):
    """A seat held the window."""

    seat: SeatNo


class Released(Event, array_like=True, tag=True):
    """A hold ended."""

    seat: SeatNo


class Shown(Event, array_like=True, tag=True):
    """A seat was shown another seat's hand; only these two know the cards."""

    at: SeatNo
    seat: SeatNo
    cards: Short[CardNo]


class Peeked(Event, array_like=True, tag=True):
    """A seat looked at the top `count` cards of a deck; only this seat knows them (definitions, the top one first)."""

    seat: SeatNo
    deck: Deck
    count: Small
    cards: Short[CardNo]


class Reordered(Event, array_like=True, tag=True):
    """A seat moved cards that it had looked at from their place in a deck: under the deck, or to its top to be taken.

    places: where they lay (0: the top), in the order in which they are moved; only this seat knows them. The others
    learn how many went under the deck and nothing else.
    """

    seat: SeatNo
    deck: Deck
    count: Small
    places: Short[Small]
    under: bool = True


class HandsPassed(Event, array_like=True, tag=True):
    """All hands went to a neighbour: left (in turn order) or right. hands: the new one of each seat, empty for a dead
    one; each seat sees its own."""

    to: Word
    hands: EachSeat[Short[CardNo]]


class Chose(Event, array_like=True, tag=True):
    """A seat chose one of several texts of a card."""

    seat: SeatNo
    defn: DefnOrNone
    text: Text


class Noted(Event, array_like=True, tag=True):
    """A consequence that the rules demand is due (model.Due)."""

    what: Word
    seat: SeatNo


class Settled(Event, array_like=True, tag=True):
    """A due consequence was dealt with."""

    what: Word
    seat: SeatNo


class ReceivedOver(Event, array_like=True, tag=True):
    """Cards received earlier no longer count as just received (seat -1: those of all seats)."""

    seat: SeatNo


class Moves(Event, array_like=True, tag=True):
    """A free move (equipping, an offer) of this turn was counted."""

    seat: SeatNo


class SoldDouble(Event, array_like=True, tag=True):
    """An Item counted twice in a sale, which is possible once a turn."""

    seat: SeatNo
    card: CardNo


NOTHING_TO_LOSE = "nothing to lose"
"""Why a card takes nothing."""
LOWEST_LEVEL = "Level 1 is the lowest"
"""Why a card takes no level."""
NONE_APPLIES, NO_BAD_STUFF = "nothing in its Bad Stuff applies", "it has no Bad Stuff"
"""Why being caught by a monster has no effect."""
NOTHING_IN_IT, BY_ROLL = "nothing in it applies", "the roll decided so"
"""Why a curse has no effect; and why a curse or Bad Stuff has none after a die."""


class Fizzled(Event, array_like=True, tag=True):
    """A card had no effect, or was stopped, with the reason."""

    seat: SeatNo
    defn: DefnOrNone
    why: Text


class SteppedBack(Event, array_like=True, tag=True):
    """The table undid the last action (its name) of `by`, as `seat` had asked.

    The name is empty for a pass and while first cards are laid out, because other seats may not learn it. rev: of the
    state to which the game went back. learnt: `seat` was alone with bots and knows more than it did then.
    """

    seat: SeatNo
    by: SeatNo
    what: Word
    rev: Ordinal = -1
    learnt: bool = False


class Won(Event, array_like=True, tag=True):
    """The game is over."""

    seats: Short[SeatNo]
    why: Text


AnyEvent = (
    Drew | Turned | Shuffled | Moved | Flipped | LevelChanged | Rolled | TurnBegan | PhaseBegan | LaidOut | Kicked
    | FightBegan | MonsterCame | MonsterLeft | Strengthened | HelperCame | HelperLeft | FighterChanged | StageSet
    | Safe | SafeUsed | Rides | Fled | FightEnded | UsedAbility | Offered | OfferClosed | Died | Returned | NewHand
    | SealsMade | SealOpened | SealClosed | SexChanged | LastingBegan | LastingArmed | LastingEnded
    | WindowOpened | WindowClosed | Held | Released | Shown | Peeked | Reordered | HandsPassed | Chose | Noted | Settled
    | ReceivedOver | Moves | SoldDouble | Fizzled | SteppedBack | Won | Counted | Undone | RolledAgain
    | ExtraTurn
)  # fmt: skip

NAMES: dict[type, str] = {
    kind: re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower() for kind in get_args(AnyEvent)
}
"""The name of each type of event: `fight-ended`."""


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


def _peeked(event: Peeked, seat: int) -> AnyEvent | None:
    return event if seat == event.seat else Peeked(event.seat, event.deck, event.count, [])


def _reordered(event: Reordered, seat: int) -> AnyEvent | None:
    if seat == event.seat:
        return event
    return Reordered(event.seat, event.deck, event.count, []) if event.under else None


def _hands_passed(event: HandsPassed, seat: int) -> AnyEvent | None:
    return HandsPassed(event.to, [hand if no == seat else [] for no, hand in enumerate(event.hands)])


def _offered(event: Offered, seat: int) -> AnyEvent | None:
    bargain = event.bargain
    if not bargain.cards or seat in (bargain.frm, bargain.to):
        return event
    return Offered(msgspec.structs.replace(bargain, cards=[]), len(bargain.cards))


def _helper_came(event: HelperCame, seat: int) -> AnyEvent | None:
    bargain = event.bargain
    if bargain is None or not bargain.cards or seat in (bargain.frm, bargain.to):
        return event
    masked = msgspec.structs.replace(bargain, cards=[])
    return msgspec.structs.replace(event, bargain=masked, cards=len(bargain.cards))


def _stepped_back(event: SteppedBack, seat: int) -> AnyEvent | None:
    hidden = event.what == "pass" and seat != event.by
    return msgspec.structs.replace(event, what="") if hidden else event


def _nobody(event: AnyEvent, seat: int) -> AnyEvent | None:
    return None


_VISIBLE: dict[type, Callable[[Any, int], AnyEvent | None]] = {
    Drew: _drew,
    Moved: _moved,
    Flipped: lambda event, seat: event if not event.hidden or seat == event.seat else None,
    Shown: _shown,
    Peeked: _peeked,
    Reordered: _reordered,
    HandsPassed: _hands_passed,
    Offered: _offered,
    HelperCame: _helper_came,
    SteppedBack: _stepped_back,
    Noted: _nobody,
    Settled: _nobody,
    Moves: _nobody,
    ReceivedOver: _nobody,
    Shuffled: lambda event, seat: Shuffled(event.deck, []),
    SealsMade: lambda event, seat: SealsMade(event.count, []),
}


def seen_by(event: AnyEvent, seat: int) -> AnyEvent | None:
    """Return the part of an event that a seat (-1: a spectator) may know: the whole event, a reduced one, or None."""
    visible = _VISIBLE.get(type(event))
    return event if visible is None else visible(event, seat)
