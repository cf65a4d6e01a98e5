"""The regions that are redrawn when something changes at the table."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from netcode.protocol.wire import Timers, Update
from tests.bench.fight_table import changed
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.widgets.table import head, history, seats, stage, track

REGIONS = ((head, "draw"), (track, "draw"), (seats, "draw"), (stage, "lines_of"), (history, "draw"))


@asynccontextmanager
async def watched(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[TablePilot, list[str]]]:
    """Yield a table on which nothing moves, and the regions above the hand that are drawn from then on."""
    async with table(samples.own_combat(), (120, 40)) as pilot:
        pilot.client.timers = Timers()  # a running clock is drawn at any time
        monkeypatch.setattr(stage.Stage, "tick", lambda stage: None)  # ten times a second while a seat is lost
        now = pilot.screen.session._clock()
        pilot.screen.session._clock = lambda: now  # and so is the time of a lost seat, once a second
        pilot.screen.redraw()
        await pilot.settle()
        drawn: list[str] = []
        for region, name in REGIONS:
            short = region.__name__.rpartition(".")[2]
            monkeypatch.setattr(region, name, _noted(drawn, short, getattr(region, name)))
        yield pilot, drawn


async def test_moving_the_cursor_draws_nothing_above_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    async with watched(monkeypatch) as (pilot, drawn):
        before = pilot.lines()
        await pilot.keys("tab")
        assert pilot.lines() != before, "the cursor has not moved"
        assert not drawn
        pilot.client.auto = True
        pilot.screen.redraw()
        assert set(drawn) == {"head", "track", "seats", "stage"}, "something else has changed"
        pilot.screen.session.say("Somebody has come.", "note")
        pilot.screen.redraw()
        assert "history" in drawn, "the log has changed"


async def test_a_card_that_changes_a_sum_draws_the_stage_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with watched(monkeypatch) as (pilot, drawn):
        before = pilot.lines()
        pilot.client.tell(Update(1, 0, changed(pilot.client.view), [], pilot.client.timers))
        await pilot.settle()
        assert pilot.lines() != before, "the sum has not changed"
        assert set(drawn) == {"stage"}


def _noted(drawn: list[str], name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*args: Any, **more: Any) -> Any:
        drawn.append(name)
        return draw(*args, **more)

    return noted
