"""Strengths term by term, and modifiers of rolls to run away."""

from collections.abc import Sequence

from core.language import schema as v
from core.language.definition import Def
from core.language.drawbacks import mod_sense
from core.language.traits import MOD_TRAITS, ONCE
from core.queries.cache import cached_by_gear, cached_by_modifiers, cached_by_table, traits
from core.queries.conditions import Ctx, amount, cheated, heroes, holds
from core.queries.modifiers import (
    active,
    cards_of,
    foe_traits,
    ignored,
    ignored_by_effects,
    ignored_by_monsters,
    lasting_mods,
    mods_of,
    seal_foes,
    waived,
)
from core.state.model import DEFN_MASK, Bonus, Monster, Placed
from core.state.reader import Reader
from core.state.views import Term

_FLEE, _SPARES = MOD_TRAITS[v.Flee], MOD_TRAITS[v.Spares]


# ------------------------------------------------------------------------------------------------------- the heroes
def seat_terms(g: Reader, seat: int, counted: list[tuple[str, int]] | None = None) -> list[Term]:
    """Return a player's strength term by term: Level, and every modifier of cards in play (combat.strength).

    counted: collects the modifiers that count once for a side, so that a helper's are left out (help.shared-traits).
    """
    out_of_play = ignored(g, seat)
    if counted is None or not traits(g, seat) & ONCE:
        return _terms(g, seat, out_of_play, None)[0]
    found, once = _terms(g, seat, out_of_play, tuple(counted))
    counted[:] = once
    return found


def figures(g: Reader, seat: int) -> tuple[int, int]:
    """Return what everybody sees of a seat: its strength, and what is added to its rolls to run away."""
    return _sum(seat_terms(g, seat)), _sum(run_terms(g, seat))


def in_motion(g: Reader) -> Sequence[int]:
    """Return the seats whose figures the combat may change; all others are at rest."""
    fight = g.state.fight
    if fight is None:
        return ()
    return range(len(g.state.seats)) if fight.rides else (fight.seat, fight.helper)


def figures_at_rest(g: Reader, seat: int) -> tuple[int, int]:
    """Return `figures` for a seat that is at rest."""
    terms, _ = _terms(g, seat, ignored_by_effects(g, seat), None)
    if not g.reads.traits[seat] & _FLEE:
        return _sum(terms), 0
    there = vehicles(g, seat)
    return _sum(terms), _sum(_run_terms(g, seat, there[0] if there else 0))


def _sum(terms: list[Term]) -> int:
    total = 0
    for term in terms:  # a comprehension would cost another call
        total += term.by
    return total


@cached_by_modifiers
def _terms(
    g: Reader, seat: int, out_of_play: tuple[str, ...], once: tuple[tuple[str, int], ...] | None
) -> tuple[list[Term], list[tuple[str, int]]]:
    player = g.state.seats[seat]
    terms: list[Term] = []
    counted = None if once is None else list(once)
    if "level" not in out_of_play:
        terms.append(Term("Level", player.level, 0, seat))
    ctx = Ctx(you=seat, victim=seat)
    for entry, definition in active(g, seat):
        left_out = bool(out_of_play) and _left_out(_bearer(g, seat, entry, definition), out_of_play)
        by = definition.card.bonus
        if definition.strength:
            ctx.card = entry.card
            by += _strength_of(g, seat, definition, ctx, None if left_out else counted)
            if definition.kind == "item":
                by += _cheat_bonus(g, seat, entry.card, definition, ctx)
        if entry.both:
            by += both_hands(g, seat)
        if by and not (left_out and by > 0):  # penalties stay (combat.penalties-stay)
            terms.append(Term(definition.name, by, entry.card, seat))
    for lasting in player.lasting:
        if lasting.armed:
            definition = g.cat.cards[lasting.defn]
            ctx.card = lasting.card
            for mod in definition.lingers[lasting.code].mods:
                if isinstance(mod, v.Strength) and holds(g, mod.if_, ctx, "you", mod_sense(mod)):
                    by = amount(g, mod.by, ctx, worse=-1)
                    if by <= 0 or "bonuses" not in out_of_play:
                        terms.append(Term(definition.name, by, lasting.card, seat))
    return terms, counted or []


