"""What happened: the Event union and `apply`, the only code that changes what a State says of the game.

(Frames of the stack are control, kept by the engine; the counter of draws is kept by rng.py.)
`seen_by` says what of an event a seat may know: the event, a poorer one, or None. Zones of a Moved event are written
"hand", "table", "fight", "limbo", "body", "lasting", "door" and "treasure" (the discards); seats beside them.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from core.model import Bonus, Deal, Fight, Joined, Lasting, Monster, Placed, State, Turn, Used, defn_of


class Event(Struct, array_like=True, tag=True):
    """Past tense, plain data."""


class Drew(Event, array_like=True, tag=True):
    """Cards drawn into a hand. Others see how many, and which only if face up."""

    seat: int
    deck: str
    count: int
    cards: list[int]
    face_up: bool = False


class Turned(Event, array_like=True, tag=True):
    """The top Door card was turned face up (into limbo)."""

    seat: int
    card: int


class Shuffled(Event, array_like=True, tag=True):
    """A deck was made anew of its discards."""

    deck: str
    pile: list[int]


class Moved(Event, array_like=True, tag=True):
    """A card changed place. why is a word for the log: played, discarded, lost, sold, spent, given, taken, looted, ...

    seat: whose doing; at / to_seat: whose zones. hidden: from hand to hand, only the two know which card.
    """

    card: int
    new: int
    frm: str
    at: int
    to: str
    to_seat: int
    why: str
    seat: int = -1
    on: int = 0
    up: bool = True
    hidden: bool = False


class Flipped(Event, array_like=True, tag=True):
    """An Item was equipped, turned sideways, or handed to a carrier. hidden: among first cards, still unseen by others."""

    seat: int
    card: int
    up: bool
    on: int = 0
    hidden: bool = False


class LevelChanged(Event, array_like=True, tag=True):
    """A Level went up or down by `by`, for the reason given."""

    seat: int
    by: int
    level: int
    why: str


class Rolled(Event, array_like=True, tag=True):
    """A die: its number, what is added (label, amount), and the total needed (0: no such thing)."""

    seat: int
    die: int
    why: str
    adds: list[tuple[str, int]] = []
    need: int = 0
    monster: int = 0


class TurnBegan(Event, array_like=True, tag=True):
    """A turn began."""

    seat: int
    no: int


class PhaseBegan(Event, array_like=True, tag=True):
    """A phase of the turn began."""

    seat: int
    phase: str


class LaidOut(Event, array_like=True, tag=True):
    """First cards are shown: what a seat has put into play at the setup."""

    seat: int
    cards: list[int]


class Kicked(Event, array_like=True, tag=True):
    """A kick was announced."""

    seat: int


class FightBegan(Event, array_like=True, tag=True):
    """A combat began against the monster, which is on the table from now on."""

    seat: int
    card: int
    how: str


class MonsterCame(Event, array_like=True, tag=True):
    """A monster joined (a partner shares the group of its original)."""

    seat: int
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

    seat: int
    compelled: bool
    deal: Deal | None = None


class HelperLeft(Event, array_like=True, tag=True):
    """The helper is out of the fight."""

    seat: int
    why: str


class FighterChanged(Event, array_like=True, tag=True):
    """The fight has passed to somebody else."""

    frm: int
    to: int


class StageSet(Event, array_like=True, tag=True):
    """The fight has come to this stage: lost (they run), won, fled, ended; and by how much it was decided."""

    seat: int
    stage: str
    margin: int = 0


class Safe(Event, array_like=True, tag=True):
    """A seat need not roll against a monster (0: any)."""

    seat: int
    monster: int
    why: str


class SafeUsed(Event, array_like=True, tag=True):
    """An escape from the next monster is used up."""

    seat: int


class Fled(Event, array_like=True, tag=True):
    """One run from one monster: escaped or caught."""

    seat: int
    monster: int
    defn: int
    escaped: bool


class FightEnded(Event, array_like=True, tag=True):
    """The combat is over: killed, removed, fled, died, ended."""

    seat: int
    how: str


class UsedAbility(Event, array_like=True, tag=True):
    """An ability was used (per combat or turn it is counted), with how many cards paid."""

    seat: int
    card: int
    ability: int
    on: int
    paid: int
    scope: str


class Offered(Event, array_like=True, tag=True):
    """A bargain was proposed. Promised hand cards are named to the asked seat only."""

    deal: Deal
    cards: int = 0


class OfferClosed(Event, array_like=True, tag=True):
    """An offer is no more: accepted, declined, withdrawn, countered, lapsed."""

    no: int
    how: str
    seat: int


class Died(Event, array_like=True, tag=True):
    """Somebody died."""

    seat: int


class Returned(Event, array_like=True, tag=True):
    """The dead are back."""

    seat: int


class NewHand(Event, array_like=True, tag=True):
    """A new character gets its hand at the start of its own turn."""

    seat: int


class LastingBegan(Event, array_like=True, tag=True):
    """An effect waits or goes on for a seat."""

    seat: int
    lasting: Lasting


class LastingArmed(Event, array_like=True, tag=True):
    """A waiting effect counts from now on."""

    seat: int
    index: int
    since: int


class LastingEnded(Event, array_like=True, tag=True):
    """An effect is over (its card, if it has one, is moved by an event of its own)."""

    seat: int
    index: int
    defn: int
    why: str


class WindowOpened(Event, array_like=True, tag=True):
    """A moment to speak up."""

    kind: str
    id: int
    seat: int


class WindowClosed(Event, array_like=True, tag=True):
    """The moment is over."""

    id: int
    kind: str


class Held(Event, array_like=True, tag=True):
    """A seat froze the window."""

    seat: int


class Released(Event, array_like=True, tag=True):
    """A hold ended."""

    seat: int


class Shown(Event, array_like=True, tag=True):
    """A seat was shown another's hand; only they know the cards."""

    at: int
    seat: int
    cards: list[int]


