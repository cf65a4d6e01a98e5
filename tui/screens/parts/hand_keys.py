"""The keys that move in the hand, and in the list that is open."""

from typing import Any

from textual.screen import Screen

from tui.menus.entries import Picker
from tui.screens.parts.choices import Choices
from tui.screens.parts.model import TableModel
from tui.screens.parts.reader import Reader
from tui.widgets.table.hand import Hand


class HandKeys:
    """Moves the cursor of the hand. A recording has no choices."""

    def __init__(
        self, model: TableModel, reader: Reader, screen: Screen[Any], choices: Choices | None = None
    ) -> None:
        """screen: has the hand."""
        self._model, self._reader, self._screen, self._choices = model, reader, screen, choices

    def action_move(self, across: int, down: int) -> None:
        """Move in the list that is open, or in the hand; left and right pick and put back in a set, or go to the
        next seat while seats are read."""
        model, choices = self._model, self._choices
        if choices is None or not choices.listing:
            model.in_hand = True
        elif not (across and model.reading.kind == "seat"):
            self._move_in_list(choices, down)
            return
        if not self._reader.move(across, down):
            self.move_cursor(across, down)

    def _move_in_list(self, choices: Choices, down: int) -> None:
        if down:
            self._model.in_hand = False
            move = choices.panel.action_cursor_down if down > 0 else choices.panel.action_cursor_up
            move()
        elif isinstance(self._model.here, Picker):
            choices.panel.action_select()

    def action_step(self, by: int) -> None:
        """Move to the next or previous card of the hand; after the last one comes the first."""
        cards = len(self._model.now.hand())
        if cards:
            self._model.in_hand = True
            self._model.select((self._model.cursor + by) % cards)

    def move_cursor(self, across: int, down: int) -> None:
        """Move the cursor in the hand by columns and rows."""
        model = self._model
        total = len(model.now.hand())
        if total:
            at = min(model.cursor, total - 1) + across * self._screen.query_one(Hand).rows + down
            model.select(max(0, min(total - 1, at)))
