"""What the conditions of a card depend on beyond the seat in front of which it lies.

The read cache (core/queries/cache.py) keeps what was read of a seat for as long as these things stay the same. A field
of the card language that is not listed here counts as depending on anything: omissions cost speed, never correctness.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_

import msgspec

from core.language import schema as v

SEALS, TURN, HERO, ALONE, MONSTERS, MARGIN, FOUGHT, ANYWHERE = (1 << place for place in range(8))
"""What a condition may depend on besides its seat, as bits: the number of open Seals; whether it is the seat's turn;
whether the seat is in the combat; whether the fighter is alone; the number of monsters; by how much the fight was lost
or won; the monsters and the cards in it; anything at all."""

_HERE = (
    ("who", "you"), ("who", "victim"), ("of", "you"), ("of", "victim"), ("level_of", "you"), ("level_of", "victim"),
    ("zone", "equipped"), ("zone", "carried"), ("zone", "play"), ("zone", "identities"), ("zone", "curses"),
)  # fmt: skip
"""Values, by field, that do not reach beyond the seat and its cards in play."""
_OWN: dict[type, tuple[str, ...]] = {
    v.If: ("has", "sex", "level_at_least", "level_at_most", "wears", "at_least", "cards", "all", "any", "none",
           "counters_at_least", "at_most"),
    v.Cards: ("slot", "kind", "identity", "one_shot", "big", "tag", "worth"),
    v.Amount: ("base", "times", "least", "most", "count", "counters"),
}  # fmt: skip
"""Fields that do not reach beyond the seat and its cards in play."""
_NEAR: dict[type, dict[str, int]] = {
    v.If: {
        "seals_at_least": SEALS, "own_turn": TURN, "fighting": HERO, "alone": ALONE, "monsters_at_least": MONSTERS,
        "tag": FOUGHT,
    },
    v.Amount: {"seals": SEALS, "monsters": MONSTERS, "margin": MARGIN, "tagged": FOUGHT},
}  # fmt: skip
"""Fields that depend on one thing beyond the seat."""


def reach_of_card(card: v.Card, lingers: Sequence[v.Linger]) -> tuple[int, int]:
    """Return what a card depends on, as bits: first for what its seat may have and do, second for that and its
    strength, rolls and rewards."""
    mods = [*card.mods, *(mod for linger in lingers for mod in linger.mods)]
    gear = [mod for mod in mods if not isinstance(mod, v.Strength | v.Flee | v.Reward)]
    return reach_of((card.only, card.unless, gear)), reach_of((card.only, card.unless, mods))


def reach_of(part: object) -> int:
    """Return what the conditions and amounts in a part of a card depend on beyond its seat, as bits.

    The hand of the seat counts as beyond it: only its cards in play do not.
    """
    if isinstance(part, (tuple, list)):
        return reduce(or_, map(reach_of, part), 0)
    if not isinstance(part, v.Data):
        return 0
    kind = type(part)
    reach = 0
    for field in msgspec.structs.fields(part):
        value = getattr(part, field.name)
        reach |= reach_of(value)
        beyond = kind in _OWN and field.name not in _OWN[kind]
        if beyond and value != field.default and (field.name, value) not in _HERE:
            reach |= _NEAR.get(kind, {}).get(field.name, ANYWHERE)
    return reach
