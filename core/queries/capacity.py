"""How much a player may have: slots, hands, Big Items, identities, cards in hand, and what a card is worth."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.language import schema as v
from core.language.definition import Def
from core.language.traits import DOUBLE, HAND_ROOM
from core.queries.cache import cached_by_gear
from core.queries.conditions import cheated, equipped, laying_out, usable, value_of
from core.queries.identities import identities
from core.queries.modifiers import mods_of
from core.state.model import DEFN_MASK, Placed
from core.state.reader import Reader, seat_with_card
from core.state.refusals import Clause

BASE = {"head": 1, "armor": 1, "feet": 1, "hands": 2, "big": 1, "hand": 5, "vehicle": 1, "ally": 1}
"""How many of each thing the rules allow; cards may grant more or fewer."""


@cached_by_gear
def capacity(g: Reader, seat: int, what: str) -> int:
    """Return how many (hands, Big Items, Classes, ...) a seat may have: by the rules, and by what cards grant."""
    return room_for(g, seat, what, mods_of(g, seat, v.Capacity))


def room_for(g: Reader, seat: int, what: str, granted: list[tuple[v.Capacity, int, Def]]) -> int:
    """Return `capacity` for a caller that already has the seat's modifiers of capacity (granted)."""
    base = BASE.get(what)
    if base is None:
        base = g.cat.limits.get(what, 0) + (1 if double_for(g, seat, what) else 0)
    if not granted:
        return base
    for mod, _, _ in granted:
        if mod.what == what:
            base += mod.by
    return base if base > 0 else 0


def double_for(g: Reader, seat: int, kind: str) -> int:
    """Return the card in front of a seat that allows two identities of a kind, 0 if there is none."""
    for entry in g.state.seats[seat].table if g.reads.traits[seat] & DOUBLE else ():
        definition = g.cat.cards[entry.card & DEFN_MASK]
        if definition.kind == "double" and definition.card.serves == kind:
            return entry.card
    return 0


def exempt(g: Reader, seat: int, entry: Placed) -> bool:
    """Return whether an Item takes no place: cheated, carried by a Hireling, or kept after the Ally that made room for
    it left (item.cheat-slot, self.hireling-carry, self.ally-extra)."""
    return entry.on != 0 or entry.kept or cheated(g, seat, entry.card)


def keeps_room(g: Reader, seat: int, card: int) -> bool:
    """Return whether a Big Item stays without room, equipped or carried (self.ally-extra)."""
    return any(e.card == card and e.kept and counts_as_big(g.of(card)) for e in g.state.seats[seat].table)


@cached_by_gear
def worn(g: Reader, seat: int) -> list[tuple[Placed, Def]]:
    """Return the equipped Items that take a place."""
    out, cards = [], g.cat.cards
    for entry in g.state.seats[seat].table:
        definition = cards[entry.card & DEFN_MASK]
        if definition.gear and equipped(g, seat, entry, definition) and not exempt(g, seat, entry):
            out.append((entry, definition))
    return out


@cached_by_gear
def filled(g: Reader, seat: int, place: str) -> int:
    """Return how many Items a place holds, or how many hands are taken."""
    if place == "hands":
        two = 2 if mods_of(g, seat, v.TwoHanded) else 1
        return sum(two if entry.both else definition.hands for entry, definition in worn(g, seat))
    return sum(1 for _, definition in worn(g, seat) if definition.slot == place)


def slot_free(g: Reader, seat: int, definition: Def, hands: int = 0, freed: int = 0) -> bool:
    """Return whether there is room to equip an Item of this kind (item.slots).

    hands: the hands it would take, if not the printed number. freed: the hands it takes already.
    """
    place = definition.place
    if place in ("none", "vehicle"):
        return True
    return filled(g, seat, place) - freed + (hands or definition.hands or 1) <= capacity(g, seat, place)


@cached_by_gear
def big_items(g: Reader, seat: int) -> list[int]:
    """Return the Big Items that count against the limit."""
    return [
        entry.card
        for entry in g.state.seats[seat].table
        if counts_as_big(g.of(entry.card)) and not exempt(g, seat, entry)
    ]


def counts_as_big(definition: Def) -> bool:
    """Return whether a card counts against the limit of Big Items; Vehicles have their own limit (item.vehicle)."""
    return definition.card.big and definition.kind == "item" and definition.slot != "vehicle"


@cached_by_gear
def vehicles_of(g: Reader, seat: int) -> list[int]:
    """Return the Vehicles that count against the limit."""
    return [
        entry.card
        for entry in g.state.seats[seat].table
        if g.of(entry.card).slot == "vehicle" and not cheated(g, seat, entry.card)
    ]


def allies(g: Reader, seat: int) -> list[int]:
    """Return the Allies that count against the limit (self.ally-limit)."""
    cards = g.cat.cards
    return [
        entry.card for entry in g.state.seats[seat].table
        if (definition := cards[entry.card & DEFN_MASK]).kind == "ally" and not definition.card.free
    ]  # fmt: skip


def ranks(g: Reader, seat: int, kind: str) -> int:
    """Return the sum of the Ranks of the identities of a ranked kind (self.powers-rank)."""
    return sum(g.of(entry.card).card.rank or 0 for entry in identities(g, seat, kind))


def can_carry(g: Reader, seat: int, coming: list[int], going: list[int]) -> bool:
    """Return whether a seat may have these Items after it gets `coming` and gives `going` (item.big-one, item.vehicle,
    item.receive-limit)."""
    cards = g.cat.cards
    limited = [card for card in coming if not cards[card & DEFN_MASK].small]
    if not limited:
        return True
    return _room(g, seat, "big", [card for card in limited if counts_as_big(g.of(card))], going) and _room(
        g, seat, "vehicle", [card for card in limited if g.of(card).slot == "vehicle"], going
    )