class Chose(Event, array_like=True, tag=True):
    """Somebody chose one of several texts of a card."""

    seat: int
    defn: int
    text: str


class Noted(Event, array_like=True, tag=True):
    """A consequence that rules demand is due."""

    what: str
    seat: int


class Settled(Event, array_like=True, tag=True):
    """A due consequence is being worked off."""

    what: str
    seat: int


class ReceivedOver(Event, array_like=True, tag=True):
    """Cards just received are ordinary from now on (-1: everybody's)."""

    seat: int


class Moves(Event, array_like=True, tag=True):
    """A free action (equipping, offers) of this turn was counted."""

    seat: int


class SoldDouble(Event, array_like=True, tag=True):
    """An Item of a sale counted twice; once a turn."""

    seat: int
    card: int


class Fizzled(Event, array_like=True, tag=True):
    """A card found nothing to do, and why."""

    seat: int
    defn: int
    why: str


class Won(Event, array_like=True, tag=True):
    """The game is over."""

    seats: list[int]
    why: str


AnyEvent = (
    Drew | Turned | Shuffled | Moved | Flipped | LevelChanged | Rolled | TurnBegan | PhaseBegan | LaidOut | Kicked | FightBegan
    | MonsterCame | MonsterLeft | Strengthened | HelperCame | HelperLeft | FighterChanged | StageSet | Safe | SafeUsed | Fled
    | FightEnded | UsedAbility | Offered | OfferClosed | Died | Returned | NewHand
    | LastingBegan | LastingArmed | LastingEnded
    | WindowOpened | WindowClosed | Held | Released | Shown | Chose | Noted | Settled | ReceivedOver | Moves | SoldDouble | Fizzled
    | Won
)  # fmt: skip


