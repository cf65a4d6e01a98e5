"""The targets of a card or ability: list them, and say why one of them is forbidden."""

from collections.abc import Callable

from core.language import schema as v
from core.language.definition import Def
from core.language.drawbacks import Sense
from core.queries.cache import cached_by_table
from core.queries.conditions import Ctx, cheated, heroes, holds, in_combat, tags_of
from core.queries.lookup import find_monster
from core.queries.modifiers import forbidden
from core.state.actions import Play, Use
from core.state.model import DEFN_MASK
from core.state.reader import Reader, placed, seat_with_card
from core.state.refusals import Clause

Aimed = Play | Use
"""An action that names a target."""
Aim = tuple[int, str, int]
"""A target: (seat, side, card or monster) as in the fields of Play and Use, with -1, "" and 0 for none."""


def monsters_in_hand(g: Reader, seat: int) -> list[int]:
    """Return the monsters a seat could bring into a combat."""
    cards = g.cat.cards
    return [card for card in g.state.seats[seat].hand if cards[card & DEFN_MASK].kind == "monster"]


# ----------------------------------------------------------------------------------------------------------- listing
def aims(g: Reader, seat: int, target: v.Target) -> tuple[Aim, ...]:
    """Return every target of this kind that a seat could name."""
    fixed = _FIXED.get(target)
    if fixed is not None:
        return fixed
    listed = _FOR_ALL.get(target)
    if listed is not None:
        return listed(g)
    s = g.state
    if target == "own-item":
        return tuple([(-1, "", entry.card) for entry in s.seats[seat].table if g.of(entry.card).is_item])
    if target == "item":
        found = [(at, entry.card) for at, player in enumerate(s.seats) if at != seat for entry in player.table]
        return tuple([(at, "", card) for at, card in found if g.of(card).is_item])
    return tuple([(-1, "", card) for card in _undoable(g, seat)])


def _undoable(g: Reader, seat: int) -> list[int]:
    """Return the card that was played last into the combat if this seat may undo it: it is another player's, all its
    effects can be undone, and nothing has happened since (combat.undo-last)."""
    latest = g.state.fight.latest if g.state.fight is not None else None
    return [latest.card] if latest is not None and latest.seat != seat and g.of(latest.card).undoable else []


NOBODY: tuple[Aim, ...] = ((-1, "", 0),)
_FIXED: dict[v.Target, tuple[Aim, ...]] = {
    "none": NOBODY, "bring": NOBODY, "side": ((-1, "heroes", 0), (-1, "monsters", 0)),
}  # fmt: skip
"""Targets that are always the same."""


@cached_by_table
def _at_living(g: Reader) -> tuple[Aim, ...]:
    return tuple([(at, "", 0) for at, player in enumerate(g.state.seats) if not player.dead])


@cached_by_table
def _at_heroes(g: Reader) -> tuple[Aim, ...]:
    return tuple([(at, "", 0) for at in heroes(g.state.fight)])


@cached_by_table
def _at_monsters(g: Reader) -> tuple[Aim, ...]:
    fight = g.state.fight
    return tuple([(-1, "", monster.id) for monster in (fight.monsters if fight is not None else ())])


@cached_by_table
def _at_curses(g: Reader) -> tuple[Aim, ...]:
    lying = [(at, lasting.card) for at, player in enumerate(g.state.seats) for lasting in player.lasting]
    return tuple([(at, "", card) for at, card in lying if card])


_FOR_ALL: dict[v.Target, Callable[[Reader], tuple[Aim, ...]]] = {
    "seat": _at_living, "hero": _at_heroes, "monster": _at_monsters, "curse": _at_curses,
}  # fmt: skip
"""Kinds of target that are the same for every seat that plays."""


# -------------------------------------------------------------------------------------------------------- what may be
def aim_clause(
    g: Reader, seat: int, target: v.Target, action: Aimed, cond: v.If | None, sense: Sense
) -> Clause | None:  # fmt: skip
    """Return the clause that forbids the target that an action names. cond: the card's own condition on it, of this
    sense."""
    clause = _TARGET_CHECKS[target](g, seat, action)
    if clause or cond is None:
        return clause
    return None if met(g, seat, cond, sense, (action.seat, "", action.target), action.card) else "condition"


def met(g: Reader, seat: int, cond: v.If, sense: Sense, way: Aim, card: int) -> bool:
    """Return whether a card's own condition, of this sense, holds for a target."""
    return bool(meeting(g, seat, cond, sense, (way,), card))


def meeting(
    g: Reader, seat: int, cond: v.If, sense: Sense, ways: tuple[Aim, ...], card: int
) -> tuple[Aim, ...]:  # fmt: skip
    """Return the targets for which a card's own condition, of this sense, holds."""
    ctx, found = Ctx(you=seat, card=card), []
    for way in ways:
        at, _, target = way
        ctx.victim = at if at >= 0 else seat
        ctx.monster = _group(g, target) if target else 0
        if holds(g, cond, ctx, "you", sense):
            found.append(way)
    return tuple(found)


