"""Pure reads: conditions, amounts, which cards, who is who. Strengths are in strength.py, limits in limits.py."""

from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct

from core.language import schema as v
from core.language.definition import Def
from core.state.model import Fight, Placed
from core.state.reader import Reader, living


class Ctx(Struct, gc=False):
    """Who is who for a text or a modifier: see the who-words of pieces.py. monster is a group in the combat.

    winning: whether the heroes win as it stands, for the texts that ask. card: the card whose text it is, 0 if none.
    """

    you: int = -1
    victim: int = -1
    me: int = -1
    chosen: int = -1
    monster: int = 0
    saved: dict[str, int] = {}
    winning: bool | None = None
    card: int = 0


# ------------------------------------------------------------------------------------------------------ who is who
def heroes(fight: Fight | None) -> list[int]:
    """The fighter and the helper, if any."""
    if fight is None:
        return []
    return [fight.seat] if fight.helper < 0 else [fight.seat, fight.helper]


def laying_out(g: Reader) -> bool:
    """Whether first cards are still being laid out, unseen by the others (setup.order)."""
    return g.state.turn.no == 0


def in_combat(g: Reader, seat: int) -> bool:
    """Whether a seat is fighting, helping or running away."""
    fight = g.state.fight
    return fight is not None and (seat == fight.seat or seat == fight.helper)


def seats_of(g: Reader, who: v.Who, ctx: Ctx) -> list[int]:
    """The living seats a who-word means."""
    s = g.state
    if who == "you" or who == "victim" or who == "me" or who == "chosen":
        seat: int = getattr(ctx, who)
        return [seat] if seat >= 0 and not s.seats[seat].dead else []
    if who == "side":
        found = heroes(s.fight)
    elif who == "fighter":
        found = heroes(s.fight)[:1]
    elif who == "helper":
        found = heroes(s.fight)[1:]
    elif who == "turn":
        found = [s.turn.seat]
    else:
        return _group(g, who, ctx)
    return [seat for seat in found if not s.seats[seat].dead]


def _group(g: Reader, who: v.Who, ctx: Ctx) -> list[int]:
    alive = living(g)
    if who == "all":
        return alive
    if who == "others":
        return [seat for seat in alive if seat != ctx.you]
    if who in ("left", "right"):
        return _neighbour(g, ctx.victim if ctx.victim >= 0 else ctx.you, 1 if who == "left" else -1)
    levels = [g.state.seats[seat].level for seat in alive]
    wanted = (max(levels) if who == "highest" else min(levels)) if levels else 0
    return [seat for seat in alive if g.state.seats[seat].level == wanted]


def _neighbour(g: Reader, seat: int, step: int) -> list[int]:
    n = len(g.state.seats)
    for i in range(1, n):
        at = (seat + i * step) % n
        if not g.state.seats[at].dead:
            return [at]
    return []


# ------------------------------------------------------------------------------------------------------ identities
def identities(g: Reader, seat: int, kind: str) -> list[Placed]:
    """The identity cards of a kind in front of a seat."""
    cards = g.cat.cards
    out = []
    for entry in g.state.seats[seat].table:
        definition = cards[entry.card & 4095]
        if definition.kind == "identity" and definition.card.identity == kind:
            out.append(entry)
    return out


def has(g: Reader, seat: int, name: str) -> bool:
    """Whether a seat is a Warrior, an Elf, ...; or, by the word for it, has no identity of a kind (human)."""
    cards = g.cat.cards
    for entry in g.state.seats[seat].table:
        if cards[entry.card & 4095].ident == name:
            return True
    kind = g.cat.nobody.get(name)
    return kind is not None and not identities(g, seat, kind)


def suffers(g: Reader, seat: int, name: str) -> bool:
    """Whether the disadvantages of an identity hold: not for one under a Super Munchkin (self.super-single)."""
    if not has(g, seat, name):
        return False
    cards = g.cat.cards
    for entry in g.state.seats[seat].table:
        definition = cards[entry.card & 4095]
        if definition.ident == name:
            return not protected(g, seat, definition.card.identity or "")
    return True


def protected(g: Reader, seat: int, kind: str) -> bool:
    """A single identity of this kind with the card that allows two: advantages only."""
    cards = g.cat.cards
    doubled = False
    count = 0
    for entry in g.state.seats[seat].table:
        definition = cards[entry.card & 4095]
        if definition.kind == "identity" and definition.card.identity == kind:
            count += 1
        elif definition.kind == "double" and definition.card.serves == kind:
            doubled = True
    return doubled and count == 1


