"""The clock of a window in which all must pass, in words."""

import pytest

from netcode.protocol.wire import Timers
from tests.tui import samples
from tui.scene.clock import NO_CLOCK, clock_of

ME, OTHER, THIRD = samples.ME, samples.BO, 2


@pytest.mark.parametrize(
    ("banks", "before", "after"),
    [
        ({ME: 125_000, OTHER: 170_000}, "all must pass: 2:05", "the others have 2:50"),
        ({OTHER: 125_000, THIRD: 170_000}, "all must pass: 2:50", "the others have 2:50"),
        ({ME: 0, OTHER: 0}, "all must pass: 0:00", "the others have 0:00"),
        ({ME: 170_000}, "all must pass: 2:50", NO_CLOCK),
        ({ME: -1, OTHER: -1}, NO_CLOCK, NO_CLOCK),
        ({}, NO_CLOCK, NO_CLOCK),
    ],
)
def test_a_window_without_a_clock_shows_the_own_time_until_one_has_passed_and_then_that_of_the_others(
    banks: dict[int, int], before: str, after: str
) -> None:
    view = samples.interrupt()
    assert view.window is not None
    assert clock_of(samples.scene(view), Timers(banks=banks)).words == before
    view.window.passed = True
    assert clock_of(samples.scene(view), Timers(banks=banks)).words == after
