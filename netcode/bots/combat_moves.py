"""What may be thrown into a combat: each legal row read as a move with its swing, its price and its other merits."""

from msgspec import Struct

from core.language import schema as v
from core.state.actions import Action, Legal, Play, Use
from core.view import FightView, MonsterView
from netcode.bots.card_values import Reading, Value, matches
from netcode.bots.observation import Sight
from netcode.bots.picks import cheapest, filled

WORN = ("identity", "hireling", "ally", "cheat")
"""Kinds of card that change the strength of whoever plays them."""


class Move(Struct, gc=False):
    """swing: strength for the heroes (below 0: for the monsters); price: points it costs me; ends: chance that it ends
    the fight for me without loss; treasures: Treasures added to the prize; denies: it takes the kill away, whatever the
    sums; card: what it spends, one move for each."""

    action: Action
    card: int
    swing: float = 0.0
    price: float = 0.0
    ends: float = 0.0
    compels: bool = False
    treasures: float = 0.0
    denies: bool = False


class Arms:
    """All moves of one decision, read once."""

    def __init__(self, sight: Sight, fight: FightView) -> None:
        self.sight = sight
        self.fight = fight
        self.heroes = (fight.seat, fight.helper)
        """Fighter and helper (-1: none)."""
        self._spoils = not sight.hero and fight.stage != "lost"
        """Somebody else's fight: what helps in it is no use to me."""
        self._prices: dict[int, float] = {}

    def moves(self) -> list[Move]:
        """Every row that bears on the fight."""
        out: list[Move] = []
        for row in self.sight.rows(Play):
            assert isinstance(row.action, Play)
            move = self._play(row.action)
            if move is not None:
                out.append(move)
        for row in self.sight.rows(Use):
            assert isinstance(row.action, Use)
            out.extend(self._use(row, row.action))
        return out

    # ------------------------------------------------------------------------------------------------ plays
    def _play(self, action: Play) -> Move | None:
        value = self.sight.value(action.card)
        kind = value.card.kind
        if not value.thrown or (kind in WORN and not self.sight.hero):
            return None
        if kind in ("curse", "level") and action.seat not in self.heroes and not value.text.foes:
            return None
        move = Move(action, action.card, price=value.keep)
        if kind == "enhancer":
            self._enhancer(move, value, action.target)
            if action.brought:
                self._joins(move, action.brought)
        elif kind in ("wandering", "monster"):
            move.price = value.keep if action.brought else 0.0
            self._joins(move, action.brought or action.card)
        elif kind == "curse":
            move.swing = -self._struck(value, action.seat) - len(self.fight.monsters) * value.text.foes
        elif kind == "level":
            move.swing = 1.0 if action.seat in self.heroes else 0.0
        elif kind in ("item", "special"):
            self._text(move, value, value.text, action.side, action.target, action.seat)
        else:
            move.swing, move.price = self.sight.power(action.card, self.sight.me), 0.0
        return move if move.swing or move.ends or move.compels else None

    def _joins(self, move: Move, monster: int) -> None:
        """A monster from hand comes along."""
        move.swing -= self.sight.monster(monster, self.fight.seat)
        move.price += self.sight.value(monster).keep
        move.treasures += self.sight.value(monster).card.treasures

    def _enhancer(self, move: Move, value: Value, target: int) -> None:
        """An enhancer counts for the Life Partner too; a partner doubles its monster."""
        group = [monster for monster in self.fight.monsters if monster.id == target or monster.group == target]
        times = len({m.id for m in self.fight.monsters if any(m.group == g.group for g in group)}) or 1
        move.swing = -times * (value.power + value.text.foes)
        move.treasures = times * (value.card.treasures + value.text.treasures)
        if value.card.partner:
            monster = self._monster(target)
            move.swing -= monster.strength if monster is not None else 5.0
            move.treasures += monster.treasures if monster is not None else 1
        if value.card.gives_tag is not None and not move.swing:
            move.swing = -0.5

    def _text(self, move: Move, value: Value, text: Reading, side: str, target: int, seat: int) -> None:
        """What the text of a one-shot, special or ability does to the sums."""
        strength = text.named + (value.card.bonus if value.card.one_shot else 0)
        move.swing += -strength if side == "monsters" else strength
        move.swing += text.heroes - text.foes
        if text.removes:
            monster = self._monster(target)
            move.swing += text.removes * (monster.strength if monster is not None else self.fight.foes)
            move.denies = text.removes >= 1.0 and not text.kills and len(self.fight.monsters) == 1
        move.ends += min(1.0, text.ends + text.escapes)
        move.denies = move.denies or text.ends >= 1.0
        move.compels = text.compels > 0
        if seat in self.heroes and seat >= 0 and (text.loses or text.takes):
            move.swing -= self._lost(text, seat)

    def _struck(self, value: Value, seat: int) -> float:
        """Strength that a curse takes from a hero."""
        return self._lost(value.text, seat) if seat in self.heroes else 0.0

    def _lost(self, text: Reading, seat: int) -> float:
        lost = text.loses
        for cards, weight in text.takes:
            lost += weight * self._stripped(cards, seat)
        return lost

    def _stripped(self, cards: v.Cards, seat: int) -> float:
        """Strength lost with the cards of this selector: the victim picks the least where it may choose."""
        if cards.zone in ("hand", "carried", "curses"):
            return 0.0
        powers = []
        for placed in self.sight.view.seats[seat].table:
            card = self.sight.value(placed.card).card
            if placed.up and matches(cards, card):
                powers.append(self.sight.power(placed.card, seat))
        if not powers:
            return 0.0
        if cards.pick == "all":
            return sum(powers)
        if cards.pick == "best":
            return max(powers)
        return sum(powers) / len(powers) if cards.pick == "random" else min(powers)

    # ------------------------------------------------------------------------------------------------- uses
    def _use(self, row: Legal, action: Use) -> list[Move]:
        value = self.sight.value(action.card)
        if action.ability >= len(value.uses) or not value.bearing[action.ability]:
            return []
        text = value.uses[action.ability]
        base = Move(action, action.card)
        self._text(base, value, text, action.side, action.target, action.seat)
        if self._spoils and base.swing >= 0 and text.per_paid >= 0 and not base.denies:
            return []
        if row.pick is None:
            base.price = max(0.0, -text.you)
            return [base] if base.swing or base.ends or base.compels else []
        return self._paid(row, base, text)

    def _paid(self, row: Legal, base: Move, text: Reading) -> list[Move]:
        """One move for each number of cards that may be paid, always the least wanted ones."""
        pick = row.pick
        out: list[Move] = []
        if pick is None:
            return out
        order = cheapest(pick.among, self.price)
        sign = -1.0 if base.swing < 0 else 1.0
        for count in range(max(1, pick.lo), min(pick.hi, len(order)) + 1):
            swing = base.swing + sign * text.per_paid * (count - 1)
            if swing or base.ends or base.compels:
                cards = order[:count]
                price = sum([self.price(card) for card in cards])
                out.append(Move(filled(row, cards), base.card, swing, price, base.ends, base.compels))
        return out

    def price(self, card: int) -> float:
        """Points that giving this card up costs now: what is equipped is needed in this very fight."""
        found = self._prices.get(card)
        if found is None:
            found = self._prices[card] = self._priced(card)
        return found

    def _priced(self, card: int) -> float:
        value = self.sight.value(card)
        for placed in self.sight.mine.table:
            if placed.card == card:
                if value.card.identity is not None:
                    return 15.0
                return 3.0 + self.sight.worn(card, self.sight.me) + (10.0 if placed.up else 0.0)
        return value.keep

    def _monster(self, target: int) -> MonsterView | None:
        for monster in self.fight.monsters:
            if monster.id == target:
                return monster
        return None


