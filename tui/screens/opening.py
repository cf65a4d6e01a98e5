"""How screens open, so that their first frame is whole, and how they close."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from textual.app import App
from textual.screen import Screen

from tui.config.settings import Settings
from tui.portraits.pixels import Look

Word = TypeVar("Word")
COLUMNS = [(0, "-slit"), (60, "-column"), (80, "-narrow"), (120, "-wide"), (200, "-broad")]
ROWS = [(0, "-flat"), (20, "-low"), (23, "-short"), (40, "-tall"), (60, "-high")]
"""The style classes of the table, and of screens over it, by the columns and rows of the window."""


class PortraitApp(Protocol):
    """An app that says how portraits are drawn."""

    portrait_look: Look


class TitledApp(Protocol):
    """An app that gives the window of the terminal a title."""

    def entitle(self, text: str = "") -> None:
        """Show this title, before the name of the program."""


class SetApp(Protocol):
    """An app with settings."""

    settings: Settings


class HoldingApp(Protocol):
    """An app that can hold painting back."""

    def hold(self) -> None:
        """Paint nothing."""

    def release(self) -> None:
        """Paint again."""


def look_of(app: App[Any]) -> Look:
    """Return how portraits are drawn now."""
    return cast("PortraitApp", app).portrait_look


def key_pause(app: object) -> float:
    """Return how long (s) keys do not answer a question that has just come."""
    return cast("SetApp", app).settings.key_pause


def begin_fitted(screen: Screen[Any]) -> None:
    """Lay a screen out for the size of the window from the first layout on. Call it first in compose: classes that are
    set later make the toolkit style the whole screen again."""
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
    """Draw a screen as soon as its first layout has given everything its size, and paint it then: it waits for no timer
    of the toolkit. Call it in on_mount, which the first layout follows."""
    app = cast("HoldingApp", screen.app)
    app.hold()
    screen.call_later(draw)
    screen.call_later(app.release)


def is_open(screen: Screen[Any]) -> bool:
    """Return whether a screen is still one of the app's. One that closes loses its widgets before it ends, and a draw
    that was asked for before would look for them (the toolkit's `is_attached` is true until its end)."""
    return screen in screen.app.screen_stack


def close(screen: Screen[Word], word: Word | None = None) -> None:
    """Close a screen with this result if it is still open, and first all screens over it. Wait for a screen that is
    about to open."""
    if not is_open(screen):
        return
    while (front := screen.app.screen) is not screen:
        if not front.is_mounted:
            front.call_later(close, screen, word)
            return
        front.dismiss(None)
    screen.dismiss(word)
