"""What the words of the card language mean in a state: who-words, conditions, amounts and selectors of cards."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec import Struct

from core.language import schema as v
from core.language.definition import Def
from core.language.drawbacks import EXCEPT, HARM, PLAIN, Sense
from core.language.traits import CHEAT, UPGRADE
from core.queries.cache import cached_by_gear
from core.queries.identities import counts_as, suffered
from core.state.model import DEFN_MASK, Fight, Placed
from core.state.reader import Reader, living, placed


class Ctx(Struct, gc=False):
    """Who is who for a text or a modifier: the seats behind the who-words (core/language/selectors.py), -1 for nobody.

    monster: a group of monsters in the combat. saved: the numbers that the text has saved. winning: whether the heroes
    win at this moment, for texts that ask. card: the card whose text or modifier it is, 0 if none. killer: the main
    fighter at a kill, if the fight has been handed over since (combat.handed-over). apart: heroes whom `side`
    does not mean. lying: an Item counts as equipped if it lies upright (see `usable`).
    """

    you: int = -1
    victim: int = -1
    me: int = -1
    chosen: int = -1
    monster: int = 0
    saved: dict[str, int] = {}
    winning: bool | None = None
    card: int = 0
    killer: int = -1
    apart: tuple[int, ...] = ()
    lying: bool = False


# ------------------------------------------------------------------------------------------------------ who is who
def heroes(fight: Fight | None) -> list[int]:
    """Return the fighter and the helper, if there are any."""
    if fight is None:
        return []
    return [fight.seat] if fight.helper < 0 else [fight.seat, fight.helper]


def laying_out(g: Reader) -> bool:
    """Return whether seats still lay out their first cards, which the others do not see (setup.order)."""
    return g.state.turn.no == 0


def in_combat(g: Reader, seat: int) -> bool:
    """Return whether a seat is fighting, helping or running away."""
    fight = g.state.fight
    return fight is not None and (seat == fight.seat or seat == fight.helper)


def seats_of(g: Reader, who: v.Who, ctx: Ctx) -> list[int]:
    """Return the living seats that a who-word means."""
    s = g.state
    if who == "you" or who == "victim" or who == "me" or who == "chosen":
        seat: int = getattr(ctx, who)
        return [seat] if seat >= 0 and not s.seats[seat].dead else []
    sides = heroes(s.fight) if ctx.killer < 0 else [ctx.killer]
    if who == "side":
        found = [seat for seat in sides if seat not in ctx.apart] if ctx.apart else sides
    elif who == "fighter":
        found = sides[:1]
    elif who == "helper":
        found = sides[1:]
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


# ------------------------------------------------------------------------------------------------------ conditions
TableTest = Callable[[Reader, v.If, Ctx], bool]
"""A test of one field of a condition that is about the table."""
SeatTest = Callable[[Reader, v.If, Ctx, int, Sense], bool]
"""A test of one field of a condition that is about a seat; its arguments include the seat, and `sense` of `holds`."""


def holds(g: Reader, cond: v.If | None, ctx: Ctx, who: v.Who, sense: Sense = PLAIN) -> bool:
    """Return whether a condition holds; an absent one always does.

    who: the seats that a condition without a who-word is about; one of them must pass all its tests. sense: whether it
    decides a disadvantage, from which a Super Munchkin may be free (core/language/drawbacks.py).
    """
    if cond is None:
        return True
    table_tests, seat_tests = _tests(cond.words)
    for table_test in table_tests:
        if not table_test(g, cond, ctx):
            return False
    if seat_tests:
        meant = cond.who or who
        if meant == "you" or meant == "victim":  # the result of `seats_of`, without a list
            seat = ctx.you if meant == "you" else ctx.victim
            if seat < 0 or g.state.seats[seat].dead:
                return False
            for test in seat_tests:
                if not test(g, cond, ctx, seat, sense):
                    return False
        elif not _one_passes(g, cond, seats_of(g, meant, ctx), seat_tests, ctx, sense):
            return False
    if not (cond.all or cond.any or cond.none):
        return True
    return (
        all(holds(g, part, ctx, who, sense) for part in cond.all)
        and not any(holds(g, part, ctx, who, EXCEPT[sense]) for part in cond.none)
        and (not cond.any or any(holds(g, part, ctx, who, sense) for part in cond.any))
    )


def _one_passes(
    g: Reader, cond: v.If, seats: list[int], tests: list[SeatTest], ctx: Ctx, sense: Sense
) -> bool:  # fmt: skip
    """Return whether one of these seats passes all tests of a condition."""
    for seat in seats:
        for test in tests:
            if not test(g, cond, ctx, seat, sense):
                break
        else:
            return True
    return False


@lru_cache(1000)
def _tests(words: tuple[str, ...]) -> tuple[list[TableTest], list[SeatTest]]:
    """Return the tests for these fields of a condition (If.words): tests of the table, and tests of a seat."""
    table_tests = [_TABLE_TESTS[word] for word in words if word in _TABLE_TESTS]
    return table_tests, [_SEAT_TESTS[word] for word in words if word not in _TABLE_TESTS]


def _alone(g: Reader, cond: v.If, ctx: Ctx) -> bool:
    fight = g.state.fight
    return fight is not None and (fight.helper < 0) == cond.alone


def _monsters(g: Reader, cond: v.If, ctx: Ctx) -> bool:
    fight = g.state.fight
    return fight is not None and len(fight.monsters) >= (cond.monsters_at_least or 0)


def _saved(cond: v.If, number: int) -> bool:
    """Return whether a saved number lies within the limits. A number that was not saved is 0, which is outside all
    limits."""
    return cond.at_least <= number and (cond.at_most is None or number <= cond.at_most)


_TABLE_TESTS: dict[str, TableTest] = {
    "alone": _alone,
    "monsters_at_least": _monsters,
    "tag": lambda g, cond, ctx: _tag_there(g, cond.tag or "", ctx.monster),
    "saved": lambda g, cond, ctx: _saved(cond, ctx.saved.get(cond.saved or "", 0)),
    "winning": lambda g, cond, ctx: ctx.winning == cond.winning,
    "seals_at_least": lambda g, cond, ctx: len(g.state.seals_open) >= (cond.seals_at_least or 0),
    "counters_at_least": lambda g, cond, ctx: counters_on(g, ctx) >= (cond.counters_at_least or 0),
}


def counters_on(g: Reader, ctx: Ctx) -> int:
    """Return how many counters lie on the text's or modifier's own card; 0 unless that card is in play in front of its
    player (cards.counters)."""
    entry = placed(g, ctx.you, ctx.card) if ctx.card and ctx.you >= 0 else None
    return 0 if entry is None else entry.counters


def _tag_there(g: Reader, tag: str, group: int) -> bool:
    fight = g.state.fight
    if fight is None:
        return False
    return any(tag in tags_of(g, m.group, m.defn) for m in fight.monsters if not group or m.group == group)


def tags_of(g: Reader, group: int, defn: int) -> list[str]:
    """Return the tags of a monster: printed ones, and those that cards played on its group give it."""
    fight, cards = g.state.fight, g.cat.cards
    tags = list(cards[defn].card.tags)
    if fight is not None:
        for joined in fight.cards:
            if joined.on == group:
                given = cards[joined.card & DEFN_MASK].card.gives_tag
                if given and given not in tags:
                    tags.append(given)
    return tags


def _has(g: Reader, cond: v.If, ctx: Ctx, seat: int, sense: Sense) -> bool:
    return counts_as(g, seat, cond.has or "", sense)


def _wears(g: Reader, cond: v.If, ctx: Ctx, seat: int, sense: Sense) -> bool:
    cards = g.cat.cards
    for entry in g.state.seats[seat].table:
        definition = cards[entry.card & DEFN_MASK]
        if definition.kind == "item" and definition.slot == cond.wears and equipped(g, seat, entry, definition, ctx):
            return True
    return False


def _cards(g: Reader, cond: v.If, ctx: Ctx, seat: int, sense: Sense) -> bool:
    if cond.cards is None:
        return False
    return len(_there(g, cond.cards, seat, ctx, sense)) >= cond.at_least


_SEAT_TESTS: dict[str, SeatTest] = {
    "has": _has,
    "sex": lambda g, cond, ctx, seat, sense: g.state.seats[seat].sex == cond.sex,
    "level_at_least": lambda g, cond, ctx, seat, sense: g.state.seats[seat].level >= (cond.level_at_least or 0),
    "level_at_most": lambda g, cond, ctx, seat, sense: g.state.seats[seat].level <= (cond.level_at_most or 0),
    "wears": _wears,
    "cards": _cards,
    "fighting": lambda g, cond, ctx, seat, sense: in_combat(g, seat) == cond.fighting,
    "own_turn": lambda g, cond, ctx, seat, sense: (g.state.turn.seat == seat) == cond.own_turn,
    "leads": lambda g, cond, ctx, seat, sense: _leads(g, seat) == cond.leads,
}


def _leads(g: Reader, seat: int) -> bool:
    """Return whether no living seat has a higher Level than this one."""
    return all(g.state.seats[other].level <= g.state.seats[seat].level for other in living(g))


# --------------------------------------------------------------------------------------------------------- amounts
def amount(
    g: Reader, value: int | v.Amount, ctx: Ctx, worse: int = 0, struck: Sequence[int] | None = None
) -> int:  # fmt: skip
    """Return the number that an amount stands for now.

    worse: 1 if a higher amount is bad for the players that it strikes, -1 if a lower amount is bad, 0 if neither. An
    identity without its disadvantages (Super Munchkin) is not counted against its owner (self.super-single). struck:
    the seats that it strikes; None: all seats that it counts (self.super-spared).
    """
    if isinstance(value, int):
        return value
    total = value.base
    harms = worse * value.times > 0
    if value.count is not None:
        total += _how_many(g, value.count, ctx, harms, struck)
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
        each = [Ctx(you=ctx.you, me=seat, card=ctx.card) for seat in living(g)]
        total += sum(1 for one in each if holds(g, value.having, one, "me", _sense(harms, one.me, struck)))
    if value.counters:
        total += counters_on(g, ctx)
    if value.tagged is not None and g.state.fight is not None:
        total += sum(1 for m in g.state.fight.monsters if value.tagged in tags_of(g, m.group, m.defn))
    total *= value.times
    if value.least is not None:
        total = max(total, value.least)
    if value.most is not None:
        total = min(total, value.most)
    return total


def _how_many(g: Reader, cards: v.Cards, ctx: Ctx, harms: bool, struck: Sequence[int] | None) -> int:
    """Return how many cards a selector means. harms: whether that is bad for those who are struck."""
    if not (harms and struck is not None and cards.means_identities):
        return len(select(g, cards, ctx, sense=HARM if harms else PLAIN))
    owners = seats_of(g, cards.of, ctx)
    return sum(len(select(g, cards, ctx, [seat], _sense(harms, seat, struck))) for seat in owners)


def _sense(harms: bool, seat: int, struck: Sequence[int] | None) -> Sense:
    """Return the sense in which an amount that is bad for the struck seats (None: all) counts a seat."""
    return HARM if harms and (struck is None or seat in struck) else PLAIN


# ----------------------------------------------------------------------------------------------------------- cards
def select(
    g: Reader, cards: v.Cards, ctx: Ctx, of: list[int] | None = None, sense: Sense = PLAIN
) -> list[int]:  # fmt: skip
    """Return the ids of the cards that a selector means, seat by seat, in the order in which they lie.

    of: the seats to look at instead of those the selector names. sense: the sense of the condition or amount that asks.
    A hand is sorted, because its order would tell its owner's cards apart.
    """
    found: list[int] = []
    for seat in seats_of(g, cards.of, ctx) if of is None else of:
        there = _there(g, cards, seat, ctx, sense)
        found.extend(sorted(there, key=lambda card: (card & DEFN_MASK, card)) if cards.zone == "hand" else there)
    return found


def _there(g: Reader, cards: v.Cards, seat: int, ctx: Ctx, sense: Sense) -> list[int]:
    """Return the cards of one seat that a selector means, in the order in which they lie."""
    zone: str = cards.zone
    if ctx.lying and zone in _AS_IT_LIES:
        zone = _AS_IT_LIES[zone]
    if zone == "hand":
        there = g.state.seats[seat].hand
        if cards.asked is not None:
            fitting = _fitting(g, cards)
            there = [card for card in there if card & DEFN_MASK in fitting]
    else:
        there = _lying(g, seat, zone, None if cards.asked is None else _fitting(g, cards))
    if cards.worth is not None:
        there = [card for card in there if value_of(g, seat, card) >= cards.worth]
    if sense == HARM and cards.means_identities:
        there = suffered(g, seat, there)
    return there if cards.this is None else [card for card in there if (card == ctx.card) == cards.this]


@cached_by_gear
def _lying(g: Reader, seat: int, zone: str, fitting: frozenset[int] | None) -> list[int]:
    """Return the cards of these definitions (None: of any) in a zone in front of a seat."""
    there = _zone(g, zone, seat)
    return there if fitting is None else [card for card in there if card & DEFN_MASK in fitting]


def _zone(g: Reader, zone: str, seat: int) -> list[int]:
    player, cards = g.state.seats[seat], g.cat.cards
    if zone == "curses":
        return [lasting.card for lasting in player.lasting if lasting.card]
    if zone == "play":
        return [entry.card for entry in player.table]
    if zone == "identities":
        return [entry.card for entry in player.table if cards[entry.card & DEFN_MASK].kind == "identity"]
    if zone == "items":
        return [entry.card for entry in player.table if cards[entry.card & DEFN_MASK].is_item]
    there = [(entry, cards[entry.card & DEFN_MASK]) for entry in player.table]
    items = [(entry, definition) for entry, definition in there if definition.is_item]
    if zone in ("upright", "sideways"):
        upright = zone == "upright"
        return [entry.card for entry, one in items if (entry.up and not one.card.one_shot) == upright]
    return [
        entry.card for entry, definition in items if equipped(g, seat, entry, definition) == (zone == "equipped")
    ]  # fmt: skip


_AS_IT_LIES = {"equipped": "upright", "carried": "sideways"}
"""Zones of Items, and their meaning while the rules decide whether an Item may be used."""


# ---------------------------------------------------------------------------------------------------------- equipped
def equipped(g: Reader, seat: int, entry: Placed, definition: Def, ctx: Ctx | None = None) -> bool:
    """Return whether an Item in play is equipped: it lies upright, and its owner may use it now. All other Items are
    only carried (item.carried-equipped, item.not-usable). ctx: the context of the condition that asks, None if none
    asks."""
    if not entry.up or definition.card.one_shot:
        return False
    return definition.free or (ctx is not None and ctx.lying) or usable(g, seat, entry)


def usable(g: Reader, seat: int, entry: Placed) -> bool:
    """Return whether an Item's restrictions, or a Cheat!, let its owner use it now (item.restricted, item.cheat).

    A restriction may ask what is equipped. Then other Items count as they lie, because otherwise two Items could depend
    on each other. """
    card = g.cat.cards[entry.card & DEFN_MASK].card
    if card.only is None and card.unless is None:
        return True
    ctx = Ctx(you=seat, lying=True)
    allowed = card.only is None or holds(g, card.only, ctx, "you")
    if allowed and (card.unless is None or not holds(g, card.unless, ctx, "you", HARM)):
        return True
    return cheated(g, seat, entry.card)


def cheated(g: Reader, seat: int, card: int) -> bool:
    """Return whether a Cheat! is attached to this Item."""
    if not g.reads.traits[seat] & CHEAT:
        return False
    there = [entry.card for entry in g.state.seats[seat].table if entry.on == card]
    return any(g.of(one).kind == "cheat" for one in there)


def value_of(g: Reader, seat: int, card: int) -> int:
    """Return the value of an Item of a seat with the Item Enhancers on it, in Gold Pieces; No Value counts as 0
    (item.no-value, item.enhancer)."""
    cards = g.cat.cards
    total = cards[card & DEFN_MASK].card.value or 0
    for enhancer in enhancers_on(g, seat, card) if g.cat.upgrades else ():
        total += cards[enhancer & DEFN_MASK].card.value or 0
    return total


def enhancers_on(g: Reader, seat: int, card: int) -> list[int]:
    """Return the Item Enhancers on an Item in play in front of a seat."""
    if not g.reads.traits[seat] & UPGRADE:
        return []
    attached = [entry.card for entry in g.state.seats[seat].table if entry.on == card]
    return [enhancer for enhancer in attached if g.of(enhancer).kind == "upgrade"]


def _fitting(g: Reader, cards: v.Cards) -> frozenset[int]:
    """Return the definitions of the kind that a selector asks for, cached in the catalog; all of them if it asks for no
    kind."""
    kind, fitting = cards.asked or (), g.cat.fitting
    if kind not in fitting:
        fitting[kind] = frozenset([definition.no for definition in g.cat.cards if _is_kind(definition, cards)])
    return fitting[kind]


def _is_kind(definition: Def, cards: v.Cards) -> bool:
    printed = definition.card
    return (
        (cards.slot is None or (definition.kind == "item" and definition.slot == cards.slot))
        and (cards.kind is None or definition.kind == cards.kind)
        and (cards.identity is None or printed.identity == cards.identity)
        and (cards.one_shot is None or printed.one_shot == cards.one_shot)
        and (cards.big is None or printed.big == cards.big)
        and (cards.tag is None or cards.tag in printed.tags)
    )
