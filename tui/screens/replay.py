"""A recorded game on the screen of a table: what one seat saw, step by step, forward and back."""

from pathlib import Path
from typing import ClassVar, Literal

from msgspec.structs import replace
from rich.cells import cell_len
from textual.binding import BindingType
from textual.timer import Timer

from netcode.recording.recording import ReplayError
from tui.config.keymap import IN_REPLAYS, help_replay
from tui.menus.entries import Menu
from tui.render.details import Detail
from tui.scene.cells import Glyphs, Line, block, fit, wrap
from tui.scene.moments import How, Moment
from tui.scene.scene import Scene
from tui.scene.situation import has_seals
from tui.scene.story_text import Told, chance_words, sets_in_words
from tui.screens.end import EndScreen
from tui.screens.moment import PASSES_S
from tui.screens.replay_timeline import Step, Timeline, load_timeline
from tui.screens.table import TableScreen
from tui.widgets.bound import bound, own_keys
from tui.widgets.moments.bodies import body_of
from tui.widgets.moments.page import place
from tui.widgets.pane import UNFIT_VIEW_ERRORS, Pane
from tui.widgets.table.hand import Hand
from tui.widgets.table.prompt import draw_keys
from tui.widgets.table.timeline import LEAST, PRESS, draw_timeline, legend

SHORTEST_S, LONGEST_S = 0.4, 2.5
"""Bounds in seconds of how long a step is shown while the recording runs; between them it takes as long as in the
game."""
RATES: dict[Literal["slow", "normal", "fast"], float] = {"slow": 2.0, "normal": 1.0, "fast": 0.3}


