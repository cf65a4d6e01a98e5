"""The list of puzzles: their names, what they ask for, which are solved."""

from collections.abc import Collection, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.config.keymap import spelled
from tui.config.places import PUZZLES
from tui.lessons.library import Told
from tui.widgets.bound import bound, key_names


class PuzzleListScreen(Screen[Told | None]):
    """Returns the puzzle to play, None after ESC. solved: idents; wrong: lines about files that cannot be read."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(PUZZLES, priority=True)  # the list would take the page keys

    def __init__(
        self, puzzles: Sequence[Told], solved: Collection[str], wrong: Sequence[str] = (), at: int = 0
    ) -> None:
        super().__init__()
        self.puzzles, self.solved, self.wrong, self.at = tuple(puzzles), solved, tuple(wrong), at

    def compose(self) -> ComposeResult:
        """The title, the list, what the selected one is about, the keys."""
        done = sum(told.ident in self.solved for told in self.puzzles)
        yield Static(f"Puzzles: {done} of {len(self.puzzles)} solved", id="puzzle-title", markup=False)
        yield OptionList(*(self._option(told) for told in self.puzzles), id="puzzle-list", markup=False)
        with VerticalScroll(id="puzzle-page", can_focus=False):
            yield Static("", id="puzzle-text", markup=False)
        yield Static(self._keys(), id="puzzle-keys", markup=False)

    def _keys(self) -> str:
        names = key_names(self.app)
        keys = (("up down", "move"), ("puzzles.up puzzles.down", "read"), ("enter", "play"), ("puzzles.back", "back"))
        return "   ".join(f"{spelled(idents, names, ascii_only=True)} {words}" for idents, words in keys)

    def _option(self, told: Told) -> Option:
        word = "solved" if told.ident in self.solved else "open"
        return Option(Text(f"{word:<7} {told.name}"), id=str(self.puzzles.index(told)))

    def on_mount(self) -> None:
        """Begin at the puzzle played last."""
        choices = self.query_one(OptionList)
        if self.puzzles:
            choices.highlighted = min(self.at, len(self.puzzles) - 1)
            self._tell(self.puzzles[choices.highlighted])
        choices.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say what the puzzle under the cursor is about."""
        self._tell(self.puzzles[event.option_index])

    def _tell(self, told: Told) -> None:
        puzzle = told.scenario.puzzle
        goal = puzzle.goal if puzzle is not None else ""
        lines = [f"{told.scenario.text}", f"Goal: {goal}", f"Cards: {told.pack}", *self.wrong]
        self.query_one("#puzzle-text", Static).update(Text("\n\n".join(line for line in lines if line)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play it."""
        self.dismiss(self.puzzles[event.option_index])

    def action_read(self, pages: int) -> None:
        """Scroll the text about the puzzle: the list is short, but the text may be long."""
        self.query_one("#puzzle-page").scroll_relative(y=pages * 4, animate=False)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
