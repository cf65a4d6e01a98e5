"""Modifiers of the card language in plain English, one line each: MODS by modifier."""

import re
from collections.abc import Callable
from typing import Any

from core.language import schema as v
from core.text.card_phrases import Lines, Phrases, count, member, mirrored, more, plural

_FORBID = {
    "help": "nobody can help", "ask": "may not ask for help", "one-shots": "no one-shots can be played",
    "enhancers": "no enhancers can be played", "sell": "may not sell Items",
    "trade": "may neither trade, give nor receive Items",
    "loot": "may not loot the room", "trouble": "may not look for trouble",
    "escape": "nobody escapes from it by rolling",
    "equip": "may not change what is equipped",
}  # fmt: skip
_IGNORE = {
    "bonuses": "no bonuses count, only Levels", "items": "bonuses of equipped Items do not count",
    "level": "Levels do not count", "identities": "bonuses of identities do not count",
    "one-shots": "one-shots for the heroes do not count", "head": "bonuses of Headgear do not count",
    "armor": "bonuses of Armor do not count", "feet": "bonuses of Footgear do not count",
    "hands": "bonuses of Items held in hands do not count",
}  # fmt: skip
_ROOM = {
    "big": "Big Item", "vehicle": "Vehicle", "ally": "Ally", "hand": "card in hand at the end of the turn",
    "hands": "hand", "head": "Headgear", "armor": "Armor", "feet": "Footgear",
}  # fmt: skip


def _strength(mod: v.Strength, w: Phrases) -> str:
    return f"{w.added(mod.by, 'combat strength')}{', once for the side' if mod.once else ''}"


def _pay_roll(mod: v.PayRoll, w: Phrases) -> str:
    return f"after a failed roll to run away: discard up to {mod.most} cards for {mod.by:+d} each"


def _capacity(mod: v.Capacity, w: Phrases) -> str:
    what = _ROOM.get(mod.what) or w.name(mod.what)
    if mod.by >= 20:
        return f"room for any number of {plural(what)}"
    return f"room for {more(mod.by, what)}"


def _reward(mod: v.Reward, w: Phrases) -> str:
    return f"{_worth(mod)} for each kill as main fighter"


def _worth(mod: v.Reward) -> str:
    parts = [more(mod.levels, "level")] if mod.levels else []
    parts += [more(mod.treasures, "Treasure")] if mod.treasures else []
    return " and ".join(parts) or "nothing extra"


def _helper_levels(mod: v.HelperLevels, w: Phrases) -> str:
    each = "for each monster killed" if mod.each else "if the monsters are killed"
    margin = f" and the fight is won by {mod.margin} or more" if mod.margin else ""
    return f"as helper, gains {count(mod.by, 'level')} {each}{margin}"


def _ignore(mod: v.Ignore, w: Phrases) -> str:
    return f"bonuses of {w.name(mod.tag)} Items do not count, one-shots included" if mod.tag else _IGNORE[mod.what]


def _shield(mod: v.Shield, w: Phrases) -> str:
    return f"may cancel a {w.curse} that strikes its owner{', by discarding this card' if mod.spent else ''}"


_DICE = {"run": "die to run away", "text": "die of a card text", "any": "die"}


def _throw_again(mod: v.ThrowAgain, w: Phrases) -> str:
    whose = "its owner's" if mod.whose == "own" else "anybody's"
    often = "once" if mod.most == 1 else "twice" if mod.most == 2 else f"{mod.most} times"
    limit = ", by discarding this card" if mod.spent else ""
    limit += f", {often} in a {mod.per}" if mod.per else ""
    return f"may have {whose} {_DICE[mod.of]} rolled again{limit}; the new number counts"


def _extra(mod: v.ExtraCards, w: Phrases) -> str:
    return f"draws {more(mod.by, 'card')} when looting the room"


def _seal_draw(mod: v.SealDraw, w: Phrases) -> str:
    one = "Door card" if mod.deck == "door" else "Treasure"
    return f"draws {count(mod.count, one)}, face down, whenever a Seal is opened"


