"""Trades and gifts of Items in play: what they bring each side, which ones a bot offers, and how a bot answers them."""

from collections.abc import Iterator, Sequence

from core.state.actions import Counter, Offer, Terms
from core.state.model import DEFN_MASK, Bargain, Placed
from netcode.bots.gear import CARRIED, KEPT, Gear, one_shot_points
from netcode.bots.memory import Memory
from netcode.bots.points import GOLD
from netcode.bots.reading import Reading
from netcode.bots.tuning import TUNING

_BARGAINS = TUNING.bargains
OFFERED = _BARGAINS.offered
"""The least points that a trade offered by a bot must bring each side, after subtracting the cost of the other side's
gain. A personality shifts it."""
LOOKED = (-3,)
"""The mark in `Memory.tried` that trades were searched in this turn."""


class Trading:
    """One decision about trades. gear: my own."""

    def __init__(self, obs: Reading, memory: Memory, gear: Gear) -> None:
        self.obs, self.memory = obs, memory
        self._gears = {obs.me: gear}
        self._offered = max(_BARGAINS.accepted, OFFERED - memory.leanings.trades)

    def offer(self) -> Offer | None:
        """Return the best trade of one Item for another that both sides gain by, where one of the Items does nothing
        for its owner; None if there is none. Search once in a turn (LOOKED); the same two Items are offered once in a
        game."""
        obs = self.obs
        trades = [
            (row.action.to, row.pick.among) for row in obs.rows(Offer)
            if isinstance(row.action, Offer) and row.action.terms.kind == "trade" and row.pick is not None
        ]  # fmt: skip
        if not trades or any(one.frm == obs.me for one in obs.view.offers):
            return None
        self.memory.tried.add(LOOKED)
        among = trades[0][1]  # the row for each seat lists the same Items
        own = [(one, self._least_lost(one, obs.me)) for one in obs.my_seat.table if one.card in among]
        spare = [one.card for one, _ in own if self._idle(one, obs.me)]
        found = [trade for to, _ in trades for trade in self._gainful(to, own, spare)]
        if not found:
            return None
        _, to, mine, theirs = max(found, key=lambda trade: trade[0])
        self.memory.traded.add((mine, theirs))
        self.memory.waits = 0
        return Offer(to, Terms("trade", gives=(mine,), wants=(theirs,)))

    def _gainful(
        self, to: int, mine: list[tuple[Placed, float]], spare: list[int]
    ) -> Iterator[tuple[float, int, int, int]]:
        """Yield the trades with a seat that both gain by, as (the smaller gain, the seat, my Item, its Item). One of
        the Items is idle (mine: spare), and the pair was not offered before. mine: my Items, with the least that I lose
        with each."""
        me, of = self.obs.me, self.obs.values.of
        theirs = self.obs.items(to, equipped=None if spare else False) if mine else ()
        wanted = [
            one for one in theirs
            if not (card := of[one.card & DEFN_MASK].card).big and (spare or not card.one_shot)
        ]  # fmt: skip
        least_mine, least_theirs = self._least_gains(to) if wanted else (0.0, 0.0)
        if not least_mine:
            return
        least = least_mine + min([lost for _, lost in mine])
        others = [(one, most) for one in wanted if (most := self._most_brought(one, me)) > least]
        for one, lost in mine if others else ():
            worth_it = [(other, self._least_lost(other, to)) for other, most in others if most - lost > least_mine]
            received = self._most_brought(one, to) if worth_it else 0.0
            for other, theirs_lost in worth_it:
                if received - theirs_lost <= least_theirs:
                    continue
                idle = one.card in spare or self._idle(other, to)
                if idle and (one.card, other.card) not in self.memory.traded:
                    mutual = self._mutual_gain(to, one.card, other.card)
                    if mutual > self._offered:
                        yield mutual, to, one.card, other.card

    def _least_lost(self, item: Placed, owner: int) -> float:
        """Return the least that an owner loses by giving up an Item in play."""
        value = self.obs.values.of[item.card & DEFN_MASK]
        if value.card.one_shot:
            return one_shot_points(value) + GOLD * value.gold
        least = KEPT + max(0.0, self.obs.equip_points(item.card, owner)) if item.up else CARRIED
        return least + GOLD * value.gold

    def _most_brought(self, item: Placed, receiver: int) -> float:
        """Return the most that an Item in play can bring somebody who does not have it."""
        value = self.obs.values.of[item.card & DEFN_MASK]
        if value.card.one_shot:
            return one_shot_points(value) + GOLD * value.gold
        return CARRIED + max(0.0, self.obs.equip_points(item.card, receiver)) + GOLD * value.gold

    def _least_gains(self, to: int) -> tuple[float, float]:
        """Return the least that each of us must gain by a trade with this seat so that each gain outweighs the cost of
        the other's (_mutual_gain); 0 if no trade can."""
        theirs, mine = self.obs.rival_weight(to), self.obs.rival_weight(self.obs.me, to)
        left = 1.0 - theirs * mine
        least = self._offered
        return (least * (1.0 + theirs) / left, least * (1.0 + mine) / left) if left > 0 else (0.0, 0.0)

    def _mutual_gain(self, to: int, mine: int, theirs: int) -> float:
        """Return the smaller gain of this trade, after subtracting the cost of the other side's gain."""
        gain = self.gain(self.obs.me, (theirs,), (mine,))
        if gain <= self._offered:
            return gain
        other = self.gain(to, (mine,), (theirs,))
        return min(gain - self.obs.rival_weight(to) * other, other - self.obs.rival_weight(self.obs.me, to) * gain)

    def _idle(self, item: Placed, seat: int) -> bool:
        """Return whether an Item in play does nothing for the seat that has it."""
        if item.up or self.obs.values.of[item.card & DEFN_MASK].card.one_shot:
            return False
        return self._gear(seat).loss_points(item.card) <= _BARGAINS.idle

    def _is_big(self, card: int) -> bool:
        return self.obs.value(card).card.big

    def accepts(self, offer: Bargain) -> bool:
        """Return whether a trade or gift that is offered to me brings more than the other side's gain costs."""
        gain, other = self._gains(offer.frm, offer.gives, offer.wants)
        return gain - self.obs.rival_weight(offer.frm) * max(0.0, other) > _BARGAINS.accepted

    def counter(self, offer: Bargain) -> Counter | None:
        """Return the same trade for only one of the wanted Items, the cheapest for me, if I gain by it."""
        if len(offer.wants) < 2:
            return None
        gear = self._gear(self.obs.me)
        least = min(offer.wants, key=gear.loss_points)
        if self._is_big(least) or any(map(self._is_big, offer.gives)):
            return None
        gain, other = self._gains(offer.frm, offer.gives, (least,))
        if gain - self.obs.rival_weight(offer.frm) * max(0.0, other) <= _BARGAINS.accepted:
            return None
        return Counter(offer=offer.no, terms=Terms(kind="trade", gives=(least,), wants=tuple(offer.gives)))

    def _gains(self, other: int, gets: Sequence[int], gives: Sequence[int]) -> tuple[float, float]:
        return self.gain(self.obs.me, gets, gives), self.gain(other, gives, gets)

    def idle_items(self) -> list[int]:
        """Return my Items in play that are of no use to me and that anybody can carry, the cheapest first."""
        there = self.obs.items(self.obs.me, equipped=False)
        idle = [one.card for one in there if not self._is_big(one.card) and self._idle(one, self.obs.me)]
        return sorted(idle, key=lambda card: self.obs.value(card).gold)

    def gain(self, seat: int, gets: Sequence[int], gives: Sequence[int] = ()) -> float:
        """Return the points that a seat gains when it gets some Items in play and gives others: by their use to it and
        by their price."""
        gear = self._gear(seat)
        points = sum([self._received(gear, card, gives) + self._price(card) for card in gets])
        return points - sum([self._given(gear, card) for card in gives])

    def _price(self, card: int) -> float:
        return GOLD * self.obs.values.of[card & DEFN_MASK].gold

    def _given(self, gear: Gear, card: int) -> float:
        return gear.loss_points(card) + self._price(card)

    def _received(self, gear: Gear, card: int, gives: Sequence[int]) -> float:
        if self.obs.value(card).card.one_shot or not gear.usable(card):
            return gear.loss_points(card)
        gain, displaced = gear.swap(card)
        gain += sum([max(0.0, self.obs.equip_points(one, gear.me)) for one in displaced if one in gives])
        return CARRIED + max(0.0, gain)

    def _gear(self, seat: int) -> Gear:
        if seat not in self._gears:
            self._gears[seat] = Gear(self.obs, seat)
        return self._gears[seat]
