"""`apply`: the only code that changes the game data of a State, one short function for each kind of event; those of a
fight are in apply_fight.py."""

from msgspec.structs import replace

from core.language.table_parts import FIGHT, HANDS, SEALS, SEATS, TURN
from core.state import events as E
from core.state.apply_fight import FIGHT_CHANGES, Change, spend, touch, touch_if_fighting
from core.state.model import Due, Joined, Latest, Placed, State, Turn, Used, defn_of
from core.state.read_cache import ReadCache


def _apply_drew(s: State, e: E.Drew) -> None:
    pile = s.door if e.deck == "door" else s.treasure
    del pile[len(pile) - e.count :]
    seat = s.seats[e.seat]
    seat.hand.extend(e.cards)
    seat.fresh.extend(e.cards)
    seat.serial += e.count


def _apply_turned(s: State, e: E.Turned) -> None:
    s.door.pop()
    s.serial += 1
    s.limbo.append(e.card)


def _apply_shuffled(s: State, e: E.Shuffled) -> None:
    if e.deck == "door":
        s.door, s.door_out = e.pile + s.door, []
    else:
        s.treasure, s.treasure_out = e.pile + s.treasure, []


def _take_out(s: State, e: E.Moved) -> None:
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
    elif e.frm == "door-pile":
        s.door.pop()
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


def _put(s: State, e: E.Moved) -> None:
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


def _apply_moved(s: State, e: E.Moved) -> None:
    _take_out(s, e)
    _put(s, e)
    if e.to not in ("hand", "door", "treasure") and (e.new != e.card or e.frm == "treasure-pile"):
        if e.hidden:  # among first cards
            s.seats[e.to_seat].serial += 1
        else:
            s.serial += 1
    if e.why == "played":
        spend(s)
    if s.fight is not None and e.why in ("played", "joins") and e.to in ("fight", "limbo"):
        s.fight.latest = Latest(e.new, e.seat, s.rev + 1)
    s.dirty = True
    if s.fight is not None and (
        (e.frm == "table" and e.at in (s.fight.seat, s.fight.helper))
        or (e.to == "table" and e.to_seat in (s.fight.seat, s.fight.helper))
        or e.to == "fight"
    ):
        touch(s, e.seat)


def _apply_flipped(s: State, e: E.Flipped) -> None:
    seat = s.seats[e.seat]
    seat.table = [
        Placed(e.card, e.up, e.on, e.both, e.kept, placed.counters) if placed.card == e.card else placed
        for placed in seat.table
    ]  # fmt: skip
    touch_if_fighting(s, e.seat)


def _apply_counted(s: State, e: E.Counted) -> None:
    seat = s.seats[e.seat]
    seat.table = [
        replace(placed, counters=e.counters) if placed.card == e.card else placed for placed in seat.table
    ]  # fmt: skip
    touch_if_fighting(s, e.seat)


def _apply_level(s: State, e: E.LevelChanged) -> None:
    seat = s.seats[e.seat]
    seat.level = e.level
    if e.by > 0:
        seat.gained += e.by
        _nothing_to_close(s)
    touch_if_fighting(s, e.seat)


def _nothing_to_close(s: State) -> None:
    """Mark three levels as used up if no Seal is open, so that they cannot close a Seal that is opened later in the
    turn (seal.close-three-count)."""
    if not s.seals_open:
        for seat in s.seats:
            seat.sealed = seat.sealed or seat.gained >= 3


def _apply_turn(s: State, e: E.TurnBegan) -> None:
    s.turn = Turn(e.seat, e.no, after=e.after)
    for seat in s.seats:
        seat.moves = 0
        seat.gained = 0
        seat.sealed = False


def _apply_extra_turn(s: State, e: E.ExtraTurn) -> None:
    s.turn.extra = e.seat


def _apply_phase(s: State, e: E.PhaseBegan) -> None:
    s.turn.phase = e.phase


def _apply_used(s: State, e: E.UsedAbility) -> None:
    spend(s)
    _count_use(s, e.scope, Used(e.seat, defn_of(e.card), e.ability, e.on, 1))


