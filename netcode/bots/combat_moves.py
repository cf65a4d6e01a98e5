"""The moves of a combat: each legal row with its strength, its cost and its other effects."""

from msgspec import Struct

from core.language import schema as v
from core.state.actions import Action, Legal, Play, Use
from core.state.model import DEFN_MASK
from core.state.views import FightView, MonsterView
from netcode.bots.card_values import CardValue, matches
from netcode.bots.effect_values import EffectSummary
from netcode.bots.picks import cheapest, filled
from netcode.bots.reading import Reading
from netcode.bots.tuning import TUNING

_COMBAT = TUNING.combat

STRENGTHENERS = ("identity", "hireling", "ally", "cheat")
"""Kinds of card that change the strength of their player."""


class Move(Struct, gc=False):
    """One action in a combat. card: what it spends (a plan takes one move for each card); swing: strength for the
    heroes (below 0: for the monsters); cost: points that it costs me; escapes: chance that it ends the fight for me
    without loss; compels: makes somebody help; treasures: Treasures added to the prize; denies_kill: nobody gets the
    kill, whatever the totals; known: the swing comes from the rules and is not an estimate."""

    action: Action
    card: int
    swing: float = 0.0
    cost: float = 0.0
    escapes: float = 0.0
    compels: bool = False
    treasures: float = 0.0
    denies_kill: bool = False
    known: bool = False


