"""Screens that show what somebody else changes: they look again, once for many changes at a time."""

from typing import TypeVar

from textual.screen import Screen

Word = TypeVar("Word")


class LiveScreen(Screen[Word]):
    """A screen to be drawn anew when `look_soon` says so, when its size changes, and when it is in front again."""

    _due = False

    def look(self) -> None:
        """Take in what has changed and draw it, if there is still a screen to draw on."""
        raise NotImplementedError

    def look_soon(self) -> None:
        """Something changed."""
        if not self._due:
            self._due = True
            self.call_later(self._look_now)

    def _look_now(self) -> None:
        self._due = False
        if self.is_attached and self.is_current:
            self.look()

    def on_resize(self) -> None:
        """Other sizes show more or less."""
        self.call_after_refresh(self._look_now)

    def on_screen_resume(self) -> None:
        """Back from another screen: much may have happened."""
        self.look_soon()
