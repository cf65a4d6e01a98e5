"""The screen of a game: the regions of the table, drawn from its scene, and the parts that handle its keys."""

import asyncio
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, cast

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.reactive import var
from textual.screen import Screen

from tui.config.keymap import GUIDED, TABLE, keys_now, pressed
from tui.config.layouts import ABOVE
from tui.menus.entries import Picker
from tui.menus.prompts import NOTHING
from tui.render.details import Detail
from tui.scene.scene import Scene
from tui.scene.table_session import TableSession
from tui.scene.window_title import window_title
from tui.screens.actions import Actions, acting, bound_to_parts
from tui.screens.opening import COLUMNS, ROWS, TitledApp, begin_drawn, begin_fitted, close, is_open, key_pause, look_of
from tui.screens.parts.coach import Coached
from tui.screens.parts.key_line import key_line
from tui.screens.parts.moment_show import MomentShow, MovingApp, TablePace
from tui.screens.parts.regions import regions
from tui.screens.parts.table_parts import TableParts
from tui.screens.parts.timing import Timing
from tui.screens.updates import Updates
from tui.widgets.bound import key_names, own_keys
from tui.widgets.choice_list import ChoiceList
from tui.widgets.coach import Coach
from tui.widgets.pane import Pane
from tui.widgets.table.foot import Asked, KeyRow, PromptPane
from tui.widgets.table.gate import Gate
from tui.widgets.table.stage import Stage
from tui.widgets.table.talk_line import TalkLine
from tui.widgets.table.track import Track

WAKE_S = 1.0
"""The least time between two attempts to take the seat back."""