class CombatMoves:
    """All moves of one decision, read once."""

    def __init__(self, obs: Reading, fight: FightView) -> None:
        self.obs = obs
        self.fight = fight
        self.heroes = (fight.seat, fight.helper)
        """Fighter and helper (-1: none)."""
        self._interfering = not obs.fighting and fight.stage != "lost"
        """Whether it is somebody else's fight, so that helping the heroes does not help me."""
        self._costs: dict[int, float] = {}

    def moves(self) -> list[Move]:
        """Return a move for each row that changes the fight, except rows that would have no effect; for rows that pay
        cards, one move for each number of cards."""
        found: list[Move] = []
        of = self.obs.values.of
        for row in self.obs.rows(Play):
            assert isinstance(row.action, Play)
            value = of[row.action.card & DEFN_MASK]
            move = self._play(row.action, value) if value.affects_combat and not row.vain else None
            if move is not None:
                found.append(move)
        for row in self.obs.rows(Use):
            assert isinstance(row.action, Use)
            found.extend([] if row.vain else self._use(row, row.action))
        return found

    # ------------------------------------------------------------------------------------------------ plays
    def _play(self, action: Play, value: CardValue) -> Move | None:
        kind = value.card.kind
        if kind in STRENGTHENERS and not self.obs.fighting:
            return None
        if kind in ("curse", "level") and action.seat not in self.heroes and not value.effects.foes:
            return None
        move = Move(action, action.card, cost=value.keep_points + self.obs.guard_points(action.card))
        if kind == "enhancer":
            self._enhance(move, value, action.target)
            if action.brought:
                self._add_monster(move, action.brought)
        elif kind in ("wandering", "monster"):
            move.cost = value.keep_points if action.brought else 0.0
            self._add_monster(move, action.brought or action.card)
        elif kind == "curse":
            lost = self._strength_lost(value.effects, action.seat) if action.seat in self.heroes else 0.0
            move.swing = -lost - len(self.fight.monsters) * value.effects.foes
        elif kind == "level":
            move.swing = 1.0 if action.seat in self.heroes else 0.0
        elif kind in ("item", "special"):
            self._apply(value.effects, move, value, action)
        else:
            move.swing, move.cost = self.obs.strength(action.card, self.obs.me), 0.0
        guards = self._interfering and self.fight.match_point  # it may do anything, so the rules will be asked
        return move if guards or move.swing or move.escapes or move.compels else None

    def _add_monster(self, move: Move, monster: int) -> None:
        """Add a monster from hand to the fight."""
        move.swing -= self.obs.monster_strength(monster, self.fight.seat)
        move.cost += self.obs.value(monster).keep_points
        move.treasures += self.obs.value(monster).card.treasures

    def _enhance(self, move: Move, value: CardValue, target: int) -> None:
        """Enhance a monster: an enhancer counts for its Life Partner too, and a Life Partner doubles its monster."""
        group = [monster for monster in self.fight.monsters if monster.id == target or monster.group == target]
        times = len({m.id for m in self.fight.monsters if any(m.group == g.group for g in group)}) or 1
        move.swing = -times * (value.strength + value.effects.foes)
        move.treasures = times * (value.card.treasures + value.effects.treasures)
        if value.card.partner:
            monster = self._monster(target)
            move.swing -= monster.strength if monster is not None else _COMBAT.partner
            move.treasures += monster.treasures if monster is not None else 1
        if value.card.gives_tag is not None and not move.swing:
            move.swing = -_COMBAT.tag

    def _apply(self, effects: EffectSummary, move: Move, value: CardValue, action: Play | Use) -> None:
        """Add what the effects of a one-shot, special or ability do to the fight."""
        strength = effects.named + (value.card.bonus if value.card.one_shot else 0)
        move.swing += -strength if action.side == "monsters" else strength
        move.swing += effects.heroes - effects.foes
        if effects.removes:
            monster = self._monster(action.target)
            move.swing += effects.removes * (monster.strength if monster is not None else self.fight.foes)
            move.denies_kill = effects.removes >= 1.0 and not effects.kills and len(self.fight.monsters) == 1
        if effects.undoes:
            move.swing += effects.undoes * self._undone(action.target)
        move.escapes += min(1.0, effects.ends + effects.escapes)
        move.denies_kill = move.denies_kill or effects.ends >= 1.0
        move.compels = effects.compels > 0
        if action.seat in self.heroes and action.seat >= 0 and (effects.strength_lost or effects.cards_lost):
            move.swing -= self._strength_lost(effects, action.seat)

    def _undone(self, card: int) -> float:
        """Return the strength that the heroes gain (below 0: lose) if a card played into the fight is undone."""
        fight = self.fight
        gone = [monster for monster in fight.monsters if card in (monster.id, monster.by)]
        swing = float(sum(monster.strength for monster in gone))
        if all(monster.id != card for monster in gone):
            swing += sum(term.by for term in fight.foe_terms if term.card == card)
        for bonus in fight.bonuses:
            if bonus.card == card:
                times = sum(monster.group == bonus.on for monster in fight.monsters) if bonus.on else 1
                swing += -bonus.by if bonus.side == "heroes" else times * bonus.by
        return swing

    def _strength_lost(self, effects: EffectSummary, seat: int) -> float:
        """Return the strength that a seat loses as the victim of these effects."""
        lost = effects.strength_lost
        for cards, weight in effects.cards_lost:
            lost += weight * self._strength_of(cards, seat)
        return lost

    def _strength_of(self, cards: v.Cards, seat: int) -> float:
        """Return the strength that a seat loses with the cards of this selector; the least possible if it may
        choose."""
        if cards.zone in ("hand", "carried", "curses"):
            return 0.0
        strengths = []
        for placed in self.obs.view.seats[seat].table:
            card = self.obs.value(placed.card).card
            if placed.up and matches(cards, card, self.obs.gold(placed.card, seat)):
                strengths.append(self.obs.strength(placed.card, seat))
        if not strengths:
            return 0.0
        if cards.pick == "all":
            return sum(strengths)
        if cards.pick == "best":
            return max(strengths)
        return sum(strengths) / len(strengths) if cards.pick == "random" else min(strengths)

    # ------------------------------------------------------------------------------------------------- uses
    def _use(self, row: Legal, action: Use) -> list[Move]:
        value = self.obs.value(action.card)
        if action.ability >= len(value.ability_effects) or not value.ability_affects_combat[action.ability]:
            return []
        effects = self.obs.ability_effects(action.card, action.ability)
        base = Move(action, action.card)
        self._apply(effects, base, value, action)
        if self._interfering and base.swing >= 0 and effects.per_paid >= 0 and not base.denies_kill:
            return []
        if row.pick is None:
            base.cost = max(0.0, -effects.you)
            return [base] if base.swing or base.escapes or base.compels else []
        return self._paying(row, base, effects)

    def _paying(self, row: Legal, base: Move, effects: EffectSummary) -> list[Move]:
        """Return one move for each number of cards that may be paid, always the least wanted ones."""
        pick = row.pick
        found: list[Move] = []
        if pick is None:
            return found
        order = cheapest(pick.among, self.cost)
        sign = -1.0 if base.swing < 0 else 1.0
        for count in range(max(1, pick.lo), min(pick.hi, len(order)) + 1):
            swing = base.swing + sign * effects.per_paid * (count - 1)
            if swing or base.escapes or base.compels:
                cards = sorted(order[:count])
                cost = sum([self.cost(card) for card in cards])
                found.append(Move(filled(row, cards), base.card, swing, cost, base.escapes, base.compels))
        return found

    def cost(self, card: int) -> float:
        """Return the points that giving this card up costs now; equipped Items are needed in this fight."""
        found = self._costs.get(card)
        if found is None:
            found = self._costs[card] = self._cost(card) + self.obs.guard_points(card)
        return found

    def _cost(self, card: int) -> float:
        value = self.obs.values.of[card & DEFN_MASK]
        for placed in self.obs.my_seat.table:
            if placed.card == card:
                if value.card.identity is not None:
                    return _COMBAT.paid_identity
                worth = _COMBAT.paid_in_play + self.obs.equip_points(card, self.obs.me)
                return worth + (_COMBAT.paid_equipped if placed.up else 0.0)
        return value.keep_points

    def _monster(self, target: int) -> MonsterView | None:
        for monster in self.fight.monsters:
            if monster.id == target:
                return monster
        return None


