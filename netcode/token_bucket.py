"""A rate that somebody may use: so much per second in the long run, and so much at once. The standard library only."""

LEAST = 1e-9
"""The rate from which a wait is computed if the bucket is never refilled."""


class TokenBucket:
    """What is left of a rate. rate: per second, and at once. Times are those of any clock. per_s: how many of its units
    are a second."""

    def __init__(self, rate: tuple[float, float], now: float = 0, per_s: float = 1) -> None:
        self._per_unit, self._burst = rate[0] / per_s, rate[1]
        self._left, self._at = float(self._burst), now

    def take(self, now: float, amount: float = 1) -> int:
        """Use so much and return 0; if there is less left, use nothing and return how many units of time to wait."""
        self._fill(now)
        if amount > self._left:
            return int((amount - self._left) / max(self._per_unit, LEAST)) + 1
        self._left -= amount
        return 0

    def is_full(self, now: float) -> bool:
        """Return whether nothing of it has been used lately."""
        self._fill(now)
        return self._left >= self._burst

    def _fill(self, now: float) -> None:
        self._left = min(self._burst, self._left + (now - self._at) * self._per_unit)
        self._at = now


def of_ms(rate: tuple[float, float]) -> TokenBucket:
    """Return a bucket for a clock of milliseconds."""
    return TokenBucket(rate, per_s=1000)
