"""What an entry of a menu would lead to, whatever lies behind it: an action, further menus, a set to pick. Pure."""

from collections.abc import Iterator
from itertools import islice

from core.state.actions import Action
from tui.menus.entries import Command, Entry, Go, Menu, Picker
from tui.menus.offer_editor import Draft
from tui.scene.forecast import NOTHING, Outlook, best_of, of_action
from tui.scene.scene import Scene

MOST = 64
"""At most this many actions behind an entry are looked at."""


def of_entry(scene: Scene, entry: Entry) -> Outlook:
    """Return what the best choice behind an entry would lead to; NOTHING if the host has not said."""
    if not scene.forecasts:
        return NOTHING
    return best_of([of_action(scene, action) for action in islice(_actions(entry.go), MOST)])


def _actions(go: Go) -> Iterator[Action]:
    """Yield the actions to which a choice may lead; of a set to pick, the action without it."""
    if isinstance(go, Menu):
        for entry in go.entries:
            yield from _actions(entry.go)
    elif isinstance(go, Picker):
        yield from _actions(go.make(()))
    elif isinstance(go, Draft):
        yield go.action()
    elif not isinstance(go, Command):
        yield go
