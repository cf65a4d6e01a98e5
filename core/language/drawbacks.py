"""Which conditions on an identity are disadvantages: if they hold, the result is bad for the player with that identity.

A Super Munchkin with a single identity has none of its disadvantages (self.super-single). Cards do not mark them: they
follow from what a card does. Where that is not clear, the condition says so itself (`drawback`).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from core.language import schema as v

Sense = Literal[-1, 0, 1]
"""The role of a condition: HARM, SPARED or PLAIN."""
HARM: Sense = 1
"""Something bad happens if the condition holds. Identities whose disadvantages the seat is free of do not count."""
SPARED: Sense = -1
"""Something bad is averted if the condition holds (`none` within HARM): a seat that is free of an identity's
disadvantages is spared like a seat without the identity."""
PLAIN: Sense = 0
"""Anything else."""
EXCEPT: dict[Sense, Sense] = {HARM: SPARED, SPARED: HARM, PLAIN: HARM}
"""The sense of the conditions under `none`, by the sense of the condition that holds them."""

Whom = frozenset[str]
"""Who-words: the seats that a condition is about."""
_HEROES = frozenset(("victim", "fighter", "helper", "side"))
_SENSES = 1000
"""Size of the LRU caches; their entries never change."""


def mod_sense(mod: v.Mod, of_monster: bool = False) -> Sense:
    """Return the sense of the condition of a modifier. of_monster: the modifier is a monster's, so what is good for the
    monster is bad for the heroes."""
    if mod.if_ is None or not mod.if_.about_identity:
        return PLAIN
    return _sense(mod.if_, _burden(mod, of_monster) > 0)


def effect_sense(op: v.Op, default: v.Who) -> Sense:
    """Return the sense of the condition of an effect. default: the seat that a condition without a who-word is
    about."""
    if op.if_ is None or not op.if_.about_identity:
        return PLAIN
    return _effect_sense(op, default)


@lru_cache(_SENSES)
def _effect_sense(op: v.Op, default: v.Who) -> Sense:
    if op.if_ is None:
        return PLAIN
    whom = _whom(op.if_, default)
    if isinstance(op, v.Branch):
        return _sense(op.if_, toll(op.then, whom) > toll(op.else_, whom))
    return _sense(op.if_, _toll_of(op, whom) > 0)


def text_sense(cond: v.If | None, text: tuple[v.Op, ...], default: v.Who) -> Sense:
    """Return the sense of a condition that decides whether a whole text runs."""
    if cond is None or not cond.about_identity:
        return PLAIN
    return _sense(cond, toll(text, _whom(cond, default)) > 0)


def meets_sense(op: v.ChooseSeat, rest: tuple[v.Op, ...]) -> Sense:
    """Return the sense of the condition on the seats that somebody chooses among. rest: the text after it."""
    if op.meets is None or not op.meets.about_identity:
        return PLAIN
    return _sense(op.meets, toll(rest, frozenset(("chosen",))) > 0)


def choice_sense(op: v.Option, choice: v.Choice, default: v.Who) -> Sense:
    """Return the sense of the condition on one of several choices. An extra choice is no disadvantage for the chooser,
    but it may be one for others."""
    if choice.if_ is None or not choice.if_.about_identity or op.by in _whom(choice.if_, default):
        return PLAIN
    return text_sense(choice.if_, choice.do, default)


def _sense(cond: v.If, harms: bool) -> Sense:
    return HARM if (harms if cond.drawback is None else cond.drawback) else PLAIN


def _whom(cond: v.If, default: v.Who) -> Whom:
    """Return the seats whose identity a condition asks about. Either hero of a combat stands for both."""
    words: set[str] = set()
    for part in (*cond.all, *cond.any, *cond.none):
        words |= _whom(part, default) if part.about_identity else frozenset()
    if cond.names_identity:
        words.add(cond.who or default)
    return frozenset(words | _HEROES) if words & _HEROES else frozenset(words)


# --------------------------------------------------------------------------------------------------- what it costs
def toll(text: tuple[v.Op, ...], whom: Whom) -> int:
    """Return how bad a text is for somebody, roughly: 0 for nothing, below 0 for something good.

    Losing an identity counts 0: the risk of losing an identity is no disadvantage of having it.
    """
    return sum(_toll_of(op, whom) for op in text)


def _toll_of(op: v.Op, whom: Whom) -> int:
    judge = _TOLLS.get(type(op))
    return 0 if judge is None else judge(op, whom)


def _number(value: int | v.Amount) -> int:
    """Return a plain number unchanged; for an amount, a number with the sign of what it counts."""
    if isinstance(value, int):
        return value
    counted = any(getattr(value, name) for name in _COUNTED)
    return (1 if counted else value.base) * (1 if value.times > 0 else -1)


_COUNTED = [name for name in v.Amount.__struct_fields__ if name not in ("base", "times", "least", "most")]


def _cards(cards: v.Cards, whom: Whom) -> int:
    if cards.of not in whom or cards.means_identities:
        return 0
    return 3 if cards.pick == "all" else abs(_number(cards.count))


def _option(op: v.Option, whom: Whom) -> int:
    """A chooser picks what is best for themselves; anybody else's choice counts as the worst."""
    tolls = [toll(choice.do, whom) for choice in op.of]
    return min(tolls) if op.by in whom else max(tolls)


