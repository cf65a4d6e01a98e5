"""What Items are worth to a bot: what equipping one brings, which must make room for it, what giving it up costs."""

from core.language.schema import Capacity
from core.state.model import DEFN_MASK, Placed
from core.state.views import SeatView
from netcode.bots.reading import Reading, lazy_property

HANDS: dict[str | None, int] = {"1-hand": 1, "2-hands": 2}
ROOM = {"head": 1, "armor": 1, "feet": 1, "hands": 2, "big": 1}
"""How many hands and Items a seat may have; cards grant more."""


CARRIED = 0.3
"""Points of an Item that is only carried."""


class Gear:
    """The gear of one seat (-1: my own). It depends only on the seat's Level and its cards in play, so a bot keeps it
    from one decision to the next while these are unchanged (is_current)."""

    def __init__(self, obs: Reading, seat: int = -1) -> None:
        self.obs = obs
        """The reading of the decision that created this: read only for the seat's own Level and cards in play."""
        self.me = seat if seat >= 0 else obs.me
        self.my_seat = obs.view.seats[self.me]
        self.of = obs.values.of
        self._swaps: dict[int, tuple[float, list[int]]] = {}
        self._losses: dict[int, float] = {}

    def is_current(self, my_seat: SeatView) -> bool:
        """Return whether the seat is as it was when this was created."""
        was = self.my_seat
        return my_seat is was or (
            my_seat.table == was.table and my_seat.level == was.level and my_seat.seat == was.seat
        )  # fmt: skip

    def usable(self, item: int) -> bool:
        """Return whether this seat may equip the Item."""
        card = self.of[item & DEFN_MASK].card
        if card.only is None and card.unless is None:
            return True
        if any(p.on == item and self.of[p.card & DEFN_MASK].card.kind == "cheat" for p in self.my_seat.table):
            return True
        allowed = self.obs.likelihood(card.only, self.me) > 0.4
        return allowed and not (card.unless is not None and self.obs.likelihood(card.unless, self.me) > 0.6)

    def is_equipped(self, item: int) -> bool:
        """Return whether this Item is equipped."""
        return item in self._equipped

    def loss_points(self, item: int) -> float:
        """Return the points that giving this Item up costs: what it does for this seat, not its printed value."""
        found = self._losses.get(item)
        if found is None:
            found = self._losses[item] = self._loss_points(item)
        return found

    def _loss_points(self, item: int) -> float:
        value = self.of[item & DEFN_MASK]
        if value.card.one_shot:
            return 1.0 + 0.45 * max(abs(value.effects.named), 3.0)
        if item in self._equipped:
            return 1.0 + max(0.0, self.obs.equip_points(item, self.me))
        if not self.usable(item):
            return CARRIED
        return CARRIED + max(0.0, self.swap(item)[0])

    def hand_points(self, item: int) -> float:
        """Return the points of having this Item in hand."""
        gain = max(0.0, self.swap(item)[0])
        return self.of[item & DEFN_MASK].gold * 0.005 + gain * (0.8 if self.usable(item) else 0.25)

    @lazy_property
    def _equipped(self) -> set[int]:
        return {p.card for p in self.my_seat.table if p.up}

    @lazy_property
    def better_unequipped(self) -> list[tuple[int, list[int]]]:
        """The Items in play that are not equipped and better than the equipped ones that must make room for them,
        with the latter."""
        unequipped = [p.card for p in self.obs.items(self.me, equipped=False) if self.usable(p.card)]
        swaps = [(item, *self.swap(item)) for item in unequipped]
        return [(item, displaced) for item, gain, displaced in swaps if gain > 0.4 and displaced]

    def swap(self, item: int) -> tuple[float, list[int]]:
        """Return the points gained by equipping this Item, and the equipped cards that must make room for it."""
        found = self._swaps.get(item)
        if found is None:
            found = self._swaps[item] = self._swap(item)
        return found

    def _swap(self, item: int) -> tuple[float, list[int]]:
        equip_points, me, of = self.obs.equip_points, self.me, self.of
        card = of[item & DEFN_MASK].card
        equipped = [p for p in self.obs.items(me, equipped=True) if p.card != item]
        displaced: list[Placed] = []
        if card.slot in ("head", "armor", "feet"):
            there = [(p, 1) for p in equipped if self._takes_place(p) and of[p.card & DEFN_MASK].card.slot == card.slot]
            displaced = self._worst(there, self.room(card.slot) - 1)
        elif card.slot in HANDS:
            held = [(p, self._hands(p)) for p in equipped if self._takes_place(p) and self._hands(p)]
            displaced = self._worst(held, self.room("hands") - HANDS[card.slot])
        if card.big and not any(p.card == item for p in self.my_seat.table):
            big = [(p, 1) for p in self.obs.items(me) if self._is_big(p) and p not in displaced]
            displaced += self._worst(big, self.room("big") - 1)
        gain = equip_points(item, me) - sum(max(0.0, equip_points(p.card, me)) for p in displaced)
        return gain, [p.card for p in displaced if p.up]

    def room(self, what: str) -> int:
        """Return how many hands, or Items of a slot or Big, this seat may have."""
        return ROOM[what] + self._granted.get(what, 0)

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
        for placed, places in sorted(there, key=lambda pair: self.obs.equip_points(pair[0].card, self.me)):
            if taken <= room:
                break
            going.append(placed)
            taken -= places
        return going

    def _is_big(self, placed: Placed) -> bool:
        card = self.of[placed.card & DEFN_MASK].card
        return card.big and card.slot != "vehicle" and self._takes_place(placed)

    def _hands(self, placed: Placed) -> int:
        """Return the hands that an equipped Item takes; one used with both takes as many as a card makes of that."""
        return HANDS.get(self.of[placed.card & DEFN_MASK].card.slot, 0) + placed.both

    def _takes_place(self, placed: Placed) -> bool:
        """Return whether an Item takes a place: not if it is carried by another card, kept, or cheated."""
        if placed.on or placed.kept:
            return False
        on_it = [p.card for p in self.my_seat.table if p.on == placed.card]
        return all(self.of[card & DEFN_MASK].card.kind != "cheat" for card in on_it)
