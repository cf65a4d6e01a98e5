"""The most that an honest host sends. If a host sends more, the connection ends."""

from netcode.protocol import limits, wire
from netcode.protocol.limits import Rate

NEWS = (wire.Info, wire.Talk, wire.Voted, wire.Older, wire.Knocks, wire.Strings, wire.Refused, wire.Error, wire.Tables)
"""Messages that tell people something; nobody could read many of them."""
FLOODED = "the host sends more than any host of kickdoor does, so the connection was closed: play at another host"
"""Why a connection was ended, for people."""
BAD_HOST = "bad_host"
"""The code of a connection that this side has ended because the host sent something impossible, or too much."""


class Flooded(Exception):
    """The host sends more than an honest one does."""


class FloodLimit:
    """The remaining allowance of a host. Times are seconds of a monotonic clock. The methods raise Flooded."""

    def __init__(self, now: float) -> None:
        self._frames = _Allowance(limits.HOST_FRAMES, now)
        self._bytes = _Allowance(limits.HOST_BYTES, now)
        self._news = _Allowance(limits.HOST_NEWS, now)

    def frame(self, size: int, now: float) -> None:
        """Count a wire frame. size: bytes."""
        self._frames.use(1, now)
        self._bytes.use(size, now)

    def message(self, message: wire.Down, now: float) -> None:
        """Count a message."""
        if isinstance(message, NEWS):
            self._news.use(1, now)


class _Allowance:
    """The rest of one rate."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate, self._left, self._at = rate, float(rate.burst), now

    def use(self, amount: int, now: float) -> None:
        """Use this much of the bucket. Raises Flooded if less is left."""
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second) - amount
        self._at = now
        if self._left < 0:
            raise Flooded
