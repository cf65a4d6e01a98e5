"""Too many of something: Big Items, equipped Items, identities, Ranks, Allies; the owner chooses what stays."""

from core.language.schema import Capacity
from core.operations.sales import PRICE, may_gain_by_sale, sell
from core.queries.cache import of_gear
from core.queries.conditions import identities, in_combat
from core.queries.limits import (
    allies,
    big_items,
    can_carry,
    capacity,
    double_for,
    filled,
    keeps_room,
    place_of,
    ranks,
    room_for,
    sellable,
    vehicles_of,
    worn,
    worth,
)  # fmt: skip
from core.queries.modifiers import mods_of
from core.state.events import (
    Flipped,
    LastingArmed,
    LastingBegan,
    LastingEnded,
    LevelChanged,
    Moved,
    Returned,
    SealClosed,
    SealOpened,
    SexChanged,
)  # fmt: skip
from core.state.game import Game, choose, to_discard, to_table
from core.state.model import Excess, Zone
from core.state.reader import Reader, living, placed


@of_gear
def excess_of(g: Reader, seat: int) -> str:
    """What a seat has too much of: a lone card that allows two, identities of a kind, Ranks, a slot, hands, Big Items,
    Vehicles, Allies."""
    player, cards = g.state.seats[seat], g.cat.cards
    kinds: dict[str, int] = {}
    slots: dict[str, int] = {}
    big = followers = vehicles = 0
    changed = any(Capacity in cards[defn].by_type for defn in g.state.seals_open[-1:]) or bool(player.lasting)
    for entry in player.table:
        definition = cards[entry.card & 4095]
        changed = changed or Capacity in definition.by_type
        if definition.card.identity:
            kind = definition.card.identity
            kinds[kind] = kinds.get(kind, 0) + 1
        elif definition.kind == "double" and not identities(g, seat, definition.card.serves or ""):
            return f"lone {definition.card.serves}"
        elif definition.kind == "item":
            big += definition.card.big
            place = place_of(definition)
            vehicles += place == "vehicle"
            if entry.up and place not in ("none", "vehicle"):
                slots[place] = slots.get(place, 0) + (2 if entry.both else definition.hands or 1)
        elif definition.kind == "ally":
            followers += 1
    granted = mods_of(g, seat, Capacity) if changed else []
    for kind, count in kinds.items():
        if kind in g.cat.ranked:
            if ranks(g, seat, kind) > player.level:
                return f"ranks {kind}"
        elif count > room_for(g, seat, kind, granted):
            return f"identity {kind}"
    for place, most in slots.items():  # at most so much; some of it may take no place
        room = room_for(g, seat, place, granted)
        if most > room and filled(g, seat, place) > room:
            return f"slot {place}"
    if followers > 1 and len(allies(g, seat)) > room_for(g, seat, "ally", granted):
        return "allies"
    if vehicles > 1 and len(vehicles_of(g, seat)) > room_for(g, seat, "vehicle", granted):
        return "vehicles"
    return "big" if big > 1 and len(big_items(g, seat)) > room_for(g, seat, "big", granted) else ""


def suspects(g: Game) -> list[int]:
    """The living seats, in turn order, that may have too much of something by what has happened since none had."""
    if g.checked < 0 or g.cat.far:
        return living(g)
    changed: set[int] = set()
    for event in g.events[g.checked :]:
        if type(event) is Moved:
            if event.frm == "table":
                changed.add(event.at)
            if event.to == "table":
                changed.add(event.to_seat)
        elif type(event) in _OF_A_SEAT:
            changed.add(event.seat)  # type: ignore[union-attr]
        elif type(event) in _OF_ALL:
            return living(g)
    return [seat for seat in living(g) if seat in changed] if changed else []


_OF_A_SEAT = frozenset(
    (Flipped, LevelChanged, SexChanged, LastingBegan, LastingArmed, LastingEnded, Returned)
)  # fmt: skip
"""What changes of a seat something that `excess_of` reads, as a card on its table does; each leaves the state dirty."""
_OF_ALL = frozenset((SealOpened, SealClosed))


def keep_what_had_room(g: Game, seat: int) -> None:
    """An Ally that made room is gone: what lay there stays as it lies (self.ally-extra)."""
    table = g.state.seats[seat].table
    for place in ("big", "hands", "head", "armor", "feet"):
        there = big_items(g, seat) if place == "big" else [e.card for e, d in worn(g, seat) if place_of(d) == place]
        for entry in [entry for entry in reversed(table) if entry.card in there]:
            used = len(big_items(g, seat)) if place == "big" else filled(g, seat, place)
            if used > capacity(g, seat, place):
                g.emit(Flipped(seat, entry.card, entry.up, entry.on, both=entry.both, kept=True))


def run_excess(g: Game, f: Excess) -> bool:
    """Put it right, the owner choosing; True while the owner chooses."""
    if g.state.seats[f.seat].dead or (f.step == "keep" and excess_of(g, f.seat) != f.what):
        g.state.stack.pop()
        return False
    what, _, kind = f.what.partition(" ")
    return _REMEDY[what](g, f, kind)


