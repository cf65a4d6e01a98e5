"""Which entries of the menus lead to an action. Pure."""

from collections.abc import Iterable
from typing import Any

from core.state.actions import Action
from tui.menus.choices import root
from tui.menus.entries import Entry, Go, Menu, Picker
from tui.menus.offer_editor import Draft
from tui.menus.offer_steps import begins
from tui.scene.scene import Scene

LATER = ("seen", "anyway")
"""Fields of actions that are filled in when they are sent."""


def entries_to(scene: Scene, action: Action) -> tuple[Entry, ...]:
    """Return the entries to follow from the first menu to an action; empty if none leads there."""
    return through(root(scene).entries, action)


def through(entries: Iterable[Entry], action: Action) -> tuple[Entry, ...]:
    """Return the entries to follow from one of these: by a letter rather than by the card of the hand."""
    for entry in sorted(entries, key=lambda entry: not entry.on):
        if isinstance(entry.go, Menu):
            further = through(entry.go.entries, action)
            if further:
                return (entry, *further)
        elif _leads(entry.go, action):
            return (entry,)
    return ()


def _leads(go: Go, action: Action) -> bool:
    if isinstance(go, Picker):
        return picks(go, action)
    if isinstance(go, Draft):
        return begins(go, action)
    return isinstance(go, type(action)) and _same(go, action)


def picks(picker: Picker, action: Action) -> bool:
    """Return whether some choice of a set makes this action."""
    chosen = getattr(action, picker.pick.field, ())
    if not chosen or not set(chosen) <= set(picker.pick.among):
        return False
    made = picker.make(tuple(chosen))
    return isinstance(made, type(action)) and _same(made, action)


def _same(one: Any, other: Any) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in one.__struct_fields__ if name not in LATER)
