"""The load monitor: what it measures, when it warns, when the host takes no more tables."""

import asyncio
import logging
import time

import pytest

from netcode.host.load_monitor import LoadMonitor, Probe

MS = 1_000_000


class Clock:
    """A clock that the test sets, ns."""

    def __init__(self) -> None:
        self.now = 1_000_000 * MS

    def __call__(self) -> int:
        return self.now


def test_figures_are_median_99th_percentile_and_maximum() -> None:
    clock = Clock()
    load = LoadMonitor(clock)
    for number in range(100):
        with load.handling("an action"):
            clock.now += (number + 1) * MS // 10
    assert load.figures()["handler_ms"] == {"p50": 5.1, "p99": 10.0, "max": 10.0, "ever": 10.0}


def test_samples_older_than_ten_seconds_are_dropped() -> None:
    clock = Clock()
    load = LoadMonitor(clock)
    for _ in range(40):
        assert not load.overloaded, "a few late moments say nothing yet"
        load.late(200 * MS)
    assert load.overloaded
    clock.now += 10_001 * MS
    assert not load.overloaded
    assert load.figures()["lag_ms"] == {"p50": 0.0, "p99": 0.0, "max": 0.0, "ever": 200.0}


def test_one_late_wakeup_in_a_hundred_is_no_overload_one_in_five_is() -> None:
    load = LoadMonitor(Clock())
    for number in range(100):
        load.late(200 * MS if number == 0 else 1 * MS)
    assert not load.overloaded
    for _ in range(25):
        load.late(31 * MS)
    assert load.overloaded


def test_it_warns_once_a_minute_and_names_the_longest_piece_of_work(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    load = LoadMonitor(clock)
    with caplog.at_level(logging.WARNING, "kickdoor.load_monitor"):
        load.late(9 * MS)
        load.warn()
        assert caplog.messages == []
        with load.handling("a tick of table abc"):
            clock.now += 40 * MS
        load.late(38 * MS)
        load.warn()
        load.warn()
        (text,) = caplog.messages
        assert "38 ms late" in text and "a tick of table abc, 40 ms" in text
        clock.now += 60_000 * MS
        load.late(12 * MS)
        load.warn()
        assert len(caplog.messages) == 2


async def test_the_probe_measures_a_blocked_loop() -> None:
    load = LoadMonitor()
    probe = Probe(load)
    for _ in range(4):
        await asyncio.sleep(0.02)
        time.sleep(0.1)
    probe.close()
    assert load.figures()["lag_ms"]["max"] > 30
