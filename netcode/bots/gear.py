"""What Items are worth to a bot: the gain of equipping one, the Items that must make room for it, the cost of giving it
up."""

from core.language.drawbacks import HARM
from core.language.schema import Capacity
from core.state.actions import Pick
from core.state.model import DEFN_MASK, Placed
from core.state.views import SeatView
from netcode.bots.card_values import CardValue
from netcode.bots.points import GOLD
from netcode.bots.reading import Reading, lazy_property
from netcode.bots.tuning import TUNING

HANDS: dict[str | None, int] = {"1-hand": 1, "2-hands": 2}
ROOM = {"head": 1, "armor": 1, "feet": 1, "hands": 2, "big": 1, "vehicle": 1, "ally": 1}
"""How many hands, Items and Allies a seat may have; cards grant more. A Vehicle is not Big (item.vehicle)."""
_GEAR = TUNING.gear
CARRIED = _GEAR.carried
"""Points of an Item that is only carried."""
KEPT = _GEAR.kept
"""Points of an Item in use, besides its effects."""
SWAP = _GEAR.swap
"""The least points that a change of Items must bring."""


class Gear:
    """The gear of one seat (-1: my own). It depends only on the seat's Level and its cards in play, so a bot keeps it
    between decisions while these are unchanged (is_current)."""

    def __init__(self, obs: Reading, seat: int = -1) -> None:
        self.obs = obs
        """The reading of the decision that created this: read only for the seat's own Level and cards in play."""
        self.me = seat if seat >= 0 else obs.me
        self.my_seat = obs.view.seats[self.me]
        self.of = obs.values.of
        table = self.my_seat.table
        self._equipped = {p.card for p in table if p.up}
        self._cheated = {p.on for p in table if p.on and self.of[p.card & DEFN_MASK].card.kind == "cheat"}
        """The Items that a Cheat! is on."""
        self._swaps: dict[int, tuple[float, list[int]]] = {}
        self._losses: dict[int, float] = {}
        self.sales: dict[tuple[tuple[int, ...], Pick], tuple[float, list[int]] | None] = {}
        """The cheapest sales found so far (see own_turn)."""

    def is_current(self, my_seat: SeatView) -> bool:
        """Return whether the seat has not changed since this was created."""
        was = self.my_seat
        return my_seat is was or (
            my_seat.table == was.table and my_seat.level == was.level and my_seat.seat == was.seat
        )  # fmt: skip

    def usable(self, item: int) -> bool:
        """Return whether this seat may equip the Item."""
        card = self.of[item & DEFN_MASK].card
        if card.only is None and card.unless is None:
            return True
        if item in self._cheated:
            return True
        if self.obs.likelihood(card.only, self.me) <= _GEAR.usable:
            return False
        return card.unless is None or self.obs.likelihood(card.unless, self.me, sense=HARM) <= _GEAR.barred

    def is_equipped(self, item: int) -> bool:
        """Return whether this Item is equipped."""
        return item in self._equipped

    def loss_points(self, item: int) -> float:
        """Return the points that giving this Item up costs, by its use to this seat and not by its printed value."""
        found = self._losses.get(item)
        if found is None:
            found = self._losses[item] = self._loss_points(item)
        return found

    def _loss_points(self, item: int) -> float:
        value = self.of[item & DEFN_MASK]
        if value.card.one_shot:
            return one_shot_points(value)
        if item in self._equipped:
            return KEPT + max(0.0, self.obs.equip_points(item, self.me))
        if not self.usable(item):
            return CARRIED
        return CARRIED + max(0.0, self.swap(item)[0])

    def hand_points(self, item: int) -> float:
        """Return the points of having this Item in hand."""
        gain = max(0.0, self.swap(item)[0])
        share = _GEAR.in_hand if self.usable(item) else _GEAR.in_hand_unusable
        return self.of[item & DEFN_MASK].gold * GOLD + gain * share

    @lazy_property
    def better_unequipped(self) -> list[tuple[int, list[int]]]:
        """The Items in play that are not equipped although they are better than the equipped ones that must make room,
        with those equipped ones."""
        unequipped = [p.card for p in self.obs.items(self.me, equipped=False) if self.usable(p.card)]
        swaps = [(item, *self.swap(item)) for item in unequipped]
        return [(item, displaced) for item, gain, displaced in swaps if gain > SWAP and displaced]

    def swap(self, item: int) -> tuple[float, list[int]]:
        """Return the points gained by equipping this Item, and the equipped cards that must make room for it."""
        found = self._swaps.get(item)
        if found is None:
            found = self._swaps[item] = self._swap(item)
        return found

    def _swap(self, item: int) -> tuple[float, list[int]]:
        points = self.obs.equip_points(item, self.me)
        if item in self._cheated:  # it takes no place
            return points, []
        card = self.of[item & DEFN_MASK].card
        displaced: list[Placed] = []
        if card.slot in ("head", "armor", "feet"):
            there = [(p, 1) for p, slot, _ in self._worn if slot == card.slot and p.card != item]
            displaced = self._worst(there, self.room(card.slot) - 1) if there else []
        elif card.slot in HANDS:
            held = [(p, hands) for p, _, hands in self._worn if hands and p.card != item]
            displaced = self._worst(held, self.room("hands") - HANDS[card.slot]) if held else []
        limit = self._limit(item)
        if limit and not any(p.card == item for p in self.my_seat.table):
            rest = [p for p in self.obs.items(self.me) if self._limit(p.card) == limit and self._takes_place(p)]
            displaced += self._worst([(p, 1) for p in rest if p not in displaced], self.room(limit) - 1)
        if not displaced:
            return points, []
        gain = points - sum([max(0.0, self._worth(p)) for p in displaced])
        return gain, [p.card for p in displaced if p.up]

    def room(self, what: str) -> int:
        """Return how many Items of a slot, hands, Big Items or Allies this seat may have."""
        return ROOM[what] + self._granted.get(what, 0)

    @lazy_property
    def has_room_for_ally(self) -> bool:
        """Whether this seat may have one more Ally of those that count against the limit."""
        cards = [self.of[placed.card & DEFN_MASK].card for placed in self.my_seat.table]
        return sum(card.kind == "ally" and not card.free for card in cards) < self.room("ally")

    @lazy_property
    def _granted(self) -> dict[str, int]:
        granted: dict[str, int] = {}
        for placed in self.my_seat.table:
            card = self.of[placed.card & DEFN_MASK].card
            for mod in card.mods if placed.up or card.kind != "item" else ():
                if isinstance(mod, Capacity):
                    granted[mod.what] = granted.get(mod.what, 0) + mod.by
        return granted

    def _worst(self, there: list[tuple[Placed, int]], room: int) -> list[Placed]:
        """Return the least useful of these Items, with the places that each takes, so that the others fit."""
        taken = sum([places for _, places in there])
        going: list[Placed] = []
        if taken <= room:
            return going
        if len(there) == 1:
            return [there[0][0]]
        for placed, places in sorted(there, key=lambda pair: self._worth(pair[0])):
            if taken <= room:
                break
            going.append(placed)
            taken -= places
        return going

    def _worth(self, placed: Placed) -> float:
        """Return the points of an Item in play; 0 if its owner no longer has the identity that it needs."""
        return self.obs.equip_points(placed.card, self.me) if self.usable(placed.card) else 0.0

    def _limit(self, item: int) -> str:
        """Return the limit that an Item in play counts against: "big", "vehicle", or "" for any other Item."""
        card = self.of[item & DEFN_MASK].card
        return "vehicle" if card.slot == "vehicle" else "big" if card.big else ""

    def _hands(self, placed: Placed) -> int:
        """Return the hands that an equipped Item takes; for one used with both hands, as many as a card says."""
        return HANDS.get(self.of[placed.card & DEFN_MASK].card.slot, 0) + placed.both

    def _takes_place(self, placed: Placed) -> bool:
        """Return whether an Item takes a place: not if it is carried by another card, kept, or cheated."""
        return not placed.on and not placed.kept and placed.card not in self._cheated

    @lazy_property
    def _worn(self) -> list[tuple[Placed, str | None, int]]:
        """The equipped Items that take a place: each with its slot, and the hands that it takes."""
        worn = [p for p in self.obs.items(self.me, equipped=True) if self._takes_place(p)]
        return [(p, self.of[p.card & DEFN_MASK].card.slot, self._hands(p)) for p in worn]


def one_shot_points(value: CardValue) -> float:
    """Return the points that giving up a one-shot costs."""
    return KEPT + _GEAR.one_shot * max(abs(value.effects.named), _GEAR.one_shot_least)