MODS: dict[type, Callable[[Any, Phrases], str]] = {
    v.Strength: _strength,
    v.Flee: lambda mod, w: w.added(mod.by, "rolls to run away"),
    v.PayRoll: _pay_roll,
    v.WinsTies: lambda mod, w: "the heroes win ties",
    v.Forbid: lambda mod, w: _FORBID[mod.what],
    v.Ignore: _ignore,
    v.Spares: lambda mod, w: "it does not pursue",
    v.Capacity: _capacity,
    v.Reward: _reward,
    v.HelperLevels: _helper_levels,
    v.SellDouble: lambda mod, w: "once on each of its owner's turns, one Item sells for twice its value",
    v.Shield: _shield,
    v.ExtraCards: _extra,
    v.TopDiscard: lambda mod, w: "when looting the room, may take the top discard instead of a face-down card",
    v.TwoHanded: lambda mod, w: f"a 1-Hand Item may be used with both hands for {mod.by:+d}",
    v.SealDraw: _seal_draw,
    v.SpareDeath: lambda mod, w: f"loses {count(mod.levels, 'level')} instead of dying",
    v.LootFight: lambda mod, w: (
        "may fight a monster drawn while looting the room, and under faster play loot a Door instead of a Treasure"
    ),
    v.ThrowAgain: _throw_again,
    v.RollIs: lambda mod, w: f"the next roll of a six-sided die counts as {mod.value}",
}


def mod_lines(mod: v.Mod, w: Phrases, subject: str) -> Lines:
    """Return the line of a modifier of a player. subject: the player of a condition that names nobody."""
    return [_with_condition(MODS[type(mod)](mod, w), mod, w, subject)]


def foe_lines(mod: v.Mod, w: Phrases) -> Lines:
    """Return the line of a modifier of a monster, which affects the players who fight it or run away from it."""
    if isinstance(mod, v.Strength):
        return [_with_condition(w.added(mod.by, "its strength"), mod, w, "a hero")]
    if isinstance(mod, v.Flee):
        return [_with_condition(w.added(mod.by, "rolls to run away from it"), mod, w, "the runner")]
    if isinstance(mod, v.Reward):
        return [_with_condition(f"killing it gives {_worth(mod)}", mod, w, "a hero")]
    return mod_lines(mod, w, "the runner" if isinstance(mod, v.Spares) else "a hero")


def _with_condition(text: str, mod: v.Mod, w: Phrases, subject: str) -> str:
    if mod.if_ is not None:
        text += f", if {w.condition(mod.if_, subject)}"
    return text + (" (a disadvantage)" if mod.drawback else "")


_NUMBER = re.compile(r"^(\d+ x )?the number of ")
"""The beginning of an amount that the number beside its reason says."""


def reason_of_more(mod: v.Strength, w: Phrases) -> str:
    """Return the circumstances in which a card adds strength to its owner, to follow the amount: "for a Wizard",
    "against Undead", "while the fighter has no helper", "for cards in your hand"; "" if it always does."""
    parts = []
    if not isinstance(mod.by, int):
        parts.append(f"for {_NUMBER.sub('', w.amount(mirrored(mod.by) or mod.by))}")
    if mod.if_ is not None and mod.if_.tag is not None and mod.if_ == v.If(who=mod.if_.who, tag=mod.if_.tag):
        parts.append(f"against {w.name(mod.if_.tag)}")
    elif mod.if_ is not None:
        same = mod.if_.has is not None and mod.if_ == v.If(who=mod.if_.who, has=mod.if_.has)
        what = member(w.name(mod.if_.has or ""))
        parts.append(f"for {what}" if same else f"while {w.condition(mod.if_, 'its owner')}")
    return " ".join(parts)


def reason_of_bonus(mod: v.Strength, w: Phrases) -> str:
    """Return the circumstances in which a monster is stronger or weaker, to follow "its bonus": "against an Elf", "as a
    hero has Headgear equipped", "for cards in the fighter's hand"."""
    parts = []
    if not isinstance(mod.by, int):
        parts.append(f"for {_NUMBER.sub('', w.amount(mirrored(mod.by) or mod.by))}")
    if mod.if_ is not None:
        same = mod.if_.has is not None and mod.if_ == v.If(who=mod.if_.who, has=mod.if_.has)
        parts.append(f"against {member(w.name(mod.if_.has or ''))}" if same else f"as {w.condition(mod.if_, 'a hero')}")
    return " ".join(parts)
