"""Who agrees to hints at a table of several people, where hints need everybody's consent.

Clients compute hints themselves from what their seat sees; the host records who agrees and tells everybody. Somebody
who sits down later has not agreed, and after a restart of the host all are asked again.
"""

from netcode.table.seats import Seating


class HintConsent:
    """The players of one table who agree, by their sessions."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        self._agreed: set[bytes] = set()

    def agree(self, seat: int, yes: bool) -> str:
        """Note whether the player of a seat agrees. Return what forbids it (one line for people), or ""."""
        place = self._seating.seats[seat]
        if not place.human or place.player is None:
            return "only people at the table decide about hints"
        before = self.agreed
        here = {one.player.s for one in self._seating.seats if one.player is not None}
        self._agreed &= here
        (self._agreed.add if yes else self._agreed.discard)(place.player.s)
        self._seating.changed |= self.agreed != before
        return ""

    @property
    def agreed(self) -> list[int]:
        """The seats of people who agree."""
        return [
            number for number, seat in enumerate(self._seating.seats)
            if seat.human and seat.player is not None and seat.player.s in self._agreed
        ]  # fmt: skip
