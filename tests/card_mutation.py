"""Run the mutation test of card packs: blank each effect, condition and figure of a card in turn, raise each figure.

One of the card's scenarios must then fail. If all still pass, the mutant is a survivor: it shows a part of the card
that no scenario proves.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from core.language import schema as v
from core.language.catalog import Catalog
from core.language.selectors import PEEK_MOST
from core.language.tree import who_fields
from core.scenario.runner import Failure, Scenario, run


class Mutant(NamedTuple):
    """What was changed, by its key, and the changed card."""

    what: str
    card: v.Card


_KEPT = {
    "id", "name", "text", "copies", "name_key",  # of a card
    "save",
}  # fmt: skip
"""Fields that are not mutated because they have no effect: names, words, and the number of copies (which `cards check`
compares with pack.toml)."""

_OTHER_WHO: dict[str, str] = {
    "you": "others", "victim": "others", "me": "others", "chosen": "you", "fighter": "others", "helper": "fighter",
    "side": "others", "others": "you", "all": "you", "left": "right", "right": "left", "highest": "lowest",
    "lowest": "highest", "turn": "others",
}  # fmt: skip
"""The who-word that replaces each who-word."""


def mutants(card: v.Card) -> Iterator[Mutant]:
    """Yield every mutant of a card, in a fixed order."""
    for what, changed in _struct(card, ""):
        yield Mutant(what, changed)


def _struct(node: Any, key: str) -> Iterator[tuple[str, Any]]:
    """Blank each field of a piece, and each field of the pieces within it."""
    for info in fields(node):
        value = getattr(node, info.name)
        kind_of_card = info.name == "kind" and isinstance(node, v.Card)
        if info.name in _KEPT or kind_of_card or value is None or value == ():
            continue
        if info.name in ("per", "most") and _spent(node):
            continue
        at = f"{key}.{info.encode_name}" if key else info.encode_name
        for what, changed in (*_value(node, info, value, at), *_more(node, info, value, at)):
            yield what, replace(node, **{info.name: changed})


def _spent(node: Any) -> bool:
    """Return whether this is an ability that first discards its own card: nobody can use it twice."""
    if not isinstance(node, v.Ability):
        return False
    first = node.do[0]
    return isinstance(first, v.Discard) and first.cards.this is True and first.if_ is None


def _value(node: Any, info: Any, value: Any, at: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple):
        yield from _several(value, at)
        return
    if isinstance(value, Struct):
        if info.default is None:
            yield f"{at} taken away", None
        one = isinstance(node, v.Swap)  # the number of cards means nothing there
        yield from (mutant for mutant in _struct(value, at) if not (one and mutant[0].startswith(f"{at}.count ")))
        return
    blank = _blank(node, info, value)
    if blank is not msgspec.NODEFAULT and blank != value:
        yield f"{at} = {_shown(value)} -> {_shown(blank)}", blank


def _more(node: Any, info: Any, value: Any, at: str) -> Iterator[tuple[str, int]]:
    """Raise a figure a little, even if it is the default (one level, one card)."""
    if isinstance(value, bool) or not isinstance(value, int):
        return
    counts = _COUNTS.get((type(node), info.name))
    always = isinstance(node, v.OpBase | v.ModBase) and info.default != 0
    if counts(node, at) if counts is not None else always or value != info.default:
        step = 100 if info.name in ("value", "worth") else 1
        more = value + step if value >= 0 else value - step
        yield f"{at} = {value} -> {more}", more


def _always(node: Any, at: str) -> bool:
    return True


_ONE_WORN = ("head", "armor", "feet")


def _of_op(cards: Any, at: str) -> bool:
    """Return whether the number of these cards matters (in an effect, not a condition) and could be more than one."""
    if cards.this:  # only the text's own card
        return False
    mine = re.search(r"(?<!any)(?<!all)(?<!none)\[\d+\]\.cards\.count$", at) is not None
    single = cards.this or (cards.zone == "equipped" and cards.slot in _ONE_WORN)
    return mine and cards.pick != "all" and not single


_COUNTS: dict[tuple[type, str], Callable[[Any, str], bool]] = {
    (v.Card, "level"): lambda card, at: card.level < 20,
    (v.Card, "levels"): lambda card, at: card.kind == "monster",
    (v.Cards, "count"): _of_op,
    (v.Cost, "least"): _always,
    (v.Cost, "most"): lambda cost, at: not cost.whole_hand,
    (v.Ability, "most"): lambda ability, at: ability.per != "always",
    (v.Capacity, "by"): lambda mod, at: mod.by < 20,
    (v.Counter, "by"): lambda op, at: op.by > -99,
    (v.Counter, "most"): lambda op, at: not at.startswith("play") and (not isinstance(op.by, int) or op.by > 0),
    (v.RollIs, "value"): lambda mod, at: mod.value < 6,
    (v.Peek, "count"): lambda op, at: op.count < PEEK_MOST,
    (v.Die, "sides"): lambda op, at: False,
    (v.ThrowAgain, "most"): lambda mod, at: mod.per is not None,
}  # fmt: skip
"""Exceptions to the usual rule for raising figures. The usual rule: always raise a figure of an effect or a modifier,
even at its default (unless that is 0); raise any other figure if it differs from its default."""


def _several(values: tuple[Any, ...], at: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Take out each of several pieces, and change each of them."""
    for number, value in enumerate(values):
        before, after = values[:number], values[number + 1 :]
        yield f"{at}[{number}]{_label(value)} taken out", before + after
        if isinstance(value, Struct):
            for what, changed in _struct(value, f"{at}[{number}]"):
                yield what, (*before, changed, *after)


