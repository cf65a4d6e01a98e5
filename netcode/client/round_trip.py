"""How long a key of this player takes to reach the host, by the round trips of the last pings."""

from collections import deque

KEPT = 16
"""How many pings are remembered: those of half a minute. A key must arrive in the time shown on nearly all of them."""


class RoundTrip:
    """The round trips to a host, in ms."""

    def __init__(self) -> None:
        self._last: deque[int] = deque(maxlen=KEPT)

    def note(self, ms: int) -> None:
        """Note how long a ping took."""
        self._last.append(ms)

    @property
    def slowest(self) -> int:
        """The slowest of the last ones; 0 while none is known. A clock of the host reaches us one way late, and a key
        needs the way back, so a key must be pressed this much earlier."""
        return max(self._last, default=0)
