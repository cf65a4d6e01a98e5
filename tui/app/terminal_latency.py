"""How long the terminal takes for a frame: it answers a question that is sent behind one.

The question is the toolkit's own at the start, whether the terminal draws whole frames at once. A terminal answers it
when it has handled all that came before, so the time from a large frame to the answer, less the shortest round trip, is
the time of that frame: over a thin line as well as on a slow terminal. A terminal that does not answer is not measured.
"""

import time
from collections.abc import Callable

from textual.driver import Driver

from tui.app.terminal_diff import Mirror
from tui.app.terminal_words import POP, PUSH, SCREEN_COMES, SCREEN_GOES

QUESTION = "\x1b[?2026$p"
FRAME_BEGINS, FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
_WITH_TITLE = {SCREEN_COMES: f"{PUSH}{SCREEN_COMES}", SCREEN_GOES: f"{SCREEN_GOES}{POP}"}
"""What begins and ends the screen, with the title of the terminal kept and put back."""
PIECE = 8192
"""Characters of a piece of a frame, all but the last one, where the toolkit writes in pieces (on Windows)."""
LARGE = 4_000
"""Bytes of a frame that is worth measuring."""
SLOW_RATE = 120_000
"""A link that takes fewer bytes a second is slow: a full frame of the table takes a quarter of a second on it."""
LEAST_S = 0.06
"""A frame that takes less is never slow: the way to the terminal and back varies by as much."""
FRAMES = 2
"""So many frames in a row show that a link is slow: one can be late for other reasons."""


class Link:
    """The times of one terminal. All times are seconds of the same clock. mirror: what is known of its cells."""

    def __init__(self) -> None:
        self.mirror = Mirror()
        self.coarse = False
        """Whether the terminal has 256 colours."""
        self.titled = False
        """Whether the terminal has a title, which is put back when the screen goes."""
        self.slow = False
        self.round_trip_s = float("inf")
        """The shortest time of an answer so far."""
        self.frame_s = 0.0
        """How long the last frame took that was measured."""
        self._asked: tuple[float, int] | None = None
        self._slow_frames = 0

    def asked(self, now: float, frame: int = 0) -> None:
        """Note that the question has been sent. frame: behind a large frame of so many bytes."""
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
            late = self.frame_s > max(LEAST_S, frame / SLOW_RATE)
            self._slow_frames = self._slow_frames + 1 if late else 0
            self.slow = self.slow or self._slow_frames >= FRAMES
        self.round_trip_s = min(self.round_trip_s, took)


def measured(base: type[Driver], link: Link, clock: Callable[[], float] = time.monotonic) -> type[Driver]:
    """Return this driver with frames of fewer bytes, and a question behind each large one."""

    class MeasuredDriver(base):  # type: ignore[valid-type,misc]
        _begun = False
        """Whether the toolkit has begun a frame of which nothing is written yet."""
        _pieces = ""
        """What is held back of a frame that the toolkit writes in pieces."""

        def write(self, data: str) -> None:
            """Write as few bytes as will do, and ask behind a large frame."""
            if len(data) == PIECE:
                self._pieces += data
                return
            data, self._pieces = self._pieces + data, ""
            if data == FRAME_BEGINS or (data == FRAME_ENDS and self._begun):
                self._begun = data == FRAME_BEGINS
                return
            if data == QUESTION:
                link.asked(clock())
            if link.titled and data in _WITH_TITLE:
                data = _WITH_TITLE[data]
            data = link.mirror.reduced(data, coarse=link.slow or link.coarse)
            if not data:
                return
            super().write(f"{FRAME_BEGINS}{data}" if self._begun else data)
            self._begun = False
            if link.may_ask(len(data)):
                link.asked(clock(), frame=len(data))
                super().write(QUESTION)

        def flush(self) -> None:
            """Write what is held back."""
            if self._pieces:
                self.write("")
            super().flush()

        def start_application_mode(self) -> None:
            """Begin with a terminal of which nothing is known."""
            link.mirror.forget()
            super().start_application_mode()

    return MeasuredDriver
