"""The talk line, which takes the place of the keys while somebody writes."""

from typing import Any

from textual.screen import Screen

from tui.screens.parts.model import TableModel
from tui.widgets.table.talk_line import TalkLine


class Talk:
    """Opens and closes the talk line."""

    def __init__(self, model: TableModel, screen: Screen[Any]) -> None:
        """screen: has the line."""
        self._model, self._screen = model, screen

    @property
    def open(self) -> bool:
        """Whether the player writes."""
        return self._screen.has_class("talking")

    def action_talk(self) -> None:
        """Open the talk line."""
        self._screen.set_class(True, "talking")
        if not self._screen.query(TalkLine):
            self._screen.query_one("#last").mount(TalkLine(self._model.names["prompt.back"]))
        self._screen.query_one(TalkLine).focus()

    def say(self, text: str) -> None:
        """Send what was written and close the line; without a connection it keeps the words."""
        if self._model.session.talk(text):
            self.close()
        self._model.redraw()

    def close(self) -> None:
        """Close the talk line."""
        self._screen.query_one(TalkLine).value = ""
        self._screen.set_class(False, "talking")
        self._screen.set_focus(None)
