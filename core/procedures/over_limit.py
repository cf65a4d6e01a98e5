"""Too many of something: Big Items, equipped Items, identities, Ranks, Allies; the owner chooses what stays.

The checkpoint looks for a surplus and lets its owner get rid of it. What is done about each kind (`_REMEDIES`, at the
end of the file):

    lone: a card that allows two identities is lost with the last of them (self.super-lost)
    identity: the owner discards identities of choice (self.super-lost)
    ranks: the owner discards ranked identities until they fit the Level (self.powers-drop)
    allies: the owner discards Allies (self.ally-excess)
    vehicles: the owner discards Vehicles (item.vehicle)
    slot: equipped Items are turned sideways (item.slots-excess)
    big: Big Items are sold or given away (item.big-excess)

The steps for Big Items, in order (`_BIG_STEPS`):

    keep: the owner chooses which Big Items stay (item.big-excess-choice)
    next: which of the others goes next
    way: sell it, or give it away (item.big-excess)
    sell: with other Items of the owner's choice
    twice: which of them count twice, if the owner's cards allow it; then the sale, if it reaches the price of a Level
    give: to the player with the lowest Level who can carry it
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, cast

from msgspec import Struct

from core.language.schema import Capacity
from core.language.traits import NARROWS
from core.operations.sales import PRICE, doublings_left, may_gain_by_sale, most_by_sale, sale_total, sell
from core.queries.cache import cached_by_gear
from core.queries.capacity import (
    BASE,
    allies,
    big_items,
    can_carry,
    capacity,
    double_for,
    filled,
    keeps_room,
    ranks,
    room_for,
    sellable,
    vehicles_of,
    worn,
    worth,
)  # fmt: skip
from core.queries.conditions import in_combat
from core.queries.identities import identities
from core.queries.modifiers import barred, forbidden, mods_of
from core.state.events import Flipped
from core.state.game import Game, choose, to_discard, to_table
from core.state.model import DEFN_MASK, Excess, Zone
from core.state.reader import Reader, placed

SurplusKind = Literal["lone", "identity", "ranks", "allies", "vehicles", "slot", "big"]


class Surplus(NamedTuple):
    """Something a seat has too much of.

    which: the kind of identity for lone, identity and ranks, the place for slot, "" for the others.
    """

    of: SurplusKind
    which: str = ""

    @property
    def text(self) -> str:
        """The surplus as `Excess.what` holds it in the state."""
        return f"{self.of} {self.which}" if self.which else self.of


def surplus_in(text: str) -> Surplus:
    """Return the surplus that `Surplus.text` wrote."""
    of, _, which = text.partition(" ")
    return Surplus(cast(SurplusKind, of), which)


# ------------------------------------------------------------------------------------------------ looking for a surplus
@cached_by_gear
def excess_of(g: Reader, seat: int) -> Surplus | None:
    """Return the first thing a seat has too much of; None if there is nothing."""
    have = _count(g, seat)
    if have.lone:
        return Surplus("lone", have.lone)
    if not g.reads.traits[seat] & NARROWS and _is_usual(g, have):
        return None
    granted = mods_of(g, seat, Capacity)
    for kind, count in have.identities.items():
        if kind in g.cat.ranked:
            if ranks(g, seat, kind) > g.state.seats[seat].level:
                return Surplus("ranks", kind)
        elif count > room_for(g, seat, kind, granted):
            return Surplus("identity", kind)
    for place, most in have.places.items():
        room = room_for(g, seat, place, granted)
        if most > room and filled(g, seat, place) > room:
            return Surplus("slot", place)
    if have.allies > 1 and len(allies(g, seat)) > room_for(g, seat, "ally", granted):
        return Surplus("allies")
    if have.vehicles > 1 and len(vehicles_of(g, seat)) > room_for(g, seat, "vehicle", granted):
        return Surplus("vehicles")
    if have.big > 1 and len(big_items(g, seat)) > room_for(g, seat, "big", granted):
        return Surplus("big")
    return None


class _Count(Struct):
    """A rough count of what is in play in front of a seat; some of the Items counted may take no room.

    lone: a kind of identity of which the seat has only the card that allows two ("": no such kind). places: the most
    that equipped Items can take of each place. Every limit of the other counts is at least one.
    """

    lone: str = ""
    identities: dict[str, int] = {}
    places: dict[str, int] = {}
    big: int = 0
    vehicles: int = 0
    allies: int = 0


def _count(g: Reader, seat: int) -> _Count:
    player, cards = g.state.seats[seat], g.cat.cards
    lone, big, vehicles, allies = "", 0, 0, 0
    held: dict[str, int] = {}
    places: dict[str, int] = {}
    for entry in player.table:
        definition = cards[entry.card & DEFN_MASK]
        kind = definition.kind
        if kind == "identity":
            which = definition.card.identity or ""
            held[which] = held.get(which, 0) + 1
        elif kind == "double":
            served = definition.card.serves or ""
            if not lone and not identities(g, seat, served):
                lone = served
        elif kind == "item":
            place = definition.place
            if not definition.small:
                big += definition.card.big
                vehicles += place == "vehicle"
            if entry.up and place not in ("none", "vehicle"):
                places[place] = places.get(place, 0) + (2 if entry.both else definition.hands or 1)
        elif kind == "ally":
            allies += 1
    return _Count(lone, held, places, big, vehicles, allies)


def _is_usual(g: Reader, have: _Count) -> bool:
    """Return whether the rules alone, without room granted by cards, give room for all of this."""
    if have.big > 1 or have.vehicles > 1 or have.allies > 1:
        return False
    for kind, count in have.identities.items():
        if kind in g.cat.ranked or count > g.cat.limits.get(kind, 0):
            return False
    for place, most in have.places.items():  # noqa: SIM110  (a generator costs several times as much)
        if most > BASE[place]:
            return False
    return True


def keep_what_had_room(g: Game, seat: int) -> None:
    """Let Items stay, equipped or carried, although the Ally that made room for them is gone (self.ally-extra)."""
    table = g.state.seats[seat].table
    for place in ("big", "hands", "head", "armor", "feet"):
        there = big_items(g, seat) if place == "big" else [e.card for e, d in worn(g, seat) if d.place == place]
        for entry in [entry for entry in reversed(table) if entry.card in there]:
            used = len(big_items(g, seat)) if place == "big" else filled(g, seat, place)
            if used > capacity(g, seat, place):
                g.emit(Flipped(seat, entry.card, entry.up, entry.on, both=entry.both, kept=True))


# ------------------------------------------------------------------------------------------------------ putting right
def run_excess(g: Game, f: Excess) -> bool:
    """Run one step of getting rid of a surplus; return True while the owner chooses."""
    surplus = surplus_in(f.what)
    if g.state.seats[f.seat].dead or (f.step == "keep" and excess_of(g, f.seat) != surplus):
        g.state.stack.pop()
        return False
    return _REMEDIES[surplus.of](g, f, surplus.which)


def _lone(g: Game, f: Excess, kind: str) -> bool:
    """Discard the card that allows two identities, because the last one is gone (self.super-lost)."""
    return _lose(g, f, [double_for(g, f.seat, kind)])


def _identity(g: Game, f: Excess, kind: str) -> bool:
    """The owner chooses which of two identities to discard (self.super-lost)."""
    there = [entry.card for entry in identities(g, f.seat, kind)]
    over = len(there) - capacity(g, f.seat, kind)
    return _lose(g, f, choose(g, f, f.seat, "give up", there, lo=over, hi=over))


def _ranks(g: Game, f: Excess, kind: str) -> bool:
    """The owner discards Powers one by one until they fit the Level (self.powers-drop)."""
    return _lose_one(g, f, [entry.card for entry in identities(g, f.seat, kind)])


def _allies(g: Game, f: Excess, which: str) -> bool:
    """The owner discards Allies one by one down to the limit; what they carry stays (self.ally-excess)."""
    return _lose_one(g, f, allies(g, f.seat))


def _vehicles(g: Game, f: Excess, which: str) -> bool:
    """The owner chooses which Vehicle to discard (item.vehicle)."""
    return _lose_one(g, f, vehicles_of(g, f.seat))


def _lose_one(g: Game, f: Excess, there: list[int]) -> bool:
    return _lose(g, f, choose(g, f, f.seat, "give up", there))


def _lose(g: Game, f: Excess, cards: list[int] | None) -> bool:
    """Discard these cards from the owner's table. None: they are not chosen yet; return True then."""
    for card in cards or ():
        to_discard(g, card, Zone("table", f.seat), "lost", f.seat)
    return cards is None


