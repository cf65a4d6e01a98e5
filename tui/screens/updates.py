"""How a screen follows a table or a lobby: many changes at once cause one update, and updates leave time for keys."""

import time
from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from tui.screens.opening import is_open

LOOKS_S, LOOKS_SHARE = 0.3, 0.25
"""How much processor time updates may take at once (s), and which share of the time in the long run. Even if a host
sends messages all the time, updates leave time for keys."""


class Updates:
    """Decides when a screen updates: after `soon`, in a new size, and when it is in front again. look: updates the
    screen."""

    def __init__(self, screen: Screen[Any], look: Callable[[], None]) -> None:
        self._screen, self._look = screen, look
        self._due = False
        self._resumed = False
        self._left, self._left_at = LOOKS_S, 0.0
        """How much processor time updates had left (s), and at which time of the monotonic clock."""

    def soon(self) -> None:
        """Update soon, once for all changes until then."""
        if self._due:
            return
        self._due = True
        now = time.monotonic()
        self._left, self._left_at = min(LOOKS_S, self._left + (now - self._left_at) * LOOKS_SHARE), now
        if self._left < 0:
            self._screen.set_timer(-self._left / LOOKS_SHARE, self._now)
        else:
            self._screen.call_later(self._now)

    def resized(self) -> None:
        """Update once the new layout is there."""
        self._screen.call_after_refresh(self._now)

    def resumed(self) -> None:
        """Update after another screen has closed, but not at the start, when the first size makes the screen draw."""
        if self._resumed:
            self.soon()
        self._resumed = True

    def _now(self) -> None:
        self._due = False
        if is_open(self._screen) and self._screen.is_current:
            began = time.thread_time()
            self._look()
            self._left -= time.thread_time() - began
