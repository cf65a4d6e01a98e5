"""Whether the host has chosen for the player, whose clock ran out. Pure but for the clock that it is given."""

from collections.abc import Callable

from netcode.protocol.wire import Timers

NEAR_MS = 300
"""The host has acted for the player if their clock had at most this long (ms) when an update came."""
TEXT = "Your time was up, so the table chose for you."


class OwnClock:
    """Follows the clock of the player's own question."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """clock: the time in seconds."""
        self._clock = clock
        self._left, self._at = -1, 0.0

    def acted(self) -> None:
        """Take note that the player has answered: what follows is their own act."""
        self._left = -1

    def look(self, timers: Timers, me: int) -> bool:
        """Take the clocks of a new message. Return whether the clock of the question before them had run out without an
        answer, and does not stand any longer."""
        left, now = timers.prompts.get(me, -1), self._clock()
        before = self._left - int((now - self._at) * 1000) if self._left >= 0 else -1
        ran_out = self._left >= 0 and before <= NEAR_MS and (left < 0 or left > before + NEAR_MS)
        self._left, self._at = left, now
        return ran_out
