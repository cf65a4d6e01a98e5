"""What is drawn anew when something changes at the table."""

from collections.abc import Callable
from typing import Any

import pytest

from netcode.protocol.wire import Timers
from tests.tui import samples
from tests.tui.app_pilot import table
from tui.widgets.table import head, history, seats, stage, track


async def test_moving_the_cursor_draws_nothing_above_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table(samples.own_combat(), (120, 40)) as pilot:
        pilot.client.timers = Timers()  # a running clock is drawn at any time
        pilot.screen.redraw()
        await pilot.settle()
        drawn: list[str] = []
        for region, name in ((head, "draw"), (track, "draw"), (seats, "draw"), (stage, "lines_of"), (history, "draw")):
            monkeypatch.setattr(region, name, _noted(drawn, region.__name__, getattr(region, name)))
        before = pilot.lines()
        await pilot.keys("tab")
        assert pilot.lines() != before, "the cursor has not moved"
        assert not drawn
        pilot.client.auto = True
        pilot.screen.redraw()
        assert len(set(drawn)) == 5, "something else has changed: all regions are drawn"


def _noted(drawn: list[str], name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*args: Any, **more: Any) -> Any:
        drawn.append(name)
        return draw(*args, **more)

    return noted
