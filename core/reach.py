"""How far the conditions of a card look beyond the seat before which it lies; recall.py files what is read by it.

A field of the card language that is not named here counts as looking anywhere: forgotten, it costs time, not truth.
"""

import msgspec

from core import vocab as v

_HERE = (
    ("who", "you"), ("who", "victim"), ("of", "you"), ("of", "victim"), ("level_of", "you"), ("level_of", "victim"),
    ("zone", "equipped"), ("zone", "carried"), ("zone", "play"), ("zone", "identities"), ("zone", "curses"),
)  # fmt: skip
_OWN: dict[type, tuple[str, ...]] = {
    v.If: ("has", "sex", "level_at_least", "level_at_most", "wears", "at_least", "cards", "all", "any", "none"),
    v.Cards: ("slot", "kind", "identity", "one_shot", "big", "tag", "worth"),
    v.Amount: ("base", "times", "least", "most", "count"),
}
_NEAR: dict[type, tuple[str, ...]] = {
    v.If: ("tag", "alone", "fighting", "own_turn", "monsters_at_least", "seals_at_least"),
    v.Amount: ("monsters", "seals", "margin"),
}


def reaches(card: v.Card, lingers: list[v.Linger]) -> tuple[int, int]:
    """How far a card looks for what its seat may have and do, and for that and its strength, rolls and rewards."""
    mods = [*card.mods, *(mod for linger in lingers for mod in linger.mods)]
    gear = [mod for mod in mods if not isinstance(mod, v.Strength | v.Flee | v.Reward)]
    return reach_of((card.only, card.unless, gear)), reach_of((card.only, card.unless, mods))


def reach_of(part: object) -> int:
    """How far the conditions and amounts in this part of a card look, for the seat before which it lies: 0 at that seat
    alone, its hand left out; 1 at the fight, whose turn it is or the open Seals besides; 2 anywhere."""
    if isinstance(part, (tuple, list)):
        return max((reach_of(one) for one in part), default=0)
    if not isinstance(part, v.Data):
        return 0
    own, near = _OWN.get(type(part), ()), _NEAR.get(type(part), ())
    reach = 0
    for named in msgspec.structs.fields(part):
        value = getattr(part, named.name)
        reach = max(reach, reach_of(value))
        if type(part) in _OWN and value != named.default and (named.name, value) not in _HERE:
            reach = max(reach, 0 if named.name in own else 1 if named.name in near else 2)
    return reach
