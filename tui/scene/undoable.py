"""What an undo would take back, as far as a seat has seen the game. Pure; the host has the last word."""

from collections.abc import Sequence

from core.history import harmless
from core.state import events as ev

UNKNOWN = ""
"""Something that this seat has not seen."""


class Undoable:
    """The last acts from which nobody has learned anything hidden, the newest last; whatever happened before this seat
    came, or came back, is unknown."""

    def __init__(self) -> None:
        self._acts: list[str] = [UNKNOWN]
        self._chosen = 1

    def hear(self, events: Sequence[ev.AnyEvent], words: str, whole: bool) -> None:
        """Take in what one act has led to. words: the first line of it in the log. whole: this seat has just come, or
        come back."""
        if whole:
            self._acts, self._chosen = [UNKNOWN], 1
        elif any(isinstance(event, ev.SteppedBack) for event in events):
            self._acts, self._chosen = self._acts[:-1], max(0, self._chosen - 1)
        elif not all(harmless(event) for event in events):
            self._acts = []
        elif words:
            self._acts.append(words)

    def chose(self) -> None:
        """Note that an act of this seat was carried out."""
        self._chosen += 1

    def began(self) -> None:
        """Note that another game has begun."""
        self._acts, self._chosen = [], 0

    def latest(self, alone: bool) -> str | None:
        """Return in words what would be taken back, UNKNOWN if this seat has not seen it; None: nothing can be. alone:
        with bots, where any choice of this seat can be."""
        if alone:
            return UNKNOWN if self._chosen else None
        return self._acts[-1] if self._acts else None
