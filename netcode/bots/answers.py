"""How a bot answers asks with options: which cards to lose or take, which seat to harm, which text to choose."""

import random

from core.language import schema as v
from core.language.tree import effects_within
from core.state.actions import Action, Answer
from core.state.asks import OF_SEATS
from core.state.model import Ask
from netcode.bots.dice import throw_points
from netcode.bots.effect_values import EffectSummary, read
from netcode.bots.own_turn import OwnTurn
from netcode.bots.points import DOOR, HALF, LEVEL, TREASURE
from netcode.bots.reading import Reading
from netcode.bots.tuning import TUNING

_ANSWERS = TUNING.answers

GAIN_ASKS = ("loot", "share", "recover", "keep big")
"""Kinds of ask whose picks the seat gets or keeps; in all others it gives up its own cards."""
SALE = 1000
"""Gold pieces that a sale must reach."""


class Answers:
    """One decision about an ask with options."""

    def __init__(self, obs: Reading, own_turn: OwnTurn, rng: random.Random) -> None:
        self.obs = obs
        self.own_turn = own_turn
        self.rng = rng

    def answer(self, ask: Ask) -> Action:
        """Answer with as many options as the ask wants (lo to hi): those that cost least or bring most."""
        return Answer(ask=ask.id, picks=tuple(self._picks(ask)))

    def _picks(self, ask: Ask) -> list[int]:
        if ask.kind.endswith("blind"):
            return self.rng.sample(ask.options, ask.lo)
        if ask.texts:
            return self._texts(ask)
        if ask.kind in OF_SEATS:
            return self._seats(ask)
        if ask.kind == "pay roll":
            return self._payment(ask)
        if ask.kind == "shield":
            return self._shield(ask)
        if ask.kind == "throw again":
            return self._throw_again(ask)
        if ask.kind == "add to sale":
            return self._sale(ask)
        if ask.kind == "count twice":
            return sorted(ask.options, key=lambda card: -self.obs.gold(card, self.obs.me))[: ask.hi]
        if ask.kind in ("under", "throw away"):
            return self._unwanted(ask)
        mine = set(self.obs.you.hand) | {placed.card for placed in self.obs.my_seat.table}
        if ask.kind not in GAIN_ASKS and all(option in mine for option in ask.options):
            return self._least_wanted(ask)[: ask.lo]
        return sorted(ask.options, key=lambda card: (-self.own_turn.hand_points(card), card))[: ask.hi]

    def _texts(self, ask: Ask) -> list[int]:
        """Choose the text of the asking card whose effects suit me best; if a procedure asks, the first text."""
        if ask.kind == "back out":
            return [ask.options[0]]
        points = {option: self._text_points(ask, place) for place, option in enumerate(ask.options)}
        return sorted(ask.options, key=lambda option: -points[option])[: max(ask.lo, min(1, ask.hi))]

    def _text_points(self, ask: Ask, place: int) -> float:
        if ask.card < 0 or place >= len(ask.texts):
            return 0.0
        for choice, by in _choices(self.obs.values.of[ask.card].card):
            if choice.text == ask.texts[place]:
                effects = read(choice.do)
                if by in ("you", "turn"):
                    points = effects.you - _ANSWERS.victim * effects.victim
                else:
                    points = effects.victim + _ANSWERS.player * effects.you
                return points + self._fight_points(effects)
        return 0.0

    def _fight_points(self, effects: EffectSummary) -> float:
        """Return the points of a text's effect on my own fight. They count half, because the fight goes on: a lost
        fight may be won or end, a won fight may lose its prize. In a rival's fight, return what losing it costs the
        rival."""
        fight = self.obs.fight
        if fight is None or fight.stage != "fight" or not fight.monsters:
            return 0.0
        swing = effects.heroes - effects.foes
        if not self.obs.fighting:
            turned = 0 < self.obs.lead <= -swing
            return self.obs.rival_weight(fight.seat) * self.obs.prize(fight.seat) if turned else 0.0
        gone = min(1.0, effects.removes / len(fight.monsters))
        missing, prize = self.obs.strength_missing, self.obs.prize(self.obs.me)
        caught = self.obs.bad_stuff_points(self.obs.me)
        if not missing:
            turned = 0 < self.obs.lead <= -swing
            return -HALF * (gone * prize + turned * (caught + prize))
        return HALF * (gone * caught + min(1.0, max(0.0, swing) / missing) * (caught + prize))

    def _seats(self, ask: Ask) -> list[int]:
        """Harm the most dangerous rival, benefit the least dangerous, make the strongest help."""
        effects = self._card_effects(ask)
        if effects.compels:
            order = sorted(ask.options, key=lambda seat: -self.obs.view.seats[seat].strength)
        elif effects.victim > 0:
            order = sorted(ask.options, key=self.obs.strike_weight)
        else:
            harm, weight = self.own_turn.harm_points, self.obs.strike_weight
            order = sorted(ask.options, key=lambda seat: (-harm(effects, seat), -weight(seat)))
        return order[: max(ask.lo, min(1, ask.hi))]

    def _card_effects(self, ask: Ask) -> EffectSummary:
        """Return what the asking card does when it is played, and what all its abilities do."""
        if ask.card < 0:
            return EffectSummary()
        card = self.obs.values.of[ask.card].card
        effects = read(card.play)
        for ability in card.abilities:
            read(ability.do, effects)
        return effects

    def _least_wanted(self, ask: Ask) -> list[int]:
        return sorted(ask.options, key=lambda card: (self.own_turn.keep_points(card), card))

    def _unwanted(self, ask: Ask) -> list[int]:
        """Move cards away from the top of a deck that would harm me if I draw next, or help others if they do."""
        sign = 1.0 if self.obs.view.turn == self.obs.me else -1.0
        points = {card: sign * self._drawn_points(card) for card in ask.options}
        order = sorted(ask.options, key=lambda card: (points[card], card))
        return [card for card in order if points[card] < 0][: ask.hi]

    def _drawn_points(self, card: int) -> float:
        """Return what drawing this card next brings, compared with an unknown one."""
        value = self.obs.value(card)
        if value.card.kind == "curse":
            return value.effects.victim
        if value.card.kind == "monster":
            beaten = self.obs.monster_strength(card, self.obs.me) < self.obs.my_seat.strength
            return LEVEL * value.card.levels if beaten else -value.bad_stuff_points
        return self.own_turn.hand_points(card) - (DOOR if value.card.kind in v.DOOR_KINDS else TREASURE)

    def _payment(self, ask: Ask) -> list[int]:
        """Pay the least wanted cards for a failed roll if they cost less than being caught; else pay nothing."""
        cards = self._least_wanted(ask)[: ask.hi]
        cost = sum(self.own_turn.keep_points(card) for card in cards)
        fight = self.obs.fight
        monsters = fight.monsters if fight is not None else []
        harm = max((self.obs.caught_points(monster, self.obs.me) for monster in monsters), default=0.0)
        return cards if cost < self.own_turn.style.fear * harm else []

    def _shield(self, ask: Ask) -> list[int]:
        """Keep a curse off with the cheapest card, if the curse harms more than its loss; option 0 is to suffer it."""
        harm = -self.obs.values.of[ask.card].effects.victim
        cards = sorted((card for card in ask.options if card), key=self.own_turn.keep_points)
        spends = bool(cards) and harm > _ANSWERS.shield * self.own_turn.keep_points(cards[0])
        return [cards[0] if spends else ask.options[0]]

    def _throw_again(self, ask: Ask) -> list[int]:
        """Have a die rolled again if the expected result is better for me and worth the cheapest card that allows it;
        option 0 is to leave it."""
        throw = self.obs.view.throw
        if throw is None:
            return [ask.options[0]]
        gain = throw_points(self.obs, throw, range(1, throw.sides + 1)) - throw_points(self.obs, throw, (throw.number,))
        cards = sorted((card for card in ask.options if card), key=self._price_of_throw)
        return [cards[0] if cards and gain > self._price_of_throw(cards[0]) else ask.options[0]]

    def _price_of_throw(self, card: int) -> float:
        """Return the points that it costs to have a die rolled again by this card: the card itself, or one of its
        uses."""
        mods = self.obs.value(card).card.mods
        spent = any(mod.spent for mod in mods if isinstance(mod, v.ThrowAgain))
        return _ANSWERS.throw_again * self.own_turn.keep_points(card) if spent else _ANSWERS.use

    def _sale(self, ask: Ask) -> list[int]:
        """Add the Items with the least cost for their gold to a sale, until the sale reaches a level."""
        loss_points = self.own_turn.gear.loss_points
        gold = {card: self.obs.gold(card, self.obs.me) for card in ask.options}
        order = sorted(ask.options, key=lambda card: loss_points(card) / (1 + gold[card]))
        chosen: list[int] = []
        while len(chosen) < len(order) and sum(gold[card] for card in chosen) < SALE:
            chosen.append(order[len(chosen)])
        return chosen[: ask.hi]


def _choices(card: v.Card) -> list[tuple[v.Choice, v.Who]]:
    """Return all choices in a card's texts, at any depth, with the who-word of the seat that chooses."""
    options = [op for op in effects_within(card) if isinstance(op, v.Option)]
    return [(choice, option.by) for option in options for choice in option.of]