# ----------------------------------------------------------------------------------------------- who may see what
def _drew(event: Drew, seat: int) -> AnyEvent | None:
    if event.face_up or seat == event.seat:
        return event
    return Drew(event.seat, event.deck, event.count, [])


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
    deal = event.deal
    if not deal.cards or seat in (deal.frm, deal.to):
        return event
    return Offered(msgspec.structs.replace(deal, cards=[]), len(deal.cards))


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
}


def seen_by(event: AnyEvent, seat: int) -> AnyEvent | None:
    """What this seat (-1: a spectator) may know of the event; None: nothing at all."""
    sight = _SIGHT.get(type(event))
    return event if sight is None else sight(event, seat)


# ---------------------------------------------------------------------------------------------------------- apply
def _apply_drew(s: State, e: Drew) -> None:
    pile = s.door if e.deck == "door" else s.treasure
    del pile[len(pile) - e.count :]
    seat = s.seats[e.seat]
    seat.hand.extend(e.cards)
    seat.fresh.extend(e.cards)
    seat.serial += e.count


def _apply_turned(s: State, e: Turned) -> None:
    s.door.pop()
    s.serial += 1
    s.limbo.append(e.card)


def _apply_shuffled(s: State, e: Shuffled) -> None:
    if e.deck == "door":
        s.door, s.door_out = e.pile + s.door, []
    else:
        s.treasure, s.treasure_out = e.pile + s.treasure, []


def _take_out(s: State, e: Moved) -> None:
    card = e.card
    if e.frm == "hand":
        seat = s.seats[e.at]
        seat.hand.remove(card)
        if card in seat.fresh:
            seat.fresh.remove(card)
    elif e.frm == "table":
        seat = s.seats[e.at]
        seat.table = [placed for placed in seat.table if placed.card != card]
        if card in seat.fresh:
            seat.fresh.remove(card)
    elif e.frm == "fight":
        fight = s.fight
        if fight is not None:
            fight.cards = [joined for joined in fight.cards if joined.card != card]
    elif e.frm == "limbo":
        s.limbo.remove(card)
    elif e.frm == "body":
        s.seats[e.at].body.remove(card)
    elif e.frm == "treasure-pile":
        s.treasure.pop()
    elif e.frm == "door":
        _remove_last(s.door_out, defn_of(card))
    elif e.frm == "treasure":
        _remove_last(s.treasure_out, defn_of(card))


def _remove_last(pile: list[int], defn: int) -> None:
    for i in range(len(pile) - 1, -1, -1):
        if pile[i] == defn:
            del pile[i]
            return
    raise ValueError(f"definition {defn} is not in this pile")


def _put(s: State, e: Moved) -> None:
    to = e.to
    if to == "door":
        s.door_out.append(defn_of(e.new))
    elif to == "treasure":
        s.treasure_out.append(defn_of(e.new))
    elif to == "hand":
        seat = s.seats[e.to_seat]
        seat.hand.append(e.new)
        seat.fresh.append(e.new)
        seat.serial += 1
    elif to == "table":
        s.seats[e.to_seat].table.append(Placed(e.new, e.up, e.on))
    elif to == "fight":
        if s.fight is not None:
            s.fight.cards.append(Joined(e.new, e.on, e.seat))
    elif to == "limbo":
        s.limbo.append(e.new)
    elif to == "body":
        s.seats[e.to_seat].body.append(e.new)


def _apply_moved(s: State, e: Moved) -> None:
    _take_out(s, e)
    _put(s, e)
    if e.to not in ("hand", "door", "treasure") and (e.new != e.card or e.frm == "treasure-pile"):
        s.serial += 1
    if e.why == "played":
        s.spent += 1
    s.dirty = True
    if s.fight is not None and (
        (e.frm == "table" and e.at in (s.fight.seat, s.fight.helper))
        or (e.to == "table" and e.to_seat in (s.fight.seat, s.fight.helper))
        or e.to == "fight"
    ):
        _touch(s, e.seat)


