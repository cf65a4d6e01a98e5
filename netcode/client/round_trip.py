"""How long a key of this player needs to count: the round trips of the last pings."""

from collections import deque

KEPT = 16
"""How many pings are remembered: half a minute. What is shown as time must be enough on nearly all of them."""


class RoundTrip:
    """The round trips to a host, in ms."""

    def __init__(self) -> None:
        self._last: deque[int] = deque(maxlen=KEPT)

    def note(self, ms: int) -> None:
        """Note how long a ping took."""
        self._last.append(ms)

    @property
    def slowest(self) -> int:
        """The slowest of the last ones; 0 while none is known. A clock of the host that is shown here is older than it
        says by one way, and a key needs the other: so this much earlier a key is too late."""
        return max(self._last, default=0)
