"""Bindings of the toolkit, made from rows of the key map."""

from collections.abc import Iterable
from typing import Any

from textual.app import App
from textual.binding import Binding, BindingType

from tui.config.key import Key
from tui.config.keymap import ROWS, shown_keys

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


def own_keys(app: App[Any]) -> dict[str, str]:
    """Return the player's own keys, by the ids of their bindings."""
    settings = getattr(app, "settings", None)
    return settings.keymap() if settings is not None else {}


def key_names(app: App[Any]) -> dict[str, str]:
    """Return how the key of each binding is written with the player's own keys."""
    return shown_keys(own_keys(app))
