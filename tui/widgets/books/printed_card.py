"""A printed card to read: the text scrolls beside a fixed portrait and fixed figures."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Resize

from tui.portraits.pixels import Look
from tui.scene.card_book import CardEntry
from tui.scene.cells import Glyphs, Line, wrap
from tui.scene.faces import Faces
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.cards.printed import Printed, draw_side, heading, parts, written
from tui.widgets.pane import Pane
from tui.widgets.scroll import LineScroll

LARGE, DOUBLE = (44, 7), (104, 22)
"""The columns and rows from which on the portrait is large, and those from which on it is twice as large."""


class PrintedCard(Horizontal):
    """Shows a card, or nothing."""

    def __init__(self, faces: Faces, glyphs: Glyphs, look: Look) -> None:
        """look: how portraits are drawn."""
        super().__init__(id="printed-card")
        self.faces, self.glyphs, self.drawn_as = faces, glyphs, look
        self.entry: CardEntry | None = None

    def compose(self) -> ComposeResult:
        """The portrait, the text."""
        yield Pane("printed-side")
        yield LineScroll("printed-text")

    def on_resize(self, event: Resize) -> None:
        """Give the portrait the room of its size."""
        self.query_one("#printed-side", Pane).styles.width = FACE_SIZES[self.face_size][0] + 3

    @property
    def face_size(self) -> str:
        """The size of the portrait."""
        width, height = self.size
        if width >= DOUBLE[0] and height >= DOUBLE[1]:
            return "double"
        return "large" if width >= LARGE[0] and height >= LARGE[1] else "small"

    def show(self, entry: CardEntry | None) -> None:
        """Show this card; None if the search found none."""
        self.entry = entry
        self.query_one("#printed-side", Pane).show(self._side)
        text = self.query_one(LineScroll)
        text.show(self._text)
        text.scroll_home(animate=False)

    def _printed(self, entry: CardEntry) -> Printed:
        face = self.faces.of(entry.definition)
        return Printed(entry.definition, entry.names, entry.head.name, face, entry.special_any_time)

    def _side(self, width: int, height: int) -> list[Line]:
        canvas = Canvas(width, height, self.glyphs)
        if self.entry is not None:
            draw_side(canvas, self._printed(self.entry), self.face_size, 1, 0, height, self.drawn_as)
        return canvas.lines()

    def _text(self, width: int) -> list[Line]:
        entry = self.entry
        if entry is None:
            return [(("No card has these words.", "oneshot"),)]
        printed, copies = self._printed(entry), entry.definition.card.copies
        many = "one copy" if copies == 1 else f"{copies} copies"
        where = ("Where it is", f"{entry.definition.deck.capitalize()} deck, {many}.", "")
        width = max(1, width - 1)
        lines = heading(printed, width, self.glyphs) + written((*parts(printed), where), width, self.glyphs)
        lines += [(), (("What its effects say", "bold gold"),)]
        for text in entry.effects():
            indent = " " * (len(text) - len(text.lstrip()))
            lines += [((indent + line, "dim"),) for line in wrap(text, max(8, width - len(indent)), self.glyphs)]
        return lines
