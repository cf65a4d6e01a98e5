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
_COUNTED: dict[type, tuple[str, ...]] = {
    v.If: ("alone", "fighting", "own_turn", "monsters_at_least", "seals_at_least"),
    v.Amount: ("monsters", "seals", "margin"),
}
_FOUGHT: dict[type, tuple[str, ...]] = {v.If: ("tag",)}
_LOOKS = (_OWN, _COUNTED, _FOUGHT)


def reaches(card: v.Card, lingers: list[v.Linger]) -> tuple[int, int]:
    """How far a card looks for what its seat may have and do, and for that and its strength, rolls and rewards."""
    mods = [*card.mods, *(mod for linger in lingers for mod in linger.mods)]
    gear = [mod for mod in mods if not isinstance(mod, v.Strength | v.Flee | v.Reward)]
    return reach_of((card.only, card.unless, gear)), reach_of((card.only, card.unless, mods))


def reach_of(part: object) -> int:
    """How far the conditions and amounts in this part of a card look, for the seat before which it lies: 0 at that seat
    alone, its hand left out; 1 besides at how many monsters and Seals there are, at who fights and whose turn it is;
    2 besides at what is in the fight; 3 anywhere."""
    if isinstance(part, (tuple, list)):
        return max((reach_of(one) for one in part), default=0)
    if not isinstance(part, v.Data):
        return 0
    kind = type(part)
    reach = 0
    for named in msgspec.structs.fields(part):
        value = getattr(part, named.name)
        reach = max(reach, reach_of(value))
        if kind in _OWN and value != named.default and (named.name, value) not in _HERE:
            looks = [far for far, fields in enumerate(_LOOKS) if named.name in fields.get(kind, ())]
            reach = max(reach, *looks, 0 if looks else 3)
    return reach
