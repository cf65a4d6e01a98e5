"""A bot's own affairs outside combat: identities, gear, levels, sales, and the phases of its turn."""

from collections import defaultdict

from core.language.schema import TwoHanded
from core.state.actions import (
    Action,
    Discard,
    Done,
    EndTurn,
    Equip,
    Kick,
    Legal,
    Loot,
    Play,
    Sell,
    Trouble,
    Unequip,
    Use,
)
from netcode.bots.card_values import LEVEL
from netcode.bots.gear import Wardrobe
from netcode.bots.lazy import Once
from netcode.bots.levels import Memory, Style
from netcode.bots.observation import Sight
from netcode.bots.picks import cheapest_sum, filled

FREE_ACTS = 24
"""Free actions in one turn after which a bot goes on with it: far more than it ever wants, so that it cannot loop."""
HAND = 5
IN_PLAY = {"identity": 14.0, "double": 12.0, "hireling": 10.0, "ally": 10.0, "cheat": 8.0, "special": 8.0}
"""Points of cards in play that are no Items."""


class Affairs:
    """One decision about one's own cards and phases."""

    def __init__(self, sight: Sight, style: Style, memory: Memory) -> None:
        self.sight = sight
        self.style = style
        self.memory = memory

    @Once
    def wardrobe(self) -> Wardrobe:
        """My gear, as it was read before if it is the same."""
        kept = self.memory.wardrobe
        if kept is None or not kept.still(self.sight.mine):
            kept = self.memory.wardrobe = Wardrobe(self.sight)
        return kept

    def plays(self, purpose: str) -> list[Legal]:
        """The rows that play a card for this purpose, in their order."""
        return self._plays.get(purpose, [])

    @Once
    def _plays(self) -> dict[str, list[Legal]]:
        found: dict[str, list[Legal]] = defaultdict(list)
        of = self.sight.worth.of
        for row in self.sight.rows(Play):
            found[of[row.action.card & 4095].purpose].append(row)  # type: ignore[union-attr]
        return found

    # -------------------------------------------------------------------------------------------- improving
    def improve(self) -> Action | None:
        """The next thing worth doing for oneself, None if there is none."""
        if self.memory.acts >= FREE_ACTS:
            return None
        act = self.level() or self._identity() or self._gear() or self._companions()
        if act is None and self.style.sells:
            act = self._sell()
        if act is None and self.style.abilities:
            act = self._ability()
        if act is not None:
            self.memory.acts += 1
        return act

    def level(self) -> Action | None:
        """Go Up a Level cards and Treasures that simply do their player good."""
        best: tuple[float, Action] | None = None
        for row in self.plays("luck"):
            action = row.action
            assert isinstance(action, Play)
            value = self.sight.value(action.card)
            text = value.text
            mine = text.you + (text.victim if action.seat == self.sight.me else 0.0)
            mine += value.worn if value.card.kind == "special" else 0.0
            if action.seat not in (-1, self.sight.me):
                mine -= text.victim * self.sight.weight(action.seat)
            mine -= text.each * 0.8
            if text.helper and self.sight.fight is not None and self.sight.fight.helper >= 0:
                helper = self.sight.fight.helper
                mine += text.helper if helper == self.sight.me else -text.helper * self.sight.weight(helper)
            if mine > 1.0 and self._new(action) and (best is None or mine > best[0]):
                best = (mine, filled(row, row.pick.among[: row.pick.lo]) if row.pick else action)
        return self._try(best[1]) if best is not None else None

    def _identity(self) -> Action | None:
        """A new Class or Race where there is room, or in the place of a poorer one."""
        me = self.sight.me
        for row in self.plays("self"):
            if self._new(row.action):
                return self._try(row.action)
        if self.sight.view.turn != me or self.sight.view.phase != "start" or self.sight.fight is not None:
            return None
        for row in self.sight.rows(Discard):
            action = row.action
            if isinstance(action, Discard) and self._outdone(action.card) and self._new(action):
                return self._try(action)
        return None

    def _outdone(self, old: int) -> bool:
        """Is there a clearly better identity of the same kind in hand?"""
        kind = self.sight.value(old).card.identity
        if kind is None:
            return False
        new = [card for card in self.sight.you.hand if self.sight.value(card).card.identity == kind]
        return any(self.fit(card) > self.fit(old) + 4.0 for card in new)

    def fit(self, card: int) -> float:
        """Points of an identity for this seat: what it does, and the gear in hand or play that asks for it."""
        data = self.sight.value(card).card
        name = data.name_key or data.id
        out = self.sight.value(card).worn
        for other in (*self.sight.you.hand, *(p.card for p in self.sight.mine.table)):
            gear = self.sight.value(other).card
            if gear.only is not None and gear.only.has == name:
                out += 1.5 * gear.bonus
            if gear.unless is not None and gear.unless.has == name:
                out -= 1.5 * gear.bonus
        return out

    # ------------------------------------------------------------------------------------------------- gear
    def _gear(self) -> Action | None:
        """The better Item in each slot: play or equip it, first turning sideways what it displaces."""
        best: tuple[float, Action, list[int]] | None = None
        for row in (*self.plays("item"), *self.sight.rows(Equip)):
            action = row.action
            if not isinstance(action, (Play, Equip)) or not self._wearable(action):
                continue
            gain, displaced = self.wardrobe.exchange(action.card)
            if isinstance(action, Equip) and action.both:
                gain = self._both(action.card, gain)
            if gain > 0.4 and (best is None or gain > best[0]):
                best = (gain, action, displaced)
        if best is None:
            return self._exchange_first()
        gain, action, displaced = best
        self.memory.flipped.add(action.card)  # type: ignore[union-attr]
        return self._clear(displaced) or action

    def _both(self, item: int, gain: float) -> float:
        """Points gained by using a one-hand Item with both hands, which must be free."""
        mods = [mod for p in self.sight.mine.table for mod in self.sight.value(p.card).card.mods]
        more = 2.2 * max((mod.by for mod in mods if isinstance(mod, TwoHanded)), default=0)
        return more + (0.0 if any(p.card == item and p.up for p in self.sight.mine.table) else gain)

    def _exchange_first(self) -> Action | None:
        """Nothing can be equipped as things are: turn a poorer Item sideways if a better one waits for its place."""
        rows, flipped = self.sight.rows(Unequip), self.memory.flipped
        if not rows or not self.wardrobe.waiting:
            return None
        able = {row.action.card for row in rows if isinstance(row.action, Unequip)} - flipped
        for item, displaced in self.wardrobe.waiting:
            wanted = [card for card in displaced if card in able]
            if wanted and item not in flipped:
                return self._clear(wanted)
        return None

    def _wearable(self, action: Play | Equip) -> bool:
        card = self.sight.value(action.card).card
        if card.kind != "item" or card.one_shot or action.card in self.memory.flipped:
            return False
        if isinstance(action, Equip) and action.carrier:
            return False
        return self.wardrobe.usable(action.card)

    def _clear(self, displaced: list[int]) -> Action | None:
        """Turn the first of these sideways, if that may be done."""
        for row in self.sight.rows(Unequip):
            action = row.action
            if isinstance(action, Unequip) and action.card in displaced and action.card not in self.memory.flipped:
                self.memory.flipped.add(action.card)
                return action
        return None

    def _companions(self) -> Action | None:
        """Hirelings and Allies come into play; Cheat! goes to the Item it helps most, an Enhancer to the best worn."""
        me = self.sight.me
        best: tuple[float, Action] | None = None
        for row in self.plays("company"):
            action = row.action
            assert isinstance(action, Play)
            kind = self.sight.value(action.card).card.kind
            gain = 0.0
            if kind in ("hireling", "ally"):
                gain = 5.0 + 0.1 * self.sight.power(action.card, me)
            elif kind == "cheat" and action.target:
                up = any(p.card == action.target and p.up for p in self.sight.mine.table)
                gain = -1.0 if up else self.sight.worn(action.target, self.sight.me) - 3.0
            elif kind == "upgrade" and any(p.card == action.target and p.up for p in self.sight.mine.table):
                gain = self.sight.worn(action.card, me) + 0.1 * self.sight.worn(action.target, me)
            if gain > 0 and self._new(action) and (best is None or gain > best[0]):
                best = (gain, action)
        return self._try(best[1]) if best is not None else None

    # -------------------------------------------------------------------------------------- sales, abilities
    def _sell(self) -> Action | None:
        """Items that serve no purpose, when together they make a level."""
        best: tuple[float, Action] | None = None
        for row in self.sight.rows(Sell):
            chosen = cheapest_sum(row, self.wardrobe.loss)
            if chosen is not None:
                price = sum([self.wardrobe.loss(card) for card in chosen])
                if price < self.style.sale and (best is None or price < best[0]):
                    best = (price, filled(row, chosen))
        return best[1] if best is not None else None

    def _ability(self) -> Action | None:
        """Abilities outside combat that bring more than they cost."""
        if self.sight.fight is not None:
            return None
        for row in self.sight.rows(Use):
            action = row.action
            assert isinstance(action, Use)
            if action.seat != -1 and action.seat != self.sight.leader:
                continue
            text = self.sight.value(action.card).uses[action.ability]
            gain = text.you - text.victim * self.sight.weight(action.seat)
            pay: list[int] = []
            if row.pick is not None and gain > 2.0:
                pay = sorted(row.pick.among, key=self.keep)[: row.pick.lo]
                gain -= sum(self.keep(card) for card in pay)
            if gain > 2.0 and self._new(action):
                self._try(action)
                return filled(row, pay)
        return None

    def keep(self, card: int) -> float:
        """Points of having this card, wherever it is."""
        for placed in self.sight.mine.table:
            if placed.card == card:
                return IN_PLAY.get(self.sight.value(card).card.kind, 4.0 + self.wardrobe.loss(card))
        return self.hold(card)

    def hold(self, card: int) -> float:
        """Points of having this card in hand."""
        value = self.sight.value(card)
        if value.card.kind == "item" and not value.card.one_shot:
            return self.wardrobe.promise(card)
        if value.card.kind == "monster":
            beaten = self.sight.monster(card, self.sight.me) < self.sight.mine.strength
            return value.keep + (4.0 + value.card.treasures if beaten else 0.0)
        return value.keep

    # ----------------------------------------------------------------------------------------------- phases
    def phase(self) -> Action | None:
        """The step of the turn that is asked for: lay out, kick, look for trouble, loot, end."""
        trouble = self._trouble()
        if trouble is not None:
            return trouble
        for kind in (Done, Kick, Loot, EndTurn):
            for row in self.sight.rows(kind):
                return row.action
        return None

    def _trouble(self) -> Action | None:
        """A monster from hand that I beat alone: the one that pays best."""
        best: tuple[float, Action] | None = None
        for row in self.sight.rows(Trouble):
            action = row.action
            assert isinstance(action, Trouble)
            card = self.sight.value(action.card).card
            spare = self.sight.mine.strength - self.sight.monster(action.card, self.sight.me)
            wins = self.sight.mine.level + card.levels >= self.sight.view.win_level
            if spare + (self._reserve if wins and self.style.bold else 0.0) < self.style.margin:
                continue
            prize = LEVEL * card.levels + self.style.treasure * card.treasures + min(spare, 6.0) * 0.5
            if wins:
                prize = 100.0 + spare
            if best is None or prize > best[0]:
                best = (prize, action)
        return best[1] if best is not None else None

    @property
    def _reserve(self) -> float:
        """Strength of the one-shots that could be thrown into a fight of my own."""
        cards = [*self.sight.you.hand, *(p.card for p in self.sight.mine.table)]
        values = [self.sight.value(card) for card in cards]
        return sum(max(0.0, value.text.named) for value in values if value.card.one_shot)

    def dump(self) -> Action | None:
        """Before charity: play what would otherwise be given away."""
        limit = HAND + sum([self.sight.value(p.card).room for p in self.sight.mine.table])
        if len(self.sight.you.hand) <= limit:
            return None
        for row in self.plays("item"):
            action = row.action
            assert isinstance(action, Play)
            card = self.sight.value(action.card).card
            if not self._too_big(card.big) and self._new(action):
                return self._try(action)
        return self.strike() if self.style.curses else None

    def strike(self) -> Action | None:
        """A curse on whom it hurts most, counted by how near that seat is to winning."""
        best: tuple[float, Action] | None = None
        for row in self.plays("curse"):
            action = row.action
            assert isinstance(action, Play)
            value = self.sight.value(action.card)
            if action.seat in (-1, self.sight.me) or row.pick is not None:
                continue
            harm = -self.sight.struck(value.text, action.seat) * self.sight.weight(action.seat) + value.text.you
            harm -= value.text.each * sum(self.sight.weight(rival.seat) for rival in self.sight.rivals)
            if harm > 1.0 and self._new(action) and (best is None or harm > best[0]):
                best = (harm, action)
        return self._try(best[1]) if best is not None else None

    def _too_big(self, big: bool) -> bool:
        return big and any(self.sight.value(p.card).card.big for p in self.sight.mine.table)

    # ---------------------------------------------------------------------------------------------- helpers
    def _new(self, action: Action) -> bool:
        """Not tried before in this turn: what came to nothing once is not tried again."""
        return _mark(action) not in self.memory.tried

    def _try(self, action: Action) -> Action:
        self.memory.tried.add(_mark(action))
        return action


def _mark(action: Action) -> tuple[int, ...]:
    card = getattr(action, "card", 0)
    return (card, getattr(action, "target", 0), getattr(action, "seat", -1), getattr(action, "ability", -1))
