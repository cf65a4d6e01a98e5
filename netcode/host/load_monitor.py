"""How busy a host is: how long it works on one thing, and how late it gets to what is due. Knows neither table nor
socket.

    load = LoadMonitor()
    probe = Probe(load)               # in a running loop: twenty times a second, how late does the loop wake up?
    with load.handling("an action"): # how long one thing keeps the loop from everything else
        ...
    load.kept(ns)                    # how long until something was on disk
    load.figures()                   # {"lag_ms": {"p50": …, "p99": …, "max": …}, "handler_ms": {…}, "journal_ms": {…}}
    load.overloaded                  # too busy for more tables

Figures are of the last ten seconds, in ms. What is late reads late: who acts first is decided by when the loop has read
it, so lag is not only slow but unfair.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOG = logging.getLogger("kickdoor.load_monitor")
WINDOW_NS = 10_000_000_000
KEPT = 8192
PROBE_S = 0.05
WARN_MS, REFUSE_MS = 10.0, 30.0
"""One wake-up in a hundred later than this is worth a warning; one in ten later than that, and no table is added."""
ENOUGH = 40
WARN_EVERY_S = 60.0


class Samples:
    """Durations of the last ten seconds (at most 8192 of them), and the longest ever."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, int]] = deque(maxlen=KEPT)
        self.worst = 0

    def add(self, now: int, took: int) -> None:
        """One more. Both in ns."""
        self._kept.append((now, took))
        self.worst = max(self.worst, took)

    def __len__(self) -> int:
        return len(self._kept)

    def quantile(self, share: float, now: int) -> float:
        """How long this share of them took at most, in ms; 0 if there are none."""
        while self._kept and now - self._kept[0][0] > WINDOW_NS:
            self._kept.popleft()
        if not self._kept:
            return 0.0
        ordered = sorted(took for _, took in self._kept)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1e6

    def figures(self, now: int) -> dict[str, float]:
        """Middle, 99th percentile and longest of the last ten seconds, the longest ever, in ms."""
        shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
        figures = {name: round(self.quantile(share, now), 2) for name, share in shares.items()}
        return {**figures, "ever": round(self.worst / 1e6, 2)}


class LoadMonitor:
    """Times of handlers and of the loop's waking up. clock: ns."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self.handlers, self.lags, self.commits = Samples(), Samples(), Samples()
        self._slowest = ("", 0)
        self._warned_at = -int(WARN_EVERY_S * 1e9)

    @contextmanager
    def handling(self, what: str) -> Iterator[None]:
        """Time one thing the loop does. what: for the log; nothing of a hand may stand in it."""
        began = self._clock()
        try:
            yield
        finally:
            now = self._clock()
            self.handlers.add(now, now - began)
            if now - began > self._slowest[1]:
                self._slowest = (what, now - began)

    def kept(self, ns: int) -> None:
        """What a table did was on disk after so long, counted from when it was to be."""
        self.commits.add(self._clock(), ns)

    def late(self, ns: int) -> None:
        """The loop came so late to what was due."""
        self.lags.add(self._clock(), max(0, ns))

    @property
    def overloaded(self) -> bool:
        """Whether the loop is so late that it should not be given more to do; not known in the first moments."""
        late = self.lags.quantile(0.9, self._clock())
        return len(self.lags) >= ENOUGH and late > REFUSE_MS

    def figures(self) -> dict[str, dict[str, float]]:
        """Lag of the loop, time of its handlers and of the journal's commits, as told above."""
        now = self._clock()
        told = {"lag_ms": self.lags, "handler_ms": self.handlers, "journal_ms": self.commits}
        return {name: samples.figures(now) for name, samples in told.items()}

    def warn(self) -> None:
        """Write into the log, once a minute at most, that the host is late. To be called now and then."""
        now = self._clock()
        if now - self._warned_at < WARN_EVERY_S * 1e9:
            return
        lag = self.lags.quantile(0.99, now)
        if lag > WARN_MS:
            self._warned_at = now
            what, took = self._slowest
            LOG.warning(
                "busy: the loop wakes up %.0f ms late (99th percentile; over %.0f ms nobody can say who was faster); "
                "the longest single thing was %s, %.0f ms", lag, WARN_MS, what or "not ours", took / 1e6,
            )  # fmt: skip
            self._slowest = ("", 0)


class Probe:
    """Asks the running loop twenty times a second how late it is."""

    def __init__(self, load: LoadMonitor) -> None:
        self._load = load
        self._loop = asyncio.get_running_loop()
        self._rounds = 0
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._again()

    def _again(self) -> None:
        self._due = self._loop.time() + PROBE_S
        self._timer = self._loop.call_at(self._due, self._look)

    def _look(self) -> None:
        self._load.late(int((self._loop.time() - self._due) * 1e9))
        self._rounds += 1
        if self._rounds % 100 == 0:
            self._load.warn()
        self._again()

    def close(self) -> None:
        """Ask no more."""
        if self._timer is not None:
            self._timer.cancel()
