"""A rate that somebody may use: so much per second in the long run, and so much at once."""


class Budget:
    """What is left of a rate. Times are seconds of a monotonic clock."""

    def __init__(self, rate: tuple[float, float], now: float) -> None:
        self._per_second, self._burst = rate
        self._left, self._at = self._burst, now

    def take(self, amount: float, now: float) -> bool:
        """Use so much. Returns False, and uses nothing, if that is more than is left."""
        self._fill(now)
        if amount > self._left:
            return False
        self._left -= amount
        return True

    def is_full(self, now: float) -> bool:
        """Return whether nothing of it has been used lately."""
        self._fill(now)
        return self._left >= self._burst

    def _fill(self, now: float) -> None:
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
