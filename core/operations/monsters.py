"""Changes to the combat that card texts and procedures share: its beginning and end, monsters that come and leave."""

from core.operations.players import arm, end_lasting
from core.queries.lookup import find_monster
from core.queries.rewards import levels_for, treasures_for
from core.state.events import (
    COPIED,
    FightBegan,
    FightEnded,
    Fizzled,
    MonsterCame,
    MonsterLeft,
    OfferClosed,
    Undone,
)
from core.state.game import Game, to_discard, to_open
from core.state.model import Monster, Program, Zone, card_id, cards_once, defn_of

MONSTERS_MOST = 30
"""The most monsters in a combat (combat.crowd); without a limit, cards that bring one another would never end."""


def begin_fight(g: Game, seat: int, card: int, frm: str, how: str) -> None:
    """Begin a combat as soon as its monster is seen (when.no-combat-changes). card: the monster, in limbo or hand."""
    g.emit(FightBegan(seat, card, how))
    arm(g, seat, "next-combat")
    add_monster(g, seat, card, frm, how)


def add_monster(g: Game, seat: int, card: int, frm: str, how: str, by: int = 0) -> int:
    """Add a monster card to the combat as a new group, and run its text on entering; return its id there.

    by: the card that brings it, 0 if none does. If the combat is full the monster is discarded, and 0 is returned
    (combat.crowd).
    """
    fight = g.state.fight
    assert fight is not None
    if _full(g, defn_of(card)):
        to_discard(g, card, Zone(frm, seat), "left")
        return 0
    new = to_open(g, card, Zone(frm, seat), "fight", seat, how)
    for joined in fight.cards:
        if joined.card == new:
            joined.on = new
    g.emit(MonsterCame(seat, new, defn_of(new), new, how, by))
    enter(g, new)
    return new


def add_partner(g: Game, seat: int, group: int, card: int) -> None:
    """Add a partner to a group of monsters, under the id of the card that brings it (combat.clone)."""
    original = _original(g, group)
    if original is not None:
        g.emit(MonsterCame(seat, card, original.defn, group, "joins"))
        enter(g, card)


def add_copy(g: Game, seat: int, group: int, card: int) -> None:
    """Add a copy of a monster: a monster of its own, with what has been played on the original so far (combat.copy).

    card: the card that makes it, 0 for an ability. The first copy that a card makes has its id, any other a new one.
    """
    original = _original(g, group)
    if original is None:
        return
    first = card != 0 and find_monster(g, card) is None
    new = card if first else card_id(g.state.serial, 0, original.defn)
    g.emit(MonsterCame(seat, new, original.defn, group, COPIED, 0 if first else card))
    enter(g, new)


def _original(g: Game, group: int) -> Monster | None:
    """Return a monster of this group that may be doubled; None if there is none or no room for another monster."""
    fight = g.state.fight
    found = next((monster for monster in fight.monsters if monster.group == group), None) if fight else None
    return None if found is None or _full(g, found.defn) else found


def _full(g: Game, defn: int) -> bool:
    """Return whether the combat has no room for another monster; if so, emit the event that says it."""
    fight = g.state.fight
    full = fight is not None and len(fight.monsters) >= MONSTERS_MOST
    if full:
        g.emit(Fizzled(-1, defn, f"there are {MONSTERS_MOST} monsters in the combat already"))
    return full


def enter(g: Game, monster: int) -> None:
    """Start the text of a monster for entering the combat, if it has one."""
    fight = g.state.fight
    assert fight is not None
    found = find_monster(g, monster)
    if found is None:
        return
    part = g.cat.cards[found.defn].part("enter")
    if part >= 0:
        g.state.stack.append(
            Program(defn=found.defn, part=part, you=fight.seat, victim=fight.seat, monster=found.group)
        )


def remove_monster(g: Game, monster: int, how: str, pays: bool) -> None:
    """Remove one monster; its reward is paid at the end of the combat (golden.rewards-after).

    how: "killed" pays levels and Treasures, anything else Treasures if `pays`. Its enhancers stay if a partner stays,
    or a copy that they count for.
    """
    found = find_monster(g, monster)
    fight = g.state.fight
    if found is None or fight is None:
        return
    treasures = treasures_for(g, found, how == "killed") if pays else 0
    levels = levels_for(g, found) if how == "killed" else 0
    g.emit(MonsterLeft(found.id, found.defn, how, treasures, levels))
    alone = not any(entry.group == found.group for entry in fight.monsters)
    leaving = [one for one in fight.cards if one.card == found.id or (alone and one.on == found.group)]
    for card in cards_once(leaving):
        to_discard(g, card, Zone("fight"), "left")


def undo_played(g: Game, seat: int, card: int) -> None:
    """Undo a card that was played into the combat: take back its strength, remove the monster that it brought with what
    lies on it, and discard the card unless that has happened (combat.undo-last)."""
    fight = g.state.fight
    if fight is None:
        return
    g.emit(Undone(seat, card))
    for monster in [entry.id for entry in fight.monsters if card in (entry.id, entry.by)]:
        remove_monster(g, monster, "undone", False)
    if any(joined.card == card for joined in fight.cards):
        to_discard(g, card, Zone("fight"), "left")


def end_fight(g: Game, how: str) -> None:
    """End the combat: discard its cards (flee.discard), end effects that lasted for it, close offers of help."""
    fight = g.state.fight
    if fight is None:
        return
    for card in cards_once(fight.cards):
        to_discard(g, card, Zone("fight"), "left")
    for offer in list(g.state.offers):
        if offer.kind == "help":
            g.emit(OfferClosed(offer.no, "lapsed", -1))
    for seat, player in enumerate(g.state.seats):
        for until in ("combat", "next-combat") if player.lasting else ():
            end_lasting(g, seat, until, "the combat is over")
    g.emit(FightEnded(fight.seat, how))
