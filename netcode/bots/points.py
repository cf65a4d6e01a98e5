"""What things are worth to a bot in points (a Level is ten), what amounts of the card language come to, and what
modifiers are worth.

The figures are those of an ordinary game.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from core.language import schema as v

LEVEL, TREASURE, DOOR, DEATH, SEAL, COUNTER, TURN = 10.0, 5.0, 2.5, 40.0, 3.0, 2.0, 9.0
HALF = 0.5
"""Weight of what depends on a condition that bots do not examine, and of an `else`."""
Dice = Mapping[str, Sequence[int]]
"""The numbers that a die may show, each as likely as the others, by the name under which its text saves it."""
NO_DICE: Dice = {}


def number(amount: int | v.Amount, dice: Dice = NO_DICE) -> float:
    """Return what an amount comes to in an ordinary game. dice: those that were rolled before."""
    if isinstance(amount, int):
        return float(amount)
    rolled = dice.get(amount.saved or "")
    if rolled:
        return sum(_number(amount, shown) for shown in rolled) / len(rolled)
    return _number(amount, 1.0 if amount.saved == "paid" else AMOUNTS["saved"])


def _number(amount: v.Amount, saved: float) -> float:
    """Return what an amount comes to if the saved number in it is this."""
    counted = float(amount.base)
    for name, points in AMOUNTS.items():
        if getattr(amount, name) not in (None, False):
            counted += saved if name == "saved" else points
    counted *= amount.times
    if amount.least is not None:
        counted = max(counted, amount.least)
    return counted if amount.most is None else min(counted, amount.most)


def chance(cond: v.If | None, dice: Dice) -> float:
    """Return how likely a condition holds (0 to 1): as the dice have it if it asks only for one of them, else HALF."""
    if cond is None:
        return 1.0
    names = {part.saved for part in _leaves(cond)}
    name = names.pop() if len(names) == 1 else None
    rolled = dice.get(name or "")
    if not rolled or any(part.words not in ((), ("saved",)) for part in _leaves(cond)):
        return HALF
    return sum(_shows(cond, shown) for shown in rolled) / len(rolled)


def _leaves(cond: v.If) -> list[v.If]:
    """Return the conditions within a condition that ask for something themselves."""
    inner = [leaf for part in (*cond.all, *cond.any, *cond.none) for leaf in _leaves(part)]
    return [cond, *inner] if cond.words or not inner else inner


def _shows(cond: v.If, shown: int) -> bool:
    """Return whether a condition that asks for one die only holds if that shows this number."""
    own = not cond.words or (cond.at_least <= shown and (cond.at_most is None or shown <= cond.at_most))
    return (
        own and all(_shows(part, shown) for part in cond.all) and not any(_shows(part, shown) for part in cond.none)
        and (not cond.any or any(_shows(part, shown) for part in cond.any))
    )


AMOUNTS = {
    "count": 2.0, "level_of": 5.0, "saved": 3.5, "margin": 3.0, "monsters": 1.0, "seals": 1.0, "having": 1.0,
    "counters": 2.0, "tagged": 1.0,
}  # fmt: skip
"""What each thing that an amount can count comes to in an ordinary game."""


def with_counters(piece: Any, counters: int) -> Any:
    """Return a piece of the language, or a tuple of pieces, in which amounts know how many counters are on the card."""
    if isinstance(piece, tuple):
        return tuple(with_counters(part, counters) for part in piece)
    if not isinstance(piece, v.Data):
        return piece
    inner = {name: getattr(piece, name) for name in piece.__struct_fields__}
    changed = {name: with_counters(part, counters) for name, part in inner.items() if isinstance(part, tuple | v.Data)}
    if isinstance(piece, v.Amount) and piece.counters:
        changed |= {"counters": False, "base": piece.base + counters}
    return replace(piece, **changed) if changed else piece


def by_paid(amount: int | v.Amount) -> float:
    """Return how much an amount grows with each card paid."""
    return float(amount.times) if isinstance(amount, v.Amount) and amount.saved == "paid" else 0.0


def by_dice(cond: v.If, dice: Dice) -> bool:
    """Return whether a condition asks for one of these dice."""
    return any((part.saved or "") in dice for part in _leaves(cond))


def mod_points(mod: v.Mod) -> float:
    """Return the points of a modifier for its owner (below 0: harm)."""
    share = HALF if mod.if_ is not None else 1.0
    points: float = MODS[type(mod)](mod)
    return share * points


MODS: dict[type, Callable[[Any], float]] = {
    v.Strength: lambda mod: 2.2 * number(mod.by),
    v.Flee: lambda mod: 2.0 * number(mod.by),
    v.PayRoll: lambda mod: 3.0,
    v.WinsTies: lambda mod: 4.0,
    v.Forbid: lambda mod: -6.0,
    v.Ignore: lambda mod: -6.0,
    v.Spares: lambda mod: 0.0,
    v.Capacity: lambda mod: 5.0 * mod.by,
    v.Reward: lambda mod: LEVEL * mod.levels + TREASURE * mod.treasures,
    v.HelperLevels: lambda mod: 8.0,
    v.SellDouble: lambda mod: 6.0,
    v.Shield: lambda mod: 8.0,
    v.ExtraCards: lambda mod: 5.0,
    v.TopDiscard: lambda mod: 4.0,
    v.TwoHanded: lambda mod: 4.0,
    v.SealDraw: lambda mod: 4.0,
    v.SpareDeath: lambda mod: 8.0,
    v.LootFight: lambda mod: 3.0,
    v.ThrowAgain: lambda mod: (4.0 if mod.of == "text" else 6.0) * (1.3 if mod.whose == "any" else 1.0),
    v.RollIs: lambda mod: 2.0 * (mod.value - 3.5),
}
"""Points of each modifier for its owner, if it always holds."""
