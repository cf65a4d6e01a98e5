"""The search line of a book: words to type, and a set of cards to choose."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, OptionList, Select, Static

from tui.config.places import FIND
from tui.scene.cells import Glyphs, clean
from tui.widgets.bound import bound

ALL = ""
"""The choice of all sets."""
WORDS_MOST = 80
"""The most characters to look for."""


class FindInput(Input):
    """The search words; ENTER and DOWN go to the results, ESC clears the words."""

    BINDINGS: ClassVar[list[BindingType]] = bound(FIND)

    def action_found(self) -> None:
        """Go to the results."""
        self.post_message(Finder.Left())

    def action_forget(self) -> None:
        """Show everything again."""
        self.value = ""
        self.post_message(Finder.Left())


class Finder(Horizontal):
    """Holds the search: `words` in small letters, and the name of a set, ALL for every set."""

    class Changed(Message):
        """The search has changed."""

    class Left(Message):
        """The player is done typing."""

    def __init__(self, glyphs: Glyphs, groups: Sequence[str] = ()) -> None:
        """groups: the names of the sets to choose from; one or none needs no choice."""
        super().__init__(id="finder")
        self.glyphs = glyphs
        self.groups = (ALL, *groups) if len(groups) > 1 else ()
        self.words: tuple[str, ...] = ()
        self.group = ALL

    def compose(self) -> ComposeResult:
        """The words, then the sets."""
        yield Static("Find", id="find-label", markup=False)
        words = FindInput(id="find", placeholder="any words", compact=True, max_length=WORDS_MOST)
        words.cursor_blink = False
        yield words
        if self.groups:
            options = [(clean(group, self.glyphs) or "All sets", group) for group in self.groups]
            yield Select(options, allow_blank=False, value=ALL, id="find-set", compact=True)

    def on_mount(self) -> None:
        """Draw the arrows in ASCII if that is wanted."""
        if self.glyphs.ascii and self.groups:
            for name, sign in ((".down-arrow", "v"), (".up-arrow", "^")):
                self.query_one(f"#find-set {name}", Static).update(sign)

    def begin(self) -> None:
        """Let the player type."""
        self.query_one(FindInput).focus()

    def forget(self) -> bool:
        """Clear the search; return whether there was one."""
        line = self.query_one(FindInput)
        looking, line.value = bool(line.value), ""
        return looking

    def turn(self, by: int) -> None:
        """Choose the next set, or the previous one."""
        if self.groups:
            at = (self.groups.index(self.group) + by) % len(self.groups)
            self.query_one("#find-set", Select).value = self.groups[at]

    def on_input_changed(self, event: Input.Changed) -> None:
        """Find while the player types."""
        event.stop()
        self.words = tuple(event.value.lower().split())
        self.post_message(self.Changed())

    def on_select_changed(self, event: Select.Changed) -> None:
        """Show one set, or all."""
        event.stop()
        if event.value != self.group:
            self.group = str(event.value)
            self.post_message(self.Changed())

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Keep the cursor in the open list of sets to this widget."""
        event.stop()