def both_hands(g: Reader, seat: int) -> int:
    """Return what a one-hand Item adds when it is used with both hands (identity.militia)."""
    return sum(mod.by for mod, _, _ in mods_of(g, seat, v.TwoHanded))


def _strength_of(g: Reader, seat: int, definition: Def, ctx: Ctx, counted: list[tuple[str, int]] | None) -> int:
    total = 0
    for i, mod in enumerate(definition.strength):
        if mod.once and counted is not None and (definition.ident or definition.name, i) in counted:
            continue
        if mod.drawback and waived(g, seat, definition, mod):
            continue
        if mod.if_ is not None and not holds(g, mod.if_, ctx, "you", mod_sense(mod)):
            continue
        by = amount(g, mod.by, ctx, worse=-1)
        total += by
        if mod.once and counted is not None and by:
            counted.append((definition.ident or definition.name, i))
    return total


def _cheat_bonus(g: Reader, seat: int, card: int, definition: Def, ctx: Ctx) -> int:
    """Return what a Cheat! adds to an Item with different bonuses for different owners: the difference between its
    owner's bonus and the highest one (item.cheat-slot)."""
    if not cheated(g, seat, card):
        return 0
    by_owner = [mod for mod in definition.strength if mod.if_ is not None and _about_owner(mod.if_)]
    given = sum(amount(g, mod.by, ctx) for mod in by_owner if holds(g, mod.if_, ctx, "you"))
    return max(0, max((amount(g, mod.by, ctx) for mod in by_owner), default=0) - given)


def _about_owner(cond: v.If) -> bool:
    """Return whether a condition asks only for an identity or a sex of its owner."""
    plain = cond.who is None and {"has", "sex"}.issuperset(cond.words)
    return plain and all(_about_owner(part) for part in (*cond.all, *cond.any, *cond.none))


def _bearer(g: Reader, seat: int, entry: Placed, definition: Def) -> Def:
    """Return the Item that an Item Enhancer improves and counts with (item.enhancer); for others the card itself."""
    if definition.kind != "upgrade":
        return definition
    return next((g.of(item.card) for item in g.state.seats[seat].table if item.card == entry.on), definition)


def _left_out(definition: Def, kinds: tuple[str, ...]) -> bool:
    """Return whether the bonus of a card in play does not count."""
    if "bonuses" in kinds:
        return True
    if definition.kind == "identity":
        return "identities" in kinds
    if definition.kind != "item":
        return False
    if _tag_left_out(definition, kinds):
        return True
    return "items" in kinds or definition.slot in kinds or (definition.hands > 0 and "hands" in kinds)


def _tag_left_out(definition: Def, kinds: tuple[str, ...]) -> bool:
    return definition.kind == "item" and any(f"items {tag}" in kinds for tag in definition.card.tags)


def _bonus_left_out(g: Reader, bonus: Bonus) -> bool:
    """Return whether the monsters, or an effect on the player, suppress the bonus that a card adds for the heroes when
    it is played or used. If one-shots do not count, abilities of cards in play still count; if an Item does not count,
    neither do its abilities (combat.item-abilities)."""
    definition = g.cat.cards[bonus.defn]
    one_shot = definition.card.one_shot
    user = bonus.hero if bonus.hero >= 0 else bonus.seat
    by_effects = ignored_by_effects(g, user)
    kinds = by_effects + ignored_by_monsters(g)
    if "bonuses" in kinds or (one_shot and "one-shots" in kinds) or _tag_left_out(definition, kinds):
        return True
    if definition.kind != "item" or one_shot:
        return False
    return _left_out(definition, kinds if user in heroes(g.state.fight) else by_effects)


