"""What the conditions of a card depend on beyond the card's own seat.

Cached reads of a seat (core/state/read_cache.py) stay valid until an event touches one of these things. A field of the
card language that is not listed here counts as depending on anything: omissions cost speed, never correctness.
"""

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_

import msgspec

from core.language import schema as v
from core.language.table_parts import ANYWHERE, FIGHT, SEALS, TURN

_HERE = (
    ("who", "you"), ("who", "victim"), ("of", "you"), ("of", "victim"), ("level_of", "you"), ("level_of", "victim"),
    ("zone", "equipped"), ("zone", "carried"), ("zone", "play"), ("zone", "identities"), ("zone", "curses"),
)  # fmt: skip
"""Values, by field, that depend only on the seat and its cards in play."""
_OWN: dict[type, tuple[str, ...]] = {
    v.If: ("has", "sex", "level_at_least", "level_at_most", "wears", "at_least", "cards", "all", "any", "none",
           "counters_at_least", "at_most", "drawback"),
    v.Cards: ("slot", "kind", "identity", "one_shot", "big", "tag", "worth", "pick", "by", "count"),
    v.Amount: ("base", "times", "least", "most", "count", "counters"),
}  # fmt: skip
"""Fields that depend only on the seat and its cards in play."""
_NEAR: dict[type, dict[str, int]] = {
    v.If: {
        "seals_at_least": SEALS, "own_turn": TURN, "fighting": FIGHT, "alone": FIGHT, "monsters_at_least": FIGHT,
        "tag": FIGHT,
    },
    v.Amount: {"seals": SEALS, "monsters": FIGHT, "margin": FIGHT, "tagged": FIGHT},
}  # fmt: skip
"""Fields that depend on one thing beyond the seat."""


def reach_of_card(card: v.Card, lingers: Sequence[v.Linger]) -> tuple[int, int]:
    """Return what a card depends on, as two sets of bits: one for the capacity and the actions of its seat; one that
    also includes strength, rolls and rewards."""
    mods = [*card.mods, *(mod for linger in lingers for mod in linger.mods)]
    gear = [mod for mod in mods if not isinstance(mod, v.Strength | v.Flee | v.Reward)]
    return reach_of((card.only, card.unless, gear)), reach_of((card.only, card.unless, mods))


def reach_of(part: object) -> int:
    """Return what the conditions and amounts in a part of a card depend on beyond its seat, as bits.

    The hand of the seat counts as beyond it; its cards in play do not.
    """
    if isinstance(part, (tuple, list)):
        return reduce(or_, map(reach_of, part), 0)
    if not isinstance(part, v.Data):
        return 0
    reach = 0
    for name, default, beyond in _fields(type(part)):
        value = getattr(part, name)
        reach |= reach_of(value)
        if beyond and value != default and (name, value) not in _HERE:
            reach |= beyond
    return reach


@cache
def _fields(kind: type[v.Data]) -> tuple[tuple[str, object, int], ...]:
    """The fields of a type of piece: name, default, and what any other value than the default depends on beyond the
    seat."""
    near, own = _NEAR.get(kind, {}), _OWN.get(kind)
    return tuple([
        (field.name, field.default, 0 if own is None or field.name in own else near.get(field.name, ANYWHERE))
        for field in msgspec.structs.fields(kind)
    ])
