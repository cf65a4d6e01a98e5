"""Cards as pictures on one page: the toolkit scrolls it, and only the rows that are in sight are drawn."""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.config.places import GALLERY_CARDS
from tui.portraits.pixels import Look
from tui.scene.card_book import CardEntry
from tui.scene.cells import Glyphs, Line
from tui.scene.faces import Faces
from tui.widgets.bound import bound
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.cards.face import NAME_ROWS, kind_colour, names
from tui.widgets.pane import merged, style_of

COLUMNS, ROWS = FACE_SIZES["large"][0] + 2, FACE_SIZES["large"][1] + NAME_ROWS + 1
"""The room of one card: portrait, two rows of name, a blank row."""


class Gallery(ScrollView, can_focus=True):
    """Shows cards in rows, one of them under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = bound(GALLERY_CARDS)

    class Moved(Message):
        """The cursor is on another card."""

    class Chosen(Message):
        """A card is to be read."""

        def __init__(self, entry: CardEntry) -> None:
            self.entry = entry
            super().__init__()

    def __init__(self, entries: Sequence[CardEntry], faces: Faces, glyphs: Glyphs, look: Look, at: int = 0) -> None:
        """look: how portraits are drawn. at: the card under the cursor."""
        super().__init__(id="gallery")
        self.entries, self.faces, self.glyphs = tuple(entries), faces, glyphs
        self.at, self._look = at, look
        self._drawn = lru_cache(maxsize=64)(self._draw_row)

    @property
    def across(self) -> int:
        """How many cards stand in a row."""
        return max(1, self.scrollable_content_region.width // COLUMNS)

    @property
    def entry(self) -> CardEntry:
        """The card under the cursor."""
        return self.entries[self.at]

    def on_mount(self) -> None:
        """Show the card under the cursor."""
        self.call_after_refresh(self._follow)

    def on_resize(self, event: events.Resize) -> None:
        """Put the cards into rows of the new width."""
        self._drawn.cache_clear()
        self.virtual_size = Size(self.across * COLUMNS, -(-len(self.entries) // self.across) * ROWS)
        self.call_after_refresh(self._follow)

    def notify_style_update(self) -> None:
        """Draw everything in the colours of another theme."""
        super().notify_style_update()
        self._drawn.cache_clear()

    # -------------------------------------------------------------------------------------------------------- drawing
    def render_line(self, y: int) -> Strip:
        """Return one line of the page."""
        row, line = divmod(y + self.scroll_offset.y, ROWS)
        width = self.size.width
        if row * self.across >= len(self.entries):
            return Strip.blank(width, self.rich_style)
        variables = self.app.theme_variables
        at = self.at if self.at // self.across == row else -1
        spans = self._drawn(row, self.across, at)[line]
        segments = merged((text, self.rich_style + style_of(style, variables)) for text, style in spans)
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _draw_row(self, row: int, across: int, at: int) -> list[Line]:
        """Draw one row of cards. at: the card under the cursor, -1 if it is in another row."""
        canvas = Canvas(across * COLUMNS, ROWS, self.glyphs)
        first = row * across
        for place, entry in enumerate(self.entries[first : first + across], first):
            x = (place - first) * COLUMNS
            canvas.face(x, 0, self.faces.of(entry.definition), "large", self._look)
            style = f"bold {kind_colour(entry.definition.card)}"
            tall = FACE_SIZES["large"][1]
            if place == at:
                canvas.fill(x, tall, COLUMNS - 1, NAME_ROWS, "on gold")
                canvas.put(x + COLUMNS - 2, tall, "<" if self.glyphs.ascii else "◂", "bold on-gold on gold")
                style = "bold on-gold on gold"
            for y, text in enumerate(names(entry.name, COLUMNS - 2, self.glyphs), tall):
                canvas.put(x, y, text, style)
        return canvas.lines()

    # ----------------------------------------------------------------------------------------------------------- keys
    def _follow(self) -> None:
        """Bring the card under the cursor into sight."""
        place = Region(0, self.at // self.across * ROWS, 1, ROWS)
        self.scroll_to_region(place, animate=False, force=True)

    def move(self, at: int) -> None:
        """Put the cursor on a card, or on the nearest one."""
        before, self.at = self.at, max(0, min(len(self.entries) - 1, at))
        if before != self.at:
            for row in {before // self.across, self.at // self.across}:
                self.refresh(Region(0, row * ROWS - self.scroll_offset.y, self.size.width, ROWS))
            self._follow()
            self.post_message(self.Moved())

    def action_go(self, by: int) -> None:
        """Go some cards forward or back."""
        self.move(self.at + by)

    def action_rows(self, by: int) -> None:
        """Go a row down or up, in the same column."""
        if 0 <= self.at + by * self.across < len(self.entries):
            self.move(self.at + by * self.across)
        elif by > 0 and self.at // self.across < (len(self.entries) - 1) // self.across:
            self.move(len(self.entries) - 1)

    def action_pages(self, by: int) -> None:
        """Go as many rows down or up as are in sight."""
        self.move(self.at + by * self.across * max(1, self.size.height // ROWS))

    def action_choose(self) -> None:
        """Read the card under the cursor."""
        self.post_message(self.Chosen(self.entry))

    def on_click(self, event: events.Click) -> None:
        """Go to the card that was clicked; read it if the cursor is on it already."""
        column, row = event.x // COLUMNS, (event.y + self.scroll_offset.y) // ROWS
        at = row * self.across + column
        if column < self.across and at < len(self.entries):
            if at == self.at:
                self.action_choose()
            self.move(at)