@cached_by_table
def hero_terms(g: Reader) -> list[Term]:
    """Return the heroes' side of the combat: fighter, helper, and what was played for them."""
    fight = g.state.fight
    if fight is None:
        return []
    counted: list[tuple[str, int]] = []
    terms: list[Term] = []
    for seat in heroes(fight):
        terms.extend(seat_terms(g, seat, counted))
    for bonus in fight.bonuses:
        if bonus.side == "heroes" and not (bonus.by > 0 and _bonus_left_out(g, bonus)):
            terms.append(Term(g.cat.cards[bonus.defn].name, bonus.by, bonus.defn, bonus.seat))
    return terms


# ------------------------------------------------------------------------------------------------------ the monsters
@cached_by_table
def monster_terms(g: Reader, monster: Monster) -> list[Term]:
    """Return a monster's strength: Level, its modifiers for or against certain players, enhancers."""
    fight = g.state.fight
    if fight is None:
        return []
    definition = g.cat.cards[monster.defn]
    terms = [Term(definition.name, definition.card.level or 0, monster.id, -1)]
    ctx = Ctx(victim=fight.seat, monster=monster.group)
    for at, mod in enumerate(definition.strength):
        by = _monster_mod(g, mod, ctx)
        if by:
            terms.append(Term(definition.name, by, monster.id, -1, at))
    for joined in fight.cards:
        if joined.on != monster.group:
            continue
        card = g.cat.cards[joined.card & DEFN_MASK]
        if card.kind == "enhancer":
            by = card.card.bonus + sum([_monster_mod(g, mod, ctx) for mod in card.strength])
            if by:
                terms.append(Term(card.name, by, joined.card, joined.seat))
    for bonus in fight.bonuses:
        if bonus.on == monster.group and bonus.by:
            terms.append(Term(g.cat.cards[bonus.defn].name, bonus.by, bonus.defn, bonus.seat))
    if g.state.seals_open:
        terms.extend(_seal_terms(g, ctx))
    return terms


def _seal_terms(g: Reader, ctx: Ctx) -> list[Term]:
    """Return +1 for each open Seal (seal.bonus), and what the Seal in force adds."""
    terms = [Term("Open Seals", len(g.state.seals_open), 0, -1)]
    by = sum([_monster_mod(g, mod, ctx) for mod in seal_foes(g, v.Strength)])
    if by:
        top = g.state.seals_open[-1]
        terms.append(Term(g.cat.cards[top].name, by, top, -1))
    return terms


def _monster_mod(g: Reader, mod: v.Strength, ctx: Ctx) -> int:
    if not holds(g, mod.if_, ctx, "side", mod_sense(mod, of_monster=True)):
        return 0
    return amount(g, mod.by, ctx, worse=1)


@cached_by_table
def foe_terms(g: Reader) -> list[Term]:
    """Return the monsters' side of the combat."""
    fight = g.state.fight
    if fight is None:
        return []
    terms: list[Term] = []
    for monster in fight.monsters:
        terms.extend(monster_terms(g, monster))
    for bonus in fight.bonuses:
        if bonus.side == "monsters" and bonus.on == 0:
            terms.append(Term(g.cat.cards[bonus.defn].name, bonus.by, bonus.defn, bonus.seat))
    return terms


@cached_by_table
def totals(g: Reader) -> tuple[int, int]:
    """Return the totals of both sides: heroes, monsters."""
    return _sum(hero_terms(g)), _sum(foe_terms(g))


@cached_by_table
def wins_ties(g: Reader) -> bool:
    """Return whether a hero makes the heroes win ties (identity.warrior-ties)."""
    return any(mods_of(g, seat, v.WinsTies) for seat in heroes(g.state.fight))


@cached_by_table
def winning(g: Reader) -> bool:
    """Return whether the heroes would win now (combat.compare)."""
    ours, theirs = totals(g)
    return ours > theirs or (ours == theirs and wins_ties(g))