def _apply_rolled_again(s: State, e: E.RolledAgain) -> None:
    if e.scope:
        _count_use(s, e.scope, Used(e.seat, defn_of(e.card), e.ability, -1, 1))


def _count_use(s: State, scope: str, use: Used) -> None:
    """Count a use for the turn or for the combat."""
    uses = s.turn.uses if scope == "turn" or s.fight is None else s.fight.uses
    for used in uses:
        if (used.seat, used.defn, used.ability, used.on) == (use.seat, use.defn, use.ability, use.on):
            used.times += 1
            return
    uses.append(use)


def _apply_offered(s: State, e: E.Offered) -> None:
    s.offer_no = e.bargain.no
    s.offers.append(e.bargain)


def _apply_offer_closed(s: State, e: E.OfferClosed) -> None:
    s.offers = [offer for offer in s.offers if offer.no != e.no]


def _apply_died(s: State, e: E.Died) -> None:
    s.dirty = True
    s.seats[e.seat].dead = True
    s.seats[e.seat].fresh = []


def _apply_returned(s: State, e: E.Returned) -> None:
    s.dirty = True
    s.seats[e.seat].dead = False
    s.seats[e.seat].bare = True


def _apply_new_hand(s: State, e: E.NewHand) -> None:
    s.seats[e.seat].bare = False


def _apply_seals(s: State, e: E.SealsMade) -> None:
    s.seals = e.pile


def _apply_seal_opened(s: State, e: E.SealOpened) -> None:
    s.seals_open.append(s.seals.pop())
    touch(s, -1)


def _apply_seal_closed(s: State, e: E.SealClosed) -> None:
    s.seals.insert(0, s.seals_open.pop())
    if e.climber >= 0:
        s.seats[e.climber].sealed = True
    _nothing_to_close(s)
    touch(s, -1)


def _apply_sex(s: State, e: E.SexChanged) -> None:
    s.seats[e.seat].sex = e.sex
    touch_if_fighting(s, e.seat)


def _apply_lasting(s: State, e: E.LastingBegan) -> None:
    s.seats[e.seat].lasting.append(e.lasting)
    touch_if_fighting(s, e.seat)


def _apply_armed(s: State, e: E.LastingArmed) -> None:
    s.dirty = True
    lasting = s.seats[e.seat].lasting
    lasting[e.index] = replace(lasting[e.index], armed=True, since=e.since)


def _apply_lasting_ended(s: State, e: E.LastingEnded) -> None:
    del s.seats[e.seat].lasting[e.index]
    touch_if_fighting(s, e.seat)


def _apply_window(s: State, e: E.WindowOpened) -> None:
    s.window_no = e.id


def _apply_reordered(s: State, e: E.Reordered) -> None:
    pile = s.door if e.deck == "door" else s.treasure
    top = len(pile) - 1
    moved = [pile[top - place] for place in e.places]
    for place in sorted(e.places):
        del pile[top - place]  # the lowest place lies last, so the others stay where they are
    if e.under:
        pile[:0] = reversed(moved)
    else:
        pile.extend(reversed(moved))


def _apply_hands_passed(s: State, e: E.HandsPassed) -> None:
    for seat, hand in zip(s.seats, e.hands):
        if not seat.dead:
            seat.fresh = [card for card in seat.fresh if card not in seat.hand] + hand
            seat.hand = hand[:]
            seat.serial += len(hand)
    s.dirty = True


def _apply_noted(s: State, e: E.Noted) -> None:
    s.pending.append(Due(e.what, e.seat))


def _apply_settled(s: State, e: E.Settled) -> None:
    s.pending.remove(Due(e.what, e.seat))


def _apply_received_over(s: State, e: E.ReceivedOver) -> None:
    for seat in s.seats:
        seat.fresh = []


def _apply_moves(s: State, e: E.Moves) -> None:
    s.seats[e.seat].moves += 1


