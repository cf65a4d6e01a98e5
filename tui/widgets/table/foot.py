"""The foot of the table: the prompt with its choices, in as many rows as a remark needs, and the line of keys."""

from functools import partial

from msgspec import Struct
from textual.containers import Container
from textual.reactive import var

from tui.menus.prompts import Prompt
from tui.scene.cells import Glyphs, Line
from tui.scene.scene import Scene
from tui.widgets.pane import Pane
from tui.widgets.table.hidden import hidden
from tui.widgets.table.prompt import Row, draw, draw_keys, nothing, pages, room, turned

MORE_ROWS = 2
"""The most rows that the foot gets for a longer remark where it has few."""


class Asked(Struct, frozen=True):
    """What the prompt asks. rows: every choice, or those beside the list; page: which page of them is shown; further:
    the first words of another page of digits, "" if there is none; leaving: whether the question is about leaving the
    table; listing: whether a list of choices hides the stage; told: whether that list says what has happened."""

    scene: Scene
    prompt: Prompt
    rows: tuple[Row, ...] = ()
    page: int = 0
    further: str = ""
    leaving: bool = False
    listing: bool = False
    told: bool = False

    def draw(self, width: int, height: int) -> list[Line]:
        """Draw it."""
        lines = room(self.prompt, self.rows, width, height, self.scene.glyphs)
        found = pages(self.rows, lines, width, bool(self.further))
        shown = turned(found, self.page, bool(self.further), self.scene.glyphs, self.further)
        below = partial(hidden, self.scene, story=not self.told) if self.listing else nothing
        there = [row for page in found for row in page]
        also = [row.key for row in self.rows if row.spare and row not in there]
        return draw(self.scene, self.prompt, shown, width, height, below, also)


class Foot(Container):
    """The row of the prompt and of what is beside it. more: by how many rows it is higher than usual."""

    more: var[int] = var(0, init=False)

    def watch_more(self, more: int) -> None:
        """Take the rows; the style sheet decides where there are few."""
        for rows in range(1, MORE_ROWS + 1):
            self.set_class(rows == more, f"more-{rows}")


class PromptPane(Pane):
    """Shows what is asked."""

    asked: var[Asked | None] = var(None, init=False, always_update=True)

    def watch_asked(self, asked: Asked | None) -> None:
        """Draw the question and its choices."""
        if asked is not None:
            self.show(asked.draw)


class KeyRow(Pane):
    """Shows the keys that do something now, each with its words, and how each is written."""

    key_words: var[tuple[tuple[str, str], ...]] = var((), init=False)

    def __init__(self, ident: str, glyphs: Glyphs) -> None:
        super().__init__(ident)
        self._glyphs = glyphs

    def watch_key_words(self, key_words: tuple[tuple[str, str], ...]) -> None:
        """Draw other keys."""
        self.show(lambda width, height: draw_keys(key_words, width, self._glyphs))