class ReplayScreen(TableScreen, inherit_bindings=False):
    """Shows a timeline. Returns "" when the player leaves, or a sentence if the recording is damaged."""

    BINDINGS: ClassVar[list[BindingType]] = bound(IN_REPLAYS)

    def __init__(self, timeline: Timeline) -> None:
        super().__init__(timeline.session)
        self.timeline = self.home = timeline
        self._timelines = {timeline.header.seat: timeline}
        self.remark = ""
        self.here = Menu("", ())
        self._plays = False
        self._step_timer: Timer | None = None
        """Runs while the recording does, but not under a moment."""

    def on_mount(self) -> None:
        """Have panes report errors: a damaged recording may be impossible to draw, now or in another size."""
        for pane in self.query(Pane):
            pane.on_draw_error = self._close_damaged

    def _close_damaged(self, problem: Exception) -> None:
        """Close the screen with a sentence that names the step that cannot be drawn."""
        self._stop()
        self.leave(f"step {self.timeline.at + 1} of this recording does not fit its cards ({type(problem).__name__})")

    # -------------------------------------------------------------------------------------------------------- drawing
    def look(self) -> None:
        """Redraw; only the size changes by itself."""
        self.redraw()

    def redraw(self) -> None:
        """Draw the current step."""
        if not self.is_attached:
            return
        try:
            self._keep_cursor(self.session.scene(self.cursor))
            self.now = scene = replace(self.session.scene(self.cursor), replay=True)
            self.set_class(bool(self.reading.kind), "reading")
            self._show_board(scene)
            self._show_hand(scene)
        except UNFIT_VIEW_ERRORS as problem:
            self._close_damaged(problem)

    def _show_hand(self, scene: Scene) -> None:
        self.query_one(Hand).update(scene)
        self.query_one("#prompt", Pane).show(lambda w, h: self._step_lines(scene, w, h))
        found = footer_keys(scene, self.reading.kind, self._plays)
        if self.home.recording.revealed:
            found.insert(5, ("replay.eyes", "view"))
        keys = [(self.names[ident], words) for ident, words in found]
        self.query_one("#keys", Pane).show(lambda w, h: draw_keys(keys, w, scene.glyphs))

    def _step_lines(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The log of this step, and its place in the game."""
        timeline = self.timeline
        if self.remark:
            texts = wrap(self.remark, width - 3, scene.glyphs)
            return block([((f"   {text}", "warn"),) for text in texts], width, height, scene.glyphs)
        texts = [line.text for line in timeline.lines] or ["The game begins."]
        below = self._timeline_rows(scene, width - 3, height)
        mattered = self._mattered_here(width - 3, scene.glyphs)
        texts = texts[-max(1, height - len(below) - len(mattered)) :]
        lines: list[Line] = [((f"   {fit(text, width - 3, scene.glyphs)}", "bold"),) for text in texts]
        lines += mattered[: max(0, height - len(below) - len(lines))]
        lines += [()] * (height - len(lines) - len(below))
        return block([*lines, *((("   ", ""), *line) for line in below)], width, height, scene.glyphs)

    def _mattered_here(self, width: int, glyphs: Glyphs) -> list[Line]:
        """What changed in this step, if it is one of those that mattered most."""
        swing, story = self.timeline.mattered.get(self.timeline.at), self.timeline.story
        if swing is None or story is None:
            return []
        header = self.timeline.header
        words = chance_words(Told(story, header.players, header.seat), swing)
        return [((f"   {row}", "hero"),) for row in wrap(f"This mattered: {words}.", width, glyphs)]

    def _timeline_rows(self, scene: Scene, width: int, height: int) -> list[Line]:
        """The timeline and the place of this step; side by side where there are few rows."""
        timeline, place = self.timeline, self._place(scene)
        apart = height > 4
        room = width if apart else width - cell_len(place) - 2
        words: Line = ((place, "dim"),)
        if room < LEAST:
            return [words]
        steps = timeline.steps
        turns = [at for at, step in enumerate(steps) if _turn(step)]
        fights = [at for at, step in enumerate(steps) if _fight(step)]
        mattered = list(timeline.mattered)
        drawn = draw_timeline(turns, fights, mattered, len(steps), timeline.at, room, scene.glyphs)
        if apart:
            return [drawn, (*words, ("    ", ""), *legend(scene.glyphs, bool(mattered)))]
        return [(*words, ("  ", ""), *drawn)]

    def _place(self, scene: Scene) -> str:
        timeline, last = self.timeline, self.timeline.at == len(self.timeline.steps) - 1
        minutes, seconds = divmod(timeline.steps[timeline.at].ms // 1000, 60)
        seen = f"as {scene.name(scene.me)} saw it" if scene.me >= 0 else "as spectators saw it"
        words = [f"step {timeline.at + 1} of {len(timeline.steps)}", f"{minutes}:{seconds:02}", seen]
        if timeline.steps[timeline.at].undone:
            words.insert(1, "TAKEN BACK later")
        if self._plays:
            words.append(f"running ({self.speed})")
        elif last:
            words.append("the end" if scene.view.winners else "the recording ends here, the game continued")
        elif not timeline.at and timeline.header.late:
            words.append("it begins in the middle of the game")
        return f" {scene.glyphs.dot} ".join(words)

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_go(self, by: int) -> None:
        """Go some steps forward or back; one step forward shows what happens in it."""
        self._stop()
        before = self.timeline.at
        self._show(before + by)
        if by == 1 and self.timeline.at > before:
            self._show_moments()

    def action_turn(self, by: int) -> None:
        """Go to the beginning of a turn."""
        self._stop()
        self._show(self.timeline.find(by, _turn))

    def action_fight(self, by: int) -> None:
        """Go to the beginning of a combat."""
        self._stop()
        self._show(self.timeline.find(by, _fight))

    def action_mattered(self, by: int) -> None:
        """Go to a moment that mattered most."""
        self._stop()
        found = [at for at in self.timeline.mattered if (at - self.timeline.at) * by > 0]
        if found:
            self._show(min(found) if by > 0 else max(found))
        else:
            self.remark = "There is no further one." if self.timeline.mattered else "No moment stands out here."
            self.redraw()

    def action_play(self) -> None:
        """Run, or stop; at the end start from the beginning."""
        if self._plays:
            self._stop()
        else:
            if self.timeline.at == len(self.timeline.steps) - 1:
                self.timeline.show(0)
            self._run_on()
        self.redraw()

    def action_speed(self) -> None:
        """Change the speed of running."""
        names = list(RATES)
        self.speed = names[(names.index(self.speed) + 1) % len(names)]
        if self._plays:
            self._run_on()
        self.redraw()

    def action_scroll(self, pages: int) -> None:
        """Scroll what is being read; otherwise move in the hand."""
        if self.reading.kind:
            super().action_scroll(pages)
        else:
            self.move_cursor(0, pages)

    def action_why(self) -> None:
        """Show every term of the combat, or without one the strengths."""
        self.read(Detail("why"))

    def action_rules(self) -> None:
        """Open the rules of the card under the cursor and of this moment."""
        self._stop()
        super().action_rules()

    def action_story(self) -> None:
        """Show how the game went, as far as the recording has it."""
        self._stop()
        home, session = self.home, self.session
        if home.story is None:
            self.remark = "This recording does not say how the game went."
            self.redraw()
            return
        game = sets_in_words(session.catalog)
        screen = EndScreen(home.header, home.story, game, session.glyphs, look=session.pixels)
        self.app.push_screen(screen, self._after_story)

    def _after_story(self, how: str | None) -> None:
        if how == "leave":
            self.action_leave()

    def action_keys(self) -> None:
        """Show every key of this screen."""
        self.set_class(self.reading.kind != "keys", "max")
        self.read(Detail("keys", keys=help_replay(own_keys(self.app))))

    def action_back(self) -> None:
        """Close what is being read."""
        self.reading = Detail()
        self.set_class(False, "max")
        self.redraw()

    def action_leave(self) -> None:
        """Leave."""
        self._stop()
        self.dismiss("")

    def action_eyes(self) -> None:
        """Show the view of the next seat, if all hands were revealed after the game."""
        if not self.home.recording.revealed:
            self.remark = "The hands of this game were not revealed: only your own view can be shown."
            self.redraw()
            return
        self._stop()
        seats = len(self.home.header.players)
        self._show_seat((self.timeline.header.seat + 2) % (seats + 1) - 1)

    def _show_seat(self, seat: int) -> None:
        try:
            if seat not in self._timelines:
                self._timelines[seat] = self.home.seen_by(seat)
        except ReplayError as problem:
            self.remark = f"{problem}."
        else:
            other, rev = self._timelines[seat], self.timeline.rev
            other.show(next((at for at, step in enumerate(other.steps) if step.rev >= rev), len(other.steps) - 1))
            other.session.pixels, other.session.key_names = self.session.pixels, self.session.key_names
            self.timeline, self.session = other, other.session
            self.reading = Detail()
        self.redraw()

    # -------------------------------------------------------------------------------------------------------- running
    def _show(self, at: int) -> None:
        self.remark = ""
        self.timeline.show(at)
        self.redraw()

    def _run_on(self) -> None:
        """Start the timer of the next step: as long as in the game, within bounds."""
        self._stop()
        timeline = self.timeline
        if timeline.at + 1 >= len(timeline.steps):
            return
        gap = (timeline.steps[timeline.at + 1].ms - timeline.steps[timeline.at].ms) / 1000
        wait = min(LONGEST_S, max(SHORTEST_S, gap)) * RATES[self.speed]
        self._plays = True
        self._step_timer = self.set_timer(wait, self._next)

    def _next(self) -> None:
        """Show the next step and its moments, and run on after them."""
        self._step_timer = None
        self._show(self.timeline.at + 1)
        if not self._show_moments():
            self._run_on()
            self.redraw()

    def _stop(self) -> None:
        self._plays = False
        if self._step_timer is not None:
            self._step_timer.stop()
            self._step_timer = None

    # -------------------------------------------------------------------------------------------------------- moments
    def _show_moments(self) -> bool:
        """Show the moments of this step, one after the other. Return whether there is one."""
        self.session.moments.clear()
        try:
            for moment in reversed(self.timeline.moments()):
                place(self.now, body_of(self.now, moment), *self.app.size)  # raises what drawing it would
                self.session.moments.put_back(moment)
        except UNFIT_VIEW_ERRORS as problem:
            self._close_damaged(problem)
            return True
        return self.show_moment()

    def _how(self, moment: Moment) -> How:
        """Let moments pass while the recording runs; else they stay until a key."""
        return "passes" if self._plays else "stays"

    @property
    def _passes_s(self) -> float:
        return PASSES_S * RATES[self.speed]

    def _is_asked(self) -> bool:
        """Nobody is asked anything any more."""
        return False

    def _went_on(self, moment: Moment, how: str | None) -> None:
        """Show the next moment, or run on; what is read stops the recording."""
        if how in ("read", "rules"):
            self._stop()
            self.session.moments.clear()
            super()._went_on(moment, how)
        elif not self.show_moment() and self._plays:
            self._run_on()
            self.redraw()

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Handle a click on a key, a card or a seat."""
        if event.key.startswith(PRESS):
            self._stop()
            self._show(int(event.key.removeprefix(PRESS)))
        elif event.key.startswith("hand:"):
            self.select(int(event.key[5:]))
            self.read_card(self.selected)
        else:
            super().on_pane_pressed(event)


def _turn(step: Step) -> bool:
    return step.turn > 0


def _fight(step: Step) -> bool:
    return step.fight


def footer_keys(scene: Scene, reading: str, running: bool) -> list[tuple[str, str]]:
    """Return the bindings whose keys work now, with short words, most useful first."""
    keys = [("replay.next", "step"), ("replay.back", "back"), ("replay.turn", "turn"), ("replay.fight", "fight")]
    keys += [("replay.mattered", "mattered most")]
    keys += [("prompt.back", "close"), ("replay.down", "scroll")] if reading else []
    keys += [("replay.play", "stop" if running else "run"), ("replay.leave", "leave")]
    keys += [("table.read", "read")] if scene.hand() or scene.fight is not None else []
    keys += [("table.seals", "Seals")] if has_seals(scene) else []
    keys += [("table.why", "why"), ("table.rules", "rules"), ("table.others", "others"), ("table.log", "log")]
    keys += [("table.recap", "recap"), ("table.story", "how it went")]
    return [*keys, ("replay.first", "beginning"), ("replay.last", "end"), ("app.keys", "keys")]


def open_replay(path: Path, glyphs: Glyphs) -> ReplayScreen:
    """Return the screen that shows a recording. Raise ReplayError. Reads the whole file: call it in a thread."""
    return ReplayScreen(load_timeline(path, glyphs))
