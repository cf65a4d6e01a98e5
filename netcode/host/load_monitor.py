"""Measures how busy a host is: how long each piece of work takes, and how late the loop wakes up.

    load = LoadMonitor()
    probe = Probe(load)                # in a running loop: ten times a second, how late does it wake up?
    with load.handling("an action"):   # how long this keeps the loop from everything else
        ...
    load.committed(ns)                 # how long a commit to the journal took
    load.figures()                     # {"lag_ms": {"p50": …, "p99": …}, "handler_ms": {…}, "journal_ms": {…}}
    load.overloaded                    # too busy for more tables

Figures cover the last ten seconds, in ms. A loop that is late receives late, and the order in which actions are
received decides who was first: so lag makes play unfair as well as slow.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable

from netcode.protocol.sockets import next_beat

LOG = logging.getLogger("kickdoor.load_monitor")
WINDOW_NS = 10_000_000_000
"""The period that figures cover."""
SAMPLES = 8192
"""The most durations of one kind that are kept."""
PROBE_S = 0.1
"""How often the wake-up of the loop is timed."""
WARN_MS, REFUSE_MS = 10.0, 30.0
"""Warn if one wake-up in a hundred is later than the first; open no more tables if one in ten is later than the
second."""
ENOUGH = 40
"""The number of samples that are needed before the host counts as overloaded."""
WARN_EVERY_S = 60.0
"""Pause between two warnings."""


class Samples:
    """Durations of the last ten seconds (at most SAMPLES of them), and the longest ever."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, int]] = deque(maxlen=SAMPLES)
        self.worst = 0

    def add(self, now: int, took: int) -> None:
        """Add a duration. now, took: ns."""
        self._kept.append((now, took))
        self.worst = max(self.worst, took)

    def __len__(self) -> int:
        return len(self._kept)

    def quantile(self, share: float, now: int) -> float:
        """Return the quantile at this share, in ms: the duration that this share did not exceed; 0 without samples.
        now: ns."""
        while self._kept and now - self._kept[0][0] > WINDOW_NS:
            self._kept.popleft()
        if not self._kept:
            return 0.0
        ordered = sorted(took for _, took in self._kept)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1e6

    def figures(self, now: int) -> dict[str, float]:
        """Return median, 99th percentile and longest of the last ten seconds, and the longest ever, in ms. now: ns."""
        shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
        figures = {name: round(self.quantile(share, now), 2) for name, share in shares.items()}
        return {**figures, "ever": round(self.worst / 1e6, 2)}


class _Handling:
    """A block that is being measured (a generator would take longer to enter and leave)."""

    __slots__ = ("_began", "_load", "_what")

    def __init__(self, load: "LoadMonitor", what: str, began: int) -> None:
        self._load, self._what, self._began = load, what, began

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, *problem: object) -> None:
        self._load.handled(self._what, self._began)


class LoadMonitor:
    """Durations of handlers and commits, and the lag of the loop. clock: ns."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self.handlers, self.lags, self.commits = Samples(), Samples(), Samples()
        self._slowest = ("", 0)
        self._warned_at = -int(WARN_EVERY_S * 1e9)

    def handling(self, what: str) -> "_Handling":
        """Measure how long a `with` block takes. what: its name in the log, which must reveal nothing of a hand."""
        return _Handling(self, what, self._clock())

    def handled(self, what: str, began: int) -> None:
        """Count a block that has just ended. began: ns of the clock."""
        now = self._clock()
        self.handlers.add(now, now - began)
        if now - began > self._slowest[1]:
            self._slowest = (what, now - began)

    def committed(self, ns: int) -> None:
        """Count a commit to the journal that took this long."""
        self.commits.add(self._clock(), ns)

    def late(self, ns: int) -> None:
        """Count a wake-up of the loop that was this late."""
        self.lags.add(self._clock(), max(0, ns))

    @property
    def overloaded(self) -> bool:
        """Whether the loop is too late to take more tables. False until there are ENOUGH samples."""
        late = self.lags.quantile(0.9, self._clock())
        return len(self.lags) >= ENOUGH and late > REFUSE_MS

    def figures(self) -> dict[str, dict[str, float]]:
        """Return the lag of the loop and the durations of handlers and commits, as shown at the top of this module."""
        now = self._clock()
        measured = {"lag_ms": self.lags, "handler_ms": self.handlers, "journal_ms": self.commits}
        return {name: samples.figures(now) for name, samples in measured.items()}

    def warn(self) -> None:
        """Log that the loop is late, once a minute at most. Call it now and then."""
        now = self._clock()
        if now - self._warned_at < WARN_EVERY_S * 1e9:
            return
        lag = self.lags.quantile(0.99, now)
        if lag > WARN_MS:
            self._warned_at = now
            what, took = self._slowest
            LOG.warning(
                "busy: the loop wakes up %.0f ms late (99th percentile; over %.0f ms nobody can say who was faster); "
                "the longest piece of work was %s, %.0f ms", lag, WARN_MS, what or "another process's", took / 1e6,
            )  # fmt: skip
            self._slowest = ("", 0)


class Probe:
    """Measures ten times a second how late the running loop wakes up."""

    def __init__(self, load: LoadMonitor) -> None:
        self._load = load
        self._loop = asyncio.get_running_loop()
        self._looks = 0
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._again()

    def _again(self) -> None:
        self._due = next_beat(self._loop.time(), PROBE_S)
        self._timer = self._loop.call_at(self._due, self._look)

    def _look(self) -> None:
        self._load.late(int((self._loop.time() - self._due) * 1e9))
        self._looks += 1
        if self._looks % 50 == 0:
            self._load.warn()
        self._again()

    def close(self) -> None:
        """Stop measuring."""
        if self._timer is not None:
            self._timer.cancel()