def _slot(g: Game, f: Excess, place: str) -> bool:
    """The owner turns Items that no longer fit sideways, one by one (item.slots-excess)."""
    there = [entry.card for entry, definition in worn(g, f.seat) if definition.place == place]
    if capacity(g, f.seat, place) == 0:
        picks: list[int] | None = there
    else:
        picks = choose(g, f, f.seat, "turn sideways", there)
    if picks is None:
        return True
    for card in picks:
        g.emit(Flipped(f.seat, card, False, kept=keeps_room(g, f.seat, card)))
    return False


# ---------------------------------------------------------------------------------------------------------- Big Items
def _big(g: Game, f: Excess, which: str) -> bool:
    """The owner sells or gives away the Big Items over the limit (item.big-excess)."""
    return _BIG_STEPS[f.step](g, f)


def _big_keep(g: Game, f: Excess) -> bool:
    """The owner chooses which Big Items stay (item.big-excess-choice)."""
    there = big_items(g, f.seat)
    room = capacity(g, f.seat, "big")
    picks = choose(g, f, f.seat, "keep big", there, lo=room, hi=room) if room else []
    if picks is None:
        return True
    f.cards = [card for card in there if card not in picks]
    f.step = "next"
    return False


def _big_next(g: Game, f: Excess) -> bool:
    """The owner chooses which Big Item goes next. The order matters: a player who takes one may have no room for
    another (item.big-excess-choice)."""
    f.cards = [card for card in f.cards if placed(g, f.seat, card) is not None]
    if not f.cards:
        f.step = "keep"
        return False
    picks = choose(g, f, f.seat, "goes next", f.cards[:])
    if picks is None:
        return True
    f.cards = [*picks, *(card for card in f.cards if card not in picks)]
    f.step = "way"
    return False


