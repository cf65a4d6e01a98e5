"""What its gear is to a bot: what wearing an Item would bring, what must make room for it, what giving it up costs."""

from core.language.schema import Capacity
from core.state.model import Placed
from core.view import SeatView
from netcode.bots.lazy import Once
from netcode.bots.observation import Sight


class Wardrobe:
    """The gear of one seat. All that is read here hangs on the seat's Level and on what lies before it, so a bot keeps
    it from one decision to the next while these are as they were."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        """Of the decision at which it was opened: read for nothing but its own seat's Level and cards in play."""
        self.me = sight.me
        self.mine = sight.mine
        self.of = sight.worth.of
        self._exchanges: dict[int, tuple[float, list[int]]] = {}
        self._losses: dict[int, float] = {}

    def still(self, mine: SeatView) -> bool:
        """Whether it is what lies before its seat now."""
        was = self.mine
        return mine is was or (mine.table == was.table and mine.level == was.level and mine.seat == was.seat)

    def usable(self, item: int) -> bool:
        """May I wear this Item, as things are?"""
        card = self.of[item & 4095].card
        if card.only is None and card.unless is None:
            return True
        if any(p.on == item and self.of[p.card & 4095].card.kind == "cheat" for p in self.mine.table):
            return True
        allowed = self.sight.holds(card.only, self.me) > 0.4
        return allowed and not (card.unless is not None and self.sight.holds(card.unless, self.me) > 0.6)

    def loss(self, item: int) -> float:
        """Points that giving this Item up costs: what it does for me, not what it says on the tag."""
        found = self._losses.get(item)
        if found is None:
            found = self._losses[item] = self._lost(item)
        return found

    def _lost(self, item: int) -> float:
        value = self.of[item & 4095]
        if value.card.one_shot:
            return 1.0 + 0.45 * max(abs(value.text.named), 3.0)
        if item in self._equipped:
            return 1.0 + max(0.0, self.sight.worn(item, self.me))
        if not self.usable(item):
            return 0.3
        return 0.3 + max(0.0, self.exchange(item)[0])

    def promise(self, item: int) -> float:
        """Points of having this Item in hand."""
        gain = max(0.0, self.exchange(item)[0])
        return self.of[item & 4095].gold * 0.005 + gain * (0.8 if self.usable(item) else 0.25)

    @Once
    def _equipped(self) -> set[int]:
        return {p.card for p in self.mine.table if p.up}

    @Once
    def waiting(self) -> list[tuple[int, list[int]]]:
        """The Items turned sideways that are better than the equipped ones that have to make room for them: these."""
        sideways = [p.card for p in self.sight.items(self.me, up=False) if self.usable(p.card)]
        exchanges = [(item, *self.exchange(item)) for item in sideways]
        return [(item, displaced) for item, gain, displaced in exchanges if gain > 0.4 and displaced]

    def exchange(self, item: int) -> tuple[float, list[int]]:
        """Points gained by wearing this Item, and what has to make room for it."""
        found = self._exchanges.get(item)
        if found is None:
            found = self._exchanges[item] = self._exchanged(item)
        return found

    def _exchanged(self, item: int) -> tuple[float, list[int]]:
        worn, me, of = self.sight.worn, self.me, self.of
        card = of[item & 4095].card
        up = [p for p in self.sight.items(me, up=True) if p.card != item]
        displaced: list[Placed] = []
        if card.slot in ("head", "armor", "feet"):
            displaced = [p for p in up if of[p.card & 4095].card.slot == card.slot]
        elif card.slot in ("1-hand", "2-hands"):
            displaced = self._hands(up, 2 if card.slot == "2-hands" else 1)
        if card.big and not any(p.card == item for p in self.mine.table):
            displaced += [p for p in self.sight.items(me) if self._other_big(p, displaced)]
        gain = worn(item, me) - sum(max(0.0, worn(p.card, me)) for p in displaced)
        return gain, [p.card for p in displaced if p.up]

    def _other_big(self, placed: Placed, displaced: list[Placed]) -> bool:
        mods = [mod for p in self.mine.table for mod in self.of[p.card & 4095].card.mods]
        if any(isinstance(mod, Capacity) and mod.what == "big" for mod in mods):
            return False
        return self.of[placed.card & 4095].card.big and placed not in displaced

    def _hands(self, up: list[Placed], need: int) -> list[Placed]:
        """The least useful things held that must go for `need` hands."""
        held = [(p, 2 if self.of[p.card & 4095].card.slot == "2-hands" else 1) for p in up if self._held(p)]
        free = 2 - sum(hands for _, hands in held)
        out: list[Placed] = []
        for placed, hands in sorted(held, key=lambda pair: self.sight.worn(pair[0].card, self.me)):
            if free >= need:
                break
            out.append(placed)
            free += hands
        return out

    def _held(self, placed: Placed) -> bool:
        if self.of[placed.card & 4095].card.slot not in ("1-hand", "2-hands"):
            return False
        return placed.card not in [p.on for p in self.mine.table]