# ------------------------------------------------------------------------------------------------------------ plans
def plan(moves: list[Move], need: float, hostile: bool, thrifty: bool = False) -> list[Move]:
    """Return moves that shift the totals by `need` strength, chosen greedily by cost: for the heroes, or for the
    monsters if hostile. thrifty: prefer the weakest sufficient move whatever it costs. Empty if even all moves together
    do not suffice."""
    sign = -1.0 if hostile else 1.0
    best = _best_per_card([move for move in moves if move.swing * sign > 0], sign, need)
    if len(best) < 2:
        return best if best and best[0].swing * sign >= need else []
    enough = [move for move in best if move.swing * sign >= need]
    if thrifty and enough:
        return [min(enough, key=lambda move: (abs(move.swing), move.cost))]
    single = min(enough, key=lambda move: move.cost, default=None)
    chosen = _greedy_set(best, need, sign)
    if single is not None and (not chosen or single.cost <= sum(move.cost for move in chosen)):
        return [single]
    return chosen


def _best_per_card(moves: list[Move], sign: float, need: float) -> list[Move]:
    """For each card, keep one of the moves that spend it: the cheapest that suffices alone, else the strongest."""
    by_card: dict[int, Move] = {}
    for move in moves:
        other = by_card.get(move.card)
        if other is None or _is_better(move, other, sign, need):
            by_card[move.card] = move
    return list(by_card.values())


def _is_better(move: Move, other: Move, sign: float, need: float) -> bool:
    suffices, other_suffices = move.swing * sign >= need, other.swing * sign >= need
    if suffices != other_suffices:
        return suffices
    if suffices:
        return move.cost < other.cost
    return move.swing * sign > other.swing * sign


def _greedy_set(moves: list[Move], need: float, sign: float) -> list[Move]:
    """Take the moves with the least cost per point of strength until they suffice, then drop those that are not
    needed."""
    order = sorted(moves, key=lambda move: (move.cost + _COMBAT.move) / (move.swing * sign))
    chosen: list[Move] = []
    total = 0.0
    for move in order:
        if total >= need:
            break
        chosen.append(move)
        total += move.swing * sign
    if total < need:
        return []
    for move in sorted(chosen, key=lambda move: -move.cost):
        if total - move.swing * sign >= need:
            chosen.remove(move)
            total -= move.swing * sign
    return sorted(chosen, key=lambda move: -move.swing * sign)
