"""`apply`: the only code that changes the game data of a State, one short function for each kind of event."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from core.language.table_parts import FIGHT, HANDS, SEALS, SEATS, TURN
from core.state import events as E
from core.state.model import (
    Due,
    Earned,
    Escape,
    Fight,
    Joined,
    Latest,
    Met,
    Monster,
    Placed,
    Ride,
    State,
    Turn,
    Used,
    defn_of,
)  # fmt: skip
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
        _spend(s)
    if s.fight is not None and e.why in ("played", "joins") and e.to in ("fight", "limbo"):
        s.fight.latest = Latest(e.new, e.seat, s.rev + 1)
    s.dirty = True
    if s.fight is not None and (
        (e.frm == "table" and e.at in (s.fight.seat, s.fight.helper))
        or (e.to == "table" and e.to_seat in (s.fight.seat, s.fight.helper))
        or e.to == "fight"
    ):
        _touch(s, e.seat)


def _apply_flipped(s: State, e: E.Flipped) -> None:
    seat = s.seats[e.seat]
    seat.table = [
        Placed(e.card, e.up, e.on, e.both, e.kept, placed.counters) if placed.card == e.card else placed
        for placed in seat.table
    ]  # fmt: skip
    _touch_if_fighting(s, e.seat)


def _apply_counted(s: State, e: E.Counted) -> None:
    seat = s.seats[e.seat]
    seat.table = [
        replace(placed, counters=e.counters) if placed.card == e.card else placed for placed in seat.table
    ]  # fmt: skip
    _touch_if_fighting(s, e.seat)


def _apply_level(s: State, e: E.LevelChanged) -> None:
    seat = s.seats[e.seat]
    seat.level = e.level
    if e.by > 0:
        seat.gained += e.by
        _nothing_to_close(s)
    _touch_if_fighting(s, e.seat)


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


def _apply_fight(s: State, e: E.FightBegan) -> None:
    s.fight_no += 1
    s.fight = Fight(s.fight_no, e.seat, [], holds=[0] * len(s.seats), changed_at=s.rev + 1, changed_by=e.seat)
    s.turn.met = True
    s.seats[e.seat].fresh = []


def _spend(s: State) -> None:
    """Count something that was played, used or changed. Earlier plays can no longer be undone."""
    s.spent += 1
    if s.fight is not None and s.fight.latest is not None and s.fight.latest.at != s.rev + 1:
        s.fight.latest = None


def _touch(s: State, seat: int) -> None:
    """Note that sums, monsters or helper of the fight changed, so that a play that was decided earlier is refused as
    late."""
    _spend(s)
    s.dirty = True
    if s.fight is not None:
        s.fight.changed_at = s.rev + 1
        if seat >= 0:
            s.fight.changed_by = seat


def _touch_if_fighting(s: State, seat: int) -> None:
    s.dirty = True
    if s.fight is not None and seat in (s.fight.seat, s.fight.helper):
        _touch(s, -1)


def _apply_came(s: State, e: E.MonsterCame) -> None:
    _touch(s, e.seat)
    if s.fight is None:
        return
    copied = e.how == E.COPIED
    if copied:
        _share(s, s.fight, e)
        if defn_of(e.id) == e.defn:  # an id of its own
            s.serial += 1
    s.fight.monsters.append(Monster(e.id, e.defn, e.id if copied else e.group, e.by))


def _share(s: State, fight: Fight, copy: E.MonsterCame) -> None:
    """Let what has been played on a group of monsters count for a copy too: enhancers and what cards and abilities have
    added. The monster's own card and text do not count."""
    cards = [card for card in fight.cards if card.on == copy.group and defn_of(card.card) != copy.defn]
    bonuses = [bonus for bonus in fight.bonuses if bonus.on == copy.group and bonus.defn != copy.defn]
    fight.cards += [Joined(card.card, copy.id, card.seat) for card in cards]
    fight.bonuses += [replace(bonus, on=copy.id) for bonus in bonuses]
    if s.reads is not None:
        s.reads.in_sight += len(cards) + len(bonuses)


