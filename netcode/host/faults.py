"""Decides what follows an internal error of a table: how long the table pauses, and which messages it refuses.

A single error costs a moment. An error that returns each time, whatever its cause, must neither end the table nor keep
the host busy. So the pauses grow; and if one client's messages of one kind cause errors again and again, the table
refuses such messages from this client for a while.
"""

from msgspec import Struct, field

FREE = 3
"""After each of this many errors in a row, a table is restored at once; after each further one, it pauses first."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""The first pause and the longest one: each pause is twice as long as the one before."""
QUIET_S = 60.0
"""A table that has run this long without an error has recovered: its next error counts as the first."""
RESTORES = 8
"""After this many failed attempts in a row to restore a table, it stays in the journal for the next host."""
STRIKES, BLOCKED_S = 2, 90.0
"""If one client's messages of one kind cause STRIKES errors within BLOCKED_S, such messages are refused for BLOCKED_S.
(That is longer than QUIET_S, so one client alone causes no pause.)"""
REMEMBERED = 64
"""The number of pairs (client, kind of message) that are remembered; the pair with the oldest error is forgotten
first."""


class FaultHistory(Struct):
    """The internal errors of one table. Times are in seconds of the loop's clock."""

    in_a_row: int = 0
    unrestored: int = 0
    """The number of failed attempts to restore it since it last ran."""
    _runs_since: float = float("-inf")
    caused: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    """The newest times of errors, by client key and kind of message."""

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
        """Return for how long messages of this kind from this client are refused (ms); 0: they are accepted."""
        times = self.caused.get((key, kind), [])
        if len(times) < STRIKES or times[-1] - times[0] > BLOCKED_S:
            return 0
        return max(0, round((times[-1] + BLOCKED_S - now) * 1000))
