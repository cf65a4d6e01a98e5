"""The worth of things, amounts of the card language and modifiers to a bot, in points (a Level is ten).

The figures are those of an ordinary game.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from core.language import schema as v
from netcode.bots.tuning import TUNING

_POINTS, _MODIFIERS, AMOUNTS = TUNING.points, TUNING.modifiers, TUNING.amounts
LEVEL, TREASURE, DOOR, SEAL = _POINTS.level, _POINTS.treasure, _POINTS.door, _POINTS.seal
DEATH, COUNTER, TURN, WIN = _POINTS.death, _POINTS.counter, _POINTS.turn, _POINTS.win
STRENGTH, GOLD = _POINTS.strength, _POINTS.gold
HALF = _POINTS.unexamined
"""Weight of effects under a condition that bots do not examine, and of an `else`."""
DEATH_MOST = DEATH * _POINTS.death_most
"""The most points that the Bad Stuff of a fight costs."""
Dice = Mapping[str, Sequence[int]]
"""The numbers that a die may show with equal chances, by the name under which its text saves it."""
NO_DICE: Dice = {}


def number(amount: int | v.Amount, dice: Dice = NO_DICE) -> float:
    """Return the usual value of an amount in an ordinary game. dice: those that were rolled before."""
    if isinstance(amount, int):
        return float(amount)
    rolled = dice.get(amount.saved or "")
    if rolled:
        return sum(_number(amount, shown) for shown in rolled) / len(rolled)
    return _number(amount, 1.0 if amount.saved == "paid" else AMOUNTS["saved"])


def _number(amount: v.Amount, saved: float) -> float:
    """Return the value of an amount whose saved number is this."""
    counted = float(amount.base)
    for name, points in AMOUNTS.items():
        if getattr(amount, name) not in (None, False):
            counted += saved if name == "saved" else points
    counted *= amount.times
    if amount.least is not None:
        counted = max(counted, amount.least)
    return counted if amount.most is None else min(counted, amount.most)


def chance(cond: v.If | None, dice: Dice) -> float:
    """Return the chance that a condition holds (0 to 1): by the dice if it asks only about one of them, else HALF."""
    if cond is None:
        return 1.0
    names = {part.saved for part in _leaves(cond)}
    name = names.pop() if len(names) == 1 else None
    rolled = dice.get(name or "")
    if not rolled or any(part.words not in ((), ("saved",)) for part in _leaves(cond)):
        return HALF
    return sum(_shows(cond, shown) for shown in rolled) / len(rolled)


def _leaves(cond: v.If) -> list[v.If]:
    """Return the conditions within a condition that have tests of their own."""
    inner = [leaf for part in (*cond.all, *cond.any, *cond.none) for leaf in _leaves(part)]
    return [cond, *inner] if cond.words or not inner else inner


def _shows(cond: v.If, shown: int) -> bool:
    """Return whether a condition that asks only about one die holds if the die shows this number."""
    own = not cond.words or (cond.at_least <= shown and (cond.at_most is None or shown <= cond.at_most))
    return (
        own and all(_shows(part, shown) for part in cond.all) and not any(_shows(part, shown) for part in cond.none)
        and (not cond.any or any(_shows(part, shown) for part in cond.any))
    )


def with_counters(piece: Any, counters: int) -> Any:
    """Return a piece of the language, or a tuple of pieces, with the number of counters on the card put into its
    amounts."""
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


def _throw_again(mod: v.ThrowAgain) -> float:
    """Return the points of rolling dice again: those of a kind, of one seat or of all, once or again and again."""
    points = {
        "any": _MODIFIERS.throw_again, "text": _MODIFIERS.throw_again_text, "run": _MODIFIERS.throw_again_run,
    }[mod.of]  # fmt: skip
    whose = _MODIFIERS.throw_again_any if mod.whose == "any" else 1.0
    return points * whose * (_MODIFIERS.throw_again_once if mod.spent else 1.0)


MODS: dict[type, Callable[[Any], float]] = {
    v.Strength: lambda mod: STRENGTH * number(mod.by),
    v.Flee: lambda mod: _MODIFIERS.flee * number(mod.by),
    v.PayRoll: lambda mod: _MODIFIERS.pay_roll,
    v.WinsTies: lambda mod: _MODIFIERS.wins_ties,
    v.Forbid: lambda mod: _MODIFIERS.forbid,
    v.Ignore: lambda mod: _MODIFIERS.ignore,
    v.Spares: lambda mod: 0.0,
    v.Capacity: lambda mod: _MODIFIERS.capacity * min(mod.by, _MODIFIERS.capacity_most),
    v.Reward: lambda mod: LEVEL * mod.levels + TREASURE * mod.treasures,
    v.HelperLevels: lambda mod: _MODIFIERS.helper_levels,
    v.SellDouble: lambda mod: _MODIFIERS.sell_double,
    v.Shield: lambda mod: _MODIFIERS.shield,
    v.ExtraCards: lambda mod: _MODIFIERS.extra_cards,
    v.TopDiscard: lambda mod: _MODIFIERS.top_discard,
    v.TwoHanded: lambda mod: _MODIFIERS.two_handed,
    v.SealDraw: lambda mod: _MODIFIERS.seal_draw,
    v.SpareDeath: lambda mod: _MODIFIERS.spare_death,
    v.LootFight: lambda mod: _MODIFIERS.loot_fight,
    v.ThrowAgain: _throw_again,
    v.RollIs: lambda mod: _MODIFIERS.roll_is * (mod.value - AMOUNTS["saved"]),
}
"""Points of each modifier for its owner, if it always holds."""
