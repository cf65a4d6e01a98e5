"""The most that an honest host sends. If a host sends more, the connection ends."""

from netcode.protocol import limits, wire
from netcode.token_bucket import TokenBucket

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
        self._frames = TokenBucket(limits.HOST_FRAMES, now)
        self._bytes = TokenBucket(limits.HOST_BYTES, now)
        self._news = TokenBucket(limits.HOST_NEWS, now)

    def frame(self, size: int, now: float) -> None:
        """Count a wire frame. size: bytes."""
        if self._frames.take(now) or self._bytes.take(now, size):
            raise Flooded

    def message(self, message: wire.Down, now: float) -> None:
        """Count a message."""
        if isinstance(message, NEWS) and self._news.take(now):
            raise Flooded
