"""How far the conditions of a card look beyond the seat before which it lies; recall.py files what is read by it.

A field of the card language that is not named here counts as looking anywhere: forgotten, it costs time, not truth.
"""

from functools import reduce
from operator import or_

import msgspec

from core.language import schema as v

SEALS, TURN, HERO, ALONE, MONSTERS, MARGIN, FOUGHT, ANYWHERE = (1 << place for place in range(8))
"""What a condition may look at beyond its seat: how many Seals are open, whether it is the seat's turn, whether it is
in the combat, whether the fighter is alone, how many monsters there are, by how much it was lost or won, what is in it;
or anything at all."""

_HERE = (
    ("who", "you"), ("who", "victim"), ("of", "you"), ("of", "victim"), ("level_of", "you"), ("level_of", "victim"),
    ("zone", "equipped"), ("zone", "carried"), ("zone", "play"), ("zone", "identities"), ("zone", "curses"),
)  # fmt: skip
_OWN: dict[type, tuple[str, ...]] = {
    v.If: ("has", "sex", "level_at_least", "level_at_most", "wears", "at_least", "cards", "all", "any", "none"),
    v.Cards: ("slot", "kind", "identity", "one_shot", "big", "tag", "worth"),
    v.Amount: ("base", "times", "least", "most", "count"),
}
_NEAR: dict[type, dict[str, int]] = {
    v.If: {
        "seals_at_least": SEALS, "own_turn": TURN, "fighting": HERO, "alone": ALONE, "monsters_at_least": MONSTERS,
        "tag": FOUGHT,
    },
    v.Amount: {"seals": SEALS, "monsters": MONSTERS, "margin": MARGIN},
}  # fmt: skip


def reaches(card: v.Card, lingers: list[v.Linger]) -> tuple[int, int]:
    """What a card looks at for what its seat may have and do, and for that and its strength, rolls and rewards."""
    mods = [*card.mods, *(mod for linger in lingers for mod in linger.mods)]
    gear = [mod for mod in mods if not isinstance(mod, v.Strength | v.Flee | v.Reward)]
    return reach_of((card.only, card.unless, gear)), reach_of((card.only, card.unless, mods))


def reach_of(part: object) -> int:
    """What the conditions and amounts in this part of a card look at besides the seat before which it lies, whose hand
    counts as elsewhere: the words above, added up."""
    if isinstance(part, (tuple, list)):
        return reduce(or_, map(reach_of, part), 0)
    if not isinstance(part, v.Data):
        return 0
    kind = type(part)
    reach = 0
    for named in msgspec.structs.fields(part):
        value = getattr(part, named.name)
        reach |= reach_of(value)
        far = kind in _OWN and named.name not in _OWN[kind]
        if far and value != named.default and (named.name, value) not in _HERE:
            reach |= _NEAR.get(kind, {}).get(named.name, ANYWHERE)
    return reach
