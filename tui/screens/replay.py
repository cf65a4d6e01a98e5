"""A recorded game, shown in the regions of a table: what one seat saw, step by step, forward and back."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.reactive import var
from textual.screen import Screen

from netcode.protocol.wire import Timers
from tui.config.keymap import IN_REPLAYS, help_replay, pressed
from tui.render.details import Detail
from tui.scene.cells import Glyphs
from tui.scene.moments import Moment
from tui.scene.scene import Scene
from tui.scene.story_text import sets_in_words
from tui.screens.actions import Actions, bound_to_parts
from tui.screens.end import EndScreen
from tui.screens.opening import COLUMNS, ROWS, begin_drawn, begin_fitted, close, is_open, key_pause, look_of
from tui.screens.parts.hand_keys import HandKeys
from tui.screens.parts.model import TableModel
from tui.screens.parts.moment_show import MomentShow
from tui.screens.parts.playback import Playback
from tui.screens.parts.reader import Reader
from tui.screens.parts.reasons import Reasons
from tui.screens.parts.regions import regions
from tui.screens.parts.step_lines import StepLines, footer_keys
from tui.screens.parts.table_parts import TableParts
from tui.screens.replay_timeline import Timeline, load_timeline
from tui.screens.updates import Updates
from tui.widgets.bound import key_names
from tui.widgets.moments.bodies import body_of
from tui.widgets.moments.page import place
from tui.widgets.pane import UNFIT_VIEW_ERRORS, Pane
from tui.widgets.table.foot import KeyRow
from tui.widgets.table.gate import Gate


class ReplayScreen(Screen[str]):
    """Shows a timeline. Returns "" when the player leaves, or a sentence if the recording is damaged."""

    BINDINGS: ClassVar[list[BindingType]] = bound_to_parts(IN_REPLAYS)
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS, VERTICAL_BREAKPOINTS = COLUMNS, ROWS

    scene: var[Scene | None] = var(None, init=False, always_update=True)
    """What the regions show."""
    reading: var[Detail] = var(Detail, init=False)
    key_words: var[tuple[tuple[str, str], ...]] = var((), init=False)
    """The keys that do something now."""

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self._updates = Updates(self, self.redraw)
        self.model = TableModel(timeline.session, self.redraw, TableParts.clock)
        self._playback = Playback(timeline, self.model, self, self._show_moments)
        self._reader = Reader(self.model, self, help_replay)
        self._reasons = Reasons(self.model, self)
        self._hand = HandKeys(self.model, self._reader, self)
        self._moments = MomentShow(self.model, self, self._reader, self._reasons, self._playback)
        self._actions = Actions(self, self._playback, self._hand, self._reader, self._reasons)

    def compose(self) -> ComposeResult:
        """Every region, in reading order."""
        glyphs = self.model.session.glyphs
        self.set_class(glyphs.ascii, "ascii")
        begin_fitted(self)
        seats = len(self.model.session.scene().view.seats)
        keys = KeyRow("keys", glyphs).data_bind(ReplayScreen.key_words)
        yield from regions(cast(Any, ReplayScreen), seats, self._clocks, Gate("gate"), Pane("prompt"), keys)

    def _clocks(self) -> Timers:
        return self.model.session.client.clocks()

    def on_mount(self) -> None:
        """Make panes report errors, since a damaged recording may be impossible to draw, now or in another size."""
        self.model.session.pixels = look_of(self.app)
        self.model.begin(key_names(self.app), key_pause(self.app))
        for pane in self.query(Pane):
            pane.on_draw_error = self._close_damaged
        begin_drawn(self, self.redraw)

    def _close_damaged(self, problem: Exception) -> None:
        """Close the screen with a sentence that names the step that cannot be drawn."""
        self._playback.stop()
        step = self._playback.timeline.at + 1
        close(self, f"step {step} of this recording does not fit its cards ({type(problem).__name__})")

    # -------------------------------------------------------------------------------------------------------- updates
    def on_resize(self) -> None:
        """Draw in the new size, beneath what lies over the table too."""
        self._updates.resized()
        if not self.is_current:
            self.call_after_refresh(self.redraw)

    def on_screen_resume(self) -> None:
        """Update after another screen has closed."""
        self._updates.resumed()

    def take_look(self) -> None:
        """Draw portraits as the app wants them now."""
        self.model.session.pixels = look_of(self.app)
        self.redraw()

    def redraw(self) -> None:
        """Draw the current step."""
        if not is_open(self):
            return
        try:
            self._draw()
        except UNFIT_VIEW_ERRORS as problem:
            self._close_damaged(problem)

    def _draw(self) -> None:
        model, playback = self.model, self._playback
        model.keep_cursor(model.session.scene(model.cursor))
        model.now = scene = replace(model.session.scene(model.cursor), replay=True)
        self.set_class(bool(model.reading.kind), "reading")
        self.set_class(model.large, "max")
        self.reading = model.reading
        self.scene = scene
        step = StepLines(playback.timeline, scene, playback.remark, playback.speed)
        self.query_one("#prompt", Pane).show(step.draw)
        found = footer_keys(scene, model.reading.kind, playback.runs, bool(playback.home.recording.revealed))
        self.key_words = tuple((model.names[ident], words) for ident, words in found)

    def _show_moments(self, moments: Sequence[Moment] | None = None) -> bool:
        """Show these moments (None: those that wait), one after the other. Return whether there is one."""
        waiting, now = self.model.session.moments, self.model.now
        if moments is not None:
            waiting.clear()
        try:
            for moment in reversed(moments or ()):
                place(now, body_of(now, moment), *self.app.size)  # raises the same errors as drawing it
                waiting.put_back(moment)
        except UNFIT_VIEW_ERRORS as problem:
            self._close_damaged(problem)
            return True
        return self._moments.show()

    # ----------------------------------------------------------------------------------------------------------- keys
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key does something here."""
        return action != "act" or self._actions.find(str(parameters[0])) is not None

    def action_act(self, name: str, given: tuple[object, ...]) -> None:
        """Pass an action to the part that has it."""
        self._actions.run(name, *given)

    def action_scroll(self, pages: int) -> None:
        """Scroll what is being read; otherwise move in the hand."""
        if self.model.reading.kind:
            self._reader.action_scroll(pages)
        else:
            self._hand.move_cursor(0, pages)

    def action_why(self) -> None:
        """Show every term of the combat, or of the strengths outside a combat."""
        self.model.read(Detail("why"))

    def action_rules(self) -> None:
        """Open the rules of the card under the cursor and of this moment."""
        self._playback.stop()
        self._reasons.action_rules()

    def action_story(self) -> None:
        """Show how the game went, as far as the recording has it."""
        self._playback.stop()
        home, session = self._playback.home, self.model.session
        if home.story is None:
            self._playback.say("This recording does not say how the game went.")
            return
        game = sets_in_words(session.catalog)
        screen = EndScreen(home.header, home.story, game, session.glyphs, look=session.pixels)
        self.app.push_screen(screen, self._after_story)

    def _after_story(self, how: str | None) -> None:
        if how == "leave":
            self.action_leave()

    def action_back(self) -> None:
        """Close what is being read."""
        self.model.stop_reading()
        self.redraw()

    def action_leave(self) -> None:
        """Leave."""
        self._playback.stop()
        self.dismiss("")

    # ------------------------------------------------------------------------------------------- offers of the regions
    def on_pane_step_pressed(self, event: Pane.StepPressed) -> None:
        """Go to a step."""
        self._playback.stop()
        self._playback.show(event.step)

    def on_pane_card_pressed(self, event: Pane.CardPressed) -> None:
        """Read a card of the hand."""
        self.model.select(event.at)
        self._reader.read_card(self.model.selected)

    def on_pane_read_pressed(self, event: Pane.ReadPressed) -> None:
        """Read a card."""
        self._reader.read_card(event.card)

    def on_pane_seat_pressed(self, event: Pane.SeatPressed) -> None:
        """Read a seat."""
        self.model.read(Detail("seat", event.seat))

    def on_pane_rule_pressed(self, event: Pane.RulePressed) -> None:
        """Look a rule up."""
        self._reasons.look_up(event.rule)

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Press the key that was clicked."""
        self.app.simulate_key(pressed(event.key))


def open_replay(path: Path, glyphs: Glyphs) -> ReplayScreen:
    """Return the screen that shows a recording. Raise ReplayError. Reads the whole file: call it in a thread."""
    return ReplayScreen(load_timeline(path, glyphs))
