"""Decide when a bot holds a window as if it had something to play. Only public facts decide, never its hand: above all
what the others must think that such a hand may do (threats.py). So a hold tells nothing about the hand, and yet many
holds are followed by a card."""

import random

from core.moves.validate import HOLDS
from core.state.views import View
from netcode.bots.card_values import CardValues
from netcode.bots.character import Leanings
from netcode.bots.fight_value import BIG, fight_value, lead_of
from netcode.bots.reputation import Reputation
from netcode.bots.threats import threat
from netcode.bots.tuning import TUNING

_BLUFFS = TUNING.bluffs


def holds(
    view: View, me: int, name: str, leanings: Leanings, reputation: Reputation | None, values: CardValues
) -> bool:  # fmt: skip
    """Return whether this seat holds the open window now: at most once in a fight that a rival is winning, if that
    suits its leanings (a big fight, a small one, a rival that has hurt it), and only if the others must fear its hand.
    name: the personality's."""
    window, fight = view.window, view.fight
    if window is None or fight is None or window.kind == "kick" or window.passed or window.holder >= 0:
        return False
    if window.holds < HOLDS or not fight.winning or me in (fight.seat, fight.helper):
        return False
    if fight_value(fight) >= BIG:
        chance = leanings.holds * (_BLUFFS.match_point if fight.match_point else _BLUFFS.big_fight)
    else:
        chance = leanings.holds_small
    if reputation is not None:
        chance = max(chance, leanings.holds_foe * reputation.grudge(fight.seat))
    if not chance or threat(view, values, me, lead_of(fight)) < _BLUFFS.feared:
        return False
    first = fight.monsters[0].id if fight.monsters else 0
    return random.Random(f"{name} {me} {view.turn_no} {fight.no} {first}").random() < chance
