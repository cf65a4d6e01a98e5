"""The card browser: every card of some sets in a list with a search, the one under the cursor large beside it."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import DataTable, Static

from core.language.catalog import Catalog
from tui.config.places import CARDS
from tui.scene.card_book import CardEntry, entries, sift
from tui.scene.cells import Glyphs, Line
from tui.scene.faces import Faces
from tui.screens.gallery import GalleryScreen
from tui.screens.opening import begin_settled, look_of
from tui.screens.printed_card import PrintedCardScreen
from tui.widgets.books.finder import Finder
from tui.widgets.books.printed_card import PrintedCard
from tui.widgets.bound import bound
from tui.widgets.cards.face import kind_colour
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.rows import Column, Rows

COLUMNS = (Column("Card"), Column("Kind", 15), Column("Number", 13), Column("Set", 17, 74))


class CardBrowserScreen(Screen[None]):
    """Looks cards up."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(CARDS)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (180, "-broad")]

    def __init__(self, catalog: Catalog, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs, self.faces = glyphs, Faces(catalog)
        self.entries = entries(catalog)
        self.shown: list[CardEntry] = self.entries
        self.sets = tuple(head.name for head in catalog.packs)

    def compose(self) -> ComposeResult:
        """The title, the search line, the list beside the card, the keys."""
        yield Static("", id="book-title", markup=False)
        yield Finder(self.glyphs, self.sets)
        with Container(id="book"):
            yield Rows("card-rows", COLUMNS, self.glyphs)
            yield PrintedCard(self.faces, self.glyphs, look_of(self.app))
        sets = [("rows.left rows.right", "set")] if len(self.sets) > 1 else []
        yield KeyLine(self.glyphs, (("up down", "move"), *sets, ("cards.find", "find"), ("enter", "read it large"),
                                    ("tab", "scroll its text"), ("cards.gallery", "as pictures"),
                                    ("cards.back", "back")))  # fmt: skip

    def on_mount(self) -> None:
        """Show all cards."""
        begin_settled(self)
        self.fill()
        self.query_one(Rows).focus()

    def fill(self) -> None:
        """Show the results of the search."""
        finder = self.query_one(Finder)
        self.shown = sift(self.entries, finder.words, finder.group)
        many = f"{len(self.shown)} of {len(self.entries)}" if len(self.shown) < len(self.entries) else len(self.shown)
        self.query_one("#book-title", Static).update(f"Cards: {many}")
        self.query_one(Rows).fill([self._row(entry) for entry in self.shown])
        self._show(0)

    def _row(self, entry: CardEntry) -> Line:
        colour = kind_colour(entry.definition.card)
        return (entry.name, "bold"), (entry.kind, colour), (entry.figure, ""), (entry.head.name, "dim")

    def _show(self, at: int) -> None:
        self.query_one(PrintedCard).show(self.shown[at] if at < len(self.shown) else None)

    def on_finder_changed(self, event: Finder.Changed) -> None:
        """Find."""
        self.fill()

    def on_finder_left(self, event: Finder.Left) -> None:
        """Go to the list."""
        self.query_one(Rows).focus()

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Show the card under the cursor."""
        card = self.query_one(PrintedCard)
        if event.cursor_row < len(self.shown) and card.entry is not self.shown[event.cursor_row]:
            self._show(event.cursor_row)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Show the card in the whole window."""
        self.app.push_screen(PrintedCardScreen(self.shown[event.cursor_row], self.faces, self.glyphs))

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_find(self) -> None:
        """Let the player type."""
        self.query_one(Finder).begin()

    def action_turn(self, by: int) -> None:
        """Show the next set, or the previous one."""
        self.query_one(Finder).turn(by)

    def action_gallery(self) -> None:
        """Show these cards as pictures."""
        if self.shown:
            at = self.query_one(Rows).cursor_row
            self.app.push_screen(GalleryScreen(self.shown, self.faces, self.glyphs, at))

    def action_leave(self) -> None:
        """Show everything again; if everything is shown, go back."""
        if not self.query_one(Finder).forget():
            self.dismiss(None)
