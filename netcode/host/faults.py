"""What follows an internal error of a table: how long it pauses before it is restored, which clients it stops hearing.

An error that comes once costs a moment. One that comes back each time, whatever its cause, must neither end the table
nor keep the host busy: the pauses grow, and messages of one kind from one client that cause it again and again are not
tried for a while.
"""

from msgspec import Struct, field

FREE = 3
"""Errors in a row after which a table is restored at once; before each further one it pauses."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""The first pause, and the longest: each is twice as long as the one before."""
QUIET_S = 60.0
"""A table that has run this long without an error has recovered: the next error is the first."""
RESTORES = 8
"""Attempts in a row to restore a table that cannot be restored; then it waits in the journal for the next host."""
STRIKES, BLOCKED_S = 2, 90.0
"""Errors caused by one kind of message from one client within BLOCKED_S, after which such messages are not tried for
as long. (More than QUIET_S: one client alone causes no pause.)"""
REMEMBERED = 64
"""Clients and kinds of message that are remembered; the one longest without an error is forgotten."""


class FaultHistory(Struct):
    """The internal errors of one table. Times are s of the loop's clock."""

    in_a_row: int = 0
    unrestored: int = 0
    """Attempts to restore it that have failed since it ran last."""
    _runs_since: float = float("-inf")
    caused: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    """When messages of a client key and a kind led to errors, the newest times."""

    def count(self, now: float, key: str = "", kind: str = "") -> float:
        """Count an error; return how long to pause before the table is restored (s). key, kind: the client key and the
        kind of message that caused it, if one did."""
        if self._runs_since + QUIET_S <= now and not self.unrestored:
            self.in_a_row = 0
        self.in_a_row += 1
        self._runs_since = now
        if kind:
            times = self.caused.pop((key, kind), [])
            self.caused[key, kind] = [*times, now][-STRIKES:]
            while len(self.caused) > REMEMBERED:
                del self.caused[next(iter(self.caused))]
        further = self.in_a_row - FREE
        return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(further - 1, 16)) if further > 0 else 0.0

    def unrestorable(self, now: float) -> float | None:
        """Count a failed attempt to restore the table; return how long to pause before the next one (s), None: give
        up."""
        self.unrestored += 1
        pause = self.count(now)
        return pause if self.unrestored < RESTORES else None

    def runs(self, now: float) -> None:
        """Note that the table was restored."""
        self.unrestored, self._runs_since = 0, now

    def blocked_ms(self, now: float, key: str, kind: str) -> int:
        """Return how long messages of this kind from this client are not tried (ms); 0: they are."""
        times = self.caused.get((key, kind), [])
        if len(times) < STRIKES or times[-1] - times[0] > BLOCKED_S:
            return 0
        return max(0, round((times[-1] + BLOCKED_S - now) * 1000))
