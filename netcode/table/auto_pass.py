"""Seats that have asked the host to pass for them."""

from collections.abc import Sequence

from core.state.actions import AnyAction
from core.state.numbers import seat_fields
from core.state.views import View
from netcode.table.seat import Seat
from netcode.table.session import Session


class AutoPass:
    """The seats for which the host passes, until the fight changes, an action names the seat, match point comes, or
    somebody else plays the seat."""

    def __init__(self) -> None:
        self.marks: dict[int, tuple[Session, tuple[int, int]]] = {}
        """These seats, each with the session that asked and the key of its fight at that time."""

    def on(self, session: Session, view: View) -> None:
        """Pass for this session's seat from now on."""
        self.marks[session.seat] = session, self._mark(view)

    def off(self, seat: int) -> None:
        """Stop passing for this seat."""
        self.marks.pop(seat, None)

    def clear(self) -> None:
        """Stop passing for anybody."""
        self.marks.clear()

    def keep(self, seats: Sequence[Seat]) -> None:
        """Stop passing for each seat that its requesting session no longer plays."""
        for number, (session, _) in list(self.marks.items()):
            if seats[number].played_by is not session:
                self.off(number)

    def happened(self, actor: int, action: AnyAction) -> None:
        """Stop passing for each seat that the action of another seat names."""
        if not self.marks:
            return
        named = [getattr(action, name) for name in seat_fields(type(action))]
        for seat in list(self.marks):
            if seat != actor and seat in named:
                self.off(seat)

    def next(self, views: list[View]) -> tuple[int, int] | None:
        """Stop where there is a reason, then return the next (seat, window) to pass; None if there is none."""
        for seat in sorted(self.marks):
            view = views[seat]
            match_point = view.fight is not None and view.fight.match_point
            asked = view.you is not None and bool(view.you.asks)
            if self._mark(view) != self.marks[seat][1] or match_point or asked:
                self.off(seat)
            elif view.window is not None and not view.window.passed and view.window.holder < 0:
                return seat, view.window.id
        return None

    @staticmethod
    def _mark(view: View) -> tuple[int, int]:
        """A value that differs once the fight changes or another one begins."""
        return (view.fight.no, view.fight.changed_at) if view.fight is not None else (0, 0)