def _apply_left(s: State, e: E.MonsterLeft) -> None:
    fight = s.fight
    if fight is None:
        return
    _touch(s, -1)
    gone = next((monster.group for monster in fight.monsters if monster.id == e.id), 0)
    fight.monsters = [monster for monster in fight.monsters if monster.id != e.id]
    if all(monster.group != gone for monster in fight.monsters):
        _let_go(fight, gone)
    fight.last = e.how
    if e.how == "killed":
        fight.killed += 1
        fight.kill_levels += e.levels
        if fight.stage == "fight":
            fight.felled.append(e.defn)
    fight.removed += e.treasures


def _let_go(fight: Fight, group: int) -> None:
    """Remove the entries of cards on a group of monsters that has left, if the cards lie on another group too
    (combat.copy)."""
    elsewhere = {card.card for card in fight.cards if card.on != group}
    fight.cards = [card for card in fight.cards if card.on != group or card.card not in elsewhere]


def _apply_strength(s: State, e: E.Strengthened) -> None:
    _touch(s, e.bonus.seat)
    if s.fight is not None:
        s.fight.bonuses.append(e.bonus)


def _apply_undone(s: State, e: E.Undone) -> None:
    _touch(s, e.seat)
    if s.fight is not None:
        s.fight.bonuses = [bonus for bonus in s.fight.bonuses if bonus.card != e.card]


def _apply_helper(s: State, e: E.HelperCame) -> None:
    _touch(s, e.seat)
    if s.fight is not None:
        s.fight.helper, s.fight.compelled, s.fight.bargain, s.fight.helped = e.seat, e.compelled, e.bargain, True
        s.seats[e.seat].fresh = []


def _apply_helper_left(s: State, e: E.HelperLeft) -> None:
    _touch(s, -1)
    if s.fight is not None:
        _no_helper(s.fight)
        _leaves(s.fight, e.seat)


def _no_helper(fight: Fight) -> None:
    fight.helper, fight.compelled, fight.bargain, fight.helped = -1, False, None, False


def _leaves(fight: Fight, seat: int) -> None:
    """Remove the bonuses that belong to a hero who leaves."""
    fight.bonuses = [bonus for bonus in fight.bonuses if bonus.hero != seat]


def _apply_fighter(s: State, e: E.FighterChanged) -> None:
    _touch(s, e.to)
    fight = s.fight
    if fight is None:
        return
    _leaves(fight, e.frm)
    if fight.helper == e.to:  # the new main fighter does not leave, and keeps their bonuses
        _no_helper(fight)
    if fight.killed or fight.removed:
        fight.owed.append(Earned(e.frm, fight.killed, fight.kill_levels, fight.removed + e.treasures))
        fight.killed = fight.kill_levels = fight.removed = 0
    fight.seat = e.to
    s.seats[e.to].fresh = []


def _apply_stage(s: State, e: E.StageSet) -> None:
    if s.fight is not None:
        s.fight.stage, s.fight.margin = e.stage, e.margin


def _apply_safe(s: State, e: E.Safe) -> None:
    if s.fight is not None:
        s.fight.safe.append(Escape(e.seat, e.monster))


def _apply_safe_used(s: State, e: E.SafeUsed) -> None:
    if s.fight is not None:
        s.fight.safe.remove(Escape(e.seat, -1))


def _apply_rides(s: State, e: E.Rides) -> None:
    if s.fight is not None:
        s.fight.rides.append(Ride(e.seat, e.card))


def _apply_ended(s: State, e: E.FightEnded) -> None:
    s.fight = None


def _apply_used(s: State, e: E.UsedAbility) -> None:
    _spend(s)
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
    _touch(s, -1)


def _apply_seal_closed(s: State, e: E.SealClosed) -> None:
    s.seals.insert(0, s.seals_open.pop())
    if e.climber >= 0:
        s.seats[e.climber].sealed = True
    _nothing_to_close(s)
    _touch(s, -1)


def _apply_sex(s: State, e: E.SexChanged) -> None:
    s.seats[e.seat].sex = e.sex
    _touch_if_fighting(s, e.seat)


