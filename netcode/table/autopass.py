"""`Z`: the host passes for a seat until this fight changes, something is aimed at the seat, or the game is at stake."""

from core.state.actions import AnyAction
from core.state.numbers import seat_fields
from core.view import View

Mark = tuple[int, int]


def mark_of(view: View) -> Mark:
    """What a fight looks like to somebody who has lost interest in it; it differs once the fight changes or is
    another."""
    return (view.fight.no, view.fight.changed_at) if view.fight is not None else (0, 0)


def aimed_at(action: AnyAction, seat: int) -> bool:
    """Whether an action names this seat."""
    return seat in [getattr(action, name) for name in seat_fields(type(action))]


class AutoPass:
    """The seats that wish to be passed for."""

    def __init__(self) -> None:
        self._marks: dict[int, Mark] = {}

    def on(self, seat: int, view: View) -> None:
        """Pass for this seat from now on."""
        self._marks[seat] = mark_of(view)

    def off(self, seat: int) -> None:
        """No longer."""
        self._marks.pop(seat, None)

    def clear(self) -> None:
        """A new game."""
        self._marks.clear()

    def has(self, seat: int) -> bool:
        """Whether the host passes for this seat."""
        return seat in self._marks

    def happened(self, actor: int, action: AnyAction) -> None:
        """Stop for everyone whom this was aimed at by another."""
        for seat in list(self._marks):
            if seat != actor and aimed_at(action, seat):
                self.off(seat)

    def look(self, views: list[View]) -> tuple[int, int] | None:
        """Stop where there is reason to; then the (seat, window) to pass for now, if any."""
        for seat in sorted(self._marks):
            view = views[seat]
            match_point = view.fight is not None and view.fight.match_point
            asked = view.you is not None and bool(view.you.asks)
            if mark_of(view) != self._marks[seat] or match_point or asked:
                self.off(seat)
            elif view.window is not None and not view.window.passed and view.window.holder < 0:
                return seat, view.window.id
        return None