def _label(value: Any) -> str:
    if isinstance(value, Struct):
        tag = value.__struct_config__.tag
        return f" ({tag})" if tag else ""
    return f" ({value})"


def _shown(value: Any) -> str:
    return "nothing" if value is None else str(value)


def _blank(node: Any, info: Any, value: Any) -> Any:
    """Return the value that blanks a field: its default, or a different one where the default means the same."""
    special = _SPECIAL.get((type(node), info.name))
    if special is not None:
        return special(node, value)
    if info.name in who_fields(node):
        if info.default is not msgspec.NODEFAULT and value == info.default:
            return value
        return _OTHER_WHO[value]
    if info.default is not msgspec.NODEFAULT:
        return info.default
    if isinstance(value, int):
        return 0
    return _other_word(node, info.name, value) if isinstance(value, str) else msgspec.NODEFAULT


def _other_word(node: Any, name: str, value: str) -> str:
    """Return the next of the words that a field may have; for a free name, one that no pack uses."""
    words = get_args(get_type_hints(type(node))[name])
    return words[(words.index(value) + 1) % len(words)] if value in words else "none"


def _decides_a_roll(linger: v.Linger) -> bool:
    """Return whether the effect ends with one roll, however long it would linger otherwise."""
    return any(isinstance(mod, v.RollIs) for mod in linger.mods)


_SPECIAL: dict[tuple[type, str], Callable[[Any, Any], Any]] = {
    (v.Card, "level"): lambda node, value: value - 1 if value > 1 else 2,
    (v.Card, "value"): lambda node, value: 0 if value else (value if node.kind == "upgrade" else None),
    (v.Card, "when"): lambda node, value: "own-turn" if value == "any" else "any",
    (v.Card, "target"): lambda node, value: "none",
    (v.Ability, "when"): lambda node, value: "prepare" if value == "any" else "any",
    (v.Cards, "by"): lambda node, value: value if value == node.of else None,
    (v.Linger, "until"): lambda node, value: "combat" if value == "forever" or _decides_a_roll(node) else "forever",
    (v.Bonus, "side"): lambda node, value: "heroes" if value in ("monsters", "mine") else "monsters",
    (v.RemoveMonster, "treasures"): lambda node, value: {"no": "yes", "yes": "no"}.get(value, value),
    (v.Cost, "most"): lambda node, value: value if node.whole_hand else 1,
    (v.RollIs, "value"): lambda node, value: 7 - value,
    (v.SealDraw, "deck"): lambda node, value: _other_word(node, "deck", value),
    (v.Capacity, "what"): lambda node, value: "head" if value == "feet" else "feet",
}  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ survivors
class Verdict(Struct, frozen=True):
    """The result of the mutation test of one card.

    mutants: how many there were. scenarios: how many scenarios were run on the mutants (those that pass with the
    unchanged card). survivors: the mutants that no scenario noticed. failures: the scenarios that fail with the
    unchanged card. """

    card: str
    mutants: int
    scenarios: int
    survivors: tuple[str, ...]
    failures: tuple[Failure, ...] = ()


def proving(scenarios: Sequence[Scenario], full_id: str) -> list[Scenario]:
    """Return the scenarios that claim to prove a card."""
    return [scenario for scenario in scenarios if full_id in scenario.proves]


def judge(
    catalog: Catalog,
    no: int,
    scenarios: Sequence[Scenario],
    blend: Callable[[tuple[str, ...]], Catalog] | None = None,
) -> Verdict:
    """Run the mutation test of one card with the scenarios that prove it.

    Args:
        no: the number of the card's definition in the catalog.
        scenarios: those that prove the card; one that fails with the unchanged card is reported and not run on mutants.
        blend: returns the catalog of several sets, for scenarios that play with more than the card's own.
    """
    definition = catalog.cards[no]
    name = definition.full_id
    tables: dict[tuple[str, ...], Catalog] = {}
    for scenario in scenarios:
        own = scenario.sets in ((), (definition.set_id,)) or blend is None
        tables[scenario.sets] = catalog if own or blend is None else blend(scenario.sets)
    outcomes = [(scenario, run(tables[scenario.sets], scenario, strict=False)) for scenario in scenarios]
    passing = [scenario for scenario, failure in outcomes if failure is None]
    failures = tuple(failure for _, failure in outcomes if failure is not None)
    count = 0
    survivors = []
    for mutant in mutants(definition.card):
        count += 1
        changed = {sets: table.with_card(table.by_id[name].no, mutant.card) for sets, table in tables.items()}
        if not _noticed(changed, passing):
            survivors.append(mutant.what)
    return Verdict(name, count, len(passing), tuple(survivors), failures)


def _noticed(tables: dict[tuple[str, ...], Catalog], scenarios: Sequence[Scenario]) -> bool:
    """Return whether a scenario fails with these cards; it also fails if a text cannot be carried out."""
    for scenario in scenarios:
        try:
            if run(tables[scenario.sets], scenario, strict=False) is not None:
                return True
        except (ArithmeticError, LookupError, AttributeError, TypeError, ValueError, AssertionError):
            return True
    return False
