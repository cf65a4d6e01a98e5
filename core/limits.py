"""How much a player may have: slots, hands, Big Items, identities, cards in hand, and what a card is worth."""

from core import vocab as v
from core.catalog import Def
from core.game import Game, remembered
from core.model import Placed
from core.query import identities
from core.strength import cheated, mods_of, usable

_BASE = {"head": 1, "armor": 1, "feet": 1, "hands": 2, "big": 1, "hand": 5}


@remembered
def capacity(g: Game, seat: int, what: str) -> int:
    """How many (hands, Big Items, Classes, ...) a seat may have: the rule and what cards grant."""
    base = _BASE.get(what)
    if base is None:
        base = g.cat.limits.get(what, 0) + (1 if double_for(g, seat, what) else 0)
    granted = sum(mod.by for mod, _, _ in mods_of(g, seat, v.Capacity) if mod.what == what)
    return max(0, base + granted)


def double_for(g: Game, seat: int, kind: str) -> int:
    """The card in front of a seat that allows two identities of a kind, 0 if none."""
    for entry in g.state.seats[seat].table:
        definition = g.of(entry.card)
        if definition.kind == "double" and definition.card.serves == kind:
            return entry.card
    return 0


def exempt(g: Game, seat: int, entry: Placed) -> bool:
    """Whether an Item takes no place: cheated, or carried by a Hireling (item.cheat-slot, self.hireling-carry)."""
    return entry.on != 0 or cheated(g, seat, entry.card)


@remembered
def worn(g: Game, seat: int) -> list[tuple[Placed, Def]]:
    """The equipped Items that take a place."""
    out = []
    for entry in g.state.seats[seat].table:
        definition = g.of(entry.card)
        if definition.kind == "item" and entry.up and not definition.card.one_shot and not exempt(g, seat, entry):
            out.append((entry, definition))
    return out


def place_of(definition: Def) -> str:
    """The limit an equipped Item counts against: head, armor, feet, hands, or none."""
    return "hands" if definition.hands else definition.slot


@remembered
def filled(g: Game, seat: int, place: str) -> int:
    """How much of a place (or of the hands) is taken."""
    if place == "hands":
        return sum(definition.hands for _, definition in worn(g, seat))
    return sum(1 for _, definition in worn(g, seat) if definition.slot == place)


def slot_free(g: Game, seat: int, definition: Def) -> bool:
    """Whether an Item of this kind could be equipped besides what is (item.slots)."""
    place = place_of(definition)
    if place == "none":
        return True
    return filled(g, seat, place) + (definition.hands or 1) <= capacity(g, seat, place)


@remembered
def big_items(g: Game, seat: int) -> list[int]:
    """The Big Items that count against the limit."""
    return [
        entry.card
        for entry in g.state.seats[seat].table
        if g.of(entry.card).card.big and g.of(entry.card).kind == "item" and not exempt(g, seat, entry)
    ]


def can_carry(g: Game, seat: int, coming: list[int], going: list[int]) -> bool:
    """Whether a seat may have these Items come and those go (item.big-one, item.receive-limit)."""
    coming_big = sum(1 for card in coming if g.of(card).card.big)
    if not coming_big:
        return True
    left = [card for card in big_items(g, seat) if card not in going]
    return len(left) + coming_big <= capacity(g, seat, "big")


def hand_limit(g: Game, seat: int) -> int:
    """Cards a seat may hold at the end of its turn (cards.hand-limit)."""
    return capacity(g, seat, "hand")


def equip_clause(g: Game, seat: int, entry: Placed, carrier: int) -> str:
    """The clause that forbids to equip an Item in play, "" if none does. carrier: the Hireling that shall hold it."""
    definition = g.of(entry.card)
    if definition.kind != "item" or definition.card.one_shot:
        return "item.carried-equipped"
    if not usable(g, seat, entry):
        return "item.restricted"
    if carrier:
        return carrier_clause(g, seat, carrier)
    if cheated(g, seat, entry.card) or slot_free(g, seat, definition):
        return ""
    return "item.slots"


def carrier_clause(g: Game, seat: int, carrier: int) -> str:
    """Whether this card of the seat can carry one more Item: a Hireling carries one (self.hireling-carry)."""
    for entry in g.state.seats[seat].table:
        if entry.on == carrier:
            return "self.hireling-carry"
    for entry in g.state.seats[seat].table:
        if entry.card == carrier and g.of(carrier).kind == "hireling":
            return ""
    return "self.hireling-carry"


def identity_clause(g: Game, seat: int, definition: Def) -> str:
    """The clause that forbids an identity (or the card that allows two) to come into play, "" if none does."""
    if definition.kind == "double":
        kind = definition.card.serves or ""
        if double_for(g, seat, kind):
            return "self.super-once"
        return "" if identities(g, seat, kind) else "self.super-needs-one"
    kind = definition.card.identity or ""
    there = identities(g, seat, kind)
    clause = f"self.{kind}-one"
    if any(g.of(entry.card).ident == definition.ident for entry in there):
        return clause
    return "" if len(there) < capacity(g, seat, kind) else clause


def worth(definition: Def) -> int:
    """Gold Pieces; No Value counts as 0 (item.no-value)."""
    return definition.card.value or 0


def sellable(g: Game, seat: int) -> list[int]:
    """The Items a seat could throw into a sale: from the table and from the hand (item.sell)."""
    player = g.state.seats[seat]
    cards = [entry.card for entry in player.table if g.of(entry.card).is_item]
    return cards + [card for card in player.hand if g.of(card).is_item]
