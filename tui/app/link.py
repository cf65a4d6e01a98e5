"""How long the terminal takes for a frame: it answers a question that is sent behind one.

The question is the toolkit's own at the start, whether the terminal draws whole frames at once. A terminal answers it
when it has handled all that came before, so the time from a large frame to the answer, less the shortest round trip, is
the time of that frame: over a thin line as well as on a slow terminal. A terminal that does not answer is not measured.
"""

import time
from collections.abc import Callable

from textual.driver import Driver

from tui.app.thrift import thrifty

QUESTION = "\x1b[?2026$p"
LARGE = 4_000
"""Bytes of a frame that is worth measuring. A full one of the table has 24,000 at 120 by 40 in true colour."""
SLOW_S = 0.2
"""A link on which such a frame takes longer is slow."""
FRAMES = 2
"""So many frames in a row show that a link is slow: one can be late for other reasons."""


class Link:
    """The times of one terminal. All times are seconds of the same clock."""

    def __init__(self) -> None:
        self.slow = False
        self.round_trip_s = float("inf")
        """The shortest time of an answer so far."""
        self.frame_s = 0.0
        """How long the last frame took that was measured."""
        self._asked: tuple[float, bool] | None = None
        self._slow_frames = 0

    def asked(self, now: float, frame: bool = False) -> None:
        """Note that the question has been sent. frame: behind a large frame."""
        self._asked = now, frame

    def may_ask(self, size: int) -> bool:
        """Return whether to send the question behind so many bytes: the terminal answers, and owes no answer."""
        return size >= LARGE and self._asked is None and self.round_trip_s < float("inf")

    def answered(self, now: float) -> None:
        """Take in an answer of the terminal."""
        if self._asked is None:
            return
        (began, frame), self._asked = self._asked, None
        took = now - began
        if frame:
            self.frame_s = max(0.0, took - self.round_trip_s)
            self._slow_frames = self._slow_frames + 1 if self.frame_s > SLOW_S else 0
            self.slow = self.slow or self._slow_frames >= FRAMES
        self.round_trip_s = min(self.round_trip_s, took)


def measured(base: type[Driver], link: Link, clock: Callable[[], float] = time.monotonic) -> type[Driver]:
    """Return this driver with frames of fewer bytes, and a question behind each large one."""

    class MeasuredDriver(base):  # type: ignore[valid-type,misc]
        def write(self, data: str) -> None:
            """Write as few bytes as will do, and ask behind a large frame."""
            if data == QUESTION:
                link.asked(clock())
            data = thrifty(data, coarse=link.slow)
            super().write(data)
            if link.may_ask(len(data)):
                link.asked(clock(), frame=True)
                super().write(QUESTION)

    return MeasuredDriver
