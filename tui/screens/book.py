"""A book to read: a table of contents, the chapter under the cursor beside it, a search. The rules, the short guide."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content, Span
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.config.places import BOOK, BOOK_CONTENTS
from tui.scene.book import Chapter, sift
from tui.scene.cells import Glyphs, Line, fit
from tui.screens.opening import begin_settled
from tui.widgets.books.chapter import chapter_lines
from tui.widgets.books.finder import Finder
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.scroll import LineScroll

NOTHING = "Nothing has these words."


class Contents(OptionList):
    """The table of contents; the page keys scroll the chapter."""

    BINDINGS: ClassVar[list[BindingType]] = bound(BOOK_CONTENTS)


class BookScreen(Screen[None]):
    """Shows a book. groups: the sets to choose from."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(BOOK)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]

    def __init__(self, title: str, chapters: Sequence[Chapter], glyphs: Glyphs, groups: Sequence[str] = ()) -> None:
        super().__init__()
        self.heading, self.chapters, self.glyphs, self.groups = title, tuple(chapters), glyphs, tuple(groups)
        self.shown: list[Chapter] = list(self.chapters)

    def compose(self) -> ComposeResult:
        """The title, the search line, the contents beside the chapter, the keys."""
        yield Static(self.heading, id="book-title", markup=False)
        yield Finder(self.glyphs, self.groups)
        with Horizontal(id="book"):
            yield Contents(id="contents", markup=False, compact=True)
            yield LineScroll("chapter")
        sets = [("book.left book.right", "set")] if self.groups else []
        keys = (("book.page-up book.page-down", "scroll"), ("tab", "into the text"), ("book.find", "find"))
        yield KeyLine(self.glyphs, (("up down", "chapter"), *sets, *keys, ("book.back", "back")))

    def on_mount(self) -> None:
        """Show the first chapter."""
        begin_settled(self)
        self.fill()
        self.query_one(Contents).focus()

    def fill(self) -> None:
        """Show the results of the search."""
        finder, contents = self.query_one(Finder), self.query_one(Contents)
        self.shown = sift(self.chapters, finder.words, finder.group)
        parts = sum(len(chapter.sections) for chapter in self.shown)
        of = sum(len(chapter.sections) for chapter in self.chapters)
        many = "" if parts == of else f": {parts} of {of}"
        self.query_one("#book-title", Static).update(self.heading + many)
        contents.clear_options()
        contents.add_options([Option(self._entry(chapter)) for chapter in self.shown])
        contents.highlighted = 0 if self.shown else None
        self._show(0)

    def _entry(self, chapter: Chapter) -> Content:
        """Return a line of the contents: the name, and how many sections the search found."""
        looking = bool(self.query_one(Finder).words)
        many = str(len(chapter.sections)) if looking or len(chapter.sections) > 1 else ""
        name = fit(chapter.name, max(8, 22 - cell_len(many)), self.glyphs)
        text = f" {name}{many} "
        return Content(text, [Span(1 + len(name), len(text), "dim")])

    def _show(self, at: int) -> None:
        words = self.query_one(Finder).words
        chapter = self.query_one("#chapter", LineScroll)
        chapter.show(lambda width: self._lines(at, max(8, width - 2), words))
        chapter.scroll_home(animate=False)

    def _lines(self, at: int, width: int, words: tuple[str, ...]) -> list[Line]:
        if at >= len(self.shown):
            return [((NOTHING, "oneshot"),)]
        return chapter_lines(self.shown[at], width, self.glyphs, words)

    def on_finder_changed(self, event: Finder.Changed) -> None:
        """Find."""
        self.fill()

    def on_finder_left(self, event: Finder.Left) -> None:
        """Go to the list."""
        self.query_one(Contents).focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the chapter under the cursor."""
        self._show(event.option_index)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Let the scrolling keys move the chapter."""
        self.query_one("#chapter").focus()

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_find(self) -> None:
        """Let the player type."""
        self.query_one(Finder).begin()

    def action_turn(self, by: int) -> None:
        """Show the next set, or the previous one."""
        self.query_one(Finder).turn(by)

    def action_page(self, by: int) -> None:
        """Scroll the chapter."""
        chapter = self.query_one("#chapter", LineScroll)
        chapter.scroll_page_down(animate=False) if by > 0 else chapter.scroll_page_up(animate=False)

    def action_leave(self) -> None:
        """Leave the text; then show everything again; if everything is shown, go back."""
        contents, finder = self.query_one(Contents), self.query_one(Finder)
        if not contents.has_focus and not finder.words:
            contents.focus()
        elif not finder.forget():
            self.dismiss(None)
