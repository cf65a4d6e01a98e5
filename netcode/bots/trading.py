"""Trades and gifts of Items in play: what they bring each side, which ones a bot offers, and how it answers."""

from collections.abc import Iterator, Sequence

from core.state.actions import Counter, Legal, Offer, Terms
from core.state.model import Bargain
from netcode.bots.gear import CARRIED, Gear
from netcode.bots.memory import Memory
from netcode.bots.reading import Reading

GOLD = 0.005
"""Points of a Gold Piece: half of what it brings in a sale that is exact."""
ACCEPTED = 0.5
"""Points that a trade must bring, less what the other side's gain costs, to be accepted."""
OFFERED = 1.0
"""The same for both sides of a trade that a bot offers."""
LOOKED = (-3,)
"""What `Memory.tried` holds once a trade was looked for in this turn."""
IDLE = 1.0
"""An Item does nothing for a seat that would lose no more than so many points with it."""


class Trading:
    """One decision about trades. gear: my own."""

    def __init__(self, obs: Reading, memory: Memory, gear: Gear) -> None:
        self.obs, self.memory = obs, memory
        self._gears = {obs.me: gear}

    def offer(self) -> Offer | None:
        """Return the best trade of one Item for one, of which one does nothing for its owner, if both gain by it; None
        if there is none. It is looked for once in a turn, and the same two Items are offered once in a game."""
        obs = self.obs
        rows = [row for row in obs.rows(Offer) if isinstance(row.action, Offer) and row.action.terms.kind == "trade"]
        if not rows or LOOKED in self.memory.tried or any(one.frm == obs.me for one in obs.view.offers):
            return None
        self.memory.tried.add(LOOKED)
        best: tuple[float, int, int, Offer] | None = None
        for row in rows:
            for to, mine, theirs in self._pairs(row):
                mutual = self._mutual_gain(to, mine, theirs)
                if mutual > OFFERED and (best is None or mutual > best[0]):
                    best = (mutual, mine, theirs, Offer(to, Terms("trade", gives=(mine,), wants=(theirs,))))
        if best is None:
            return None
        _, mine, theirs, action = best
        self.memory.traded.add((mine, theirs))
        self.memory.waits = 0
        return action

    def _mutual_gain(self, to: int, mine: int, theirs: int) -> float:
        """Return what the one who gains less by this trade gains, less what the other's gain costs."""
        gain = self.gain(self.obs.me, (theirs,), (mine,))
        if gain <= OFFERED:
            return gain
        other = self.gain(to, (mine,), (theirs,))
        return min(gain - self.obs.rival_weight(to) * other, other - self.obs.rival_weight(self.obs.me, to) * gain)

    def _pairs(self, row: Legal) -> Iterator[tuple[int, int, int]]:
        """Yield (seat, an Item of mine, an Item of that seat) of this row, one of them idle, that was not offered
        before."""
        assert isinstance(row.action, Offer) and row.pick is not None
        to, me = row.action.to, self.obs.me
        theirs = [placed.card for placed in self.obs.items(to) if not self._is_big(placed.card)]
        idle = {card for card in row.pick.among if self._idle(card, me)}
        idle.update(card for card in theirs if self._idle(card, to))
        for mine in row.pick.among if idle else ():
            for other in theirs:
                if (mine in idle or other in idle) and (mine, other) not in self.memory.traded:
                    yield to, mine, other

    def _idle(self, card: int, seat: int) -> bool:
        placed = next((one for one in self.obs.view.seats[seat].table if one.card == card), None)
        if placed is None or placed.up or self.obs.value(card).card.one_shot:
            return False
        return self._gear(seat).loss_points(card) <= IDLE

    def _is_big(self, card: int) -> bool:
        return self.obs.value(card).card.big

    def accepts(self, offer: Bargain) -> bool:
        """Return whether a trade or gift that is offered to me brings more than the other side's gain costs."""
        gain, other = self._gains(offer.frm, offer.gives, offer.wants)
        return gain - self.obs.rival_weight(offer.frm) * max(0.0, other) > ACCEPTED

    def counter(self, offer: Bargain) -> Counter | None:
        """Return the same trade for only one of the Items wanted, the one that costs me least, if I gain by that."""
        if len(offer.wants) < 2:
            return None
        gear = self._gear(self.obs.me)
        least = min(offer.wants, key=gear.loss_points)
        if self._is_big(least) or any(map(self._is_big, offer.gives)):
            return None
        gain, other = self._gains(offer.frm, offer.gives, (least,))
        if gain - self.obs.rival_weight(offer.frm) * max(0.0, other) <= ACCEPTED:
            return None
        return Counter(offer=offer.no, terms=Terms(kind="trade", gives=(least,), wants=tuple(offer.gives)))

    def _gains(self, other: int, gets: Sequence[int], gives: Sequence[int]) -> tuple[float, float]:
        return self.gain(self.obs.me, gets, gives), self.gain(other, gives, gets)

    def idle_items(self) -> list[int]:
        """Return my Items in play that do nothing for me and that anybody can carry, the cheapest first."""
        there = [placed.card for placed in self.obs.items(self.obs.me, equipped=False)]
        idle = [card for card in there if not self._is_big(card) and self._idle(card, self.obs.me)]
        return sorted(idle, key=lambda card: self.obs.value(card).gold)

    def gain(self, seat: int, gets: Sequence[int], gives: Sequence[int] = ()) -> float:
        """Return the points that a seat gains when it gets these Items in play and gives those: what they do for it,
        and what they would sell for."""
        gear = self._gear(seat)
        points = sum(self._received(gear, card, gives) + GOLD * self.obs.value(card).gold for card in gets)
        return points - sum(gear.loss_points(card) + GOLD * self.obs.value(card).gold for card in gives)

    def _received(self, gear: Gear, card: int, gives: Sequence[int]) -> float:
        if self.obs.value(card).card.one_shot or not gear.usable(card):
            return gear.loss_points(card)
        gain, displaced = gear.swap(card)
        gain += sum(max(0.0, self.obs.equip_points(one, gear.me)) for one in displaced if one in gives)
        return CARRIED + max(0.0, gain)

    def _gear(self, seat: int) -> Gear:
        if seat not in self._gears:
            self._gears[seat] = Gear(self.obs, seat)
        return self._gears[seat]