def _big_way(g: Game, f: Excess) -> bool:
    """An owner with enough Items may sell in its own turn, outside combat; any other gives away (item.big-excess)."""
    if placed(g, f.seat, f.cards[0]) is None:
        f.step = "next"
        return False
    picks: list[int] | None = [1]
    if _may_sell(g, f.seat):
        picks = choose(g, f, f.seat, "sell or give", [0, 1], texts=["sell for a level", "give away"])
    if picks is None:
        return True
    f.step = "sell" if picks[0] == 0 else "give"
    return False


def _may_sell(g: Reader, seat: int) -> bool:
    """Return whether the owner of a surplus may sell: in its own turn, outside combat, with Items worth a Level, unless
    a card forbids it or the owner may gain no Level by a sale (item.big-excess, item.sell-not-10)."""
    if g.state.turn.seat != seat or in_combat(g, seat) or forbidden(g, "sell", seat):
        return False
    return may_gain_by_sale(g, seat) and most_by_sale(g, seat, sellable(g, seat)) >= PRICE


def _big_sell(g: Game, f: Excess) -> bool:
    """Sell the first Big Item of the surplus with Items that the owner adds, if that can bring a Level; only Items that
    the owner names are sold."""
    first = f.cards[:1]
    options = [card for card in sellable(g, f.seat) if card not in first]
    more = most_by_sale(g, f.seat, first + options) // PRICE > most_by_sale(g, f.seat, first) // PRICE
    picks = choose(g, f, f.seat, "add to sale", options, lo=0, hi=len(options)) if more else []
    if picks is None:
        return True
    f.sale = [f.cards[0], *picks]
    f.step = "twice" if _may_sell(g, f.seat) else "give"
    return False


def _big_twice(g: Game, f: Excess) -> bool:
    """The owner says which Items of the sale count twice, if that can bring a Level. The sale is made if it reaches the
    price of a Level; if not, the Big Item is given away (item.sell-doubled)."""
    options = [card for card in f.sale if worth(g, card)]
    most = min(doublings_left(g, f.seat), len(options))
    more = most_by_sale(g, f.seat, f.sale) // PRICE > sale_total(g, f.sale, ()) // PRICE
    picks = choose(g, f, f.seat, "count twice", options, lo=0, hi=most) if more else []
    if picks is None:
        return True
    if sale_total(g, f.sale, picks) < PRICE:
        f.step = "give"
        return False
    sell(g, f.seat, f.sale, picks)
    f.sale = []
    f.step = "next"
    return False


def _big_give(g: Game, f: Excess) -> bool:
    """Give the first Big Item of the surplus to the player with the lowest Level who can carry it; discard it if nobody
    can, or if a card bars its owner from giving (item.barred)."""
    card = f.cards[0]
    takers = [
        seat for seat in range(len(g.state.seats))
        if seat != f.seat and not g.state.seats[seat].dead and can_carry(g, seat, [card], [])
        and not barred(g, f.seat, seat)
    ]  # fmt: skip
    low = min((g.state.seats[seat].level for seat in takers), default=0)
    takers = [seat for seat in takers if g.state.seats[seat].level == low]
    picks = choose(g, f, f.seat, "give to", takers, card=g.of(card).no)
    if picks is None:
        return True
    if picks:
        to_table(g, card, Zone("table", f.seat), picks[0], "given", up=False)
    else:
        to_discard(g, card, Zone("table", f.seat), "lost", f.seat)
    f.step = "next"
    return False


_REMEDIES: dict[SurplusKind, Callable[[Game, Excess, str], bool]] = {
    "lone": _lone, "identity": _identity, "ranks": _ranks, "allies": _allies, "vehicles": _vehicles, "slot": _slot,
    "big": _big,
}  # fmt: skip
_BIG_STEPS = {
    "keep": _big_keep, "next": _big_next, "way": _big_way, "sell": _big_sell, "twice": _big_twice, "give": _big_give,
}  # fmt: skip