def _apply_lasting(s: State, e: E.LastingBegan) -> None:
    s.seats[e.seat].lasting.append(e.lasting)
    _touch_if_fighting(s, e.seat)


def _apply_armed(s: State, e: E.LastingArmed) -> None:
    s.dirty = True
    lasting = s.seats[e.seat].lasting
    lasting[e.index] = replace(lasting[e.index], armed=True, since=e.since)


def _apply_lasting_ended(s: State, e: E.LastingEnded) -> None:
    del s.seats[e.seat].lasting[e.index]
    _touch_if_fighting(s, e.seat)


def _apply_window(s: State, e: E.WindowOpened) -> None:
    s.window_no = e.id


def _apply_fled(s: State, e: E.Fled) -> None:
    if s.fight is not None:
        s.fight.met.append(Met(e.seat, e.monster, e.escaped))


def _apply_held(s: State, e: E.Held) -> None:
    if s.fight is not None:
        s.fight.holds[e.seat] += 1


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
_CHANGES: dict[type, tuple[Callable[[State, Any], None], int]] = {
    E.Drew: (_apply_drew, HANDS), E.Turned: (_apply_turned, 0), E.Shuffled: (_apply_shuffled, 0),
    E.Moved: (_apply_moved, _BY_ZONES), E.Flipped: (_apply_flipped, SEATS), E.Counted: (_apply_counted, SEATS),
    E.LevelChanged: (_apply_level, SEATS), E.Rolled: (_nothing, 0), E.TurnBegan: (_apply_turn, TURN),
    E.RolledAgain: (_apply_rolled_again, FIGHT | TURN), E.ExtraTurn: (_apply_extra_turn, TURN),
    E.PhaseBegan: (_apply_phase, 0), E.LaidOut: (_nothing, 0), E.Kicked: (_nothing, 0),
    E.FightBegan: (_apply_fight, FIGHT),
    E.MonsterCame: (_apply_came, FIGHT), E.MonsterLeft: (_apply_left, FIGHT), E.Strengthened: (_apply_strength, FIGHT),
    E.Undone: (_apply_undone, FIGHT), E.HelperCame: (_apply_helper, FIGHT), E.HelperLeft: (_apply_helper_left, FIGHT),
    E.FighterChanged: (_apply_fighter, FIGHT), E.StageSet: (_apply_stage, FIGHT), E.Safe: (_apply_safe, FIGHT),
    E.SafeUsed: (_apply_safe_used, FIGHT), E.Rides: (_apply_rides, FIGHT), E.Fled: (_apply_fled, FIGHT),
    E.FightEnded: (_apply_ended, FIGHT), E.UsedAbility: (_apply_used, FIGHT | TURN), E.Offered: (_apply_offered, 0),
    E.OfferClosed: (_apply_offer_closed, 0), E.Died: (_apply_died, SEATS), E.Returned: (_apply_returned, SEATS),
    E.NewHand: (_apply_new_hand, HANDS), E.SealsMade: (_apply_seals, SEALS), E.SealOpened: (_apply_seal_opened, SEALS),
    E.SealClosed: (_apply_seal_closed, SEALS), E.SexChanged: (_apply_sex, SEATS),
    E.LastingBegan: (_apply_lasting, SEATS), E.LastingArmed: (_apply_armed, SEATS),
    E.LastingEnded: (_apply_lasting_ended, SEATS), E.WindowOpened: (_apply_window, 0), E.WindowClosed: (_nothing, 0),
    E.Held: (_apply_held, FIGHT), E.Released: (_nothing, 0), E.Shown: (_nothing, 0), E.Peeked: (_nothing, 0),
    E.Reordered: (_apply_reordered, 0), E.HandsPassed: (_apply_hands_passed, HANDS), E.Chose: (_nothing, 0),
    E.Noted: (_apply_noted, 0), E.Settled: (_apply_settled, 0), E.ReceivedOver: (_apply_received_over, HANDS),
    E.Moves: (_apply_moves, 0), E.SoldDouble: (_apply_sold_double, TURN), E.Fizzled: (_nothing, 0),
    E.SteppedBack: (_nothing, 0), E.Won: (_apply_won, 0),
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