# ------------------------------------------------------------------------------------------------------ running away
def run_terms(g: Reader, seat: int) -> list[Term]:
    """Return what is added to every roll of a seat to run away. A Vehicle replaces everything else, lasting effects
    included (item.vehicle)."""
    if not g.reads.traits[seat] & _FLEE:
        return []
    return _run_terms(g, seat, vehicle_in_use(g, seat))


@cached_by_modifiers
def _run_terms(g: Reader, seat: int, vehicle: int) -> list[Term]:
    ctx = Ctx(you=seat, victim=seat)
    terms: list[Term] = []
    for entry, definition in active(g, seat):
        if vehicle and entry.card and entry.card != vehicle:
            continue
        ctx.card = entry.card
        for mod in definition.flee:
            if mod.drawback and waived(g, seat, definition, mod):
                continue
            if holds(g, mod.if_, ctx, "you", mod_sense(mod)):
                terms.append(Term(definition.name, amount(g, mod.by, ctx, worse=-1), entry.card, seat))
    if not vehicle:
        terms += lasting_run_terms(g, seat)
    return terms


def lasting_run_terms(g: Reader, seat: int, until: str = "") -> list[Term]:
    """Return what lasting effects add to rolls of a seat to run away. until: only effects that last until then."""
    ctx = Ctx(you=seat, victim=seat)
    found = lasting_mods(g, seat, v.Flee, until) if g.state.seats[seat].lasting else ()
    return [
        Term(definition.name, amount(g, mod.by, ctx, worse=-1), card, seat)
        for mod, card, definition in found if holds(g, mod.if_, ctx, "you", mod_sense(mod))
    ]  # fmt: skip


@cached_by_gear
def vehicles(g: Reader, seat: int) -> list[int]:
    """Return the usable Vehicles that change rolls to run away; each would replace everything else (item.vehicle)."""
    return [entry.card for entry, definition in active(g, seat) if definition.slot == "vehicle" and definition.flee]


def vehicle_in_use(g: Reader, seat: int) -> int:
    """Return the Vehicle a seat uses to run away: the one it chose before the roll, else the first; 0 for none."""
    found = vehicles(g, seat)
    if not found:
        return 0
    fight = g.state.fight
    named = [ride.card for ride in fight.rides if ride.seat == seat and ride.card in found] if fight is not None else []
    return named[-1] if named else found[0]


def run_against(g: Reader, seat: int, monster: Monster) -> list[Term]:
    """Return what a monster, with the cards played on it, adds to the roll against this monster only (flee.roll)."""
    fight = g.state.fight
    if fight is None or not foe_traits(g) & _FLEE:
        return []
    ctx = Ctx(you=seat, victim=seat, monster=monster.group)
    terms: list[Term] = []
    for definition in cards_of(g, fight, monster):
        for mod in definition.flee:
            if holds(g, mod.if_, ctx, "victim", mod_sense(mod, of_monster=True)):
                terms.append(Term(definition.name, amount(g, mod.by, ctx, worse=-1), 0, -1))
    for mod in seal_foes(g, v.Flee):
        if holds(g, mod.if_, ctx, "victim", mod_sense(mod, of_monster=True)):
            by = amount(g, mod.by, ctx, worse=-1)
            terms.append(Term(g.cat.cards[g.state.seals_open[-1]].name, by, 0, -1))
    return terms


def spares(g: Reader, seat: int, monster: Monster) -> bool:
    """Return whether a monster does not pursue this runner."""
    fight = g.state.fight
    if fight is None or not foe_traits(g) & _SPARES:
        return False
    ctx = Ctx(you=seat, victim=seat, monster=monster.group)
    found = [mod for definition in cards_of(g, fight, monster) for mod in definition.by_type.get(v.Spares, ())]
    there = (*found, *seal_foes(g, v.Spares))
    return any(holds(g, mod.if_, ctx, "victim", mod_sense(mod, of_monster=True)) for mod in there)