def _apply_flipped(s: State, e: Flipped) -> None:
    for placed in s.seats[e.seat].table:
        if placed.card == e.card:
            placed.up, placed.on = e.up, e.on
    _touch_if_fighting(s, e.seat)


def _apply_level(s: State, e: LevelChanged) -> None:
    seat = s.seats[e.seat]
    seat.level = e.level
    if e.by > 0:
        seat.gained += e.by
    _touch_if_fighting(s, e.seat)


def _apply_turn(s: State, e: TurnBegan) -> None:
    s.turn = Turn(e.seat, e.no)
    for seat in s.seats:
        seat.moves = 0
        seat.gained = 0


def _apply_phase(s: State, e: PhaseBegan) -> None:
    s.turn.phase = e.phase


def _apply_fight(s: State, e: FightBegan) -> None:
    s.fight_no += 1
    s.fight = Fight(s.fight_no, e.seat, [], holds=[0] * len(s.seats), changed_at=s.rev + 1, changed_by=e.seat)
    s.turn.met = True
    s.seats[e.seat].fresh = []


def _touch(s: State, seat: int) -> None:
    """The fight changed its sums, monsters or helper: late plays on the old picture are told so."""
    s.spent += 1
    s.dirty = True
    if s.fight is not None:
        s.fight.changed_at = s.rev + 1
        if seat >= 0:
            s.fight.changed_by = seat


def _touch_if_fighting(s: State, seat: int) -> None:
    s.dirty = True
    if s.fight is not None and seat in (s.fight.seat, s.fight.helper):
        _touch(s, -1)


def _apply_came(s: State, e: MonsterCame) -> None:
    _touch(s, e.seat)
    if s.fight is not None:
        s.fight.monsters.append(Monster(e.id, e.defn, e.group))


def _apply_left(s: State, e: MonsterLeft) -> None:
    fight = s.fight
    if fight is None:
        return
    _touch(s, -1)
    fight.monsters = [monster for monster in fight.monsters if monster.id != e.id]
    if e.how == "killed":
        fight.killed += 1
        fight.kill_levels += e.levels
    fight.removed += e.treasures


def _apply_strength(s: State, e: Strengthened) -> None:
    _touch(s, e.bonus.seat)
    if s.fight is not None:
        s.fight.bonuses.append(e.bonus)


def _apply_helper(s: State, e: HelperCame) -> None:
    _touch(s, e.seat)
    if s.fight is not None:
        s.fight.helper, s.fight.compelled, s.fight.deal, s.fight.helped = e.seat, e.compelled, e.deal, True
        s.seats[e.seat].fresh = []


def _apply_helper_left(s: State, e: HelperLeft) -> None:
    _touch(s, -1)
    if s.fight is not None:
        s.fight.helper, s.fight.compelled, s.fight.deal, s.fight.helped = -1, False, None, False


def _apply_fighter(s: State, e: FighterChanged) -> None:
    _touch(s, e.to)
    if s.fight is not None:
        s.fight.seat = e.to
        s.seats[e.to].fresh = []


def _apply_stage(s: State, e: StageSet) -> None:
    if s.fight is not None:
        s.fight.stage, s.fight.margin = e.stage, e.margin


def _apply_safe(s: State, e: Safe) -> None:
    if s.fight is not None:
        s.fight.safe.append([e.seat, e.monster])


def _apply_safe_used(s: State, e: SafeUsed) -> None:
    if s.fight is not None:
        s.fight.safe.remove([e.seat, -1])


def _apply_ended(s: State, e: FightEnded) -> None:
    s.fight = None


def _apply_used(s: State, e: UsedAbility) -> None:
    s.spent += 1
    uses = s.turn.uses if e.scope == "turn" or s.fight is None else s.fight.uses
    defn = defn_of(e.card)
    for used in uses:
        if (used.seat, used.defn, used.ability, used.on) == (e.seat, defn, e.ability, e.on):
            used.times += 1
            return
    uses.append(Used(e.seat, defn, e.ability, e.on, 1))


