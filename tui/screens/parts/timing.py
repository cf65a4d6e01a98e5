"""Timers for what changes on the table by itself: clocks, motions, keys that work again. A timer runs only while it is
needed."""

import asyncio
from collections.abc import Callable
from typing import Any

from textual.screen import Screen
from textual.timer import Timer

from tui.config.surroundings import here
from tui.screens.parts.model import TableModel
from tui.widgets.table.stage import Stage, ticks

TICK_S, FAR_TICK_S = 0.1, 0.25
"""The time (s) from one step of a clock to the next: at a terminal here, and at one on another machine."""
FRAME_S = 0.06
"""The time (s) from one step of a motion to the next."""


class Timing:
    """The timers of a table."""

    def __init__(self, model: TableModel, screen: Screen[Any], draw_motion: Callable[[], None]) -> None:
        """screen: has the timers, and the stage with its clock. draw_motion: draws what moves as it is now."""
        self._model, self._screen, self._draw_motion = model, screen, draw_motion
        self.counted_at = 0.0
        """When the times of the seats were drawn last (s of the loop)."""
        self._tick_s = FAR_TICK_S if here().remote else TICK_S
        self._ticks: Timer | None = None
        self._frames: Timer | None = None
        self._waking: asyncio.TimerHandle | None = None

    def follow(self, now: float) -> None:
        """Run the timers that the current scene needs. now: s of the loop."""
        self._wake_keys(now)
        self._keep_time()
        if self._model.motion.runs and self._frames is None:
            self._frames = self._screen.set_interval(FRAME_S, self.move_on)

    def stop(self) -> None:
        """Stop the timers that the screen does not stop by itself."""
        if self._waking is not None:
            self._waking.cancel()

    # ---------------------------------------------------------------------------------------------------------- clocks
    @property
    def ticking(self) -> bool:
        """Whether a time on the screen runs."""
        return self._ticks is not None

    def _keep_time(self) -> None:
        """Tick while a time on the screen runs, and only then: the program sleeps while nothing happens."""
        session = self._model.session
        runs = session.counting or ticks(session.client.clocks())
        if runs and self._ticks is None:
            self._ticks = self._screen.set_interval(self._tick_s, self.tick)
        elif not runs and self._ticks is not None:
            self._ticks.stop()
            self._ticks = None

    def tick(self) -> None:
        """Redraw the clock, and once a second the times of the seats."""
        now = asyncio.get_running_loop().time()
        if self._model.session.counting and now - self.counted_at >= 1:
            self.counted_at = now
            self._model.redraw()
        self._screen.query_one(Stage).tick()
        self._keep_time()
        left = self._model.session.client.clocks().window / 1000
        if self._ticks is not None and 0 < left < self._tick_s:  # the bar ends with the time, not with the next tick
            self._screen.set_timer(left, self._screen.query_one(Stage).tick)

    # ---------------------------------------------------------------------------------------------------------- motion
    @property
    def moving(self) -> bool:
        """Whether something on the screen moves."""
        return self._frames is not None

    def move_on(self) -> None:
        """Draw the next step of what moves, and stop after the last one."""
        if not self._model.motion.runs and self._frames is not None:
            self._frames.stop()
            self._frames = None
        self._draw_motion()

    def stand_still(self) -> None:
        """End what moves: a key has been pressed."""
        if self._model.motion.runs:
            self._model.motion.end()
            self.move_on()

    # ------------------------------------------------------------------------------------------------------------ keys
    def _wake_keys(self, now: float) -> None:
        """Redraw once all keys work again."""
        wait = self._model.keyed.wait(now)
        self.stop()
        self._waking = asyncio.get_running_loop().call_later(wait, self._model.redraw) if wait > 0 else None
