"""Answering asks: which cards to lose or take, whom to strike, which text to choose. The least bad option."""

import random

from core.language import schema as v
from core.language.tree import effects_within
from core.state.actions import Action, Answer
from core.state.asks import OF_SEATS
from core.state.model import Ask
from netcode.bots.card_values import Reading, read
from netcode.bots.observation import Sight
from netcode.bots.own_turn import Affairs

KEPT = ("loot", "share", "recover", "keep big")
"""Kinds of ask in which what is picked is got or kept; in all others own cards are parted with."""
SALE = 1000


class Choices:
    """One decision about an ask with options."""

    def __init__(self, sight: Sight, affairs: Affairs, rng: random.Random) -> None:
        self.sight = sight
        self.affairs = affairs
        self.rng = rng

    def answer(self, ask: Ask) -> Action:
        """lo..hi of the options."""
        return Answer(ask=ask.id, picks=tuple(self._picks(ask)))

    def _picks(self, ask: Ask) -> list[int]:
        if ask.kind.endswith("blind"):
            return self.rng.sample(ask.options, ask.lo)
        if ask.texts:
            return self._texts(ask)
        if ask.kind in OF_SEATS:
            return self._seats(ask)
        if ask.kind == "pay roll":
            return self._pay(ask)
        if ask.kind == "shield":
            return self._shield(ask)
        if ask.kind == "add to sale":
            return self._sale(ask)
        mine = set(self.sight.you.hand) | {placed.card for placed in self.sight.mine.table}
        if ask.kind not in KEPT and all(option in mine for option in ask.options):
            return self._part(ask)
        return sorted(ask.options, key=lambda card: (-self._wanted(card), card))[: ask.hi]

    def _texts(self, ask: Ask) -> list[int]:
        """The text whose effects suit me best, read off the card that asks; a procedure's first one if none does."""
        if ask.kind == "back out":
            return [ask.options[0]]
        scores = {option: self._score(ask, place) for place, option in enumerate(ask.options)}
        return sorted(ask.options, key=lambda option: -scores[option])[: max(ask.lo, min(1, ask.hi))]

    def _score(self, ask: Ask, place: int) -> float:
        if ask.card < 0 or place >= len(ask.texts):
            return 0.0
        for choice, by in _choices(self.sight.worth.of[ask.card].card):
            if choice.text == ask.texts[place]:
                text = read(choice.do)
                return text.you - 0.5 * text.victim if by in ("you", "turn") else text.victim + 0.2 * text.you
        return 0.0

    def _seats(self, ask: Ask) -> list[int]:
        """Harm goes to the leader, help is had from the strongest, a good turn is done to the least dangerous."""
        text = self._asking(ask)
        if text.compels:
            order = sorted(ask.options, key=lambda seat: -self.sight.view.seats[seat].strength)
        else:
            kind = 1.0 if text.victim > 0 else -1.0
            order = sorted(ask.options, key=lambda seat: kind * self.sight.weight(seat))
        return order[: max(ask.lo, min(1, ask.hi))]

    def _asking(self, ask: Ask) -> Reading:
        """What the card that asks does, all its texts together."""
        if ask.card < 0:
            return Reading()
        card = self.sight.worth.of[ask.card].card
        out = read(card.play)
        for ability in card.abilities:
            read(ability.do, out)
        return out

    def _part(self, ask: Ask) -> list[int]:
        """Own cards to part with: the least wanted, and no more of them than must be."""
        order = sorted(ask.options, key=lambda card: (self.affairs.keep(card), card))
        return order[: ask.lo]

    def _pay(self, ask: Ask) -> list[int]:
        """Cards against a failed roll: the least wanted, if they cost less than being caught."""
        order = sorted(ask.options, key=lambda card: (self.affairs.keep(card), card))[: ask.hi]
        price = sum(self.affairs.keep(card) for card in order)
        fight = self.sight.fight
        monsters = fight.monsters if fight is not None else []
        harm = max((self.sight.harm(monster, self.sight.me) for monster in monsters), default=0.0)
        return order if price < harm else []

    def _shield(self, ask: Ask) -> list[int]:
        """What keeps a curse off (0: nothing): the cheapest, if the curse is worse than its loss."""
        harm = -self.sight.worth.of[ask.card].text.victim
        cards = sorted((card for card in ask.options if card), key=self.affairs.keep)
        return [cards[0] if cards and harm > 0.5 * self.affairs.keep(cards[0]) else ask.options[0]]

    def _sale(self, ask: Ask) -> list[int]:
        """What is added to a sale that must reach its price: the dearest for the least loss."""
        loss = self.affairs.wardrobe.loss
        order = sorted(ask.options, key=lambda card: loss(card) / (1 + self.sight.value(card).gold))
        chosen: list[int] = []
        while len(chosen) < len(order) and sum(self.sight.value(card).gold for card in chosen) < SALE:
            chosen.append(order[len(chosen)])
        return chosen[: ask.hi]

    def _wanted(self, card: int) -> float:
        """Points of getting this card, or of somebody else's losing it."""
        return self.affairs.hold(card)


def _choices(card: v.Card) -> list[tuple[v.Choice, v.Who]]:
    """All choices that a card's texts offer, at any depth, with the who-word of who chooses."""
    options = [op for op in effects_within(card) if isinstance(op, v.Option)]
    return [(choice, option.by) for option in options for choice in option.of]
