"""What events change of a fight, one short function for each kind of event; apply.py calls them."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from core.language.table_parts import FIGHT
from core.state import events as E
from core.state.model import Earned, Escape, Fight, Joined, Met, Monster, Ride, State, defn_of


def _apply_fight(s: State, e: E.FightBegan) -> None:
    s.fight_no += 1
    s.fight = Fight(s.fight_no, e.seat, [], holds=[0] * len(s.seats), changed_at=s.rev + 1, changed_by=e.seat)
    s.turn.met = True
    s.seats[e.seat].fresh = []


def spend(s: State) -> None:
    """Count something that was played, used or changed. Earlier plays can no longer be undone."""
    s.spent += 1
    if s.fight is not None and s.fight.latest is not None and s.fight.latest.at != s.rev + 1:
        s.fight.latest = None


def touch(s: State, seat: int) -> None:
    """Note that sums, monsters or helper of the fight changed, so that a play that was decided earlier is refused as
    late."""
    spend(s)
    s.dirty = True
    if s.fight is not None:
        s.fight.changed_at = s.rev + 1
        if seat >= 0:
            s.fight.changed_by = seat


def touch_if_fighting(s: State, seat: int) -> None:
    """Note that the cards or the Level of a seat changed, which counts for the fight if the seat is in it."""
    s.dirty = True
    if s.fight is not None and seat in (s.fight.seat, s.fight.helper):
        touch(s, -1)


def _apply_came(s: State, e: E.MonsterCame) -> None:
    touch(s, e.seat)
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
    touch(s, -1)
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
    touch(s, e.bonus.seat)
    if s.fight is not None:
        s.fight.bonuses.append(e.bonus)


def _apply_undone(s: State, e: E.Undone) -> None:
    touch(s, e.seat)
    if s.fight is not None:
        s.fight.bonuses = [bonus for bonus in s.fight.bonuses if bonus.card != e.card]


def _apply_helper(s: State, e: E.HelperCame) -> None:
    touch(s, e.seat)
    if s.fight is not None:
        s.fight.helper, s.fight.compelled, s.fight.bargain, s.fight.helped = e.seat, e.compelled, e.bargain, True
        s.seats[e.seat].fresh = []


def _apply_helper_left(s: State, e: E.HelperLeft) -> None:
    touch(s, -1)
    if s.fight is not None:
        _no_helper(s.fight)
        _leaves(s.fight, e.seat)


def _no_helper(fight: Fight) -> None:
    fight.helper, fight.compelled, fight.bargain, fight.helped = -1, False, None, False


def _leaves(fight: Fight, seat: int) -> None:
    """Remove the bonuses that belong to a hero who leaves."""
    fight.bonuses = [bonus for bonus in fight.bonuses if bonus.hero != seat]


def _apply_fighter(s: State, e: E.FighterChanged) -> None:
    touch(s, e.to)
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


def _apply_fled(s: State, e: E.Fled) -> None:
    if s.fight is not None:
        s.fight.met.append(Met(e.seat, e.monster, e.escaped))


def _apply_held(s: State, e: E.Held) -> None:
    if s.fight is not None:
        s.fight.holds[e.seat] += 1


Change = tuple[Callable[[State, Any], None], int]
"""A handler of an event, and the parts of the table that it touches."""
FIGHT_CHANGES: dict[type, Change] = {
    E.FightBegan: (_apply_fight, FIGHT), E.MonsterCame: (_apply_came, FIGHT), E.MonsterLeft: (_apply_left, FIGHT),
    E.Strengthened: (_apply_strength, FIGHT), E.Undone: (_apply_undone, FIGHT), E.HelperCame: (_apply_helper, FIGHT),
    E.HelperLeft: (_apply_helper_left, FIGHT), E.FighterChanged: (_apply_fighter, FIGHT),
    E.StageSet: (_apply_stage, FIGHT), E.Safe: (_apply_safe, FIGHT), E.SafeUsed: (_apply_safe_used, FIGHT),
    E.Rides: (_apply_rides, FIGHT), E.Fled: (_apply_fled, FIGHT), E.FightEnded: (_apply_ended, FIGHT),
    E.Held: (_apply_held, FIGHT),
}  # fmt: skip
"""The entries of events of a fight in the table of apply.py."""
