"""Compare the events of an evening of malice with the promises, and print them."""

import contextlib
import itertools
import re
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.bench.figures import line, spread
from tests.faults.honest_players import HonestTable

P99_MS, RESTART_S = 50.0, 1.0
"""The promises. First, the 99th percentile of the time until honest players get an answer, outside restarts (ms). Two
times are subtracted: that of an echo of bare sockets with a bare sqlite commit on the same machine at the same time,
and that in which the measuring process could not run. Second, the longest restart, from the death of a process until
everybody plays again (s). The longest of these echoes during the restart is subtracted."""
SYN_S = 1.0
"""How much longer a restart may take while somebody opens connections at full rate (s): nobody accepts connections
meanwhile, the queue is full, and a client that finds it full tries again after a second."""
GAME_S = 600.0
"""How long an evening must last for at least one game to end in it (s)."""
MARGIN_S = 0.1
"""Actions sent or answered this long after a restart or a suspension still belong to it (s)."""
INTERNAL = re.compile(r"internal error|Traceback")
"""Words in the log of a host that report an internal failure."""


@dataclass
class Span:
    """Something that happened from one moment to another (s of time.perf_counter)."""

    name: str
    began: float
    ended: float = float("inf")

    def meets(self, began: float, ended: float) -> bool:
        """Return whether it overlaps the time between these moments."""
        return began < self.ended and self.began < ended


@dataclass
class Restart:
    """A process of the host that died and was replaced. listens_s, back_s: how long it took from its death until the
    new one listened, and until all four honest players were at the table again. during: the attacks meanwhile. died:
    when it died (s of time.perf_counter)."""

    cause: str
    listens_s: float
    back_s: float
    during: str = ""
    died: float = 0.0

    @property
    def syn_s(self) -> float:
        """Return how much longer it may take because its port was full."""
        return SYN_S if "front" in self.cause and "churn" in self.during else 0.0


