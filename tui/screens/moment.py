"""A moment over the table. It stays until a key is pressed, or closes by itself; it never covers a question with a
clock."""

import asyncio
import time
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.timer import Timer

from netcode.client.state_machine import Message
from tui.config.keymap import keys_now, pressed
from tui.config.places import MOMENT
from tui.menus.hint import gets_hints
from tui.scene.cells import Line
from tui.scene.moments import Moment
from tui.scene.scene import Scene
from tui.scene.table_session import TableSession
from tui.screens.opening import COLUMNS, ROWS, begin_fitted, begin_settled, is_open, key_pause
from tui.widgets.bound import bound, own_keys
from tui.widgets.moments.bodies import body_of
from tui.widgets.moments.page import Keys, draw, place
from tui.widgets.pane import Pane

PASSES_S = 2.5
"""How long (s) a moment is shown at a table of people."""
FRAME_S = 0.05

OF_THE_TABLE = (
    ("table.rules", "close('rules')", "The rules of what has happened"),
    ("table.hint", "close('hint')", "Go on, with a hint for what comes now"),
)
"""Keys of the table that also work in a moment, since they only read."""


class MomentScreen(ModalScreen[str]):
    """Shows one moment. Its result is the key that closed it: `space`, `read`, `rules`, `hint`; empty for any other."""

    HORIZONTAL_BREAKPOINTS, VERTICAL_BREAKPOINTS = COLUMNS, ROWS
    BINDINGS: ClassVar[list[BindingType]] = bound(MOMENT, *OF_THE_TABLE)

    clock: Callable[[], float] = staticmethod(time.monotonic)

    def __init__(
        self, session: TableSession, scene: Scene, moment: Moment, covers: Callable[[], bool] | None,
        moves: bool = False, passes_s: float = PASSES_S, waiting: Callable[[], int] = lambda: 0,
    ) -> None:  # fmt: skip
        """scene: the table right after the moment. covers: tells whether the moment covers a question that must stay in
        sight; it then closes by itself, at the latest after passes_s. None: it stays until a key is pressed. moves:
        whether its picture is animated. waiting: tells how many moments come after it."""
        super().__init__()
        self.session, self.scene, self.moment = session, scene, moment
        self._body = body_of(scene, moment)
        self._covers, self._passes_s, self._waiting = covers, passes_s, waiting
        self._moves = moves and self._body.motion is not None
        self._began = 0.0
        self._frames: Timer | None = None
        """Runs only while something moves."""
        self._off: Callable[[], None] = lambda: None
        self.dead_until = 0.0
        self._early = False
        """Whether a key has come too early; the foot says so."""

    def compose(self) -> ComposeResult:
        """The box, at its size and drawn from the first frame on."""
        begin_fitted(self)
        page = Pane("moment-page")
        self._fit(page)
        page.draws(self._drawn)
        yield page

    def on_mount(self) -> None:
        """Follow the game, and close the box in time."""
        begin_settled(self)
        self.dead_until = asyncio.get_running_loop().time() + key_pause(self.app)  # until then keys are the table's
        self._off = self.session.client.subscribe(self._heard)
        if self._moves:
            self._began = self.clock()
            self._frames = self.set_interval(FRAME_S, self.look)
        if self._covers is not None:
            self.set_timer(self._passes_s, self._pass)

    def on_unmount(self) -> None:
        """Stop following the game."""
        self._off()

    def _pass(self) -> None:
        if self.app.screen is self:
            self.dismiss("")

    def _heard(self, message: Message) -> None:
        """Make room for a question; show how many moments wait."""
        if self._covers is not None and self._covers():
            self.call_later(self._pass)
        else:
            self.call_later(self.look)

    def on_resize(self) -> None:
        """Fit the box into the window."""
        self._fit(self.query_one("#moment-page", Pane))
        self.call_after_refresh(self.look)

    def _fit(self, page: Pane) -> None:
        page.styles.width, page.styles.height = place(self.scene, self._body, *self.app.size)

    def look(self) -> None:
        """Draw the moment."""
        if is_open(self):
            self.query_one("#moment-page", Pane).show(self._drawn)

    def _drawn(self, width: int, height: int) -> list[Line]:
        """Return the moment as it is now."""
        hints = gets_hints(self.scene)
        keys = Keys(self.moment.card >= 0, self._waiting(), self._covers is not None, self._early, hints)
        return draw(self.scene, self._body, keys, width, height, self._at())

    def _at(self) -> float:
        """Return the share of the motion that is over, and stop its timer after the last frame."""
        motion = self._body.motion
        if motion is None or self._frames is None:
            return 1.0
        at = (self.clock() - self._began) * 1000 / motion.ms
        if at >= 1:
            self._frames.stop()
            self._frames = None
        return min(1.0, at)

    def action_close(self, how: str) -> None:
        """Go on, or read the card first. A key that was meant for the table is refused, and the foot says so."""
        if asyncio.get_running_loop().time() < self.dead_until:
            self._early = True
            self.look()
        elif how != "read" or self.moment.card >= 0:
            self.dismiss(how)

    def on_key(self, event: events.Key) -> None:
        """Close with any other key. The key does nothing else, since what it would answer was not in sight."""
        keys = keys_now(own_keys(self.app))
        idents = [*(row.id for row in MOMENT), *(ident for ident, *_ in OF_THE_TABLE)]
        bound_here = {key for ident in idents for key in keys[ident]}
        if event.key in bound_here or event.key.startswith("ctrl+"):
            return
        event.stop()
        self.action_close("")

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Handle a click on a key of the box."""
        event.stop()
        self.app.simulate_key(pressed(event.key))

    def on_click(self, event: events.Click) -> None:
        """Go on with a click beside the box."""
        if event.widget is self:
            self.action_close("space")
