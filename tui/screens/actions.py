"""Actions of a screen that is composed of parts: each part has the `action_...` methods of its job."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace
from textual.binding import BindingType

from tui.config.key import Key
from tui.widgets.bound import bound


class Actions:
    """The actions of some parts. If two parts have the same action, that of the earlier part counts."""

    def __init__(self, *parts: object, lacks: Callable[[str], bool] = lambda name: False) -> None:
        """lacks: tells whether this screen leaves out an action of the parts."""
        self._parts, self._lacks = parts, lacks

    def find(self, name: str) -> Callable[..., object] | None:
        """Return the method for an action, None if there is none."""
        if self._lacks(name):
            return None
        found = (getattr(part, f"action_{name}", None) for part in self._parts)
        return next((method for method in found if method is not None), None)

    def run(self, name: str, *given: object) -> None:
        """Do what a key stands for, if it has a meaning here."""
        method = self.find(name)
        if method is not None:
            method(*given)


def bound_to_parts(rows: Iterable[Key]) -> list[BindingType]:
    """Return the bindings of rows whose actions belong to the parts of a screen. The screen's `action_act` runs
    them."""
    return bound(replace(row, action=acting(row.action)) for row in rows)


def acting(action: str) -> str:
    """Return the action that passes this one to the parts of a screen: `act('move', (1, 0))` for `move(1, 0)`. Actions
    of the app stay as they are."""
    if action.startswith("app."):
        return action
    name, _, given = action.removesuffix(")").partition("(")
    return f"act({name!r}, ({given},))" if given else f"act({name!r}, ())"
