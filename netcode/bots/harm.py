"""What harm to a victim is worth to a bot, and what it brings if the victim's cards come to it."""

from core.language.schema import Cards
from netcode.bots.card_values import matches
from netcode.bots.effect_values import EffectSummary
from netcode.bots.trading import Trading

IN_SIGHT = ("items", "equipped", "carried", "play")
"""Zones of cards that everybody sees."""


def harm_points(trading: Trading, effects: EffectSummary, seat: int, gives: tuple[int, ...] = ()) -> float:
    """Return the points of what effects do to a victim, and of its cards that come to me: those that lie there, not
    those of an ordinary game. gives: my Items that go for them."""
    weight = trading.obs.strike_weight(seat)
    gain = -effects.victim * weight
    for cards, likely, points in effects.cards_taken:
        if cards.zone in IN_SIGHT:
            brought, lost = _taken(trading, cards, seat, gives)
            gain += likely * (brought - points + weight * (lost - points))
    return gain


def _taken(trading: Trading, cards: Cards, seat: int, gives: tuple[int, ...]) -> tuple[float, float]:
    """Return the points that a card in play brings me and costs its owner, if I take what these select: the one that I
    choose, or an average one at random, or the one that its owner misses least. 0 if there is none."""
    obs, found = trading.obs, []
    weight = obs.rival_weight(seat)
    for placed in obs.view.seats[seat].table:
        used = cards.zone != "carried" or not placed.up
        if used and matches(cards, obs.value(placed.card).card, obs.gold(placed.card, seat)):
            brought = trading.gain(obs.me, (placed.card,), gives)
            found.append((brought, -trading.gain(seat, (), (placed.card,))))
    if not found:
        return trading.gain(obs.me, (), gives), 0.0
    if cards.by == "you" or cards.pick == "best":
        return max(found, key=lambda one: one[0] + weight * one[1])
    if cards.pick == "random":
        return sum([one[0] for one in found]) / len(found), sum([one[1] for one in found]) / len(found)
    return min(found, key=lambda one: one[1])