def _lone(g: Game, f: Excess, kind: str) -> bool:
    """With the last identity the card that allows two goes too (self.super-lost)."""
    to_discard(g, double_for(g, f.seat, kind), Zone("table", f.seat), "lost", f.seat)
    return False


def _identity(g: Game, f: Excess, kind: str) -> bool:
    """One of the two goes, at choice (self.super-lost)."""
    there = [entry.card for entry in identities(g, f.seat, kind)]
    over = len(there) - capacity(g, f.seat, kind)
    picks = choose(g, f, f.seat, "give up", there, lo=over, hi=over)
    if picks is None:
        return True
    for card in picks:
        to_discard(g, card, Zone("table", f.seat), "lost", f.seat)
    return False


def _ranks(g: Game, f: Excess, kind: str) -> bool:
    """Powers go, one after the other, until they fit the Level (self.powers-drop)."""
    there = [entry.card for entry in identities(g, f.seat, kind)]
    return _give_up_one(g, f, there)


def _allies(g: Game, f: Excess, kind: str) -> bool:
    """Allies go, one after the other, down to the limit (self.ally-excess); what they carry stays."""
    return _give_up_one(g, f, allies(g, f.seat))


def _vehicles(g: Game, f: Excess, kind: str) -> bool:
    """What nobody may have twice goes, at the owner's choice (item.vehicle)."""
    return _give_up_one(g, f, vehicles_of(g, f.seat))


def _give_up_one(g: Game, f: Excess, there: list[int]) -> bool:
    picks = choose(g, f, f.seat, "give up", there)
    if picks is None:
        return True
    for card in picks:
        to_discard(g, card, Zone("table", f.seat), "lost", f.seat)
    return False


def _slot(g: Game, f: Excess, place: str) -> bool:
    """What no longer fits is turned sideways, one after the other (item.slots-excess)."""
    there = [entry.card for entry, definition in worn(g, f.seat) if place_of(definition) == place]
    if capacity(g, f.seat, place) == 0:
        picks: list[int] | None = there
    else:
        picks = choose(g, f, f.seat, "turn sideways", there)
    if picks is None:
        return True
    for card in picks:
        g.emit(Flipped(f.seat, card, False, kept=keeps_room(g, f.seat, card)))
    return False


def _big(g: Game, f: Excess, kind: str) -> bool:
    return _BIG_STEPS[f.step](g, f)


def _big_keep(g: Game, f: Excess) -> bool:
    """Which Big Items stay is the owner's choice (item.big-excess-choice)."""
    there = big_items(g, f.seat)
    room = capacity(g, f.seat, "big")
    picks = choose(g, f, f.seat, "keep big", there, lo=room, hi=room) if room else []
    if picks is None:
        return True
    f.cards = [card for card in there if card not in picks]
    f.step = "way"
    return False


def _big_way(g: Game, f: Excess) -> bool:
    """Sold in the own turn, outside combat, with 1,000 Gold Pieces to sell; otherwise given away (item.big-excess)."""
    f.cards = [card for card in f.cards if placed(g, f.seat, card) is not None]
    if not f.cards:
        f.step = "keep"
        return False
    options = _saleable(g, f.seat)
    picks: list[int] | None = [1]
    if options and g.state.turn.seat == f.seat and not in_combat(g, f.seat):
        picks = choose(g, f, f.seat, "sell or give", [0, 1], texts=["sell for a level", "give away"])
    if picks is None:
        return True
    f.step = "sell" if picks[0] == 0 else "give"
    return False


def _saleable(g: Reader, seat: int) -> list[int]:
    """Items for a sale of at least 1,000 Gold Pieces that gives a level, or none (item.sell-not-10)."""
    cards = sellable(g, seat)
    enough = sum(worth(g, card) for card in cards) >= PRICE
    return cards if enough and may_gain_by_sale(g, seat) else []


def _big_sell(g: Game, f: Excess) -> bool:
    """The excess goes first, then the dearest Items the owner adds until the price is reached."""
    options = [card for card in _saleable(g, f.seat) if card != f.cards[0]]
    have = worth(g, f.cards[0])
    if have + sum(worth(g, card) for card in options) < PRICE:
        f.step = "give"
        return False
    picks: list[int] | None = []
    if have < PRICE:
        picks = choose(g, f, f.seat, "add to sale", options, hi=len(options))
    if picks is None:
        return True
    total = have + sum(worth(g, card) for card in picks)
    if total < PRICE:
        f.answers = {}
        f.step = "give"
        return False
    sell(g, f.seat, [f.cards[0], *picks], total)
    f.step = "way"
    return False


def _big_give(g: Game, f: Excess) -> bool:
    """To the lowest who can carry it; what nobody can carry is discarded."""
    card = f.cards[0]
    takers = [
        seat for seat in range(len(g.state.seats))
        if seat != f.seat and not g.state.seats[seat].dead and can_carry(g, seat, [card], [])
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
    f.step = "way"
    return False


_REMEDY = {
    "lone": _lone, "identity": _identity, "ranks": _ranks, "allies": _allies, "vehicles": _vehicles, "slot": _slot,
    "big": _big,
}  # fmt: skip
_BIG_STEPS = {"keep": _big_keep, "way": _big_way, "sell": _big_sell, "give": _big_give}