# ------------------------------------------------------------------------------------------------------ conditions
def holds(g: Reader, cond: v.If | None, ctx: Ctx, who: v.Who, harm: bool = False) -> bool:
    """Whether a condition holds. who: whom it is about if it does not say; harm: it is to somebody's disadvantage."""
    if cond is None:
        return True
    known = _TESTS.get(id(cond))
    if known is None or known.cond is not cond:
        known = _tests_of(cond)
    for of_table in known.table:
        if not of_table(g, cond, ctx):
            return False
    if known.seat:
        for seat in seats_of(g, cond.who or who, ctx):
            for of_seat in known.seat:
                if not of_seat(g, cond, ctx, seat, harm):
                    break
            else:
                break  # this one passes every test
        else:
            return False
    if not known.parts:
        return True
    return (
        all(holds(g, part, ctx, who, harm) for part in cond.all)
        and not any(holds(g, part, ctx, who, False) for part in cond.none)
        and (not cond.any or any(holds(g, part, ctx, who, harm) for part in cond.any))
    )


@dataclass(slots=True)
class _Tests:
    """What a condition names, as the tests of it: of the table, of a seat; and whether it has parts."""

    cond: v.If
    table: list[Callable[[Reader, v.If, Ctx], bool]]
    seat: list[Callable[[Reader, v.If, Ctx, int, bool], bool]]
    parts: bool


_TESTS: dict[int, _Tests] = {}
"""By identity of the condition (they live as long as their catalog)."""


def _tests_of(cond: v.If) -> _Tests:
    if len(_TESTS) > 20_000:
        _TESTS.clear()
    table = [test for name, test in _OF_TABLE.items() if getattr(cond, name) is not None]
    seat = [test for name, test in _OF_SEAT.items() if getattr(cond, name) is not None]
    found = _TESTS[id(cond)] = _Tests(cond, table, seat, bool(cond.all or cond.any or cond.none))
    return found


def _alone(g: Reader, cond: v.If, ctx: Ctx) -> bool:
    fight = g.state.fight
    return fight is not None and (fight.helper < 0) == cond.alone


def _monsters(g: Reader, cond: v.If, ctx: Ctx) -> bool:
    fight = g.state.fight
    return fight is not None and len(fight.monsters) >= (cond.monsters_at_least or 0)


_OF_TABLE: dict[str, Callable[[Reader, v.If, Ctx], bool]] = {
    "alone": _alone,
    "monsters_at_least": _monsters,
    "tag": lambda g, cond, ctx: _tag_there(g, cond.tag or "", ctx.monster),
    "saved": lambda g, cond, ctx: ctx.saved.get(cond.saved or "", 0) >= cond.at_least,
    "winning": lambda g, cond, ctx: ctx.winning == cond.winning,
    "seals_at_least": lambda g, cond, ctx: len(g.state.seals_open) >= (cond.seals_at_least or 0),
}


def _tag_there(g: Reader, tag: str, group: int) -> bool:
    fight = g.state.fight
    if fight is None:
        return False
    return any(tag in tags_of(g, m.group, m.defn) for m in fight.monsters if not group or m.group == group)


def tags_of(g: Reader, group: int, defn: int) -> list[str]:
    """The tags of a monster, those given by what was played on it included."""
    tags = list(g.cat.cards[defn].card.tags)
    fight = g.state.fight
    if fight is not None:
        for joined in fight.cards:
            if joined.on == group:
                given = g.of(joined.card).card.gives_tag
                if given and given not in tags:
                    tags.append(given)
    return tags


def _has(g: Reader, cond: v.If, ctx: Ctx, seat: int, harm: bool) -> bool:
    return (suffers if harm else has)(g, seat, cond.has or "")


def _wears(g: Reader, cond: v.If, ctx: Ctx, seat: int, harm: bool) -> bool:
    worn = [g.of(entry.card) for entry in g.state.seats[seat].table if entry.up]
    return any(definition.kind == "item" and definition.slot == cond.wears for definition in worn)


def _cards(g: Reader, cond: v.If, ctx: Ctx, seat: int, harm: bool) -> bool:
    if cond.cards is None:
        return False
    return len(_there(g, cond.cards, seat, ctx)) >= cond.at_least


_OF_SEAT: dict[str, Callable[[Reader, v.If, Ctx, int, bool], bool]] = {
    "has": _has,
    "sex": lambda g, cond, ctx, seat, harm: g.state.seats[seat].sex == cond.sex,
    "level_at_least": lambda g, cond, ctx, seat, harm: g.state.seats[seat].level >= (cond.level_at_least or 0),
    "level_at_most": lambda g, cond, ctx, seat, harm: g.state.seats[seat].level <= (cond.level_at_most or 0),
    "wears": _wears,
    "cards": _cards,
    "fighting": lambda g, cond, ctx, seat, harm: in_combat(g, seat) == cond.fighting,
    "own_turn": lambda g, cond, ctx, seat, harm: (g.state.turn.seat == seat) == cond.own_turn,
    "leads": lambda g, cond, ctx, seat, harm: _leads(g, seat) == cond.leads,
}


