"""How long the terminal takes for a frame, measured by a question that is sent after one.

The question is the one that the toolkit asks at the start: whether the terminal draws whole frames at once. A terminal
answers it when it has handled everything before it. So the time from a large frame to the answer, less the shortest
round trip, is the time of that frame, on a slow line as well as on a slow terminal. A terminal that does not answer is
not measured.
"""

import time
from collections.abc import Callable

from textual.driver import Driver

from tui.app.terminal_diff import Mirror
from tui.app.terminal_words import POP, PUSH, SCREEN_COMES, SCREEN_GOES

QUESTION = "\x1b[?2026$p"
FRAME_BEGINS, FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
_WITH_TITLE = {SCREEN_COMES: f"{PUSH}{SCREEN_COMES}", SCREEN_GOES: f"{SCREEN_GOES}{POP}"}
"""The sequences that begin and end the screen, which also save and restore the title of the terminal."""
PIECE = 8192
"""The size in characters of all pieces of a frame but the last, where the toolkit writes in pieces (on Windows)."""
LARGE = 4_000
"""The least bytes of a frame that is worth measuring."""
SLOW_RATE = 120_000
"""A link that takes fewer bytes a second is slow: a full frame of the table takes a quarter of a second on it."""
LEAST_S = 0.06
"""A frame that takes less is never slow: the way to the terminal and back varies by as much."""
FRAMES = 2
"""A link counts as slow after this many slow frames in a row: a single one can be late for other reasons."""


class Link:
    """Measures the times of one terminal. All times are seconds of the same clock. mirror: what is known of its
    cells."""

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
        """How long the last measured frame took."""
        self._asked: tuple[float, int] | None = None
        self._slow_frames = 0

    def asked(self, now: float, frame: int = 0) -> None:
        """Note that the question has been sent. frame: the bytes of the large frame before it."""
        self._asked = now, frame

    def may_ask(self, size: int) -> bool:
        """Return whether to send the question after this many bytes: the terminal answers at all, and owes no
        answer."""
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
    """Return this driver, changed to send fewer bytes and a question after each large frame."""

    class MeasuredDriver(base):  # type: ignore[valid-type,misc]
        _begun = False
        """Whether the toolkit has begun a frame of which nothing is written yet."""
        _pieces = ""
        """The part of a frame, which the toolkit writes in pieces, that is held back."""

        def write(self, data: str) -> None:
            """Write as few bytes as possible, and ask after a large frame."""
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
