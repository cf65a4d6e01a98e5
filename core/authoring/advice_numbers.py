"""Compare the numbers of a card's printed text with those of its effects, in both directions.

The number one is never reported as missing: "a level", "another card" and "the helper" all say it. Numbers in jokes are
ignored: a number in the text counts as a figure only with a sign or with the thing that it counts ("+3", "two levels",
"Level 4", "5 or more").
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from core.authoring.lint_cards import Found
from core.language import schema as v
from core.language.level_gain import LevelGain
from core.language.tree import effects_within, walk

WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "twenty": 20,
}  # fmt: skip
PAIRS = {"twice": 2, "double": 2, "doubled": 2, "both": 2, "pair": 2}
"""Words that can give a figure of an effect ("roll twice") but mostly mean something else ("with both hands")."""
ENDLESS = 20
"""From this figure on a text says "any number" instead."""
SUMS_OF = 24
"""At most this many figures of a card are combined in pairs, because a text may give a figure as a sum."""
USUAL_SIDES = 6
"""The number of sides of a die that a text need not mention."""
_NUMBER = rf"(\d[\d,]*|{'|'.join(WORDS)})"
_COUNTED = (
    "levels?|cards?|treasures?|items?|doors?|seals?|allies|ally|hands?|vehicles?|dice|curses?|disasters?|gold pieces?|"
    "monsters?|powers?|armies|classes|races|stronger|weaker|more|less|fewer|higher|lower|tokens?|counters?"
)
_BETWEEN = "extra|other|random|face-down|small|big|more|equipped|open"
_SIGNED = re.compile(r"(?<![\w.])[+\-\u2212](\d+)\b")
_FIGURES = (
    re.compile(r"\blevels? (\d+)\b", re.I),
    re.compile(rf"\b{_NUMBER} (?:or )?(?:(?:{_BETWEEN}) )*(?:{_COUNTED})\b", re.I),
)
"""How a text writes a figure of its effects: with a sign for strength and for bonuses to a roll."""
_ANY = re.compile(rf"\bd?{_NUMBER}\b|\b({'|'.join(PAIRS)})\b|[+\-\u2212](\d+)", re.I)


def number_advice(card: v.Card) -> Iterator[Found]:
    """Yield figures of the printed text that no effect has, and figures of effects that the text lacks."""
    printed = " ".join((card.text, *(ability.text for ability in card.abilities)))
    if not printed.strip():
        return
    counted = {number for pattern in _FIGURES for number in _read(pattern, printed)} - _known(card)
    for number in sorted(counted | ({*_read(_SIGNED, printed)} - _added(card))):
        yield "text", f"says {number}, but no effect has this figure", "kickdoor cards show says what its effects do"
    options = " ".join(piece.text for _, piece in walk(card) if isinstance(piece, v.Choice))
    said = {*_read(_ANY, f"{printed} {options}")}
    told = said | _sums([*said, abs(card.bonus)])
    if re.search(r"\b(times|twice|double)\b", printed, re.I):
        told |= {times * number for times in said for number in said}
    gained = [gain.number(op) for op in effects_within(card) for gain in op.gives_levels if gain.is_printed]
    levels = [abs(number) for number in gained if isinstance(number, int)]
    for at, one in enumerate(levels):  # "a level; with none, three levels" is coded as one level, then two more
        told |= {figure for other in levels[:at] if one + other in said for figure in (one, other)}
    for key, number, near in _wanted(card):
        if number not in told and not (near and {number - 1, number + 1} & said):
            yield key, f"is {number}, which the text does not say", "write the figure, or show it by an example"
            return


def _read(pattern: re.Pattern[str], text: str) -> Iterator[int]:
    """Yield the numbers that a pattern finds in a text."""
    for found in pattern.finditer(text):
        word = next(group for group in found.groups() if group is not None).lower()
        yield {**WORDS, **PAIRS}[word] if word.isalpha() else int(word.replace(",", "")[:6])


# ------------------------------------------------------------------------------------------------ what the effects have
def _known(card: v.Card) -> set[int]:
    """Return every number that a text may give: figures, the numbers next to limits, sums and differences of two
    figures that can add up."""
    found, adding = {0, 1, 2 if card.kind == "double" else 1}, [abs(card.bonus)]
    for _, piece in walk(card):
        values = _ints(piece)
        found |= values | ({2} if "2-hands" in (getattr(piece, "slot", ""), getattr(piece, "wears", "")) else set())
        if isinstance(piece, v.If):
            found |= {value + by for value in values for by in (-1, 1)}
        elif isinstance(piece, v.Amount):
            adding += [abs(piece.base * piece.times), *(abs(piece.times * by) for by in range(2, 4))]
        elif isinstance(piece, _ADDING) or any(gain.is_printed for gain in _gains(piece)):
            adding += sorted(values)
    return found | {*adding} | _sums(adding)


def _added(card: v.Card) -> set[int]:
    """Return every number that a text may give with a sign: strengths, their sums, and bonuses to rolls."""
    strength, others = [abs(card.bonus)], {0}
    for _, piece in walk(card):
        if isinstance(piece, v.Strength | v.Bonus | v.Enhance | v.TwoHanded):
            strength += [abs(piece.by)] if isinstance(piece.by, int) else []
        elif isinstance(piece, v.Amount):
            strength += [*sorted(_ints(piece)), abs(piece.base * piece.times)]
        elif isinstance(piece, v.Flee | v.PayRoll | v.Capacity):
            others |= _ints(piece)
    return {*strength} | others | _sums(strength)


_ADDING = (v.Strength, v.Bonus, v.Enhance, v.Flee, v.Draw, v.Cards, v.Reward)


def _gains(piece: Struct) -> tuple[LevelGain, ...]:
    return piece.gives_levels if isinstance(piece, v.OpBase) else ()


def _ints(piece: Struct) -> set[int]:
    printed = ("level", "copies") if isinstance(piece, v.Card) else ()
    values = [getattr(piece, name) for name in piece.__struct_fields__ if name not in printed]
    return {abs(value) for value in values if isinstance(value, int) and not isinstance(value, bool)}


def _sums(figures: list[int]) -> set[int]:
    few = figures[:SUMS_OF]
    return {abs(one + sign * other) for at, one in enumerate(few) for other in few[:at] for sign in (-1, 1)}


# ------------------------------------------------------------------------------------------------- what a text must say
_TOLD: dict[type, tuple[str, ...]] = {
    v.Bonus: ("by",), v.Enhance: ("by", "treasures"), v.Draw: ("count",), v.Strength: ("by",), v.Flee: ("by",),
    v.PayRoll: ("by", "most"), v.Reward: ("levels", "treasures"), v.HelperLevels: ("margin", "by"),
    v.ExtraCards: ("by",), v.TwoHanded: ("by",), v.SealDraw: ("count",),
    v.SpareDeath: ("levels",), v.RollIs: ("value",), v.Capacity: ("by",), v.Cards: ("count", "worth"),
    v.Amount: ("times", "most"), v.Cost: ("least", "most"), v.Ability: ("most",), v.Peek: ("count",),
    v.Counter: ("by", "most"), v.Die: ("sides",), v.ThrowAgain: ("most",),
}  # fmt: skip
"""The figures that a text must mention, by the type of piece that holds them; and the Levels that a verb gives."""
_LIMITS = (
    "level_at_least", "level_at_most", "monsters_at_least", "seals_at_least", "counters_at_least", "at_least",
    "at_most",
)
"""Figures of conditions: a text may give the neighbouring number instead ("on 1 or 2" for not 3 or more)."""


def _wanted(card: v.Card) -> Iterator[tuple[str, int, bool]]:
    """Yield each figure above one that the text must mention, as (key, figure, whether the neighbouring number will
    do)."""
    for key, piece in walk(card):
        names = _LIMITS if isinstance(piece, v.If) else _TOLD.get(type(piece), ())
        names += tuple(gain.key for gain in _gains(piece) if gain.key)
        if isinstance(piece, v.Counter) and (key.startswith("play") or (isinstance(piece.by, int) and piece.by < 0)):
            names = ("by",)  # no limit is ever reached
        if isinstance(piece, v.Die) and piece.sides == USUAL_SIDES:
            names = ()
        for name in names:
            value = getattr(piece, name)
            if isinstance(value, int) and 1 < abs(value) < (ENDLESS if name == "by" else 9999):
                yield f"{key}.{name}" if key else name, abs(value), isinstance(piece, v.If)
