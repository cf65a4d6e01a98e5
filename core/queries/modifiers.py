"""Which cards take effect, and which modifiers are in force for a seat and in the combat."""

from typing import TypeVar

from core.language import schema as v
from core.language.definition import Def
from core.language.drawbacks import mod_sense
from core.language.traits import MOD_TRAITS
from core.queries.cache import cached_by_gear, cached_by_table, traits
from core.queries.conditions import Ctx, equipped, holds
from core.queries.identities import protected
from core.state.model import DEFN_MASK, Fight, Monster, Placed
from core.state.reader import Reader

M = TypeVar("M", bound=v.Mod)
_FORBIDS, _IGNORES = MOD_TRAITS[v.Forbid], MOD_TRAITS[v.Ignore]


def in_effect(g: Reader, seat: int, entry: Placed, definition: Def) -> bool:
    """Return whether a card in front of a seat takes effect. Carried Items, one-shots and cards that the seat may not
    use do not."""
    if definition.kind == "upgrade":
        return any(
            item.card == entry.on and in_effect(g, seat, item, g.of(item.card)) for item in g.state.seats[seat].table
        )
    if definition.kind != "item":
        return True
    return equipped(g, seat, entry, definition)


@cached_by_gear
def active(g: Reader, seat: int) -> list[tuple[Placed, Def]]:
    """Return the cards in front of a seat that take effect, and the Seal in force, which holds for all (seal.open)."""
    cards = g.cat.cards
    found = []
    for entry in g.state.seats[seat].table:
        definition = cards[entry.card & DEFN_MASK]
        if definition.lies_still or in_effect(g, seat, entry, definition):
            found.append((entry, definition))
    if g.state.seals_open:
        found.append((Placed(0), cards[g.state.seals_open[-1]]))
    return found


def lasting_mods(g: Reader, seat: int, kind: type[M], until: str = "") -> list[tuple[M, int, Def]]:
    """Return the modifiers of one type from armed lasting effects on a seat: (modifier, card, definition). until: only
    from effects that last until then."""
    out: list[tuple[M, int, Def]] = []
    for lasting in g.state.seats[seat].lasting:
        if lasting.armed and until in ("", lasting.until):
            definition = g.cat.cards[lasting.defn]
            for mod in definition.linger_types[lasting.code].get(kind, ()):
                out.append((mod, lasting.card, definition))  # type: ignore[arg-type]
    return out


def mods_of(g: Reader, seat: int, kind: type[M]) -> list[tuple[M, int, Def]]:
    """Return the modifiers of one type in force for a seat, from cards in play and lasting effects, whose conditions
    hold: (modifier, card, definition)."""
    brought = g.reads.traits[seat]
    if not (brought if brought >= 0 else traits(g, seat)) & MOD_TRAITS[kind]:
        return []
    there: list[tuple[M, int, Def]] = _mods_there(g, seat).get(kind, [])  # type: ignore[assignment]
    if g.state.seats[seat].lasting:
        there = there + lasting_mods(g, seat, kind)
    return [
        found for found in there
        if found[0].if_ is None
        or holds(g, found[0].if_, Ctx(you=seat, victim=seat, card=found[1]), "you", mod_sense(found[0]))
    ]  # fmt: skip


@cached_by_gear
def _mods_there(g: Reader, seat: int) -> dict[type, list[tuple[v.Mod, int, Def]]]:
    """Return the modifiers of the cards in play that take effect, by type, whether or not their conditions hold."""
    out: dict[type, list[tuple[v.Mod, int, Def]]] = {}
    for entry, definition in active(g, seat):
        for mod in definition.card.mods:
            if not (mod.drawback and waived(g, seat, definition, mod)):
                out.setdefault(type(mod), []).append((mod, entry.card, definition))
    return out


def waived(g: Reader, seat: int, definition: Def, mod: v.Mod) -> bool:
    """Return whether a modifier is a drawback of an identity that a Super Munchkin is free of (self.super-single)."""
    return mod.drawback and definition.kind == "identity" and protected(g, seat, definition.card.identity or "")


@cached_by_table
def monster_mods(g: Reader, kind: type[M]) -> list[tuple[M, Monster]]:
    """Return the modifiers of one type that monsters and cards played on them bring to the fight
    (combat.many-abilities)."""
    fight = g.state.fight
    out: list[tuple[M, Monster]] = []
    if fight is None or not foe_traits(g) & MOD_TRAITS[kind]:
        return out
    extra = seal_foes(g, kind)
    for monster in fight.monsters:
        there = [mod for definition in cards_of(g, fight, monster) for mod in definition.by_type.get(kind, ())]
        for mod in (*there, *extra):
            ctx = Ctx(victim=fight.seat, monster=monster.group)
            if holds(g, mod.if_, ctx, "side", mod_sense(mod, of_monster=True)):
                out.append((mod, monster))  # type: ignore[arg-type]
    return out


