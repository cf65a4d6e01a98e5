"""The gallery: every card with its portrait on one page to scroll."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from tui.config.places import GALLERY
from tui.scene.card_book import CardEntry
from tui.scene.cells import Glyphs, shorten
from tui.scene.faces import Faces
from tui.screens.opening import begin_settled, is_open, look_of
from tui.screens.printed_card import PrintedCardScreen
from tui.widgets.books.gallery import Gallery
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine


class GalleryScreen(Screen[None]):
    """Shows cards as pictures."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(GALLERY)

    def __init__(self, entries: Sequence[CardEntry], faces: Faces, glyphs: Glyphs, at: int = 0) -> None:
        """at: the card under the cursor."""
        super().__init__()
        self.entries, self.faces, self.glyphs, self.at = tuple(entries), faces, glyphs, at

    def compose(self) -> ComposeResult:
        """The card under the cursor in words, the pictures, the keys."""
        yield Static("", id="book-title", markup=False)
        yield Gallery(self.entries, self.faces, self.glyphs, look_of(self.app), self.at)
        yield KeyLine(self.glyphs, (("gallery.left gallery.up gallery.down gallery.right", "move"),
                                    ("gallery.page-up gallery.page-down", "pages"), ("gallery.read", "read"),
                                    ("gallery.back", "back")))  # fmt: skip

    def on_mount(self) -> None:
        """Begin at the card that was chosen before."""
        begin_settled(self)
        self.query_one(Gallery).focus()
        self.on_gallery_moved()

    def on_resize(self) -> None:
        """Fit the words into the new width."""
        self.call_after_refresh(self.on_gallery_moved)

    def on_gallery_moved(self) -> None:
        """Show which card is under the cursor."""
        if not is_open(self):
            return
        gallery = self.query_one(Gallery)
        entry = gallery.entry
        figure = f", {entry.figure}" if entry.figure else ""
        place = f"{gallery.at + 1} of {len(self.entries)}"
        words = f"Gallery  {place}  {entry.name}: {entry.kind}{figure}, {entry.head.name}"
        title = shorten(words, self.app.size.width - 2, self.glyphs)
        self.query_one("#book-title", Static).update(title, layout=False)  # its height is fixed

    def on_gallery_chosen(self, event: Gallery.Chosen) -> None:
        """Read the card under the cursor."""
        self.app.push_screen(PrintedCardScreen(event.entry, self.faces, self.glyphs))

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()