def _room(g: Reader, seat: int, what: str, coming: list[int], going: list[int]) -> bool:
    if not coming:
        return True
    there = big_items(g, seat) if what == "big" else vehicles_of(g, seat)
    left = [card for card in there if card not in going]
    return len(left) + len(coming) <= capacity(g, seat, what)


def exchanges(g: Reader, ones: list[int], others: list[int]) -> Iterator[tuple[int, int]]:
    """Yield all pairs of these Items in play that their owners could exchange: two players, each of whom may have the
    other Item in place of their own (item.swap). There are none while first cards lie unseen (setup.order)."""
    owner = {card: seat_with_card(g, card) for card in (*ones, *others)}
    for one in ones if not laying_out(g) else ():
        for other in others:
            fits = owner[one] != owner[other] and can_carry(g, owner[one], [other], [one])
            if fits and can_carry(g, owner[other], [one], [other]):
                yield one, other


def hand_limit(g: Reader, seat: int) -> int:
    """Return how many cards a seat may hold at the end of its turn (cards.hand-limit)."""
    return capacity(g, seat, "hand") if g.reads.traits[seat] & HAND_ROOM else BASE["hand"]


class Ranked(Protocol):
    """A seat, or what is seen of it."""

    level: int
    dead: bool


def lowest_others(seats: Sequence[Ranked], giver: int) -> list[int]:
    """Return the living seats of lowest Level in turn order from the giver, none if the giver is one of them
    (turn.charity-lowest, turn.charity-dead)."""
    low = min(seat.level for seat in seats if not seat.dead)
    if seats[giver].level == low:
        return []
    n = len(seats)
    return [seat for i in range(1, n) if seats[seat := (giver + i) % n].level == low and not seats[seat].dead]


def equip_clause(g: Reader, seat: int, entry: Placed, carrier: int, both: bool = False) -> Clause | None:
    """Return the clause that forbids equipping an Item in play. carrier: the Hireling or Ally to carry it (0: none).
    both: use it with both hands."""
    definition = g.cat.cards[entry.card & DEFN_MASK]
    if not definition.gear:
        return "item.carried-equipped"
    if not (definition.free or usable(g, seat, entry)):
        return "item.restricted"
    if carrier:
        return carrier_clause(g, seat, entry, carrier)
    if both:
        if definition.hands != 1 or not mods_of(g, seat, v.TwoHanded):
            return "identity.militia"
        freed = 1 if entry.up and not exempt(g, seat, entry) else 0
        free = cheated(g, seat, entry.card) or slot_free(g, seat, definition, 2, freed)
        return None if free else "item.slots"
    if entry.both and entry.up:
        return None
    if cheated(g, seat, entry.card) or slot_free(g, seat, definition):
        return None
    return "item.slots"


def carrier_clause(g: Reader, seat: int, entry: Placed, carrier: int) -> Clause | None:
    """Return the clause that forbids this carrier to carry the Item: a Hireling carries one Item of any kind
    (self.hireling-carry), an Ally only Items that say so (self.ally-items)."""
    table = g.state.seats[seat].table
    there = carrier in [other.card for other in table]
    if there and g.of(carrier).kind == "ally":
        return None if g.of(entry.card).card.for_ally else "self.ally-items"
    if carrier in [other.on for other in table]:
        return "self.hireling-carry"
    return None if there and g.of(carrier).kind == "hireling" else "self.hireling-carry"


def identity_clause(g: Reader, seat: int, definition: Def) -> Clause | None:
    """Return the clause that forbids putting an identity (or the card that allows two) into play."""
    if definition.kind == "double":
        kind = definition.card.serves or ""
        if double_for(g, seat, kind):
            return "self.super-once"
        return None if identities(g, seat, kind) else "self.super-needs-one"
    kind = definition.card.identity or ""
    there = identities(g, seat, kind)
    clause = f"self.{kind}-one"
    if definition.ident in [g.of(entry.card).ident for entry in there]:
        return "self.powers-swap" if kind in g.cat.ranked else clause
    if kind in g.cat.ranked:
        fits = ranks(g, seat, kind) + (definition.card.rank or 0) <= g.state.seats[seat].level
        return None if fits else "self.powers-rank"
    return None if len(there) < capacity(g, seat, kind) else clause


def ally_clause(g: Reader, seat: int, definition: Def) -> Clause | None:
    """Return the clause that forbids one more Ally (self.ally-limit)."""
    if definition.card.free or len(allies(g, seat)) < capacity(g, seat, "ally"):
        return None
    return "self.ally-limit"


@cached_by_gear
def limit_clause(g: Reader, seat: int, defn: int) -> Clause | None:
    """Return the clause that leaves a seat no room for one more identity, Ally or Item of this definition."""
    definition = g.cat.cards[defn]
    if definition.kind == "ally":
        return ally_clause(g, seat, definition)
    if definition.kind != "item":
        return identity_clause(g, seat, definition)
    if can_carry(g, seat, [defn], []):
        return None
    return "item.vehicle" if definition.slot == "vehicle" else "item.big-one"


def worth(g: Reader, card: int) -> int:
    """Return the value of an Item, in play or not, and of the Item Enhancers on it, in Gold Pieces."""
    return value_of(g, max(0, seat_with_card(g, card)) if g.cat.upgrades else 0, card)


def sellable(g: Reader, seat: int) -> list[int]:
    """Return the Items that a seat could sell, from its table and its hand (item.sell)."""
    player, cards = g.state.seats[seat], g.cat.cards
    there = [entry.card for entry in player.table if cards[entry.card & DEFN_MASK].is_item]
    return there + [card for card in player.hand if cards[card & DEFN_MASK].is_item]