def _leads(g: Reader, seat: int) -> bool:
    """Nobody has a higher Level."""
    return g.state.seats[seat].level >= max([other.level for other in g.state.seats])


# --------------------------------------------------------------------------------------------------------- amounts
def amount(g: Reader, value: int | v.Amount, ctx: Ctx) -> int:
    """The number an amount stands for now."""
    if isinstance(value, int):
        return value
    total = value.base
    if value.count is not None:
        total += len(select(g, value.count, ctx))
    if value.level_of is not None:
        seats = seats_of(g, value.level_of, ctx)
        tied = seats[:1] if value.level_of in ("highest", "lowest") else seats
        total += sum(g.state.seats[seat].level for seat in tied)
    if value.saved is not None:
        total += ctx.saved.get(value.saved, 0)
    if value.margin and g.state.fight is not None:
        total += g.state.fight.margin
    if value.monsters and g.state.fight is not None:
        total += len(g.state.fight.monsters)
    if value.seals:
        total += len(g.state.seals_open)
    if value.having is not None:
        total += sum(1 for seat in living(g) if holds(g, value.having, Ctx(you=ctx.you, me=seat, card=ctx.card), "me"))
    total *= value.times
    if value.least is not None:
        total = max(total, value.least)
    if value.most is not None:
        total = min(total, value.most)
    return total


# ----------------------------------------------------------------------------------------------------------- cards
def select(g: Reader, cards: v.Cards, ctx: Ctx, of: list[int] | None = None) -> list[int]:
    """The ids of the cards that fit, in order of seats and as they lie; a hand sorted, since its order tells."""
    found: list[int] = []
    for seat in seats_of(g, cards.of, ctx) if of is None else of:
        there = _there(g, cards, seat, ctx)
        found.extend(sorted(there, key=lambda card: (card & 4095, card)) if cards.zone == "hand" else there)
    return found


def _there(g: Reader, cards: v.Cards, seat: int, ctx: Ctx) -> list[int]:
    """The cards of one seat that fit, as they lie."""
    fitting = _fitting(g, cards)
    there = [card for card in _zone(g, cards.zone, seat) if card & 4095 in fitting]
    return there if cards.this is None else [card for card in there if (card == ctx.card) == cards.this]


def _zone(g: Reader, zone: str, seat: int) -> list[int]:
    player = g.state.seats[seat]
    if zone == "hand":
        return player.hand
    if zone == "curses":
        return [lasting.card for lasting in player.lasting if lasting.card]
    if zone == "play":
        return [entry.card for entry in player.table]
    if zone == "identities":
        return [entry.card for entry in player.table if g.of(entry.card).kind == "identity"]
    cards = g.cat.cards
    if zone == "items":
        return [entry.card for entry in player.table if cards[entry.card & 4095].is_item]
    items = [(entry, cards[entry.card & 4095]) for entry in player.table]
    equipped = zone == "equipped"
    return [
        entry.card for entry, definition in items
        if definition.is_item and (entry.up and not definition.card.one_shot) == equipped
    ]  # fmt: skip


def fits(g: Reader, cards: v.Cards, card: int) -> bool:
    """Whether one card is of the kind asked for."""
    return card & 4095 in _fitting(g, cards)


def _fitting(g: Reader, cards: v.Cards) -> frozenset[int]:
    """The definitions of the kind asked for, gone through once for each selector, by its identity."""
    known = g.cat.fitting.get(id(cards))
    if known is None or known[0] is not cards:
        if len(g.cat.fitting) > 20_000:
            g.cat.fitting.clear()
        fitting = frozenset([definition.no for definition in g.cat.cards if _is_kind(definition, cards)])
        known = g.cat.fitting[id(cards)] = (cards, fitting)
    return known[1]


def _is_kind(definition: Def, cards: v.Cards) -> bool:
    printed = definition.card
    return (
        (cards.slot is None or _slot_fits(definition, cards.slot))
        and (cards.kind is None or definition.kind == cards.kind)
        and (cards.identity is None or printed.identity == cards.identity)
        and (cards.one_shot is None or printed.one_shot == cards.one_shot)
        and (cards.big is None or printed.big == cards.big)
        and (cards.tag is None or cards.tag in printed.tags)
        and (cards.worth is None or (printed.value or 0) >= cards.worth)
    )


def _slot_fits(definition: Def, slot: v.Slot) -> bool:
    return definition.kind == "item" and definition.slot == slot