def _apply_sold_double(s: State, e: E.SoldDouble) -> None:
    s.turn.doubled += 1


def _apply_won(s: State, e: E.Won) -> None:
    s.winners, s.why_won = e.seats, e.why


def _nothing(s: State, e: E.AnyEvent) -> None:
    """Change nothing: the event only tells what happened."""


_BY_ZONES = -1
_CHANGES: dict[type, Change] = {
    E.Drew: (_apply_drew, HANDS), E.Turned: (_apply_turned, 0), E.Shuffled: (_apply_shuffled, 0),
    E.Moved: (_apply_moved, _BY_ZONES), E.Flipped: (_apply_flipped, SEATS), E.Counted: (_apply_counted, SEATS),
    E.LevelChanged: (_apply_level, SEATS), E.Rolled: (_nothing, 0), E.TurnBegan: (_apply_turn, TURN),
    E.RolledAgain: (_apply_rolled_again, FIGHT | TURN), E.ExtraTurn: (_apply_extra_turn, TURN),
    E.PhaseBegan: (_apply_phase, 0), E.LaidOut: (_nothing, 0), E.Kicked: (_nothing, 0),
    E.UsedAbility: (_apply_used, FIGHT | TURN), E.Offered: (_apply_offered, 0), E.OfferClosed: (_apply_offer_closed, 0),
    E.Died: (_apply_died, SEATS), E.Returned: (_apply_returned, SEATS), E.NewHand: (_apply_new_hand, HANDS),
    E.SealsMade: (_apply_seals, SEALS), E.SealOpened: (_apply_seal_opened, SEALS),
    E.SealClosed: (_apply_seal_closed, SEALS), E.SexChanged: (_apply_sex, SEATS),
    E.LastingBegan: (_apply_lasting, SEATS), E.LastingArmed: (_apply_armed, SEATS),
    E.LastingEnded: (_apply_lasting_ended, SEATS), E.WindowOpened: (_apply_window, 0), E.WindowClosed: (_nothing, 0),
    E.Released: (_nothing, 0), E.Shown: (_nothing, 0), E.Peeked: (_nothing, 0), E.Reordered: (_apply_reordered, 0),
    E.HandsPassed: (_apply_hands_passed, HANDS), E.Chose: (_nothing, 0), E.Noted: (_apply_noted, 0),
    E.Settled: (_apply_settled, 0), E.ReceivedOver: (_apply_received_over, HANDS), E.Moves: (_apply_moves, 0),
    E.SoldDouble: (_apply_sold_double, TURN), E.Fizzled: (_nothing, 0), E.SteppedBack: (_nothing, 0),
    E.Won: (_apply_won, 0), **FIGHT_CHANGES,
}  # fmt: skip
"""The handler of each event, and the parts of the table that it touches; their cached reads are dropped. SEATS is the
event's own seat. What `Moved` touches depends on the zones (_BY_ZONES)."""
_ZONES = {"hand": HANDS, "body": HANDS, "table": SEATS, "fight": FIGHT}
"""The part of the table that each zone belongs to."""


def apply(state: State, event: E.AnyEvent) -> bool:
    """Apply an event and drop the cached reads of the parts that it touches; return whether it touches any."""
    change, parts = _CHANGES[type(event)]
    change(state, event)
    if not parts:
        return False
    reads = state.reads
    if parts == _BY_ZONES:
        return _forget_moved(reads, event)  # type: ignore[arg-type]
    if reads is not None:
        reads.forget(parts, event.seat if parts & SEATS else -1)  # type: ignore[union-attr]
    return True


def _forget_moved(reads: ReadCache | None, event: E.Moved) -> bool:
    """Drop the cached reads of the zones of a card that moved; return whether they are parts of the table."""
    left, reached = _ZONES.get(event.frm, 0), _ZONES.get(event.to, 0)
    parts = left | reached
    if parts and reads is not None:
        reads.forget(parts, event.to_seat if reached == SEATS else event.at)
        if left == reached == SEATS:
            reads.forget(SEATS, event.at)
    return parts != 0
