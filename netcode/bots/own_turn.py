"""Decide outside combat: identities, gear, levels, sales, curses, and the phases of its turn."""

from collections import defaultdict
from math import inf
from typing import TypeVar

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
from core.state.model import DEFN_MASK
from netcode.bots.effect_values import EffectSummary
from netcode.bots.gear import SWAP, Gear
from netcode.bots.harm import harm_points
from netcode.bots.memory import Memory
from netcode.bots.picks import cheapest, cheapest_sum, filled
from netcode.bots.points import LEVEL, STRENGTH
from netcode.bots.reading import Reading, lazy_property
from netcode.bots.trading import Trading
from netcode.bots.trials import GameStanding
from netcode.bots.tuning import TUNING, Style

Act = TypeVar("Act", Play, Equip, Unequip, Play | Equip)

_OWN_TURN, _HAND = TUNING.own_turn, TUNING.hand
SEALS_AT_END = 7
"""Open Seals that end the game (win.seventh-seal)."""
HAND = 5
"""Cards that a hand may have at the end of a turn, without modifiers."""


class OwnTurn:
    """One decision about this seat's own cards and the phases of its turn."""

    def __init__(self, obs: Reading, style: Style, memory: Memory) -> None:
        self.obs = obs
        self.style = style
        self.memory = memory
        plays: dict[str, list[Legal]] = defaultdict(list)
        of = obs.values.of
        for row in obs.rows(Play):
            plays[of[row.action.card & DEFN_MASK].purpose].append(row)  # type: ignore[union-attr]
        self.plays = plays
        """The rows that play a card, by purpose (card_values.PURPOSES), in the order of the view."""

    @lazy_property
    def gear(self) -> Gear:
        """My gear, remembered while it is unchanged."""
        gear = self.memory.gear
        if gear is None or not gear.is_current(self.obs.my_seat):
            gear = self.memory.gear = Gear(self.obs)
        return gear

    @lazy_property
    def _trading(self) -> Trading:
        """What Items in play are worth to each seat."""
        return Trading(self.obs, self.memory, self.gear)

    # -------------------------------------------------------------------------------------------- improving
    def improve(self) -> Action | None:
        """Return the next action that improves my position, None if there is none."""
        if self.memory.free_acts >= _OWN_TURN.free_acts:
            return None
        plays = self.plays
        act = (self.play_benefit() if plays["benefit"] else None) or self._identity() or self._equip()
        if act is None and plays["companion"]:
            act = self._companion()
        if act is None:
            act = self._by_character()
        if act is None and self.style.sells and self.obs.rows(Sell):
            act = self._sell()
        if act is None and self.style.abilities and self.obs.fight is None and self.obs.rows(Use):
            act = self.ability()
        if act is not None:
            self.memory.free_acts += 1
        return act

    def play_benefit(self) -> Action | None:
        """Play the best Go Up a Level card, or another card that benefits its player directly."""
        best: tuple[float, Action] | None = None
        for row in self.plays["benefit"]:
            action = row.action
            assert isinstance(action, Play)
            value = self.obs.values.of[action.card & DEFN_MASK]
            if row.vain or not self._untried(action) or (value.card.kind == "level" and self._keeps_levels):
                continue
            effects = value.effects
            gain = effects.you + (effects.victim if action.seat == self.obs.me else 0.0)
            gain += value.equip_points if value.card.kind == "special" else 0.0
            if action.seat not in (-1, self.obs.me):
                gain -= effects.victim * self.obs.rival_weight(action.seat)
            gain += self.obs.passing_points(effects) - effects.each * _OWN_TURN.each
            if value.card.kind == "level" and action.seat < 0 and (gain > 0 or self.obs.view.turn == self.obs.me):
                gain = self._level_points(action, gain)
            if effects.helper and self.obs.fight is not None and self.obs.fight.helper >= 0:
                helper = self.obs.fight.helper
                gain += effects.helper if helper == self.obs.me else -effects.helper * self.obs.rival_weight(helper)
            if gain > _OWN_TURN.benefit and (best is None or gain > best[0]):
                best = (gain, filled(row, row.pick.among[: row.pick.lo]) if row.pick else action)
        return self._noted(best[1]) if best is not None else None

    @lazy_property
    def _keeps_levels(self) -> bool:
        """Whether I keep Level cards for later, as the personality does."""
        to_go = self.obs.view.win_level - self.obs.my_seat.level
        return self.memory.leanings.keeps_levels and to_go > TUNING.personality.levels_within

    def _level_points(self, action: Play, estimate: float) -> float:
        """Return the points of the Levels that a card changes: by the rules, or an estimate if the rules cannot
        tell."""
        then = self._after(action, option=True)
        if then is None:
            return estimate
        changed = [LEVEL * (level - seat.level) for seat, level in zip(self.obs.view.seats, then.levels)]
        rivals = sum(self.obs.rival_weight(seat) * points for seat, points in enumerate(changed))
        return changed[self.obs.me] - rivals

    def _identity(self) -> Action | None:
        """Play a Class or Race where there is room, or discard one for a clearly better one in hand."""
        me = self.obs.me
        if self.plays["identity"]:
            plays = [row.action for row in self.plays["identity"] if isinstance(row.action, Play)]
            best = max(filter(self._untried, plays), key=self._play_points, default=None)
            if best is not None:
                self.memory.identities[best.card & DEFN_MASK] = self.obs.view.turn_no
                return self._noted(best)
        if self.obs.view.turn != me or self.obs.view.phase != "start" or self.obs.fight is not None:
            return None
        for row in self.obs.rows(Discard):
            action = row.action
            if isinstance(action, Discard) and self._is_better_in_hand(action.card) and self._untried(action):
                return self._noted(action)
        return None

    def _play_points(self, play: Play) -> float:
        return self._identity_points(play.card)

    def _is_better_in_hand(self, old: int) -> bool:
        """Return whether an identity of the same kind in hand is clearly better than this one, which is not new."""
        kind = self.obs.value(old).card.identity
        if kind is None:
            return False
        played = self.memory.identities.get(old & DEFN_MASK, -_OWN_TURN.new)
        restless = self.memory.leanings.restless
        if self.obs.view.turn_no - played < (TUNING.personality.restless_new if restless > 0 else _OWN_TURN.new):
            return False
        of = self.obs.values.of
        new = [card for card in self.obs.you.hand if of[card & DEFN_MASK].card.identity == kind]
        if not new:
            return False
        least = self._identity_points(old) + _OWN_TURN.better_identity - restless
        return max([self._identity_points(card) for card in new]) > least

    def _identity_points(self, card: int) -> float:
        """Return the points of an identity for this seat: its own effects, and the gear in hand or play that requires
        or excludes it."""
        of = self.obs.values.of
        value = of[card & DEFN_MASK]
        name, points = value.card.name_key or value.card.id, value.equip_points
        for other in [*self.obs.you.hand, *[p.card for p in self.obs.my_seat.table]]:
            item = of[other & DEFN_MASK].card
            if item.only is not None and item.only.has == name:
                points += _OWN_TURN.only * item.bonus
            if item.unless is not None and item.unless.has == name:
                points -= _OWN_TURN.only * item.bonus
        return points

    # ------------------------------------------------------------------------------------------------- gear
    def _equip(self) -> Action | None:
        """Play or equip the Item with the highest gain, after unequipping the Items that must make room for it."""
        best: tuple[float, Play | Equip, list[int]] | None = None
        displaced: list[int]
        of = self.obs.values.of
        for row in (*self.plays["item"], *self.obs.rows(Equip)):
            action = row.action
            assert isinstance(action, (Play, Equip))
            card = of[action.card & DEFN_MASK].card
            if card.one_shot or card.kind != "item" or not self._is_wearable(action):
                continue
            if isinstance(action, Equip) and action.both:
                gain, displaced = self._two_handed_gain(action.card), []
            elif isinstance(action, Equip) and action.carrier:
                gain, displaced = self.obs.equip_points(action.card, self.obs.me), []
            else:
                gain, displaced = self.gear.swap(action.card)
            if gain > SWAP and (best is None or gain > best[0]):
                best = (gain, action, displaced)
        if best is None:
            return self._make_room()
        gain, action, displaced = best
        return self._unequip(displaced) or self._turned(action)

    def _two_handed_gain(self, item: int) -> float:
        """Return the points gained by using a one-hand Item with both hands, which are free."""
        mods = [mod for p in self.obs.my_seat.table for mod in self.obs.value(p.card).card.mods]
        more = STRENGTH * max((mod.by for mod in mods if isinstance(mod, TwoHanded)), default=0)
        return more + (0.0 if self.gear.is_equipped(item) else self.obs.equip_points(item, self.obs.me))

    def _make_room(self) -> Action | None:
        """Unequip a poorer Item if a better one waits for its place and cannot be equipped before."""
        if not self.obs.rows(Unequip):
            return None
        for item, displaced in self.gear.better_unequipped:
            act = self._unequip(displaced) if _way(Equip(item)) not in self.memory.turned else None
            if act is not None:
                return act
        return None

    def _is_wearable(self, action: Play | Equip) -> bool:
        if _way(action) in self.memory.turned:
            return False
        if isinstance(action, Equip) and not action.both and self.gear.is_equipped(action.card):
            return False
        return self.gear.usable(action.card)

    def _turned(self, action: Act) -> Act:
        """Note that an Item was turned in this way in this turn, and return the action."""
        self.memory.turned.add(_way(action))
        return action

    def _unequip(self, displaced: list[int]) -> Unequip | None:
        """Unequip the first of these Items that may be unequipped and was not turned in this turn."""
        for row in self.obs.rows(Unequip):
            action = row.action
            if isinstance(action, Unequip) and action.card in displaced and _way(action) not in self.memory.turned:
                return self._turned(action)
        return None

    def _companion(self) -> Action | None:
        """Play a Hireling or Ally, Cheat! on the Item that it helps most, or an Enhancer on the best equipped Item."""
        me = self.obs.me
        best: tuple[float, Action] | None = None
        for row in self.plays["companion"]:
            action = row.action
            assert isinstance(action, Play)
            kind = self.obs.value(action.card).card.kind
            gain = 0.0
            if kind in ("hireling", "ally"):
                gain = _OWN_TURN.companion + _OWN_TURN.companion_strength * self.obs.strength(action.card, me)
            elif kind == "cheat" and action.target:
                equipped = any(p.card == action.target and p.up for p in self.obs.my_seat.table)
                gain = -1.0 if equipped else self.obs.equip_points(action.target, me) - _OWN_TURN.cheat
            elif kind == "upgrade" and any(p.card == action.target and p.up for p in self.obs.my_seat.table):
                gain = self.obs.equip_points(action.card, me)
                gain += _OWN_TURN.companion_strength * self.obs.equip_points(action.target, me)
            if gain > 0 and self._untried(action) and (best is None or gain > best[0]):
                best = (gain, action)
        return self._noted(best[1]) if best is not None else None

    # -------------------------------------------------------------------------------------- sales, abilities
    def _sell(self) -> Action | None:
        """Sell the least useful Items for a level if together they are worth less to me than a level."""
        if self.obs.view.win_level - self.obs.my_seat.level > self.style.sells_within:
            return None
        best: tuple[float, Action] | None = None
        for row in self.obs.rows(Sell):
            sale = self._cheapest_sale(row)
            if sale is not None and sale[0] < self.style.level_sale and (best is None or sale[0] < best[0]):
                best = (sale[0], filled(row, sale[1]))
        return best[1] if best is not None and not self._sells_strength(best[1]) else None

    def _cheapest_sale(self, row: Legal) -> tuple[float, list[int]] | None:
        """Return the cost of the cheapest sale of this row, and its Items; cached with my gear."""
        assert isinstance(row.action, Sell) and row.pick is not None
        key, sales = (row.action.twice, row.pick), self.gear.sales
        if key not in sales:
            chosen = cheapest_sum(row, self.gear.loss_points)
            cost = sum([self.gear.loss_points(card) for card in chosen or ()])
            sales[key] = (cost, chosen) if chosen is not None else None
        return sales[key]

    def _after(self, action: Action, option: bool = False) -> GameStanding | None:
        """Return `Reading.after`, cached while Levels and my cards in play do not change."""
        view, asked = self.obs.view, self.memory.asked
        key = (action, tuple([seat.level for seat in view.seats]), tuple(self.obs.my_seat.table), len(view.seals_open))
        if key not in asked:
            asked[key] = self.obs.after(action, option)
        return asked[key]

    def _sells_strength(self, sale: Action) -> bool:
        """Return whether a sale costs too much strength for its levels, by the rules. They are not asked if nothing
        sold is equipped."""
        me = self.obs.my_seat
        assert isinstance(sale, Sell)
        if not any(placed.up and placed.card in sale.cards for placed in me.table):
            return False
        then = self._after(sale)
        if then is None:
            return False
        return me.strength - me.level - then.gear >= _OWN_TURN.level_strength * (then.levels[me.seat] - me.level)

    def ability(self) -> Action | None:
        """Use the ability that brings most beyond what it costs, None if none brings anything."""
        best: tuple[float, Action, Action] | None = None
        for row in self.obs.rows(Use):
            action = row.action
            assert isinstance(action, Use)
            if row.vain or not self._untried(action):
                continue
            if self.obs.fight is not None and not self._is_beside_the_fight(row, action):
                continue
            gain = self._ability_gain(action)
            pay: list[int] = []
            if row.pick is not None and gain > 0:
                pay = cheapest(row.pick.among, self.keep_points)[: row.pick.lo]
                gain -= self.style.card_cost * self._price(pay)
                pay.sort()
            if gain > (_OWN_TURN.paid_ability if pay else _OWN_TURN.free_ability) and (best is None or gain > best[0]):
                best = (gain, action, filled(row, pay))
        if best is None:
            return None
        self._noted(best[1])
        return best[2]

    def _is_beside_the_fight(self, row: Legal, action: Use) -> bool:
        """Return whether an ability costs no card and changes nothing in the fight, which has plans of its own."""
        return row.pick is None and not self.obs.value(action.card).ability_affects_combat[action.ability]

    def _ability_gain(self, action: Use) -> float:
        """Return the points that an ability brings, before what is paid for it. A victim that is chosen later is the
        rival whose loss helps most."""
        effects, me = self.obs.ability_effects(action.card, action.ability), self.obs.me
        gain = effects.you + self.obs.passing_points(effects) - effects.each * _OWN_TURN.each
        gain += effects.closes * self._seal_points - self._fall_points(effects.falls)
        gives = (action.card,) if effects.given_up and effects.cards_taken else ()
        if effects.given_up:
            gain += effects.given_up_points - (0.0 if gives else effects.given_up * self.keep_points(action.card))
        if action.seat == me:
            return gain + effects.victim
        victims = [action.seat] if action.seat >= 0 else [rival.seat for rival in self.obs.rivals]
        return gain + max([self.harm_points(effects, seat, gives) for seat in victims], default=0.0)

    def _fall_points(self, falls: float) -> float:
        """Return how many points more than in an ordinary game losing these Levels costs me now: fewer if I do not have
        so many to lose, more near victory."""
        seat, least = self.obs.my_seat, self.obs.view.win_level - _OWN_TURN.fall_near
        lost = min(falls, seat.level - 1.0)
        return LEVEL * (lost * (_OWN_TURN.fall if seat.level >= least else 1.0) - falls)

    def harm_points(self, effects: EffectSummary, seat: int, gives: tuple[int, ...] = ()) -> float:
        """See `harm_points`."""
        return harm_points(self._trading, effects, seat, gives)

    @lazy_property
    def _seal_points(self) -> float:
        """The points of closing a Seal: the next ones may end the game, and then the strongest gear wins."""
        left = SEALS_AT_END - len(self.obs.view.seals_open)
        mine = self.obs.my_seat.strength - self.obs.my_seat.level
        ahead = any(rival.strength - rival.level >= mine for rival in self.obs.rivals)
        return _OWN_TURN.last_seals / left if ahead and 0 < left <= _OWN_TURN.seals_near else 0.0

    def _price(self, pay: list[int]) -> float:
        """Return the points that it costs to discard these cards. Those that charity would take anyway cost little, and
        Items all that their use is worth."""
        keeps = self.obs.you.keeps
        held = set(self.obs.you.hand)
        surplus = max(0, len(held) - keeps) if keeps >= 0 and self.obs.view.turn == self.obs.me else 0
        spare = {card for card in held if self.obs.value(card).card.kind != "item"}
        prices = sorted(self.keep_points(card) * (_OWN_TURN.discard if card in spare else 1.0) for card in pay)
        return sum(prices[surplus:]) + _OWN_TURN.surplus * sum(prices[:surplus])

    def keep_points(self, card: int) -> float:
        """Return the points of having this card, in play or in hand."""
        for placed in self.obs.my_seat.table:
            if placed.card == card:
                worth = _OWN_TURN.in_play.get(self.obs.values.of[card & DEFN_MASK].card.kind)
                if worth is None:
                    worth = _OWN_TURN.in_play_other + self.gear.loss_points(card)
                return worth + self.obs.guard_points(card)
        return self.hand_points(card)

    def hand_points(self, card: int) -> float:
        """Return the points of having this card in hand."""
        return self._hand_points(card) + self.obs.guard_points(card)

    def _hand_points(self, card: int) -> float:
        value = self.obs.values.of[card & DEFN_MASK]
        if value.card.kind == "item" and not value.card.one_shot:
            return self.gear.hand_points(card)
        if value.card.kind == "ally" and not (value.card.free or self.gear.has_room_for_ally):
            return _HAND.other
        if value.card.kind == "monster":
            beaten = self.obs.monster_strength(card, self.obs.me) < self.obs.my_seat.strength
            return value.keep_points + (_OWN_TURN.beaten_monster + value.card.treasures if beaten else 0.0)
        return value.keep_points

    # ----------------------------------------------------------------------------------------------- phases
    def next_phase(self) -> Action | None:
        """Take the next step of the turn: lay out first cards, kick, look for trouble, loot, end."""
        trouble = self._trouble() if self.obs.rows(Trouble) else None
        if trouble is not None:
            return trouble
        for kind in (Done, Kick, Loot, EndTurn):
            rows = self.obs.rows(kind)
            if rows:
                return rows[0].action
        return None

    def _trouble(self) -> Action | None:
        """Look for trouble with the monster from hand that pays best, if I can beat it alone."""
        best: tuple[float, Action] | None = None
        for row in self.obs.rows(Trouble):
            action = row.action
            assert isinstance(action, Trouble)
            card = self.obs.value(action.card).card
            spare = self.obs.my_seat.strength - self.obs.monster_strength(action.card, self.obs.me)
            wins = self.obs.my_seat.level + card.levels >= self.obs.view.win_level
            if spare < self.style.trouble_margin:
                continue
            prize = LEVEL * card.levels + self.style.treasure * card.treasures
            prize += min(spare, _OWN_TURN.spare_most) * _OWN_TURN.spare
            if wins:
                prize = _OWN_TURN.winning_trouble + spare
            if best is None or prize > best[0]:
                best = (prize, action)
        return best[1] if best is not None else None

    def _by_character(self) -> Action | None:
        """Lay out Items without a use for them, or throw a curse at once, as the personality does."""
        leanings = self.memory.leanings
        laid_out = self._lay_out(one_shots=False) if leanings.lays_out else None
        if laid_out is None and leanings.curse is not None and self.style.curses and self.obs.fight is None:
            return self._curse_rival(leanings.curse)
        return laid_out

    def play_before_charity(self) -> Action | None:
        """Play cards that charity would give away."""
        of = self.obs.values.of
        limit = HAND + sum([of[p.card & DEFN_MASK].hand_room for p in self.obs.my_seat.table])
        if len(self.obs.you.hand) <= limit:
            return None
        return self._lay_out() or (self._curse_rival() if self.style.curses else None)

    def _lay_out(self, one_shots: bool = True) -> Action | None:
        """Play an Item, whether or not it is of use."""
        for row in self.plays["item"]:
            action = row.action
            assert isinstance(action, Play)
            card = self.obs.value(action.card).card
            second_big = card.big and any(self.obs.value(p.card).card.big for p in self.obs.my_seat.table)
            if not second_big and (one_shots or not card.one_shot) and self._untried(action):
                return self._noted(action)
        return None

    def _curse_rival(self, margin: float = inf) -> Action | None:
        """Play a curse on the rival that it harms most, weighed by how near that seat is to winning. margin: points
        that the curse may be worth more in hand."""
        best: tuple[float, Action] | None = None
        forbears = self.memory.leanings.forbears
        for row in self.plays["curse"]:
            action = row.action
            assert isinstance(action, Play)
            effects = self.obs.value(action.card).effects
            if action.seat in (-1, self.obs.me) or row.pick is not None:
                continue
            harm = -self.obs.victim_points(effects, action.seat) * self.obs.strike_weight(action.seat) + effects.you
            harm -= effects.each * sum(self.obs.rival_weight(rival.seat) for rival in self.obs.rivals)
            least = max(_OWN_TURN.curse + forbears, self.hand_points(action.card) - margin)
            if harm > least and not row.vain and self._untried(action) and (best is None or harm > best[0]):
                best = (harm, action)
        return self._noted(best[1]) if best is not None else None

    # ----------------------------------------------------------------------------------- actions of this turn
    def _untried(self, action: Action) -> bool:
        """Return whether the action was not tried in this turn. An action without a result is not repeated."""
        return _key(action) not in self.memory.tried

    def _noted(self, action: Action) -> Action:
        """Note that the action was tried in this turn, and return it."""
        self.memory.tried.add(_key(action))
        return action


def _way(action: Play | Equip | Unequip) -> tuple[int, ...]:
    """Return a key that distinguishes ways to turn Items."""
    if isinstance(action, Equip):
        return (action.card, action.carrier, action.both)
    return (action.card, -1 if isinstance(action, Unequip) else -2)


def _key(action: Action) -> tuple[int, ...]:
    """Return a key that distinguishes actions of a turn: card, target, seat, ability."""
    if type(action) is Play:
        return (action.card, action.target, action.seat, -1)
    card = getattr(action, "card", 0)
    return (card, getattr(action, "target", 0), getattr(action, "seat", -1), getattr(action, "ability", -1))
