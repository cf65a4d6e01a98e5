"""Verbs that change the combat: strength, monsters, escapes, helper and fighter, its end."""

from typing import Literal

from core.effects.common import Handler, ctx_of
from core.language import schema as v
from core.language.compiler import PARTS, Ins
from core.operations.monsters import add_copy, add_monster, remove_monster, undo_played
from core.operations.players import hand_over, join_as_helper
from core.queries.conditions import amount, heroes, in_combat, seats_of
from core.queries.help import compel_clause
from core.queries.lookup import find_monster
from core.state.events import Fizzled, HelperLeft, Safe, StageSet, Strengthened
from core.state.game import Game, to_discard, turn_up
from core.state.model import Bonus, Fight, Program, Zone

Side = Literal["heroes", "monsters"]


def _bonus(g: Game, f: Program, ins: Ins, op: v.Bonus) -> int:
    """Add strength to a side. Strength that an ability adds to the heroes belongs to the hero it was used on, and
    leaves with that hero."""
    fight = _fight(g, f)
    if fight is None:
        return ins.skip
    named = f.side if op.side == "named" else op.side
    side: Side = "monsters" if named in ("monsters", "mine") else "heroes"
    by = amount(g, op.by, ctx_of(g, f), worse=1 if side == "monsters" else -1)
    on = f.monster if op.side == "mine" else 0
    hero = f.victim if op.side == "heroes" and f.part >= len(PARTS) and in_combat(g, f.victim) else -1
    g.emit(Strengthened(Bonus(side, by, f.defn, f.you, on, hero=hero, card=f.card)))
    return ins.ok


def _fight(g: Game, f: Program) -> Fight | None:
    """Return the fight if it is not decided yet; otherwise None, and the effect fizzles."""
    fight = g.state.fight
    if fight is None or fight.stage != "fight":
        g.emit(Fizzled(f.you, f.defn, "there is no fight to change"))
        return None
    return fight


def _enhance(g: Game, f: Program, ins: Ins, op: v.Enhance) -> int:
    if _fight(g, f) is None or not f.monster:
        return ins.skip
    by, treasures = amount(g, op.by, ctx_of(g, f), worse=1), amount(g, op.treasures, ctx_of(g, f))
    g.emit(Strengthened(Bonus("monsters", by, f.defn, f.you, f.monster, treasures, card=f.card)))
    return ins.ok


def _add_monster(g: Game, f: Program, ins: Ins, op: v.AddMonster) -> int:
    """Add a monster, unless the last one is gone and the book ends the fight with it (combat.last-removed)."""
    fight = _fight(g, f)
    if fight is None:
        return ins.skip
    if not fight.monsters and not g.cat.switches.last_removed_open:
        g.emit(Fizzled(f.you, f.defn, "the last monster is gone"))
        return ins.skip
    if op.what == "brought":
        if f.brought in g.state.seats[f.you].hand:
            add_monster(g, f.you, f.brought, "hand", "wanders in", f.card)
    elif op.what == "copy":
        add_copy(g, f.you, f.monster, f.card)
    else:
        card = turn_up(g, f.you)
        if card and g.of(card).kind == "monster":
            add_monster(g, f.you, card, "limbo", "comes out of the deck", f.card)
        elif card:
            to_discard(g, card, Zone("limbo"), "turned up")
    return ins.ok


def _remove_monster(g: Game, f: Program, ins: Ins, op: v.RemoveMonster) -> int:
    """Remove or kill monsters. The card decides whether a monster that is not killed gives its Treasure; if it does not
    say, the book decides (combat.nonlethal-treasure)."""
    fight = _fight(g, f)
    if fight is None:
        return ins.skip
    if op.which == "all":
        wanted = [monster.id for monster in fight.monsters]
    elif op.which == "this":
        wanted = [monster.id for monster in fight.monsters if monster.group == f.monster][:1]
    else:
        wanted = [f.target]
    pays = op.how == "killed" or op.treasures == "yes"
    if op.treasures == "rules" and op.how != "killed":
        pays = g.cat.switches.nonlethal_treasure
    for monster in wanted:
        remove_monster(g, monster, op.how, pays and op.treasures != "no")
    return ins.ok


def _swap_monster(g: Game, f: Program, ins: Ins, op: v.SwapMonster) -> int:
    """Replace the monster named, with everything on it and its Life Partner, by the one brought."""
    fight = _fight(g, f)
    found = find_monster(g, f.target)
    if fight is None or found is None or f.brought not in g.state.seats[f.you].hand:
        return ins.skip
    for monster in [entry.id for entry in fight.monsters if entry.group == found.group]:
        remove_monster(g, monster, "swapped", False)
    add_monster(g, f.you, f.brought, "hand", "takes its place")
    return ins.ok


def _undo_played(g: Game, f: Program, ins: Ins, op: v.UndoPlayed) -> int:
    if _fight(g, f) is None:
        return ins.skip
    undo_played(g, f.you, f.target)
    return ins.ok


def _end_combat(g: Game, f: Program, ins: Ins, op: v.EndCombat) -> int:
    fight = g.state.fight
    if fight is not None:
        g.emit(StageSet(f.you, "ended"))
    return ins.ok


def _escape(g: Game, f: Program, ins: Ins, op: v.Escape) -> int:
    if g.state.fight is None:
        g.emit(Fizzled(f.you, f.defn, "there is nothing to run from"))
        return ins.skip
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        if in_combat(g, seat):
            g.emit(Safe(seat, 0 if op.from_ == "all" else -1, g.cat.cards[f.defn].name))
    return ins.ok


def _compel(g: Game, f: Program, ins: Ins, op: v.Compel) -> int:
    """Make a seat help, if it can be made to (help.compelled)."""
    seats = seats_of(g, op.who, ctx_of(g, f))[:1]
    if _fight(g, f) is None:
        return ins.skip
    if compel_clause(g, seats):
        g.emit(Fizzled(f.you, f.defn, "nobody can be made to help"))
        return ins.skip
    join_as_helper(g, seats[0], True, None)
    return ins.ok


def _expel(g: Game, f: Program, ins: Ins, op: v.Expel) -> int:
    fight = _fight(g, f)
    if fight is not None and fight.helper >= 0:
        g.emit(HelperLeft(fight.helper, g.cat.cards[f.defn].name))
    return ins.ok


def _hand_over(g: Game, f: Program, ins: Ins, op: v.HandOver) -> int:
    fight = _fight(g, f)
    seats = [seat for seat in seats_of(g, op.to, ctx_of(g, f)) if seat not in heroes(fight)[:1]]
    if fight is not None and seats:
        hand_over(g, seats[0])
    return ins.ok


COMBAT_VERBS: dict[type, Handler] = {
    v.Bonus: _bonus, v.Enhance: _enhance, v.AddMonster: _add_monster, v.RemoveMonster: _remove_monster,
    v.SwapMonster: _swap_monster, v.EndCombat: _end_combat, v.Escape: _escape, v.Compel: _compel, v.Expel: _expel,
    v.HandOver: _hand_over, v.UndoPlayed: _undo_played,
}  # fmt: skip
