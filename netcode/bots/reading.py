"""What a bot derives from its view before it decides: gear, identities, rivals, chances, points at stake. Pure
reads."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from core.language import schema as v
from core.language.definition import Def
from core.language.drawbacks import EXCEPT, HARM, PLAIN, Sense, mod_sense
from core.queries.identities import spared
from core.state.actions import Action, Legal
from core.state.model import DEFN_MASK, Placed
from core.state.views import FightView, MonsterView, SeatView, View, You
from netcode.bots.card_values import CardValue, CardValues, matches
from netcode.bots.effect_values import ZONES, EffectSummary, selected
from netcode.bots.fight_value import lead_of
from netcode.bots.points import DEATH_MOST, HALF, LEVEL, STRENGTH, TREASURE, WIN, number, with_counters
from netcode.bots.trials import GameStanding, Trials
from netcode.bots.tuning import TUNING

_READING = TUNING.reading
NEAR = _READING.near
"""A rival with at most this many levels to go is near victory."""

NO_REGARD: Mapping[int, float] = {}
NOT_ASKED: frozenset[str] = frozenset()
NO_GUARDS: frozenset[int] = frozenset()

T = TypeVar("T")


class lazy_property(Generic[T]):
    """functools.cached_property without its lock (Python 3.11): only one thread decides, and the lock costs more than
    most of these reads."""

    def __init__(self, read: Callable[[Any], T]) -> None:
        self.read = read
        self.name = read.__name__

    def __get__(self, instance: object, owner: type) -> T:
        found = self.read(instance)
        setattr(instance, self.name, found)  # faster than instance.__dict__, which would have to be created
        return found


class Reading:
    """One view, as one seat reads it for one decision. regard: factors for the weight of seats that have hurt or helped
    it. trials: returns trials of the seat's actions; None if there can be none."""

    def __init__(
        self, view: View, you: You, values: CardValues, regard: Mapping[int, float] = NO_REGARD,
        trials: Callable[[], Trials | None] = lambda: None,
    ) -> None:  # fmt: skip
        self.view = view
        self._make_trials = trials
        self.you = you
        self.me = you.seat
        self.values = values
        self.regard = regard
        self.moods: Mapping[int, float] = NO_REGARD
        """Factors for harm to seats that have hurt or helped it, when a victim is chosen."""
        self.fight: FightView | None = view.fight
        self.my_seat: SeatView = view.seats[you.seat]
        self.ask_kinds = frozenset([ask.kind for ask in you.asks]) if you.asks else NOT_ASKED
        self.fighting = view.fight is not None and you.seat in (view.fight.seat, view.fight.helper)
        """Whether I am the fighter or the helper."""
        rows: dict[type, list[Legal]] = defaultdict(list)
        for row in you.legal:
            rows[type(row.action)].append(row)
        self.rows: Callable[[type], Sequence[Legal]] = rows.__getitem__
        """The legal rows with actions of this type, in the view's order."""
        self._bad_stuff_points: dict[int, float] = {}
        self._enhancers: dict[int, dict[int, tuple[int, ...]]] = {}
        """By seat: the Item Enhancers on each of its Items."""

    def value(self, card: int) -> CardValue:
        """Return what the definition of this card is worth."""
        return self.values.of[card & DEFN_MASK]

    def after(self, action: Action, option: bool = False) -> GameStanding | None:
        """Return the standing after an action of mine, by the rules; None if it cannot be known. option: as in
        Trials.after."""
        return self._trials.after(action, option) if self._trials is not None else None

    @lazy_property
    def _trials(self) -> Trials | None:
        return self._make_trials()

    @lazy_property
    def rival_near(self) -> bool:
        """Whether a rival has at most two levels to go."""
        levels = [seat.level for seat in self.view.seats if not seat.dead and seat.seat != self.me]
        return max(levels, default=0) >= self.view.win_level - NEAR

    @lazy_property
    def guards(self) -> frozenset[int]:
        """The definitions of cards that can stop the rival who is near victory; none if there is none."""
        return self.values.win_blockers if self.rival_near else NO_GUARDS

    def guard_points(self, card: int) -> float:
        """Return the points that a card is worth for stopping a rival who is near victory."""
        return _READING.guard if card & DEFN_MASK in self.guards else 0.0

    # --------------------------------------------------------------------------------------------- seats
    @lazy_property
    def rivals(self) -> list[SeatView]:
        """The other living seats, the most dangerous first."""
        others = [seat for seat in self.view.seats if seat.seat != self.me and not seat.dead]
        return sorted(others, key=lambda seat: (-seat.level, -seat.strength, seat.seat))

    def rival_weight(self, seat: int, judge: int = -1) -> float:
        """Return the weight of a point of this seat relative to a point of the judge (-1: me): higher the nearer the
        seat is to winning. 0 for the judge itself and for no seat (-1)."""
        judging = self.view.seats[judge] if judge >= 0 else self.my_seat
        if seat == judging.seat or seat < 0:
            return 0.0
        progress = self.view.seats[seat].level / self.view.win_level
        ahead = self.view.seats[seat].level - judging.level
        weight = max(
            _READING.rival_least,
            _READING.rival + _READING.rival_progress * progress * progress + _READING.rival_ahead * ahead,
        )
        return weight * self.regard.get(seat, 1.0) if self.regard and judging is self.my_seat else weight

    def strike_weight(self, seat: int) -> float:
        """Return the weight of harm to this seat, when a victim is chosen."""
        return self.rival_weight(seat) * self.moods.get(seat, 1.0)

    @lazy_property
    def leader(self) -> int:
        """The seat of the rival that counts most against me, -1 if nobody else is alive."""
        most = max(self.rivals, key=lambda rival: self.rival_weight(rival.seat), default=None)
        return most.seat if most is not None else -1

    def identities(self, seat: int) -> set[str]:
        """Return the slugs of the identities that a seat has in play."""
        of = self.values.of
        return {name for placed in self.view.seats[seat].table for name in of[placed.card & DEFN_MASK].identities}

    def items(self, seat: int, equipped: bool | None = None) -> list[Placed]:
        """Return a seat's Items in play: equipped, not equipped, or both (None)."""
        of = self.values.of
        table = self.view.seats[seat].table
        return [
            p for p in table if (equipped is None or p.up == equipped) and of[p.card & DEFN_MASK].card.kind == "item"
        ]  # fmt: skip

    # ---------------------------------------------------------------------------------------- conditions
    def likelihood(
        self, cond: v.If | None, seat: int, counters: int | None = None, sense: Sense = PLAIN
    ) -> float:  # fmt: skip
        """Return the chance that a condition holds for this seat (0 to 1). Tests on cards and saved numbers count half,
        and so does `alone` outside a fight; other tests that are not examined here count as met.

        counters: the counters on the condition's card, if they are known. sense: whether it is a disadvantage."""
        if cond is None:
            return 1.0
        chance = 1.0
        if cond.has is not None:
            has = cond.has in self.identities(seat) and not (sense == HARM and spared(self._in_play(seat), cond.has))
            chance *= 1.0 if has else 0.0
        level = self.view.seats[seat].level
        if cond.level_at_least is not None:
            chance *= 1.0 if level >= cond.level_at_least else 0.0
        if cond.level_at_most is not None:
            chance *= 1.0 if level <= cond.level_at_most else 0.0
        if cond.wears is not None:
            wears = any(self.value(p.card).card.slot == cond.wears for p in self.items(seat, equipped=True))
            chance *= 1.0 if wears else 0.0
        if cond.counters_at_least is not None:
            chance *= HALF if counters is None else float(counters >= cond.counters_at_least)
        for inner in cond.all:
            chance *= self.likelihood(inner, seat, counters, sense)
        if cond.any:
            chance *= max(self.likelihood(inner, seat, counters, sense) for inner in cond.any)
        for inner in cond.none:
            chance *= 1.0 - self.likelihood(inner, seat, counters, EXCEPT[sense])
        if cond.tag is not None:
            chance *= self._tag_met(cond.tag)
        if cond.alone is not None and self.fight is not None:
            chance *= float(cond.alone == (self.fight.helper < 0))
        elif cond.cards is not None or cond.saved is not None or cond.alone is not None:
            chance *= HALF
        return chance

    def _in_play(self, seat: int) -> list[Def]:
        cards = self.values.catalog.cards
        return [cards[placed.card & DEFN_MASK] for placed in self.view.seats[seat].table]

    def _tag_met(self, tag: str) -> float:
        """Return the chance that the relevant fight, the present or a coming one, has a monster with this tag."""
        if self.fight is None:
            return _READING.tag_met
        return float(any(tag in monster.tags for monster in self.fight.monsters))

    def strength(self, card: int, seat: int) -> float:
        """Return the strength that an Item, with the Item Enhancers on it, or an identity gives this seat."""
        return self._own_strength(card, seat) + sum([self._own_strength(on, seat) for on in self.enhancers(card, seat)])

    def enhancers(self, card: int, seat: int) -> Sequence[int]:
        """Return the Item Enhancers on an Item in play in front of this seat."""
        if not self.values.catalog.upgrades:
            return ()
        found = self._enhancers.get(seat)
        if found is None:
            found = self._enhancers[seat] = {}
            for placed in self.view.seats[seat].table:
                if placed.on and self._is_enhancer(placed.card):
                    found[placed.on] = (*found.get(placed.on, ()), placed.card)
        return found.get(card, ())

    def _is_enhancer(self, card: int) -> bool:
        return self.value(card).card.kind == "upgrade"

    def gold(self, card: int, seat: int) -> int:
        """Return what an Item of this seat, with the Item Enhancers on it, is worth in Gold Pieces."""
        return self.value(card).gold + sum([self.value(on).gold for on in self.enhancers(card, seat)])

    def _own_strength(self, card: int, seat: int) -> float:
        """Return the strength that a card by itself gives this seat."""
        value = self.values.of[card & DEFN_MASK]
        total = float(value.card.bonus)
        if value.is_plain:
            return total
        for by, cond in value.strength_mods:
            total += by * self.likelihood(cond, seat)
        if value.counted:
            counters = self.counters(card, seat)
            for mod in value.counted:
                known = mod if counters is None else with_counters(mod, counters)
                total += number(known.by) * self.likelihood(mod.if_, seat, counters)
        return total

    def ability_effects(self, card: int, number: int) -> EffectSummary:
        """Return what the ability with this number of my card in play does at present."""
        value = self.value(card)
        return value.ability(number, (self.counters(card, self.me) or 0) if value.counts_counters else 0)

    def counters(self, card: int, seat: int) -> int | None:
        """Return how many counters are on a card in play in front of this seat; None if it is not in play yet and may
        get some."""
        return next((p.counters for p in self.view.seats[seat].table if p.card == card), None)

    def equip_points(self, card: int, seat: int) -> float:
        """Return the points of equipping an Item with the Item Enhancers on it, mostly for the strength that it gives
        this seat."""
        value = self.values.of[card & DEFN_MASK]
        points = value.equip_points if value.is_plain else self._own_points(card, seat)
        for enhancer in self.enhancers(card, seat) if self.values.catalog.upgrades else ():
            points += self._own_points(enhancer, seat)
        return points

    def _own_points(self, card: int, seat: int) -> float:
        value = self.values.of[card & DEFN_MASK]
        if value.is_plain:
            return value.equip_points
        return value.equip_points + STRENGTH * (self._own_strength(card, seat) - value.strength)

    def monster_strength(self, card: int, seat: int) -> float:
        """Return the strength of a monster from hand against this seat, at its worst."""
        data = self.value(card).card
        total = float(data.level or 1)
        for mod in data.mods:
            if isinstance(mod, v.Strength):
                total += number(mod.by) * self.likelihood(mod.if_, seat, sense=mod_sense(mod, of_monster=True))
            elif isinstance(mod, v.Ignore):
                total += self._strength_ignored(mod, seat)
        return total

    def _strength_ignored(self, mod: v.Ignore, seat: int) -> float:
        """Return the strength that this seat loses against a monster that ignores something."""
        seen = self.view.seats[seat]
        if mod.tag is not None:
            equipped = self.items(seat, equipped=True)
            return sum(self.strength(p.card, seat) for p in equipped if mod.tag in self.value(p.card).card.tags)
        if mod.what in ("bonuses", "items"):
            return float(max(0, seen.strength - seen.level))
        if mod.what == "level":
            return float(seen.level)
        slots = ("1-hand", "2-hands") if mod.what == "hands" else (mod.what,)
        equipped = self.items(seat, equipped=True)
        return sum(self.strength(p.card, seat) for p in equipped if self.value(p.card).card.slot in slots)

    def passing_points(self, effects: EffectSummary) -> float:
        """Return the points that I gain if all hands are passed on as these effects say."""
        if not effects.passes_left and not effects.passes_right:
            return 0.0
        return sum(
            chance * ZONES["hand"] * (self._neighbours_hand(step) - len(self.you.hand))
            for chance, step in ((effects.passes_left, -1), (effects.passes_right, 1)) if chance
        )  # fmt: skip

    def _neighbours_hand(self, step: int) -> int:
        """Return how many cards the next living player on this side has (1: left)."""
        seats = self.view.seats
        order = [seats[(self.me + step * at) % len(seats)] for at in range(1, len(seats))]
        return next((seat.hand for seat in order if not seat.dead), 0)

    def victim_points(self, effects: EffectSummary, seat: int) -> float:
        """Return the points that effects bring this seat as their victim (below 0: harm). It cannot lose cards that it
        does not have."""
        spared = sum(weight * selected(cards) for cards, weight in effects.cards_lost if not self._has(cards, seat))
        return min(0.0, effects.victim + spared) if effects.victim < 0 else effects.victim

    def _has(self, cards: v.Cards, seat: int) -> bool:
        seen = self.view.seats[seat]
        if cards.zone == "hand":
            return seen.hand > 0
        if cards.zone == "curses":
            return bool(seen.lasting)
        equipped_only = cards.zone == "equipped"
        there = [p.card for p in seen.table if p.up or not equipped_only]
        return any(matches(cards, self.value(card).card, self.gold(card, seat)) for card in there)

    # ---------------------------------------------------------------------------------------------- fight
    def escape_chance(self, seat: int, monster: MonsterView) -> float:
        """Return the chance (0 to 1) to run away from a monster: a die of 5 or more."""
        return min(6, max(0, 2 + self.view.seats[seat].run + monster.run)) / 6

    def bad_stuff_points(self, seat: int) -> float:
        """Return the points that losing the fight costs this seat, on average."""
        found = self._bad_stuff_points.get(seat)
        if found is None:
            found = self._bad_stuff_points[seat] = self._average_bad_stuff(seat)
        return found

    def _average_bad_stuff(self, seat: int) -> float:
        total = 0.0
        for monster in self.fight.monsters if self.fight is not None else ():
            total += (1.0 - self.escape_chance(seat, monster)) * self.caught_points(monster, seat)
        return min(total, DEATH_MOST)

    def caught_points(self, monster: MonsterView, seat: int) -> float:
        """Return the points that this monster's Bad Stuff costs a seat that it catches."""
        value = self.values.of[monster.defn]
        return self._death_points(seat) if value.deadly else value.bad_stuff_points

    def _death_points(self, seat: int) -> float:
        """Return the points that death costs: all gear and the hand, not the Level."""
        gear = sum(max(0.0, self.equip_points(p.card, seat)) for p in self.items(seat))
        points = _READING.death + gear * _READING.death_gear + _READING.death_card * self.view.seats[seat].hand
        return min(DEATH_MOST, points)

    def prize(self, seat: int) -> float:
        """Return the points of the kill for the fighter (levels, and Treasures less those promised) or its helper; 0
        for anybody else."""
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

    def helper_levels(self, seat: int, lead: int) -> int:
        """Return the levels that a seat's own cards give it for helping to win this fight by this lead."""
        fight = self.fight
        if fight is None:
            return 0
        levels = 0
        of = self.values.of
        for placed in self.view.seats[seat].table:
            value = of[placed.card & DEFN_MASK]
            for mod in value.helper_levels if placed.up or value.card.kind != "item" else ():
                if lead >= mod.margin:
                    levels += mod.by * (len(fight.monsters) if mod.each else 1)
        return levels

    @lazy_property
    def strength_missing(self) -> float:
        """The strength that fighter and helper need to win the fight; 0 if they are winning or there is no fight."""
        fight = self.fight
        if fight is None or fight.winning:
            return 0.0
        return max(1.0, fight.foes - fight.heroes + (0 if fight.wins_ties else 1))

    @lazy_property
    def lead(self) -> float:
        """The strength that turns the present fight; 0 if the heroes are not winning (`lead_of`)."""
        return lead_of(self.fight)
