"""One printed card in the whole window."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.config.places import PRINTED_CARD
from tui.scene.card_book import CardEntry
from tui.scene.cells import Glyphs, clean
from tui.scene.faces import Faces
from tui.screens.opening import look_of
from tui.widgets.books.printed_card import PrintedCard
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.scroll import LineScroll


class PrintedCardScreen(ModalScreen[None]):
    """Shows a card; its text scrolls."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(PRINTED_CARD)

    def __init__(self, entry: CardEntry, faces: Faces, glyphs: Glyphs) -> None:
        super().__init__()
        self.entry, self.faces, self.glyphs = entry, faces, glyphs

    def compose(self) -> ComposeResult:
        """The card, the keys."""
        with Vertical(id="printed-page") as page:
            page.border_title = clean(self.entry.name, self.glyphs)
            yield PrintedCard(self.faces, self.glyphs, look_of(self.app))
            yield KeyLine(self.glyphs, (("up down", "scroll"), ("card.back", "back")))

    def on_mount(self) -> None:
        """Show the card, and let the scrolling keys move its text."""
        self.query_one(PrintedCard).show(self.entry)
        self.query_one(LineScroll).focus()

    def action_leave(self) -> None:
        """Close it."""
        self.dismiss()
