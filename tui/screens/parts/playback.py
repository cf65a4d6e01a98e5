"""Going through a recording: step by step, by turns and fights, or as fast as it was played."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from textual.screen import Screen
from textual.timer import Timer

from netcode.recording.recording import ReplayError
from tui.render.details import Detail
from tui.scene.moments import How, Moment
from tui.screens.moment import PASSES_S
from tui.screens.parts.model import TableModel
from tui.screens.parts.step_lines import begins_fight, begins_turn
from tui.screens.replay_timeline import Timeline

SHORTEST_S, LONGEST_S = 0.4, 2.5
"""The shortest and the longest time (s) that a step is shown while the recording runs. In between, it takes as long as
in the game."""
RATES: dict[Literal["slow", "normal", "fast"], float] = {"slow": 2.0, "normal": 1.0, "fast": 0.3}


class Playback:
    """The step that is shown, and whether the recording runs. It is also the pace of the moments."""

    def __init__(
        self, timeline: Timeline, model: TableModel, screen: Screen[Any],
        show_moments: Callable[[Sequence[Moment] | None], bool],
    ) -> None:  # fmt: skip
        """screen: has the timer of the next step. show_moments: shows those of a step (None: those that wait), one
        after the other; returns whether there is one."""
        self.timeline = self.home = timeline
        self._model, self._screen, self._show_moments = model, screen, show_moments
        self._seats = {timeline.header.seat: timeline}
        self.remark = ""
        self.runs = False
        self._speed: Literal["slow", "normal", "fast"] = "normal"
        self._timer: Timer | None = None
        """The timer of the next step: it runs while the recording does, but not while a moment is shown."""

    @property
    def speed(self) -> str:
        """How fast the recording runs, empty if it does not."""
        return self._speed if self.runs else ""

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_go(self, by: int) -> None:
        """Go some steps forward or back; one step forward shows what happens in it."""
        self.stop()
        before = self.timeline.at
        self.show(before + by)
        if by == 1 and self.timeline.at > before:
            self._show_moments(self.timeline.moments())

    def action_turn(self, by: int) -> None:
        """Go to the beginning of a turn."""
        self.stop()
        self.show(self.timeline.find(by, begins_turn))

    def action_fight(self, by: int) -> None:
        """Go to the beginning of a combat."""
        self.stop()
        self.show(self.timeline.find(by, begins_fight))

    def action_mattered(self, by: int) -> None:
        """Go to a moment that mattered most."""
        self.stop()
        found = [at for at in self.timeline.mattered if (at - self.timeline.at) * by > 0]
        if found:
            self.show(min(found) if by > 0 else max(found))
        else:
            self.say("There is no further one." if self.timeline.mattered else "No moment stands out here.")

    def action_play(self) -> None:
        """Run, or stop; at the end start from the beginning."""
        if self.runs:
            self.stop()
        else:
            if self.timeline.at == len(self.timeline.steps) - 1:
                self.timeline.show(0)
            self._run_on()
        self._model.redraw()

    def action_speed(self) -> None:
        """Change the speed of running."""
        names = list(RATES)
        self._speed = names[(names.index(self._speed) + 1) % len(names)]
        if self.runs:
            self._run_on()
        self._model.redraw()

    def action_eyes(self) -> None:
        """Show the game as the next seat saw it, if all hands were revealed after the game."""
        if not self.home.recording.revealed:
            self.say("The hands of this game were not revealed: only your own view can be shown.")
            return
        self.stop()
        seats = len(self.home.header.players)
        self._show_seat((self.timeline.header.seat + 2) % (seats + 1) - 1)

    def _show_seat(self, seat: int) -> None:
        try:
            if seat not in self._seats:
                self._seats[seat] = self.home.seen_by(seat)
        except ReplayError as problem:
            self.remark = f"{problem}."
        else:
            other, rev, session = self._seats[seat], self.timeline.rev, self._model.session
            other.show(next((at for at, step in enumerate(other.steps) if step.rev >= rev), len(other.steps) - 1))
            other.session.pixels, other.session.key_names = session.pixels, session.key_names
            self.timeline, self._model.session = other, other.session
            self._model.reading = Detail()
        self._model.redraw()

    # -------------------------------------------------------------------------------------------------------- running
    def say(self, text: str) -> None:
        """Say something in place of the log of the step."""
        self.remark = text
        self._model.redraw()

    def show(self, at: int) -> None:
        """Show a step by its index, or the nearest one."""
        self.remark = ""
        self.timeline.show(at)
        self._model.redraw()

    def _run_on(self) -> None:
        """Start the timer of the next step, with the time that it took in the game, within bounds."""
        self.stop()
        timeline = self.timeline
        if timeline.at + 1 >= len(timeline.steps):
            return
        gap = (timeline.steps[timeline.at + 1].ms - timeline.steps[timeline.at].ms) / 1000
        wait = min(LONGEST_S, max(SHORTEST_S, gap)) * RATES[self._speed]
        self.runs = True
        self._timer = self._screen.set_timer(wait, self._next)

    def _next(self) -> None:
        """Show the next step and its moments, and run on after them."""
        self._timer = None
        self.show(self.timeline.at + 1)
        if not self._show_moments(self.timeline.moments()):
            self._run_on()
            self._model.redraw()

    def stop(self) -> None:
        """Stop."""
        self.runs = False
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # --------------------------------------------------------------------------------------------- the pace of moments
    def how(self, moment: Moment) -> How:
        """Let moments close by themselves while the recording runs; otherwise they stay until a key is pressed."""
        return "passes" if self.runs else "stays"

    def passes_s(self) -> float:
        """Return how long (s) a moment that closes by itself is shown."""
        return PASSES_S * RATES[self._speed]

    def asked(self) -> bool:
        """Return False: a recording asks nothing."""
        return False

    def went_on(self, how: str | None) -> None:
        """Show the next moment, or run on; reading stops the recording."""
        if how in ("read", "rules"):
            self.stop()
            self._model.session.moments.clear()
        elif not self._show_moments(None) and self.runs:
            self._run_on()
            self._model.redraw()