def _apply_offered(s: State, e: Offered) -> None:
    s.offer_no = e.deal.no
    s.offers.append(e.deal)


def _apply_offer_closed(s: State, e: OfferClosed) -> None:
    s.offers = [deal for deal in s.offers if deal.no != e.no]


def _apply_died(s: State, e: Died) -> None:
    s.dirty = True
    s.seats[e.seat].dead = True
    s.seats[e.seat].fresh = []


def _apply_returned(s: State, e: Returned) -> None:
    s.seats[e.seat].dead = False
    s.seats[e.seat].bare = True


def _apply_new_hand(s: State, e: NewHand) -> None:
    s.seats[e.seat].bare = False


def _apply_lasting(s: State, e: LastingBegan) -> None:
    s.seats[e.seat].lasting.append(e.lasting)
    _touch_if_fighting(s, e.seat)


def _apply_armed(s: State, e: LastingArmed) -> None:
    s.seats[e.seat].lasting[e.index].armed = True
    s.seats[e.seat].lasting[e.index].since = e.since


def _apply_lasting_ended(s: State, e: LastingEnded) -> None:
    del s.seats[e.seat].lasting[e.index]
    _touch_if_fighting(s, e.seat)


def _apply_window(s: State, e: WindowOpened) -> None:
    s.window_no = e.id


def _apply_held(s: State, e: Held) -> None:
    if s.fight is not None:
        s.fight.holds[e.seat] += 1


def _apply_noted(s: State, e: Noted) -> None:
    s.pending.append([e.what, e.seat])


def _apply_settled(s: State, e: Settled) -> None:
    s.pending.remove([e.what, e.seat])


def _apply_received_over(s: State, e: ReceivedOver) -> None:
    for seat in s.seats:
        seat.fresh = []


def _apply_moves(s: State, e: Moves) -> None:
    s.seats[e.seat].moves += 1


def _apply_sold_double(s: State, e: SoldDouble) -> None:
    s.turn.doubled = True


def _apply_won(s: State, e: Won) -> None:
    s.winners, s.why_won = e.seats, e.why


def _nothing(s: State, e: AnyEvent) -> None:
    """Told, but changes nothing by itself."""


_APPLY: dict[type, Callable[[State, Any], None]] = {
    Drew: _apply_drew, Turned: _apply_turned, Shuffled: _apply_shuffled, Moved: _apply_moved, Flipped: _apply_flipped,
    LevelChanged: _apply_level, Rolled: _nothing, TurnBegan: _apply_turn, PhaseBegan: _apply_phase, LaidOut: _nothing, Kicked: _nothing,
    FightBegan: _apply_fight, MonsterCame: _apply_came, MonsterLeft: _apply_left, Strengthened: _apply_strength,
    HelperCame: _apply_helper, HelperLeft: _apply_helper_left, FighterChanged: _apply_fighter, StageSet: _apply_stage,
    Safe: _apply_safe, SafeUsed: _apply_safe_used, Fled: _nothing, FightEnded: _apply_ended, UsedAbility: _apply_used, Offered: _apply_offered,
    OfferClosed: _apply_offer_closed, Died: _apply_died, Returned: _apply_returned, NewHand: _apply_new_hand, LastingBegan: _apply_lasting,
    LastingArmed: _apply_armed, LastingEnded: _apply_lasting_ended, WindowOpened: _apply_window,
    WindowClosed: _nothing, Held: _apply_held, Released: _nothing, Shown: _nothing, Chose: _nothing,
    Noted: _apply_noted, Settled: _apply_settled, ReceivedOver: _apply_received_over, Moves: _apply_moves,
    SoldDouble: _apply_sold_double, Fizzled: _nothing, Won: _apply_won,
}  # fmt: skip


def apply(state: State, event: AnyEvent) -> None:
    """Change the state as the event says."""
    _APPLY[type(event)](state, event)