@cached_by_table
def foe_traits(g: Reader) -> int:
    """Return the traits of all monsters of the fight, of cards played into it, and of what the Seal in force gives to
    monsters (core/language/traits.py)."""
    fight, cards = g.state.fight, g.cat.cards
    found = 0
    if fight is None:
        return found
    for monster in fight.monsters:
        found |= cards[monster.defn].traits
    for joined in fight.cards:
        found |= cards[joined.card & DEFN_MASK].traits
    for mod in cards[g.state.seals_open[-1]].foes if g.state.seals_open else ():
        found |= MOD_TRAITS[type(mod)]
    return found


def seal_foes(g: Reader, kind: type[M]) -> list[M]:
    """Return the modifiers of one type that the Seal in force gives to every monster."""
    if not g.state.seals_open:
        return []
    foes = g.cat.cards[g.state.seals_open[-1]].foes
    return [mod for mod in foes if isinstance(mod, kind)] if foes else []


def cards_of(g: Reader, fight: Fight, monster: Monster) -> list[Def]:
    """Return the definitions of a monster and of the enhancers on its group."""
    cards = g.cat.cards
    if not fight.cards:
        return [cards[monster.defn]]
    there = [cards[joined.card & DEFN_MASK] for joined in fight.cards if joined.on == monster.group]
    return [cards[monster.defn], *[definition for definition in there if definition.kind == "enhancer"]]


def forbidden(g: Reader, what: str, seat: int) -> bool:
    """Return whether a monster of the fight, or a modifier of the seat, forbids this."""
    if g.state.fight is not None and what in foes_forbid(g):
        return True
    return g.reads.traits[seat] & _FORBIDS != 0 and own_forbids(g, what, seat)


def forbidder(g: Reader, what: str, seat: int) -> Def | None:
    """Return the card by which this is forbidden: a card of the seat, an effect on it, a card of the monsters, the Seal
    in force; None if it is not forbidden."""
    own = [definition for mod, _, definition in mods_of(g, seat, v.Forbid) if mod.what == what]
    fight = g.state.fight
    if own or fight is None:
        return own[0] if own else None
    for monster in fight.monsters:
        ctx = Ctx(victim=fight.seat, monster=monster.group)
        there = [(one, mod) for one in cards_of(g, fight, monster) for mod in one.card.mods]
        there += [(g.cat.cards[g.state.seals_open[-1]], mod) for mod in seal_foes(g, v.Forbid)]
        own += [
            one for one, mod in there
            if isinstance(mod, v.Forbid) and mod.what == what
            and holds(g, mod.if_, ctx, "side", mod_sense(mod, of_monster=True))
        ]  # fmt: skip
    return own[0] if own else None


def barred(g: Reader, one: int, other: int) -> bool:
    """Return whether a card bars one of two seats from trading, giving and being given Items (item.barred)."""
    return forbidden(g, "trade", one) or forbidden(g, "trade", other)


def own_forbids(g: Reader, what: str, seat: int) -> bool:
    """Return whether a modifier of the seat forbids this."""
    if not g.reads.traits[seat] & _FORBIDS:
        return False
    return what in [mod.what for mod, _, _ in mods_of(g, seat, v.Forbid)]


@cached_by_table
def foes_forbid(g: Reader) -> list[str]:
    """Return what the monsters of the fight forbid."""
    return [mod.what for mod, _ in monster_mods(g, v.Forbid)]


def ignored(g: Reader, seat: int) -> tuple[str, ...]:
    """Return the kinds of bonus that do not count for a seat now: what `Ignore` names, or "items TAG" for one tag."""
    fight = g.state.fight
    if fight is None or not (seat == fight.seat or seat == fight.helper):
        return ignored_by_effects(g, seat)
    return ignored_by_monsters(g) + ignored_by_effects(g, seat)


def ignored_by_monsters(g: Reader) -> tuple[str, ...]:
    """Return the kinds of bonus that the monsters of the fight take from the heroes."""
    return _kinds([mod for mod, _ in monster_mods(g, v.Ignore)]) if foe_traits(g) & _IGNORES else ()


def ignored_by_effects(g: Reader, seat: int) -> tuple[str, ...]:
    """Return the kinds of bonus that lasting effects take from a seat."""
    if not g.state.seats[seat].lasting:
        return ()
    return _kinds([mod for mod, _, _ in lasting_mods(g, seat, v.Ignore)])


def _kinds(mods: list[v.Ignore]) -> tuple[str, ...]:
    return tuple([f"{mod.what} {mod.tag}" if mod.tag else mod.what for mod in mods])