def plan(moves: list[Move], need: float, hostile: bool) -> list[Move]:
    """The cheapest set of moves (greedily) that shifts the sums by `need`; empty if they do not suffice."""
    sign = -1.0 if hostile else 1.0
    best = _one_each([move for move in moves if move.swing * sign > 0], sign, need)
    if not best:
        return []
    enough = [move for move in best if move.swing * sign >= need]
    single = min(enough, key=lambda move: move.price, default=None)
    chosen = _gather(best, need, sign)
    if single is not None and (not chosen or single.price <= sum(move.price for move in chosen)):
        return [single]
    return chosen


def _one_each(moves: list[Move], sign: float, need: float) -> list[Move]:
    """Of the moves that spend one card, the cheapest that suffices, else the strongest."""
    by_card: dict[int, Move] = {}
    for move in moves:
        held = by_card.get(move.card)
        if held is None or _better(move, held, sign, need):
            by_card[move.card] = move
    return list(by_card.values())


def _better(move: Move, held: Move, sign: float, need: float) -> bool:
    does, did = move.swing * sign >= need, held.swing * sign >= need
    if does != did:
        return does
    if does:
        return move.price < held.price
    return move.swing * sign > held.swing * sign


def _gather(moves: list[Move], need: float, sign: float) -> list[Move]:
    order = sorted(moves, key=lambda move: (move.price + 0.5) / (move.swing * sign))
    chosen: list[Move] = []
    total = 0.0
    for move in order:
        if total >= need:
            break
        chosen.append(move)
        total += move.swing * sign
    if total < need:
        return []
    for move in sorted(chosen, key=lambda move: -move.price):
        if total - move.swing * sign >= need:
            chosen.remove(move)
            total -= move.swing * sign
    return sorted(chosen, key=lambda move: -move.swing * sign)