def _group(g: Reader, monster: int) -> int:
    found = find_monster(g, monster)
    return found.group if found is not None else 0


def _none(g: Reader, seat: int, action: Aimed) -> Clause | None:
    return None if action.seat < 0 and not action.side and not action.target else "target"


def _seat(g: Reader, seat: int, action: Aimed) -> Clause | None:
    if not 0 <= action.seat < len(g.state.seats) or action.side or action.target:
        return "target"
    return "death.nothing" if g.state.seats[action.seat].dead else None


def _hero(g: Reader, seat: int, action: Aimed) -> Clause | None:
    return None if action.seat in heroes(g.state.fight) and not action.side and not action.target else "target"


def _side(g: Reader, seat: int, action: Aimed) -> Clause | None:
    return None if action.side and action.seat < 0 and not action.target else "target"


def _monster(g: Reader, seat: int, action: Aimed) -> Clause | None:
    return None if find_monster(g, action.target) is not None and action.seat < 0 and not action.side else "target"


def _own_item(g: Reader, seat: int, action: Aimed) -> Clause | None:
    entry = placed(g, seat, action.target)
    if entry is None or not g.of(entry.card).is_item or action.side or action.seat >= 0:
        return "target"
    if isinstance(action, Play) and g.of(action.card).kind == "cheat":
        useless = g.of(entry.card).card.one_shot or cheated(g, seat, entry.card)
        return "item.cheat" if useless else None
    return None


def _item(g: Reader, seat: int, action: Aimed) -> Clause | None:
    owner = seat_with_card(g, action.target)
    if owner < 0 or owner == seat or owner != action.seat or not g.of(action.target).is_item:
        return "target"
    return "when.no-combat-changes" if in_combat(g, owner) else None


def _curse(g: Reader, seat: int, action: Aimed) -> Clause | None:
    if not 0 <= action.seat < len(g.state.seats) or not action.target:
        return "target"
    return None if any(one.card == action.target for one in g.state.seats[action.seat].lasting) else "target"


def _played(g: Reader, seat: int, action: Aimed) -> Clause | None:
    if action.seat >= 0 or action.side:
        return "target"
    return None if action.target in _undoable(g, seat) else "combat.undo-last"


_TARGET_CHECKS: dict[v.Target, Callable[[Reader, int, Aimed], Clause | None]] = {
    "none": _none, "seat": _seat, "hero": _hero, "side": _side, "monster": _monster, "own-item": _own_item,
    "item": _item, "curse": _curse, "bring": _none, "played": _played,
}  # fmt: skip


# ------------------------------------------------------------------------------------------------- joining by a tag
def joins(g: Reader, card: int, given: str | None) -> bool:
    """Return whether a monster may join because of its own tag or of one that a card gives it (combat.tag-undead)."""
    there = _joinable(g)
    return bool(there) and (given in there or any(tag in there for tag in g.of(card).card.tags))


@cached_by_table
def _joinable(g: Reader) -> list[str]:
    """Return the tags in the combat that let monsters join."""
    fight = g.state.fight
    there = [tag for monster in fight.monsters for tag in tags_of(g, monster.group, monster.defn)] if fight else []
    return [tag for tag in there if tag in g.cat.joining]


def brought_clause(g: Reader, seat: int, definition: Def, action: Play) -> Clause | None:
    """Return the clause that forbids the monster an action brings along: with a Wandering Monster, in a swap, or with
    an enhancer that gives it a tag."""
    needed = definition.brings
    if not action.brought:
        return "brings" if needed else None
    if action.brought not in monsters_in_hand(g, seat):
        return "combat.monster-to-hand"
    if needed:
        return None
    if definition.kind != "enhancer" or definition.card.gives_tag is None:
        return "brings"
    return None if joins(g, action.brought, definition.card.gives_tag) else "combat.tag-undead"


def suppressed_clause(g: Reader, definition: Def) -> Clause | None:
    """Return the clause that forbids this kind of card in the combat: a monster forbids it, or it would add a monster
    after the last one has left (combat.many-abilities, combat.last-removed, combat.auto-kill-moment)."""
    fight = g.state.fight
    if fight is None or not suppresses(g):
        return None
    if definition.card.one_shot and forbidden(g, "one-shots", fight.seat):
        return "combat.many-abilities"
    if definition.kind == "enhancer" and forbidden(g, "enhancers", fight.seat):
        return "combat.many-abilities"
    return closed_clause(g) if definition.adds else None


@cached_by_table
def suppresses(g: Reader) -> bool:
    """Return whether `suppressed_clause` may forbid a card in this combat."""
    fight = g.state.fight
    if fight is None:
        return False
    barred = forbidden(g, "one-shots", fight.seat) or forbidden(g, "enhancers", fight.seat)
    return barred or closed_clause(g) is not None


def closed_clause(g: Reader) -> Clause | None:
    """Return the clause that forbids another monster to join the combat because the last one is gone
    (combat.last-removed)."""
    fight = g.state.fight
    gone = fight is not None and not fight.monsters and not g.cat.switches.last_removed_open
    return "combat.last-removed" if gone else None
