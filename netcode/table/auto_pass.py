"""Seats that have asked the host to pass for them."""

from core.state.actions import AnyAction
from core.state.numbers import seat_fields
from core.state.views import View


class AutoPass:
    """The seats that the host passes for, until the fight changes, an action names the seat, or match point."""

    def __init__(self) -> None:
        self.marks: dict[int, tuple[int, int]] = {}
        """These seats, each with what its fight was like."""

    def on(self, seat: int, view: View) -> None:
        """Pass for this seat from now on."""
        self.marks[seat] = self._mark(view)

    def off(self, seat: int) -> None:
        """Stop passing for this seat."""
        self.marks.pop(seat, None)

    def clear(self) -> None:
        """Stop passing for anybody."""
        self.marks.clear()

    def happened(self, actor: int, action: AnyAction) -> None:
        """Stop for every seat that the action of another seat names."""
        if not self.marks:
            return
        named = [getattr(action, name) for name in seat_fields(type(action))]
        for seat in list(self.marks):
            if seat != actor and seat in named:
                self.off(seat)

    def next(self, views: list[View]) -> tuple[int, int] | None:
        """Stop where there is a reason to, then return the next (seat, window) to pass; None: there is none."""
        for seat in sorted(self.marks):
            view = views[seat]
            match_point = view.fight is not None and view.fight.match_point
            asked = view.you is not None and bool(view.you.asks)
            if self._mark(view) != self.marks[seat] or match_point or asked:
                self.off(seat)
            elif view.window is not None and not view.window.passed and view.window.holder < 0:
                return seat, view.window.id
        return None

    @staticmethod
    def _mark(view: View) -> tuple[int, int]:
        """A value that differs once the fight changes or another one begins."""
        return (view.fight.no, view.fight.changed_at) if view.fight is not None else (0, 0)
