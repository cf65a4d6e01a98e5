"""A long menu or a set to pick, as a list. Each entry has its digit; the mouse and the arrows work too."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from rich.console import Console
from rich.containers import Lines
from rich.table import Table
from rich.text import Text
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.scene.cells import Line
from tui.scene.outlook import NOTHING, Outlook
from tui.widgets.pane import style_of


class Item(Struct, frozen=True):
    """A row of the list. key: its digit, empty on another page of digits. picked: whether it is picked in a set; None:
    it is no member of a set."""

    key: str
    words: str
    dead: bool = False
    picked: bool | None = None
    asks: bool = False
    outlook: Outlook = NOTHING
    shape: str = ""
    """The shape of the seat that it concerns."""
    colour: str = ""


_WHOLE = re.compile(r"\d+(?: : \d+| %)")
"""The sums of a fight, or a chance, which must stay on one line."""
_BLANK = "\ue000"
"""Stands for a blank at which no line may break, while the lines are broken."""


class _Words(Text):
    """A text that is wrapped between words, but not within a sum."""

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:
        """Return the lines of the text, each at most this wide."""
        joined = self.copy()
        joined.plain = _WHOLE.sub(lambda found: found[0].replace(" ", _BLANK), self.plain)
        lines = Text.wrap(joined, console, width, **options)
        for line in lines:
            line.plain = line.plain.replace(_BLANK, " ")
        return lines


Told = Callable[[int, int], list[Line]]
"""Gives lines, in a width and so many rows at most."""
KEY_CELLS = 8
"""The cells before the words of an item, at most."""
SPARE_CELLS = 12
"""So many cells of a row may stay empty because a word does not fit."""


def nothing_told(width: int, rows: int) -> list[Line]:
    """Return no lines."""
    return []


def _said(item: Item) -> str:
    """Return all words of an item."""
    after = " asks first" if item.asks else f" {item.outlook.sums} {' '.join(item.outlook.words[:1])}"
    return item.words + after


class ChoiceList(OptionList, can_focus=False):
    """Shows items; the widget that has the keys moves the cursor."""

    class Chosen(Message):
        """An item was clicked, or ENTER was pressed on it. at: its place in the list."""

        def __init__(self, at: int) -> None:
            self.at = at
            super().__init__()

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident, compact=True)
        self._items: tuple[Item, ...] = ()
        self._first = 0
        self._told: tuple[Line, ...] = ()

    def show(self, title: str, items: Sequence[Item], first: int, told: Told = nothing_told) -> None:
        """Show these items. first: the index that a new list, or a new page of digits, puts the cursor on. told: gives
        what has happened, in a width and so many rows at most; it stands below the items if they leave room."""
        self.border_title = title
        told_now = self._told_lines(items, told)
        if tuple(items) == self._items and told_now == self._told:
            return
        same = [item.words for item in items] == [item.words for item in self._items] and told_now == self._told
        turned = first != self._first
        at = self.highlighted if same and self.highlighted is not None and not turned else first
        self._items, self._first, self._told = tuple(items), first, told_now
        if same:
            for number, item in enumerate(items):
                self.replace_option_prompt_at_index(number, self._row(item))
        else:
            self.clear_options()
            self.add_options(Option(self._row(item)) for item in items)
            if told_now:
                self.add_option(Option(self._story(told_now), disabled=True))
        self.highlighted = at if items else None
        if same and turned:
            self.scroll_to_highlight(top=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Offer the item that was selected."""
        event.stop()
        self.post_message(self.Chosen(event.option_index))

    @property
    def tells(self) -> bool:
        """Whether it says what has happened."""
        return bool(self._told)

    def _told_lines(self, items: Sequence[Item], told: Told) -> tuple[Line, ...]:
        """Return the lines that fit below these items, with a blank one before them."""
        width = self.scrollable_content_region.width
        taken = sum(-(-(KEY_CELLS + len(_said(item))) // max(1, width - SPARE_CELLS)) for item in items)
        rows = self.scrollable_content_region.height - taken - 1
        return tuple(told(width, rows)) if rows > 0 and items else ()

    def _story(self, lines: Sequence[Line]) -> Text:
        variables = self.app.theme_variables
        text = Text()
        for line in lines:
            text.append("\n")
            for words, style in line:
                text.append(words, style_of(style.partition("|")[0], variables))
        return text

    def _row(self, item: Item) -> Table:
        """Return an item with its key before its words, which wrap beside it. Nothing is read as markup, since players
        may have written it."""
        variables = self.app.theme_variables
        key = Text(f"{item.key:>2}  ", style_of("dim" if item.dead else "bold gold", variables), no_wrap=True)
        if item.picked is not None:
            box = "[x] " if item.picked else "[ ] "
            key.append(box, style_of("bold gold" if item.picked else "dim", variables))
        if item.shape:
            key.append(f"{item.shape} ", style_of(item.colour, variables))
        row = _Words()
        row.append(item.words, style_of("dim" if item.dead else "", variables))
        if item.asks:
            row.append("  asks first", style_of("dim", variables))
        elif item.outlook:
            row.append(f"  {item.outlook.sums}", style_of("bold", variables))
            words = f"  {item.outlook.words[0]}" if item.outlook.words else ""
            row.append(words, style_of(item.outlook.style, variables))
        table = Table.grid(expand=True)
        table.add_column(width=key.cell_len)
        table.add_column(ratio=1, overflow="fold")
        table.add_row(key, row)
        return table
