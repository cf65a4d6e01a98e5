"""The rules for a subject, over the table: what forbids something, what a card or this moment is about, with
examples."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.language.catalog import Catalog
from tui.config.keymap import spelled
from tui.config.places import RULES
from tui.scene.cells import Glyphs, Line, flow, length, shorten
from tui.scene.rulebook import Example, Topic, page
from tui.screens.opening import begin_fitted, begin_settled, is_open
from tui.widgets.bound import bound, key_names
from tui.widgets.pane import Pane, style_of
from tui.widgets.scroll import LineScroll

NUMBERS = "numbers"
"""The result if the player wants the numbers of the fight next."""
REST_S = 0.12
"""How long (s) the cursor rests before examples are looked up."""


class RulesScreen(ModalScreen[str]):
    """Shows topics in a list, and the page of the one under the cursor. numbers: whether the key that explains numbers
    opened this screen; it then leads on to the numbers."""

    CSS_PATH = "entry.tcss"

    AUTO_FOCUS = "#rules-list"
    HORIZONTAL_BREAKPOINTS = [(0, "-column"), (80, "-wide"), (110, "-broad")]
    BINDINGS: ClassVar[list[BindingType]] = bound(
        RULES, ("table.rules", "close", "Back to where you were"),
        ("table.why", "numbers", "The numbers of this moment"),
    )  # fmt: skip

    def __init__(self, topics: Sequence[Topic], catalog: Catalog, glyphs: Glyphs, numbers: bool = False) -> None:
        super().__init__()
        self.topics, self.catalog, self.glyphs, self.numbers = tuple(topics), catalog, glyphs, numbers
        self._places: list[int] = []
        """The topic of each row of the list; -1 for a heading."""
        self._found: dict[Topic, tuple[Example, ...]] = {}
        """The examples that have been looked up."""

    def compose(self) -> ComposeResult:
        """The list beside the page, or above it."""
        begin_fitted(self)
        with Vertical(id="rules-page"):
            with Container(id="rules-parts"):
                yield OptionList(id="rules-list", markup=False, compact=True)
                yield LineScroll("rules-lines")
            yield Pane("rules-keys")

    def on_mount(self) -> None:
        """Fill the list and show the first topic."""
        outer = self.query_one("#rules-page")
        outer.border_title = "The rules"
        outer.set_class(self.glyphs.ascii, "ascii")
        begin_settled(self)
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        if not is_open(self):
            return  # a key that is held has closed it already
        rows, self._places = self._rows()
        choices = self.query_one("#rules-list", OptionList)
        choices.clear_options()
        choices.add_options(rows)
        choices.highlighted = self._places.index(0) if self.topics else None
        self.query_one("#rules-keys", Pane).show(lambda width, height: [self._keys(width)])

    def _rows(self) -> tuple[list[Option], list[int]]:
        """Return the rows of the list, with the topic of each."""
        variables = self.app.theme_variables
        width = max(8, self.query_one("#rules-list", OptionList).scrollable_content_region.width - 1)
        rows: list[Option] = []
        places: list[int] = []
        for at, topic in enumerate(self.topics):
            if at == 0 or topic.group != self.topics[at - 1].group:
                head = Text(shorten(topic.group, width, self.glyphs), style_of("gold", variables), no_wrap=True)
                rows.append(Option(head, disabled=True))
                places.append(-1)
            rows.append(Option(Text(f" {shorten(topic.name, width - 1, self.glyphs)}", no_wrap=True)))
            places.append(at)
        return rows, places

    def _keys(self, width: int) -> Line:
        names = key_names(self.app)
        keys = [("rules.close", "back"), *([("table.why", "why these numbers")] if self.numbers else [])]
        keys += [("up down", "subject"), ("rules.up rules.down", "read")]
        parts: list[Line] = [
            ((spelled(idents, names, self.glyphs.ascii), "gold"), (f" {words}", "dim")) for idents, words in keys
        ]
        gap = "  " if sum(map(length, parts)) + 2 * len(parts) <= width else " "
        return ((" ", ""), *flow(parts, width - 1, 1, self.glyphs, gap)[0][0])

    # ------------------------------------------------------------------------------------------------------- the page
    @property
    def topic(self) -> Topic | None:
        """The topic under the cursor."""
        at = self.query_one("#rules-list", OptionList).highlighted
        place = self._places[at] if at is not None and at < len(self._places) else -1
        return self.topics[place] if place >= 0 else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the page of the topic under the cursor, and look its examples up."""
        topic = self.topic
        if topic is None:
            return
        self._show(topic)
        self.query_one(LineScroll).scroll_home(animate=False)
        if topic not in self._found:
            self._look_up(topic)

    def _show(self, topic: Topic) -> None:
        found = self._found.get(topic)
        self.query_one(LineScroll).show(lambda width: page(topic, found, width, self.glyphs))

    @work(group="examples", exclusive=True)
    async def _look_up(self, topic: Topic) -> None:
        """Find examples in the background."""
        await asyncio.sleep(REST_S)
        self._found[topic] = await asyncio.to_thread(_examples, self.catalog, topic)
        closed = self not in self.app.screen_stack or not self.query("#rules-list")  # its parts may be gone first
        if not closed and self.topic == topic:
            self._show(topic)

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_read(self, by: int) -> None:
        """Scroll the page."""
        scroll = self.query_one(LineScroll)
        scroll.scroll_page_down(animate=False) if by > 0 else scroll.scroll_page_up(animate=False)

    def action_numbers(self) -> None:
        """Close, and show the numbers instead."""
        if self.numbers:
            self.dismiss(NUMBERS)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss("")

    def on_resize(self) -> None:
        """Fit the list into the new width."""
        if self._places:
            self.call_after_refresh(self._refit)

    def _refit(self) -> None:
        if not is_open(self):
            return
        at = self.query_one("#rules-list", OptionList).highlighted
        self._fill()
        self.query_one("#rules-list", OptionList).highlighted = at

    def on_click(self, event: events.Click) -> None:
        """Close with a click outside."""
        if event.widget is self:
            self.dismiss("")


def _examples(catalog: Catalog, topic: Topic) -> tuple[Example, ...]:
    """Find the examples of a topic. The modules that read and play scenarios are loaded only now."""
    from tui.scene.examples import examples  # with the first example

    return examples(catalog, topic.clauses, topic.card)
