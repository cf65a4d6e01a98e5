"""How many notes (the toolkit's toasts) are shown at a time, and how talk leaves room for all others."""

import time

NOTES = 4
"""At most this many notes of one kind are shown at a time: the newest, or of talk the first. What was said at a table
is also in the log."""
TALK = "talk"


class Notes:
    """Counts the notes that are shown, by kind: their severity, or TALK."""

    def __init__(self) -> None:
        self._gone: dict[str, list[float]] = {}
        """When the notes disappear (s, of the monotonic clock)."""

    def count(self, severity: str, seconds: float) -> None:
        """Count a note for so long; the oldest of NOTES gives way to it."""
        self._gone[severity] = [*self._gone.get(severity, ()), time.monotonic() + seconds][-NOTES:]

    def hear(self, seconds: float) -> bool:
        """Return whether there is room for one more note of talk, and count it for so long."""
        now = time.monotonic()
        shown = [gone for gone in self._gone.get(TALK, ()) if gone > now]
        self._gone[TALK] = [*shown, now + seconds][:NOTES]
        return len(shown) < NOTES

    def talk_waits_s(self) -> float:
        """Return how long (s) talk has to wait: where one note has room, it would hide another one."""
        others = (gone for kind, times in self._gone.items() if kind != TALK for gone in times)
        return max(0.0, max(others, default=0.0) - time.monotonic())
