"""What the keys of a screen do that is composed of parts: each part has the `action_...` methods of its job."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace
from textual.binding import BindingType

from tui.config.key import Key
from tui.widgets.bound import bound


class Actions:
    """The actions of some parts. Of two with the same name that of the earlier part is meant."""

    def __init__(self, *parts: object, lacks: Callable[[str], bool] = lambda name: False) -> None:
        """lacks: whether an action of the parts has no place on this screen."""
        self._parts, self._lacks = parts, lacks

    def find(self, name: str) -> Callable[..., object] | None:
        """Return the method for an action, None if there is none."""
        if self._lacks(name):
            return None
        found = (getattr(part, f"action_{name}", None) for part in self._parts)
        return next((method for method in found if method is not None), None)

    def run(self, name: str, *given: object) -> None:
        """Do what a key stands for, if it stands for anything here."""
        method = self.find(name)
        if method is not None:
            method(*given)


def bound_to_parts(rows: Iterable[Key]) -> list[BindingType]:
    """Return the bindings of rows whose actions the parts of a screen have: its `action_act` runs them."""
    return bound(replace(row, action=acting(row.action)) for row in rows)


def acting(action: str) -> str:
    """Return what has the parts of a screen do this: `act('move', (1, 0))` for `move(1, 0)`. The app does its own."""
    if action.startswith("app."):
        return action
    name, _, given = action.removesuffix(")").partition("(")
    return f"act({name!r}, ({given},))" if given else f"act({name!r}, ())"