def _each(op: v.Each, whom: Whom) -> int:
    return toll(op.then, whom | {"me"} if op.who in whom else whom)


def _bonus(op: v.Bonus, whom: Whom) -> int:
    if op.side == "named" or not whom & (_HEROES | {"you"}):
        return 0
    return -_number(op.by) if op.side == "heroes" else _number(op.by)


def _once(sign: int, name: str) -> Callable[[Any, Whom], int]:
    """Return a function that judges an effect which is bad (1) or good (-1) for the seats that this field names."""
    return lambda op, whom: sign if getattr(op, name) in whom else 0


_TOLLS: dict[type, Callable[[Any, Whom], int]] = {
    v.Level: lambda op, whom: -_number(op.by) if op.who in whom else 0,
    v.Discard: lambda op, whom: _cards(op.cards, whom),
    v.Take: lambda op, whom: _cards(op.cards, whom) - (op.to in whom),
    v.Draw: _once(-1, "who"),
    v.Recover: _once(-1, "who"),
    v.Look: _once(1, "at"),
    v.Peek: _once(-1, "who"),
    v.Branch: lambda op, whom: toll(op.then, whom) + toll(op.else_, whom),
    v.Option: _option,
    v.Each: _each,
    v.Bonus: _bonus,
    v.Enhance: lambda op, whom: _number(op.by),
    v.AddMonster: lambda op, whom: 1,
    v.RemoveMonster: lambda op, whom: -1,
    v.EndCombat: lambda op, whom: -1,
    v.Escape: _once(-1, "who"),
    v.Compel: _once(1, "who"),
    v.HandOver: _once(1, "to"),
    v.Kill: lambda op, whom: 9 if op.who in whom else 0,
    v.Linger: lambda op, whom: sum(_burden(mod, False) for mod in op.mods) if op.who in whom else 0,
    v.Lift: _once(-1, "who"),
    v.OpenSeal: _once(1, "who"),
    v.ExtraTurn: _once(-1, "who"),
}
"""How bad an effect is for somebody, by verb. Any other verb is neither good nor bad."""


def _burden(mod: v.Mod, of_monster: bool) -> int:
    """Return how bad a modifier is for its owner; one of a monster, for the heroes."""
    if isinstance(mod, v.Strength):
        return _number(mod.by) if of_monster else -_number(mod.by)
    if isinstance(mod, v.Flee | v.Capacity):
        return -_number(mod.by)
    if isinstance(mod, v.Reward):
        return -(mod.levels + mod.treasures)
    if isinstance(mod, v.Forbid | v.Ignore):
        return 1
    return 0
