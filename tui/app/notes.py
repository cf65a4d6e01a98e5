"""How many notes (the toolkit's toasts) are shown at a time, and how talk leaves room for all others."""

import time

NOTES = 4
"""At most this many notes of one kind are shown at a time: of news the newest, of talk and of what has failed the
first, since a host may send these without end. What was said at a table is also in the log."""
NEWS, TALK = "information", "talk"
"""Kinds of notes; the others are the severities of what has failed."""


class Notes:
    """Counts the notes that are shown, by kind: their severity, or TALK."""

    def __init__(self) -> None:
        self._gone: dict[str, list[float]] = {}
        """When the notes disappear (s, of the monotonic clock)."""

    def take(self, kind: str, seconds: float) -> bool:
        """Return whether to show one more note of this kind, and count it for so long: the oldest news give way."""
        now = time.monotonic()
        shown = [gone for gone in self._gone.get(kind, ()) if gone > now]
        if kind == NEWS:
            self._gone[kind] = [*shown, now + seconds][-NOTES:]
            return True
        self._gone[kind] = [*shown, now + seconds][:NOTES]
        return len(shown) < NOTES

    def talk_waits_s(self) -> float:
        """Return how long (s) talk has to wait: where one note has room, it would hide another one."""
        others = (gone for kind, times in self._gone.items() if kind != TALK for gone in times)
        return max(0.0, max(others, default=0.0) - time.monotonic())
