"""Bindings of the toolkit, made of rows of the key map."""

from collections.abc import Iterable

from textual.binding import Binding, BindingType

from tui.config.key import Key
from tui.config.keymap import ROWS

BEFORE_FOCUS = ("tab", "shift+tab")
"""Keys that move the focus unless a binding comes first."""


def bound(rows: Iterable[Key], *shared: tuple[str, str, str], priority: bool = False) -> list[BindingType]:
    """Return a binding for each row. shared: ids of keys of the table that work here too, each with what it does here:
    an action and its words. priority: they come before those of whatever has the focus."""
    found: list[BindingType] = [
        Binding(
            row.keys, row.action, row.words, show=False, id=row.id, tooltip=row.tip or row.words,
            priority=priority or row.keys in BEFORE_FOCUS,
        )
        for row in rows
    ]  # fmt: skip
    found += [
        Binding(ROWS[ident].keys, action, words, show=False, id=ident, tooltip=words) for ident, action, words in shared
    ]
    return found
