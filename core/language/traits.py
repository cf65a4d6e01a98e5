"""Traits: the possible benefits of a card for its seat, one bit for each.

The traits of all cards of a seat together (core/queries/cache.py) tell a query when it can skip these cards. The lowest
bits are what the conditions of the card depend on beyond its seat (dependencies.py): first for the capacity and the
actions of the seat, then, shifted by FAR, also for strength, rolls and rewards.
"""

from collections.abc import Iterable, Sequence
from typing import get_args

from core.language import schema as v
from core.language.dependencies import reach_of_card
from core.language.table_parts import FAR, PART_BITS

_FIRST = 2 * PART_BITS
CHEAT, UPGRADE, DOUBLE, ONE_SHOT, POWER, NARROWS, HAND_ROOM, ONCE = (1 << place for place in range(_FIRST, _FIRST + 8))
"""Bits for: kinds of card that queries ask for, one-shots, cards with an ability, cards that grant less room than
usual, cards that change the hand limit, and cards whose strength counts once for a side."""
MOD_TRAITS: dict[type, int] = {kind: 1 << place for place, kind in enumerate(get_args(v.Mod), _FIRST + 8)}
"""The trait of each type of modifier, on the card itself or in a lasting effect of it."""
_KINDS = {"cheat": CHEAT, "upgrade": UPGRADE, "double": DOUBLE}


def traits_of(card: v.Card, abilities: Iterable[v.Ability], lingers: Sequence[v.Linger]) -> int:
    """Return the traits of a card as bits. lingers: the lasting effects of its texts."""
    near, far = reach_of_card(card, lingers)
    traits = near | far << FAR | _KINDS.get(card.kind, 0)
    traits |= ONE_SHOT if card.one_shot else 0
    traits |= POWER if abilities else 0
    for mod in (*card.mods, *(mod for linger in lingers for mod in linger.mods)):
        traits |= MOD_TRAITS[type(mod)]
        if isinstance(mod, v.Capacity):
            traits |= (NARROWS if mod.by < 0 else 0) | (HAND_ROOM if mod.what == "hand" else 0)
        traits |= ONCE if isinstance(mod, v.Strength) and mod.once else 0
    return traits
