"""A client's clock shows only the time within which a key can still reach the host."""

import random

import pytest

from netcode.client.round_trip import KEPT, RoundTrip
from netcode.protocol.wire import Timers

WINDOW_MS, PING_MS = 2600, 2000


def test_a_clock_for_keys_is_shorter_by_the_way_there_and_back() -> None:
    timers = Timers(2600, 2600, 900, {1: 30_000, 2: -1}, 400, {1: 60_000})
    shown = timers.for_keys(180)
    assert (shown.window, shown.window_full, shown.hold, shown.prompts) == (2420, 2600, 720, {1: 29_820, 2: -1})
    assert (shown.beat, shown.banks) == (timers.beat, timers.banks), "they wait for no key of this player"
    assert timers.for_keys(0) is timers
    assert Timers().for_keys(180) == Timers() and timers.for_keys(5000).window == 0


def test_only_the_last_round_trips_count() -> None:
    trip = RoundTrip()
    assert trip.slowest == 0
    for ms in (900, *[150] * KEPT):
        trip.note(ms)
    assert trip.slowest == 150


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("last_ms", [WINDOW_MS, 300])
def test_of_keys_pressed_while_the_bar_shows_time_nearly_all_arrive_in_time(seed: int, last_ms: int) -> None:
    """The round trip is 150 +- 50 ms. This is also true of keys that are pressed while the bar shows its last 300
    ms."""
    draw = random.Random(seed)

    def way() -> float:
        return draw.uniform(50, 100)

    trip, in_time, without, pressed = RoundTrip(), 0, 0, 0
    for window in range(400):
        if window % 3 == 0:
            trip.note(round(way() + way()))
        came = way()  # when the clock came, which the host sent at 0 with WINDOW_MS left
        shown = Timers(WINDOW_MS, WINDOW_MS).for_keys(trip.slowest).window
        key = came + draw.uniform(max(0, shown - last_ms), shown)
        in_time += key + way() < WINDOW_MS
        before = came + draw.uniform(WINDOW_MS - last_ms, WINDOW_MS)  # as if the bar ignored the round trip
        without += before + way() < WINDOW_MS
        pressed += 1
    assert in_time >= 0.95 * pressed
    if last_ms == 300:
        assert without < 0.7 * pressed, "this is what was shown before"
