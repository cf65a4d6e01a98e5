"""What the screens have in common that list things and find some of them by words: cards, replays, books."""

from typing import ClassVar

from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

from tui.widgets.books.finder import Finder


class SearchScreen(Screen[ScreenResultType]):
    """A list with a line of words to find by. LIST: the widget that lists."""

    CSS_PATH = "entry.tcss"

    LIST: ClassVar[type[Widget]]

    def fill(self) -> None:
        """Show what is looked for."""
        raise NotImplementedError

    def on_finder_changed(self, event: Finder.Changed) -> None:
        """Find."""
        self.fill()

    def on_finder_left(self, event: Finder.Left) -> None:
        """Go to the list."""
        self.query_one(self.LIST).focus()

    def action_find(self) -> None:
        """Let the player type."""
        self.query_one(Finder).begin()

    def action_turn(self, by: int) -> None:
        """Show the next set, or the previous one, if there are sets to choose from."""
        self.query_one(Finder).turn(by)

    def action_leave(self) -> None:
        """Show everything again; if everything is shown, go back."""
        if not self.query_one(Finder).forget():
            self.dismiss(None)
