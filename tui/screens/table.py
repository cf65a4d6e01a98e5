"""The screen of a game: every region, drawn from the scene. Its keys are in table_actions.py and table_beside.py."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.timer import Timer

from core.state import actions as a
from tui.config.keymap import TABLE, pressed
from tui.menus.entries import Picker
from tui.menus.keyed import Keys
from tui.menus.menu_state import MenuState
from tui.menus.prompts import NOTHING, prompt_for
from tui.render import details
from tui.render.details import Detail
from tui.scene.cells import Line, block, wrap
from tui.scene.motion import Motion
from tui.scene.scene import LogLine, Scene
from tui.scene.table_session import TableSession
from tui.screens.live_screen import COLUMNS, ROWS, begin_drawn, begin_fitted, look_of
from tui.screens.table_choices import key_line
from tui.screens.table_moments import TableMoments
from tui.widgets.bound import bound, key_names
from tui.widgets.pane import Pane
from tui.widgets.table.hand import Hand
from tui.widgets.table.head import Head
from tui.widgets.table.history import History
from tui.widgets.table.prompt import Row, draw, draw_keys
from tui.widgets.table.reading import Reading
from tui.widgets.table.seats import Seats
from tui.widgets.table.stage import Stage, ticks
from tui.widgets.table.track import Track

if TYPE_CHECKING:
    from netcode.recording.recorder import Finished

TICK_S = 0.25 if os.environ.get("SSH_CONNECTION") else 0.1
AUTO_PASS_S = 1.2
FRAME_S = 0.06
"""From one step of a motion to the next."""
READ_S = 2.0
"""For so long a remark stays at least, whatever is asked meanwhile."""
NEWS = 3
"""So many toasts at once."""


class TableScreen(TableMoments):
    """Shows the newest scene of a session and sends what the player chooses."""

    lacks: ClassVar[tuple[str, ...]] = ()
    """Bindings of which this table has no use."""
    BINDINGS: ClassVar[list[BindingType]] = bound(TABLE)
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS, VERTICAL_BREAKPOINTS = COLUMNS, ROWS

    clock: Callable[[], float] = staticmethod(time.monotonic)

    def __init__(self, session: TableSession, laid: Callable[[], None] = lambda: None) -> None:
        """laid: called once the player sees the table."""
        super().__init__()
        self.session, self._laid = session, laid
        self.motion = Motion(self.clock)
        self._frames: Timer | None = None
        """Runs only while something moves."""
        self.menus = MenuState()
        self.keyed = Keys()
        self.current = NOTHING
        self._waking: asyncio.TimerHandle | None = None
        self._auto_pass: asyncio.TimerHandle | None = None
        self._passing = 0
        self._ticks: Timer | None = None
        """Runs only while a time on the screen does."""
        self._counted_at = 0.0
        self._rung = ""
        self._ended: Finished | None = None
        """The last game whose end was shown."""
        self._unlisten: Callable[[], None] = lambda: None
        self._remarked: tuple[int, tuple[str, int, bool], float] = (-1, ("", 0, False), 0.0)
        """Which remark is shown, beside which question, and since when."""
        self._unsaying: asyncio.TimerHandle | None = None
        self._told: LogLine | None = None
        """The newest line of the log when toasts were shown last."""

    def compose(self) -> ComposeResult:
        """Every region, in reading order. The list of choices and the talk line come when they are wanted."""
        self.set_class(self.session.glyphs.ascii, "ascii")
        begin_fitted(self)
        yield Pane("gate")
        yield Head("head")
        yield Track("track")
        with Container(id="middle"):
            yield Seats("seats")
            yield Stage("stage")
            yield Pane("reader")
            yield History("history")
        yield Hand(id="hand")
        with Container(id="foot"):
            yield Pane("prompt")
            yield Reading("reading")
        with Container(id="last"):
            yield Pane("keys")

    def on_mount(self) -> None:
        """Subscribe to the session and start the clock."""
        self.session.pixels = look_of(self.app)
        self._unlisten = self.session.listen(self.look_soon)
        self.names = self.session.key_names = key_names(self.app)
        self.now = self.session.scene()
        self._told = self.session.log[-1] if self.session.log else None
        self.here, _ = self.menus.here(self.now)
        self._size_regions()
        begin_drawn(self, self.redraw)
        self.call_later(self.call_after_refresh, self._laid)

    def on_unmount(self) -> None:
        """Unsubscribe."""
        self._unlisten()
        for timer in (self._auto_pass, self._waking, self._unsaying):
            if timer is not None:
                timer.cancel()

    def on_resize(self) -> None:
        """Draw in the new size beneath what lies over the table, too."""
        if not self.is_current:
            self.call_after_refresh(self.redraw)

    def take_look(self) -> None:
        """Draw portraits as the app wants them now."""
        self.session.pixels = look_of(self.app)
        self.redraw()

    def _size_regions(self) -> None:
        """Give the table a row for each seat; the log gets the rest. What the hand and the stage are made of is known
        before the first layout, which would otherwise be followed by another."""
        self.query_one("#seats").add_class(f"seats-{min(6, len(self.now.view.seats))}")
        self.query_one(Hand).update(self.now)
        self.query_one(Stage).update(self.now.board, self.session)

    # -------------------------------------------------------------------------------------------------------- updates
    def look(self) -> None:
        """Go to the waiting room if the game has ended; otherwise redraw, and ring for a new question."""
        if self.session.client.stage == "closed" or not self.session.playing:
            self.leave("closed" if self.session.client.stage == "closed" else "waiting room")
            return
        if self.session.ring:
            self.session.ring = False
            self.app.bell()
        self._tell_news()
        self.redraw()
        self._ring()
        if not self.show_moment():
            self._pass_alone()
            self._show_end()

    def _show_end(self) -> None:
        """Show the end of a game once, but neither to somebody who is typing nor over what is being read."""
        busy = self.has_class("talking") or self.app.screen is not self
        if self.finished is not self._ended and self.finished is not None and not busy:
            self.action_story()

    @property
    def finished(self) -> "Finished | None":
        """The game that is over and still on the table, if its story is known."""
        found, info = self.session.finished, self.now.info
        over = found is not None and bool(self.now.view.winners) and found.header.game == info.game
        return found if over and found is not None and found.story is not None else None

    def action_story(self) -> None:
        """Show how the finished game went."""
        finished = self.finished
        if finished is None or finished.story is None:
            self.say("How it went is told when the game is over, to those who have seen it.")
            return
        self._ended = finished
        from tui.scene.story_text import sets_in_words
        from tui.screens.end import EndScreen

        session, game = self.session, sets_in_words(self.session.catalog)
        screen = EndScreen(finished.header, finished.story, game, session.glyphs, session, session.pixels)
        self.app.push_screen(screen, self._after_end)

    def _after_end(self, how: str | None) -> None:
        if how == "leave":
            self.action_quit_table()

    def _tell_news(self) -> None:
        """Show what was said, and what happened beside the game, as toasts where the history has no room."""
        news = list(takewhile(lambda line: line is not self._told, reversed(self.session.log)))
        self._told = news[0] if news else self._told
        if not self.query_one(History).display:
            told = [line for line in news if line.kind != "turn" and not line.step]
            for line in reversed(told[:NEWS]):
                self.notify(line.text, markup=False)

    def _ring(self) -> None:
        """Ring if the player has a new question to answer."""
        if self.current.urgent and self.current.ident != self._rung:
            self._rung = self.current.ident
            self.app.bell()

    def _pass_alone(self) -> None:
        """Pass after a moment if a solo player can do nothing but pass; what lies over the table is read first."""
        if self.app.screen is not self:
            return
        view, you = self.now.view, self.now.you
        window = view.window
        waits = (
            self.now.solo and window is not None and you is not None and not window.passed and not you.asks
            and all(isinstance(option.action, a.NO_RESPONSE) for option in you.legal) and not self.menus.nested
        )  # fmt: skip
        if not waits or window is None:
            return
        if self._passing != window.id:
            self._passing = window.id
            self.session.remark = "Nothing to play: passing automatically."
            loop = asyncio.get_running_loop()
            self._auto_pass = loop.call_later(AUTO_PASS_S, self._pass_now, window.id)
            self.redraw()

    def _pass_now(self, ident: int) -> None:
        window = self.now.view.window
        self.session.remark = ""
        if self.app.screen is not self:
            self._passing = 0  # again once that is closed
        elif window is not None and window.id == ident and not window.passed and self.is_attached:
            self.session.act(a.Pass(ident))
            self.redraw()

    def _keep_time(self) -> None:
        """Tick while a time on the screen runs, and only then: the program sleeps while nothing happens."""
        runs = self.session.counting or ticks(self.session.client.clocks())
        if runs and self._ticks is None:
            self._ticks = self.set_interval(TICK_S, self._tick)
        elif not runs and self._ticks is not None:
            self._ticks.stop()
            self._ticks = None

    def _tick(self) -> None:
        """Redraw the clock, and once a second the times of the seats."""
        now = asyncio.get_running_loop().time()
        if self.session.counting and now - self._counted_at >= 1:
            self._counted_at = now
            self.redraw()
        self.query_one(Stage).tick()
        self._keep_time()

    # -------------------------------------------------------------------------------------------------------- drawing
    def redraw(self) -> None:
        """Draw the scene of this moment; each pane repaints what has changed."""
        if not self.session.playing or not self.is_attached:
            return
        now = asyncio.get_running_loop().time()
        scene = self.session.scene(self.cursor)
        self.keyed.arrange(scene, now)
        scene = replace(scene, order=self.keyed.order)
        self._keep_cursor(scene)
        scene = replace(scene, cursor=self.cursor)
        self.here, gone = self.menus.here(scene)
        if gone:
            self.session.remark = "That is no longer possible: the situation has changed."
        self.keyed.update(scene, self.menus, self.here, now)
        dead = frozenset(card for card, key in self.keyed.hand.items() if self.keyed.dead(key, now))
        self.motion.follow(scene.view, getattr(self.app, "moves", False) and len(self.session.moments) < 2)
        self.now = scene = replace(scene, keys=self.keyed.hand, dead_keys=dead, moving=self.motion.moving())
        if self.reading.of and (not self.menus.nested or self.menus.visit != self.reading.over):
            self.stop_reading()
        before, self.current = self.current, prompt_for(scene, self.menus, self.here)
        self._keep_remark(now)
        if before.ident != self.current.ident:
            self.in_hand = False
        if self.menus.nested or isinstance(self.here, Picker) or (self.listing and not self.in_hand):
            self.now = scene = replace(scene, enters=False)
        self.set_class(bool(self.reading.kind), "reading")
        self._wake_keys(now)
        self._show_board(scene)
        self._show_hand(scene)
        self._keep_time()
        if self.motion.runs and self._frames is None:
            self._frames = self.set_interval(FRAME_S, self._move_on)

    def _keep_remark(self, now: float) -> None:
        """Take a remark away once something else is asked, or goes on, and there was time to read it; a hint at once,
        since it would be read as an answer to the new question."""
        view = self.now.view
        about = self.current.ident, view.turn_no, view.top == "setup"
        number, before, since = self._remarked
        if self._unsaying is not None:
            self._unsaying.cancel()
            self._unsaying = None
        if number != self.session.remarks:
            self._remarked = self.session.remarks, about, now
        elif self.session.remark and about != before:
            left = since + READ_S - now
            if left <= 0 or self.session.remark == self._hinted:
                self.session.remark = ""
            else:
                self._unsaying = asyncio.get_running_loop().call_later(left, self.redraw)

    def _move_on(self) -> None:
        """Draw the next step of what moves, and stop after the last one."""
        if not self.motion.runs and self._frames is not None:
            self._frames.stop()
            self._frames = None
        self.now = replace(self.now, moving=self.motion.moving())
        self.query_one(Track).update(self.now.around)
        self.query_one(Stage).update(self.now.board, self.session)

    def stand_still(self) -> None:
        """End what moves: a key has been pressed."""
        if self.motion.runs:
            self.motion.end()
            self._move_on()

    def _wake_keys(self, now: float) -> None:
        """Redraw once all keys live again."""
        wait = self.keyed.wait(now)
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None
        if wait > 0:
            self._waking = asyncio.get_running_loop().call_later(wait, self.redraw)

    def _keep_cursor(self, scene: Scene) -> None:
        """Keep the cursor on its card when others come and go."""
        cards = scene.hand()
        if self.selected in cards:
            self.cursor = cards.index(self.selected)
        else:
            self.cursor = max(0, min(self.cursor, len(cards) - 1))
            self.selected = cards[self.cursor] if cards else 0

    def _show_board(self, scene: Scene) -> None:
        asked = self.rows() if self.menus.before_votes else []
        self.query_one("#gate", Pane).show(lambda w, h: gate(scene, w, h, self.current.question, asked))
        self.query_one(Head).update(scene.around)
        self.query_one(Track).update(scene.around)
        self.query_one(Seats).update(scene.around)
        self.query_one(Stage).update(scene.board, self.session)
        self.query_one(History).update(scene.board)
        self.query_one("#reader", Pane).show(lambda w, h: details.detail(scene, self.reading, w, h))
        self.query_one(Reading).update(scene)

    def _show_hand(self, scene: Scene) -> None:
        self.query_one(Hand).update(scene, lambda card: scene.keys.get(card, ""))
        self.make_room()
        self.show_choices()
        self.query_one("#prompt", Pane).show(
            lambda width, height: draw(scene, self.shown, self.page_rows(width, height), width, height)
        )
        found = key_line(scene, self.menus.nested, self.reading.kind, self.has_class("max"))
        keys = [(self.names[ident], words) for ident, words in found if ident not in self.lacks]
        self.query_one("#keys", Pane).show(lambda width, height: draw_keys(keys, width, scene.glyphs))

    # ---------------------------------------------------------------------------------------------------------- mouse
    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Handle a click on a key, a card or a seat."""
        if event.key.startswith("hand:"):
            at = int(event.key[5:])
            again = at == self.cursor
            self.select(at)
            if again:
                self.action_enter()
            return
        if event.key.startswith("card:"):
            self.read_card(int(event.key[5:]))
            return
        if event.key.startswith("seat:"):
            self.read(Detail("seat", int(event.key[5:])))
            return
        if event.key.startswith("rule:"):
            self.look_up(event.key[5:])
            return
        self.app.simulate_key(pressed(event.key))


def gate(scene: Scene, width: int, height: int, question: str = "", asked: Sequence[Row] = ()) -> list[Line]:
    """Return what is shown instead of the table in a window that is too small. asked: the answers to the question
    whether to leave."""
    leave = scene.key_names["app.quit"]
    words = f"This window is {width} by {height}; the table needs 60 by 20. Make it larger, or leave with {leave}."
    texts = wrap(words, max(10, width - 2), scene.glyphs)
    if asked:
        texts = [line for text in (question, *(f"{row.key} {row.words}" for row in asked))
                 for line in wrap(text, max(10, width - 2), scene.glyphs, "    ")]  # fmt: skip
    lines: list[Line] = [((text, "warn"),) for text in texts]
    return block(lines, width, height, scene.glyphs)
