"""The gauge of a host's load: what it counts, when it warns, when it lets nobody add a table."""

import asyncio
import logging
import time

import pytest

from netcode.host.load_monitor import Gauge, Probe

MS = 1_000_000


class Clock:
    """A clock in the test's hand, ns."""

    def __init__(self) -> None:
        self.now = 1_000_000 * MS

    def __call__(self) -> int:
        return self.now


def test_it_tells_the_middle_the_99th_percentile_and_the_longest() -> None:
    clock = Clock()
    gauge = Gauge(clock)
    for number in range(100):
        with gauge.handling("an action"):
            clock.now += (number + 1) * MS // 10
    assert gauge.figures()["handler_ms"] == {"p50": 5.1, "p99": 10.0, "max": 10.0, "ever": 10.0}


def test_what_is_older_than_ten_seconds_counts_no_more() -> None:
    clock = Clock()
    gauge = Gauge(clock)
    for _ in range(40):
        assert not gauge.overloaded, "a few late moments say nothing yet"
        gauge.late(200 * MS)
    assert gauge.overloaded
    clock.now += 10_001 * MS
    assert not gauge.overloaded
    assert gauge.figures()["lag_ms"] == {"p50": 0.0, "p99": 0.0, "max": 0.0, "ever": 200.0}


def test_one_late_moment_in_a_hundred_is_no_overload_one_in_five_is() -> None:
    gauge = Gauge(Clock())
    for number in range(100):
        gauge.late(200 * MS if number == 0 else 1 * MS)
    assert not gauge.overloaded
    for _ in range(25):
        gauge.late(31 * MS)
    assert gauge.overloaded


def test_it_warns_once_a_minute_and_names_what_took_longest(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    gauge = Gauge(clock)
    with caplog.at_level(logging.WARNING, "kickdoor.gauge"):
        gauge.late(9 * MS)
        gauge.warn()
        assert caplog.messages == []
        with gauge.handling("a tick of table abc"):
            clock.now += 40 * MS
        gauge.late(38 * MS)
        gauge.warn()
        gauge.warn()
        (text,) = caplog.messages
        assert "38 ms late" in text and "a tick of table abc, 40 ms" in text
        clock.now += 60_000 * MS
        gauge.late(12 * MS)
        gauge.warn()
        assert len(caplog.messages) == 2


async def test_the_probe_sees_a_loop_that_was_kept_busy() -> None:
    gauge = Gauge()
    probe = Probe(gauge)
    for _ in range(4):
        await asyncio.sleep(0.02)
        time.sleep(0.1)
    probe.close()
    assert gauge.figures()["lag_ms"]["max"] > 30
