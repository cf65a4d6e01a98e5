"""What a bot reads off its view before it decides: gear, identities, rivalry, chances. Pure reads."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from core.language import schema as v
from core.state.actions import Legal
from core.state.model import Placed
from core.view import FightView, MonsterView, SeatView, View, You
from netcode.bots.card_values import DEATH, LEVEL, TREASURE, Reading, Value, Worth, matches, number, selected
from netcode.bots.lazy import Once

WIN = 250.0
"""Points of winning the game."""


class Sight:
    """One view, read for one decision of one seat."""

    def __init__(self, view: View, you: You, worth: Worth) -> None:
        self.view = view
        self.you = you
        self.me = you.seat
        self.worth = worth
        self.fight: FightView | None = view.fight
        self.mine: SeatView = view.seats[you.seat]
        self.asked = {ask.kind for ask in you.asks}
        rows: dict[type, list[Legal]] = defaultdict(list)
        for row in you.legal:
            rows[type(row.action)].append(row)
        self.rows: Callable[[type], Sequence[Legal]] = rows.__getitem__
        """The legal rows whose action is of this kind, in their order."""
        self._bad: dict[int, float] = {}

    def value(self, card: int) -> Value:
        """What the definition of this card is worth."""
        return self.worth.of[card & 4095]

    # --------------------------------------------------------------------------------------------- seats
    @Once
    def rivals(self) -> list[SeatView]:
        """The other seats that are alive, the most dangerous first."""
        others = [seat for seat in self.view.seats if seat.seat != self.me and not seat.dead]
        return sorted(others, key=lambda seat: (-seat.level, -seat.strength, seat.seat))

    def weight(self, seat: int, whose: int = -1) -> float:
        """How much a point of this seat counts against one of mine: more, the nearer it is to winning. whose: against
        one of that seat instead."""
        eyes = self.view.seats[whose] if whose >= 0 else self.mine
        if seat == eyes.seat or seat < 0:
            return 0.0
        near = self.view.seats[seat].level / self.view.win_level
        ahead = self.view.seats[seat].level - eyes.level
        return max(0.15, 0.2 + 0.45 * near * near + 0.03 * ahead)

    @Once
    def leader(self) -> int:
        """The most dangerous rival's seat, -1 if nobody else is alive."""
        return self.rivals[0].seat if self.rivals else -1

    def names(self, seat: int) -> set[str]:
        """The identities a seat has in play, by slug."""
        of = self.worth.of
        return {name for placed in self.view.seats[seat].table for name in of[placed.card & 4095].names}

    def items(self, seat: int, up: bool | None = None) -> list[Placed]:
        """A seat's Items in play (equipped, turned sideways, or both)."""
        of = self.worth.of
        table = self.view.seats[seat].table
        return [p for p in table if (up is None or p.up == up) and of[p.card & 4095].card.kind == "item"]

    # ---------------------------------------------------------------------------------------- conditions
    def holds(self, cond: v.If | None, seat: int) -> float:
        """How likely a condition is to hold with this seat as its subject; in between if not looked into."""
        if cond is None:
            return 1.0
        chance = 1.0
        if cond.has is not None:
            chance *= 1.0 if cond.has in self.names(seat) else 0.0
        level = self.view.seats[seat].level
        if cond.level_at_least is not None:
            chance *= 1.0 if level >= cond.level_at_least else 0.0
        if cond.level_at_most is not None:
            chance *= 1.0 if level <= cond.level_at_most else 0.0
        if cond.wears is not None:
            worn = any(self.value(p.card).card.slot == cond.wears for p in self.items(seat, up=True))
            chance *= 1.0 if worn else 0.0
        for inner in cond.all:
            chance *= self.holds(inner, seat)
        if cond.any:
            chance *= max(self.holds(inner, seat) for inner in cond.any)
        for inner in cond.none:
            chance *= 1.0 - self.holds(inner, seat)
        if cond.cards is not None or cond.tag is not None or cond.saved is not None or cond.alone is not None:
            chance *= 0.5
        return chance

    def power(self, card: int, seat: int) -> float:
        """Strength that an Item or identity gives this seat."""
        value = self.worth.of[card & 4095]
        out = float(value.card.bonus)
        for by, cond in value.strengths:
            out += by * self.holds(cond, seat)
        return out

    def worn(self, card: int, seat: int) -> float:
        """Points of wearing an Item: mostly its strength for this very seat."""
        value = self.value(card)
        return value.worn + 2.2 * (self.power(card, seat) - value.power)

    def monster(self, card: int, seat: int) -> float:
        """Strength of a monster in hand against this seat, at its worst."""
        data = self.value(card).card
        out = float(data.level or 1)
        for mod in data.mods:
            if isinstance(mod, v.Strength):
                out += number(mod.by) * self.holds(mod.if_, seat)
            elif isinstance(mod, v.Ignore):
                out += self._ignored(mod, seat)
        return out

    def _ignored(self, mod: v.Ignore, seat: int) -> float:
        """What a monster that switches something off takes from this seat's strength."""
        who = self.view.seats[seat]
        if mod.tag is not None:
            worn = self.items(seat, up=True)
            return sum(self.power(p.card, seat) for p in worn if mod.tag in self.value(p.card).card.tags)
        if mod.what in ("bonuses", "items"):
            return float(max(0, who.strength - who.level))
        if mod.what == "level":
            return float(who.level)
        slots = ("1-hand", "2-hands") if mod.what == "hands" else (mod.what,)
        return sum(self.power(p.card, seat) for p in self.items(seat, up=True) if self.value(p.card).card.slot in slots)

    def struck(self, text: Reading, seat: int) -> float:
        """Points that a text does to this seat as its victim (below 0: harm), what it has not got left out."""
        missed = sum(weight * selected(cards) for cards, weight in text.takes if not self._has(cards, seat))
        return min(0.0, text.victim + missed) if text.victim < 0 else text.victim

    def _has(self, cards: v.Cards, seat: int) -> bool:
        who = self.view.seats[seat]
        if cards.zone == "hand":
            return who.hand > 0
        if cards.zone == "curses":
            return bool(who.lasting)
        worn = cards.zone == "equipped"
        return any((p.up or not worn) and matches(cards, self.value(p.card).card) for p in who.table)

    # ---------------------------------------------------------------------------------------------- fight
    def escape(self, seat: int, monster: MonsterView) -> float:
        """Chance to get away from a monster: a die of 5 or more."""
        return min(6, max(0, 2 + self.view.seats[seat].run + monster.run)) / 6.0

    def bad(self, seat: int) -> float:
        """Points that losing the fight costs this seat, on average."""
        found = self._bad.get(seat)
        if found is None:
            found = self._bad[seat] = self._badly(seat)
        return found

    def _badly(self, seat: int) -> float:
        out = 0.0
        for monster in self.fight.monsters if self.fight is not None else ():
            out += (1.0 - self.escape(seat, monster)) * self.harm(monster, seat)
        return min(out, DEATH * 1.5)

    def harm(self, monster: MonsterView, seat: int) -> float:
        """Points that this monster's Bad Stuff costs a seat it catches."""
        value = self.worth.of[monster.defn]
        return self.dying(seat) if value.deadly else value.bad

    def dying(self, seat: int) -> float:
        """Points that death costs: all the gear and the hand, not the Level."""
        gear = sum(max(0.0, self.worn(p.card, seat)) for p in self.items(seat))
        return min(DEATH * 1.5, 6.0 + gear * 0.7 + 2.0 * self.view.seats[seat].hand)

    def prize(self, seat: int) -> float:
        """Points of the kill for the fighter (levels and Treasure less what is promised) or for its helper."""
        fight = self.fight
        if fight is None:
            return 0.0
        promised = fight.bargain.treasures if fight.bargain is not None else 0
        if seat == fight.seat:
            if fight.match_point:
                return WIN
            return LEVEL * fight.levels + TREASURE * max(0, fight.treasures - promised)
        if seat == fight.helper:
            return LEVEL * fight.helper_levels + TREASURE * promised
        return 0.0

    def helping(self, seat: int, won_by: int) -> int:
        """Levels that a seat has of its own cards for helping to kill what is in the fight, won by so much."""
        fight = self.fight
        if fight is None:
            return 0
        out = 0
        of = self.worth.of
        for placed in self.view.seats[seat].table:
            value = of[placed.card & 4095]
            for mod in value.helps if placed.up or value.card.kind != "item" else ():
                if won_by >= mod.margin:
                    out += mod.by * (len(fight.monsters) if mod.each else 1)
        return out

    @Once
    def short(self) -> float:
        """Strength that the heroes lack to win (0 or below: they are winning)."""
        fight = self.fight
        if fight is None or fight.winning:
            return 0.0
        return max(1.0, fight.foes - fight.heroes + (0 if fight.wins_ties else 1))

    @Once
    def spare(self) -> float:
        """Strength that turns a winning fight into a lost one, if taken from the heroes or added to the monsters."""
        fight = self.fight
        if fight is None or not fight.winning:
            return 0.0
        return max(1.0, fight.heroes - fight.foes + (1 if fight.wins_ties else 0))

    @Once
    def hero(self) -> bool:
        """Am I fighting, as main fighter or helper?"""
        return self.fight is not None and self.me in (self.fight.seat, self.fight.helper)
