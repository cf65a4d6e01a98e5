"""A bare Textual table: as many regions as the screen of the table has, filled with text once. `tests.bench.start`
compares the start of a game with the start of this table, which needs the toolkit alone."""

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

LAID = "LAID"
"""A word that stands on the screen once it is painted."""


class BareTable(App[None]):
    """A head, a track, six seats beside a stage, eight cards, a prompt and a line of keys."""

    CSS = """
    #head, #track, #keys { height: 1; }
    #middle { height: 1fr; }
    #middle Static { width: 1fr; height: 100%; border: round white; }
    #hand { height: 9; }
    #hand Static { width: 1fr; border: round green; }
    #prompt { height: 6; }
    """

    def compose(self) -> ComposeResult:
        """Every region, in reading order."""
        yield Static("A table", id="head")
        yield Static("1 2 3 4 5 6 7 8 9 10", id="track")
        with Horizontal(id="middle"):
            for seat in range(8):
                yield Static(f"Seat {seat}\n" * 12)
        with Horizontal(id="hand"):
            for card in range(8):
                yield Static(f"Card {card}\n" * 7)
        yield Static("What now?\n" * 6, id="prompt")
        yield Static(LAID, id="keys")


if __name__ == "__main__":
    BareTable().run()
