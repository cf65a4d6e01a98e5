"""Compare what cards do: two cards with the same effects have the same bytes here, whatever they are called."""

from typing import Any

import msgspec

from core.language import schema as v
from core.language.definition import Def
from core.language.tree import effects_within

_SAYS = ("id", "name", "name_key", "value", "copies", "deck", "when", "target")
"""Keys of a card that are not compared: its names, its price, its deck. Its timing and its target are compared after
the defaults are filled in."""


def effects_key(card: v.Card) -> bytes:
    """Return bytes for what a card does: its effects with their figures, but not its name, words and price."""
    row = msgspec.to_builtins(card)
    for name in _SAYS:
        row.pop(name, None)
    dice = dict.fromkeys(op.save for op in effects_within(card) if isinstance(op, v.Die))
    definition = Def(0, "", card)
    effects = _wordless(row, {name: f"die {number}" for number, name in enumerate(dice)})
    return msgspec.json.encode([definition.when, definition.target, effects], order="sorted")


def _wordless(node: Any, dice: dict[str, str]) -> Any:
    """Return a piece of TOML without printed words; dice are numbered, because their names do nothing."""
    if isinstance(node, list):
        return [_wordless(part, dice) for part in node]
    if not isinstance(node, dict):
        return node
    row = {key: _wordless(value, dice) for key, value in node.items() if key != "text"}
    for key in ("save", "saved"):
        if row.get(key) in dice:
            row[key] = dice[row[key]]
    return row
