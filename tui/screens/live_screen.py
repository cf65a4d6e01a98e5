"""The base of screens that follow a table or lobby: many changes at once cause one update."""

import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from textual import events
from textual.app import App
from textual.screen import Screen

from tui.portraits.pixels import Look

Word = TypeVar("Word")
LOOKS_S, LOOKS_SHARE = 0.3, 0.25
"""How much processor time updates may take at once (s), and which share of the time in the long run: a host that says
something all the time is followed no faster, so that keys are not kept waiting."""
COLUMNS = [(0, "-slit"), (60, "-column"), (80, "-narrow"), (120, "-wide"), (200, "-broad")]
ROWS = [(0, "-flat"), (20, "-low"), (23, "-short"), (40, "-tall"), (60, "-high")]
"""The classes of the table, and of what lies over it, by the columns and rows of the window."""


class PortraitApp(Protocol):
    """An app that says how portraits are drawn."""

    portrait_look: Look


class HoldingApp(Protocol):
    """An app that can hold painting back."""

    def hold(self) -> None:
        """Paint nothing."""

    def release(self) -> None:
        """Paint again."""


def look_of(app: App[Any]) -> Look:
    """Return how portraits are drawn now."""
    return cast("PortraitApp", app).portrait_look


def begin_fitted(screen: Screen[Any]) -> None:
    """Lay a screen out for the size of the window from the first layout on. Call it first in compose: classes that come
    later have everything on the screen styled again."""
    width, height = screen.app.size
    for size, steps in ((width, screen.HORIZONTAL_BREAKPOINTS), (height, screen.VERTICAL_BREAKPOINTS)):
        fitting = [name for least, name in sorted(steps or ()) if least <= size]
        screen.add_class(*fitting[-1:])


def begin_settled(screen: Screen[Any]) -> None:
    """Paint a screen when it has drawn everything, so that its first frame is the only one. Call it in on_mount."""
    app = cast("HoldingApp", screen.app)
    app.hold()
    screen.call_after_refresh(lambda: screen.call_after_refresh(lambda: screen.call_after_refresh(app.release)))


def begin_drawn(screen: Screen[Any], draw: Callable[[], None]) -> None:
    """Draw a screen as soon as its first layout has given everything its size, and paint it then: no timer of the
    toolkit is waited for. Call it in on_mount, after which that layout comes next."""
    app = cast("HoldingApp", screen.app)
    app.hold()
    screen.call_later(draw)
    screen.call_later(app.release)


def close(screen: Screen[Word], word: Word | None = None) -> None:
    """Close a screen with this result, and first whatever lies over it, if it is still open. What is only about to open
    is waited for."""
    if screen not in screen.app.screen_stack:
        return
    while (front := screen.app.screen) is not screen:
        if not front._is_mounted:
            front.call_later(close, screen, word)
            return
        front.dismiss(None)
    screen.dismiss(word)


class HeldScreen(Screen[Word]):
    """A screen that renders nothing while painting is held back: all of it is painted afterwards."""

    _resumed = False

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Style the screen when another one has closed, but not at first: it has just been styled."""
        self._resumed, event.refresh_styles = True, self._resumed

    def _compositor_refresh(self) -> None:
        if not getattr(self.app, "holding", False):
            super()._compositor_refresh()


class LiveScreen(HeldScreen[Word]):
    """A screen that updates after `look_soon`, in a new size, and when it is in front again."""

    _due = False
    _gone = False
    _left, _left_at = LOOKS_S, 0.0
    """How much processor time updates might take at once (s), and when that was (of the monotonic clock)."""

    def leave(self, word: Word) -> None:
        """Close this screen once, with this result, and first whatever lies over it."""
        if not self._gone:
            self._gone = True
            close(self, word)

    def look(self) -> None:
        """Take in what has changed and redraw."""
        raise NotImplementedError

    def look_soon(self) -> None:
        """Update soon, once for all changes until then."""
        if self._due:
            return
        self._due = True
        now = time.monotonic()
        self._left, self._left_at = min(LOOKS_S, self._left + (now - self._left_at) * LOOKS_SHARE), now
        if self._left < 0:
            self.set_timer(-self._left / LOOKS_SHARE, self._look_now)
        else:
            self.call_later(self._look_now)

    def _look_now(self) -> None:
        self._due = False
        if self.is_attached and self.is_current:
            began = time.thread_time()
            self.look()
            self._left -= time.thread_time() - began

    def on_resize(self) -> None:
        """Update in the new size."""
        self.call_after_refresh(self._look_now)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Update after another screen has closed; at first the first size has it drawn. (The handler of HeldScreen
        comes after this one.)"""
        if self._resumed:
            self.look_soon()