class TableScreen(Screen[str]):
    """Shows the newest scene of a session and sends what the player chooses. Returns how it ended: `left`, `gone`,
    `closed`, `waiting room`; of a lesson or a puzzle also `done`."""

    BINDINGS: ClassVar[list[BindingType]] = bound_to_parts((*TABLE, *GUIDED))
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS, VERTICAL_BREAKPOINTS = COLUMNS, ROWS

    scene: var[Scene | None] = var(None, init=False, always_update=True)
    """What the regions show."""
    reading: var[Detail] = var(Detail, init=False)
    asked: var[Asked | None] = var(None, init=False, always_update=True)
    """What the prompt asks."""
    key_words: var[tuple[tuple[str, str], ...]] = var((), init=False)
    """The keys that do something now."""

    def __init__(
        self, session: TableSession, laid: Callable[[], None] = lambda: None, coach: Coached | None = None
    ) -> None:
        """laid: called once the player sees the table. coach: makes the coach, if there is one."""
        super().__init__()
        self.session, self._laid = session, laid
        self._updates = Updates(self, self.look)
        self.parts = parts = TableParts(session, self, self.redraw, partial(close, self), self.run)
        self.model = parts.model
        self.coach = coach(parts, self, partial(close, self)) if coach is not None else None
        if self.coach is not None:
            parts.auto_pass.wanted = self.coach.wanted
        self.timing = Timing(self.model, self, self._draw_motion)
        pace = TablePace(self.model, lambda: self.app, partial(self.run, "hint"), parts.answers.skip_pause)
        self._moments = MomentShow(
            self.model, self, parts.reader, parts.reasons, pace, talking=lambda: parts.talk.open
        )
        first = (self.coach,) if self.coach is not None else ()
        self.actions = Actions(*first, *parts.with_actions, lacks=self._lacks)
        self._unlisten: Callable[[], None] = lambda: None
        self._woken_at = -60.0
        self._came: float | None = None
        """When the key that is being handled came (s of the loop)."""

    # ---------------------------------------------------------------------------------------------------- composition
    def compose(self) -> ComposeResult:
        """Every region, in reading order. The list of choices and the talk line are added when they are needed."""
        self.set_class(self.session.glyphs.ascii, "ascii")
        begin_fitted(self)
        seats = len(self.session.scene().view.seats)
        gate = Gate("gate").data_bind(TableScreen.asked)
        keys = KeyRow("keys", self.session.glyphs).data_bind(TableScreen.key_words)
        prompt = PromptPane("prompt").data_bind(TableScreen.asked)
        coach = (Coach("coach", self.session.glyphs),) if self.coach is not None else ()
        clocks = self.session.client.clocks
        yield from regions(cast(Any, TableScreen), seats, clocks, gate, prompt, keys, coach)

    def on_mount(self) -> None:
        """Subscribe to the session and start the clock. Set what the regions show before the first layout, or a second
        one would follow."""
        self.session.pixels = look_of(self.app)
        self._unlisten = self.session.listen(self._updates.soon)
        self.model.begin(key_names(self.app), key_pause(self.app))
        if self.coach is not None:
            self.model.coach_asks = self.coach.asks
        self.parts.news.begin()
        self.scene = self.model.now
        begin_drawn(self, self.redraw)
        self.call_later(self.call_after_refresh, self._laid)

    def on_unmount(self) -> None:
        """Unsubscribe."""
        self._unlisten()
        self.parts.stop()
        self.timing.stop()
        cast("TitledApp", self.app).entitle()

    # -------------------------------------------------------------------------------------------------------- updates
    def on_resize(self) -> None:
        """Draw in the new size, beneath what lies over the table too."""
        self._updates.resized()
        if not self.is_current:
            self.call_after_refresh(self.redraw)

    def on_screen_suspend(self) -> None:
        """Let bots wait while something lies over the table."""
        self.parts.reading_pause.look()

    def on_screen_resume(self) -> None:
        """Update after another screen has closed."""
        self.parts.reading_pause.look()
        self._updates.resumed()

    def look(self) -> None:
        """Go to the waiting room if the game has ended; otherwise redraw, and ring for a new question."""
        stage = self.session.client.stage
        if stage == "closed" or not self.session.playing:
            close(self, "closed" if stage == "closed" else "waiting room")
            return
        if self.parts.sharing.answer():
            return
        news = self.parts.news
        news.ring_for_knocks()
        self.parts.auto_pass.look()
        if self.coach is not None and not self.coach.shows_moments:
            self.session.moments.clear()
        if self._moments.comes_first:  # nothing may show its outcome: not the prompt, a Level or the hand
            self._ask_nothing()
            self._moments.show()
            return
        self.redraw()
        news.ring_for_question()
        if not self._moments.show():
            news.tell()
            self.parts.auto_pass.begin()
            self.parts.ending.show()

    def redraw(self) -> None:
        """Draw the scene of this moment; each region repaints what has changed."""
        if not self.session.playing or not is_open(self):
            return
        if self._moments.comes_first:
            self.scene = self.scene
            self._ask_nothing()
            return
        now, model, choices = asyncio.get_running_loop().time(), self.model, self.parts.choices
        moves = cast("MovingApp", self.app).moves and len(self.session.moments) < 2
        model.follow(now, moves, self.is_current)
        self.parts.remarks.keep(now)
        if model.menus.nested or isinstance(model.here, Picker) or choices.in_list:
            model.now = replace(model.now, enters=False)
        model.coached = self.coach is not None and self.coach.waits
        self.set_class(bool(model.reading.kind), "reading")
        self.set_class(model.large, "max")
        self.reading = model.reading
        self.parts.reading_pause.look()
        self.scene = model.now
        choices.show_list()
        in_sight = not (choices.listing or model.reading.kind or model.large)
        model.missed = self.session.missed(in_sight and self.is_current)
        choices.make_room()
        self.asked = choices.asked()
        self.key_words = self._key_words()
        cast("TitledApp", self.app).entitle(window_title(model.now, model.current.urgent))
        if self.coach is not None:
            self.query_one(Coach).saying = self.coach.saying()
        self.timing.follow(now)

    def _ask_nothing(self) -> None:
        """Take the question away while a moment that comes before the next one is read."""
        if self.asked is not None:
            self.asked = replace(self.asked, prompt=NOTHING, rows=(), further=False)

    def _key_words(self) -> tuple[tuple[str, str], ...]:
        model, lacks = self.model, self.coach.lacks if self.coach is not None else ()
        found = key_line(model.now, model.menus.nested, model.reading.kind, model.large)
        return tuple((model.names[ident], words) for ident, words in found if ident not in lacks)

    def _draw_motion(self) -> None:
        """Draw what moves as it is now, and nothing else."""
        self.model.now = replace(self.model.now, moving=self.model.motion.moving())
        self.query_one(Track).scene = self.query_one(Stage).scene = self.model.now

    def take_look(self) -> None:
        """Draw portraits as the app wants them now."""
        self.session.pixels = look_of(self.app)
        self.redraw()

    def stand_still(self) -> None:
        """End what moves: a key has been pressed."""
        self.timing.stand_still()

    # ----------------------------------------------------------------------------------------------------------- keys
    def on_key(self, event: events.Key) -> None:
        """Let any key take a remark away. While a bot plays for the player, it takes the seat back and does nothing
        else."""
        self.parts.remarks.spend()
        self._tell_unknown(event)
        age = max(0.0, events.Idle().time - event.time)  # by the toolkit's clock: a key may have waited for its turn
        self._came = asyncio.get_running_loop().time() - age
        if self.model.see_news():
            self.redraw()
        leaves = event.key in keys_now(own_keys(self.app))["app.quit"] or self.model.menus.before_votes
        if not self.model.now.away or leaves or self.parts.talk.open:
            return
        event.stop()
        now = asyncio.get_running_loop().time()
        if now - self._woken_at >= WAKE_S:
            self._woken_at = now
            self.session.client.set()

    def _tell_unknown(self, event: events.Key) -> None:
        """Say that a letter or sign is no key here. The app does so for letters of other scripts (foreign_keys.py)."""
        sign = event.character or ""
        ours = len(sign) == 1 and sign.isascii() and sign.isprintable()
        if ours and self.is_current and not self.parts.talk.open and event.key not in self.active_bindings:
            shifted = " Where digits need SHIFT, hold it for them." if sign in ABOVE else ""
            self.model.say(f"{sign} is no key here; {self.model.names['app.keys']} lists them.{shifted}")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key does something at this table."""
        return action != "act" or self.actions.find(str(parameters[0])) is not None

    def action_act(self, name: str, given: tuple[object, ...]) -> None:
        """Pass an action to the part that has it."""
        self.model.came_at = math.inf if self._came is None else self._came
        self._came = None
        self.actions.run(name, *given)
        self.model.came_at = math.inf

    def run(self, name: str) -> None:
        """Run an action without arguments, as its key does."""
        self.actions.run(name)

    def ask_to_leave(self) -> None:
        """Do what the key that leaves the table does."""
        self.run("quit_table")

    def _lacks(self, name: str) -> bool:
        return self.coach.lacks_action(name) if self.coach is not None else name.startswith("puzzle_")

    def commands(self) -> Iterable[tuple[str, str, Callable[[], Any]]]:
        """Yield the commands of the palette: the entries of the open menu, then every key."""
        for entry in self.model.entries:
            yield entry.label, "at the table, now", partial(self.parts.answers.choose_named, entry.key)
        for key in TABLE:
            if key.show and key.id != "app.palette":
                words = f"key {self.model.names[key.id]}"
                yield key.words, words, partial(self.run_action, acting(key.action))

    # ------------------------------------------------------------------------------------------- offers of the regions
    def on_choice_list_chosen(self, event: ChoiceList.Chosen) -> None:
        """Take the choice of the list that was clicked, or that ENTER was pressed on."""
        self.parts.answers.choose_listed(event.at)

    def on_talk_line_said(self, event: TalkLine.Said) -> None:
        """Send what was written."""
        self.parts.talk.say(event.text)

    def on_pane_card_pressed(self, event: Pane.CardPressed) -> None:
        """Select a card of the hand; use one that is selected already."""
        again = event.at == self.model.cursor
        self.model.select(event.at)
        if again:
            self.run("enter")

    def on_pane_read_pressed(self, event: Pane.ReadPressed) -> None:
        """Read a card."""
        self.parts.reader.read_card(event.card)

    def on_pane_seat_pressed(self, event: Pane.SeatPressed) -> None:
        """Read a seat."""
        self.model.read(Detail("seat", event.seat))

    def on_pane_rule_pressed(self, event: Pane.RulePressed) -> None:
        """Look a rule up."""
        self.parts.reasons.look_up(event.rule)

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Press the key that was clicked."""
        self.app.simulate_key(pressed(event.key))