@dataclass
class Report:
    """The events of an evening. spans: attacks and faults; excluded: restarts and suspensions; echoes: the delay of the
    machine itself, as tests.bench.processes.bare_echo returns it; repelled: attacks that could not begin; answered:
    when the honest players' actions were sent and answered; late: the intervals in which the measuring process wanted
    to run and could not, in order; broken: broken promises, a sentence for each."""

    spans: list[Span] = field(default_factory=list)
    excluded: list[Span] = field(default_factory=list)
    restarts: list[Restart] = field(default_factory=list)
    answered: list[tuple[float, float]] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    repelled: int = 0
    games: int = 0
    acknowledged: int = 0
    pause_s: float = 0.0
    failures: int = 0
    peak_mib: dict[str, float] = field(default_factory=dict)
    echoes: list[tuple[float, float]] = field(default_factory=list)
    late: list[tuple[float, float]] = field(default_factory=list)
    lag_ms: Any = None

    # ----------------------------------------------------------------------------------------------------- recording
    @contextlib.contextmanager
    def during(self, name: str) -> Iterator[None]:
        """Note an attack or a fault for the duration of the block."""
        span = Span(name, time.perf_counter())
        self.spans.append(span)
        try:
            yield
        finally:
            span.ended = time.perf_counter()

    @contextlib.contextmanager
    def excluding(self) -> Iterator[None]:
        """Leave out the actions that are sent or answered during the block."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.exclude(began, time.perf_counter())

    def exclude(self, began: float, ended: float) -> None:
        """Leave out the actions that were sent or answered between these moments."""
        self.excluded.append(Span("", began, ended + MARGIN_S))

    def uses(self, role: str, mib: float) -> None:
        """Note how much memory a process has now (MiB)."""
        self.peak_mib[role] = max(round(mib, 1), self.peak_mib.get(role, 0.0))

    def met(self, began: float, ended: float) -> str:
        """Return the names of what happened between these moments."""
        return " and ".join(span.name for span in self.spans if span.meets(began, ended))

    def count(self, name: str) -> int:
        """Return how often this attack or fault has begun."""
        return sum(span.name == name for span in self.spans)

    def take(self, table: HonestTable) -> None:
        """Take over what the players noted."""
        self.answered = sorted(one for player in table.players for one in player.answered)
        self.games, self.pause_s = table.games, table.longest_pause_s
        self.acknowledged = sum(len(player.acknowledged) for player in table.players)

    def judge(self, seconds: float, log: str) -> None:
        """Note what is broken. seconds: how long it lasted; log: what the host wrote to standard error."""
        failures = [text for text in log.splitlines() if INTERNAL.search(text)]
        self.failures = len(failures)
        if failures:
            self.broken.append(f"the host failed by itself {len(failures)} times, first: {failures[0]}")
        late = [one for one in self.restarts if one.back_s >= RESTART_S + self._stalled_s(one) + one.syn_s]
        self.broken += [f"{one.cause}: {one.back_s:.2f} s, during {one.during or 'no attack'}" for one in late]
        self.broken += [one.cause for one in self.restarts if "by itself" in one.cause]
        took = self.outside()
        if not took:
            self.broken.append("no honest action was answered")
        elif (p99 := spread(took)["p99"]) >= P99_MS + (echo := _spread(self._echo_ms)["p99"]):
            self.broken.append(f"one honest action in a hundred waited for {p99:.0f} ms, an echo {echo:.0f} ms")
        if not self.games and seconds > GAME_S:
            self.broken.append("no game came to its end")

    @property
    def _echo_ms(self) -> list[float]:
        return [ms for _, ms in self.echoes]

    def _stalled_s(self, restart: Restart) -> float:
        """Return the longest bare echo during a restart: the machine itself stood still for that time."""
        ended = restart.died + restart.back_s
        return max((ms / 1000 for at, ms in self.echoes if at < ended and at + ms / 1000 > restart.died), default=0.0)

    # ------------------------------------------------------------------------------------------------------- figures
    def outside(self, *names: str, measured: bool = False) -> list[float]:
        """Return the ms that actions outside restarts took; with names: only those during these attacks. measured:
        include the time in which the measuring process could not run."""
        spans = [span for span in self.spans if span.name in names]
        return [
            1000 * (ended - began - (0.0 if measured else self._late_s(began, ended)))
            for began, ended in self.answered
            if not any(span.meets(began, ended) for span in self.excluded)
            and (not names or any(span.meets(began, ended) for span in spans))
        ]  # fmt: skip

    def _late_s(self, began: float, ended: float) -> float:
        """Return how long the measuring process could not run between these moments (s)."""
        first = bisect_left(self.late, began, key=lambda one: one[1])
        late = itertools.takewhile(lambda one: one[0] < ended, self.late[first:])
        return sum(min(until, ended) - max(since, began) for since, until in late)

    def quiet(self) -> list[float]:
        """Return the ms that actions took before the first attack."""
        first = min((span.began for span in self.spans), default=float("inf"))
        return [
            1000 * (ended - began - self._late_s(began, ended)) for began, ended in self.answered if ended < first
        ]  # fmt: skip

    def print(self, minutes: float, seed: int) -> None:
        """Print the tables, the broken promises, and one JSON line."""
        print(f"{'attack or fault':34}{'times':>6}{'s':>7}{'acts':>7}{'p50 ms':>8}{'p99 ms':>8}{'worst':>8}")
        self._row("quiet", 1, 0.0, self.quiet())
        for name in sorted({span.name for span in self.spans}):
            spans = [span for span in self.spans if span.name == name]
            lasted = sum(min(span.ended, time.perf_counter()) - span.began for span in spans)
            self._row(name, len(spans), lasted, self.outside(name))
        self._row("all outside restarts", len(self.spans), 60 * minutes, self.outside())
        print(f"\n{'restart after':34}{'times':>6}{'listens, s: p50':>18}{'max':>6}{'all play, s: p50':>19}{'max':>6}")
        by_cause: dict[str, list[Restart]] = defaultdict(list)
        for one in self.restarts:
            by_cause[one.cause].append(one)
        for cause, found in sorted(by_cause.items()):
            listens, back = (spread([getattr(one, name) for one in found]) for name in ("listens_s", "back_s"))
            figures = f"{listens['p50']:18.2f}{listens['worst']:6.2f}{back['p50']:19.2f}{back['worst']:6.2f}"
            print(f"{cause:34}{len(found):6}{figures}")
        print("\n" + ("\n".join(f"BROKEN: {text}" for text in self.broken) or "every promise was kept"))
        line(
            "an evening of malice", _spread(self.outside())["p99"], "ms", f"p99 below {P99_MS:g} ms", minutes=minutes,
            seed=seed, attacks=len(self.spans), repelled=self.repelled, restarts=len(self.restarts), games=self.games,
            acknowledged=self.acknowledged, longest_pause_s=round(self.pause_s, 1), failures=self.failures,
            peak_mib=self.peak_mib, bare_echo_ms=_spread(self._echo_ms),
            quiet_ms=_spread(self.quiet()), answers_ms=_spread(self.outside()), measuring_lag_ms=self.lag_ms,
            measured_ms=_spread(self.outside(measured=True)), broken=self.broken,
        )  # fmt: skip

    def _row(self, name: str, times: int, seconds: float, took: list[float]) -> None:
        found = _spread(took)
        figures = f"{found['p50']:8.1f}{found['p99']:8.1f}{found['worst']:8.1f}"
        print(f"{name:34}{times:6}{seconds:7.0f}{len(took):7}{figures}")


def _spread(took: list[float]) -> dict[str, float]:
    """As figures.spread; zeros if nothing was measured."""
    return spread(took or [0.0])
