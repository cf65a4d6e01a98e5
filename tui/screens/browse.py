"""The books: cards, rules and the pages of Learn, each as a list with a search."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Input

import cards
from core.language import catalog as catalogs
from core.language.catalog import Catalog
from tui.scene.card_text import brief, paragraphs
from tui.scene.cells import Glyphs, Line, clip, fit, rule, wrap
from tui.scene.lexicon import Lexicon
from tui.screens.short_guide import PAGES, Item
from tui.widgets.pane import Pane


class BrowseScreen(Screen[None]):
    """A list on the left, the selected item on the right (below it where there is little room)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "move(-10)", "page up", show=False),
        Binding("pagedown", "move(10)", "page down", show=False),
        Binding("home", "move(-9999)", "first", show=False),
        Binding("end", "move(9999)", "last", show=False),
        Binding("left,h", "group(-1)", "previous set", show=False),
        Binding("right,l", "group(1)", "next set", show=False),
        Binding("slash", "search", "search", show=False),
        Binding("escape,q", "leave", "back", show=False),
        Binding("enter", "enter", "read", show=False),
    ]
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    WORDS = ""
    """More keys for the footer."""

    def __init__(self, title: str, items: Sequence[Item], glyphs: Glyphs) -> None:
        super().__init__()
        self.heading, self.items, self.glyphs = title, tuple(items), glyphs
        self.shown = self.items
        self.cursor = 0
        self.groups = ("", *sorted({group for item in items for group in item.groups}))
        self.group = ""
        self.words: list[str] = []

    def compose(self) -> ComposeResult:
        """The list, the text, the line to search in."""
        with Container(id="browse"):
            yield Pane("list")
            yield Pane("page")
        yield Pane("keys")
        yield Input(id="find", placeholder="words to look for, ENTER keeps them, ESC shows all", compact=True)

    def on_mount(self) -> None:
        """Draw after the first layout."""
        self.query_one("#find", Input).cursor_blink = False
        self.call_after_refresh(self.redraw)

    def on_resize(self) -> None:
        """Redraw in the new size."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Redraw what has changed."""
        self.query_one("#list", Pane).show(self._list)
        self.query_one("#page", Pane).show(self._page)
        sets = "  left/right set" if len(self.groups) > 2 else ""
        keys = f" {self.WORDS}up/down move  PgUp PgDn pages{sets}  / search  ESC back"
        self.query_one("#keys", Pane).show(lambda width, height: [clip(((keys, "dim"),), width, self.glyphs)])

    def _list(self, width: int, height: int) -> list[Line]:
        total = len(self.shown)
        title = f"{self.heading}: {self.group}" if self.group else self.heading
        title = f"{title} ({total} of {len(self.items)})" if total != len(self.items) else title
        lines: list[Line] = [rule(title, f"{min(self.cursor + 1, total)}/{total}", width, self.glyphs)]
        rows = height - 1
        first = max(0, min(self.cursor - rows // 2, total - rows))
        for at in range(first, min(first + rows, total)):
            item = self.shown[at]
            room = max(8, width - 4 - 18)
            text = f"{'>' if at == self.cursor else ' '} {fit(item.name, room, self.glyphs)} {item.short}"
            lines.append(clip(((text, f"{'cursor' if at == self.cursor else ''}|at:{at}"),), width, self.glyphs))
        if not total:
            lines.append(clip((("  Nothing has these words.", "warn"),), width, self.glyphs))
        return lines + [clip((), width, self.glyphs)] * (height - len(lines))

    def _page(self, width: int, height: int) -> list[Line]:
        if not self.shown:
            return [clip((), width, self.glyphs)] * height
        item = self.shown[self.cursor]
        lines: list[Line] = [rule(item.name, "", width, self.glyphs, "warn")]
        for at, text in enumerate(item.texts):
            style = "bold" if at == 0 and len(item.texts) > 1 else ""
            lines += [((f"  {line}", style),) for line in wrap(text, width - 4, self.glyphs)]
            if height > 14:
                lines.append(())
        if len(lines) > height:
            lines[height - 1] = ((f"  {self.glyphs.mark} more: make the window larger", "dim"),)
        lines = lines[:height] + [()] * (height - len(lines))
        return [clip(line, width, self.glyphs) for line in lines]

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_move(self, by: int) -> None:
        """Move the cursor, never off the list."""
        self.cursor = max(0, min(len(self.shown) - 1, self.cursor + by))
        self.redraw()

    def action_search(self) -> None:
        """Open the search line."""
        self.set_class(True, "finding")
        self.query_one("#find", Input).focus()

    def action_leave(self) -> None:
        """Close the search; if it is closed, the screen."""
        line = self.query_one("#find", Input)
        if self.has_class("finding") or line.value:
            line.value = ""
            self.set_class(False, "finding")
            self.set_focus(None)
        else:
            self.dismiss()

    def action_enter(self) -> None:
        """Do nothing: the text is beside the list."""

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while typing."""
        self.words = event.value.lower().split()
        self._sift()

    def action_group(self, by: int) -> None:
        """Show only the next (or previous) set, then all of them again."""
        self.group = self.groups[(self.groups.index(self.group) + by) % len(self.groups)]
        self._sift()

    def _sift(self) -> None:
        self.shown = tuple(item for item in self.items if item.matches(self.words) and self._belongs(item))
        self.cursor = 0
        self.redraw()

    def _belongs(self, item: Item) -> bool:
        return not self.group or not item.groups or self.group in item.groups

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the search and return to the list."""
        self.set_class(False, "finding")
        self.set_focus(None)

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Handle a click on a row."""
        if event.key.startswith("at:"):
            self.cursor = int(event.key[3:])
            self.redraw()


def built_in() -> Catalog:
    """Return the catalog of the built-in packs."""
    return catalogs.load([cards.pack_files(set_id) for set_id in cards.BUILT_IN])


def card_items(catalog: Catalog) -> list[Item]:
    """Return every card of a catalog, by kind and name, with its printed text and its effects in words."""
    from core.text.card_text import describe

    found = []
    lexicon = Lexicon(catalog)
    for definition in sorted(catalog.cards, key=lambda d: (d.deck, d.kind, d.card.level or 0, d.name)):
        card, names = definition.card, lexicon.of(definition)
        head = next(pack for pack in catalog.packs if pack.id == definition.set_id)
        texts = [*paragraphs(definition, names, catalog.switches.special_any_time)]
        texts.append(f"{definition.deck.capitalize()} deck, {card.copies} in the set {head.name}.")
        texts += ["What its effects say:", *(line.strip() for line in describe(card, head))]
        found.append(Item(definition.name, brief(card, names), tuple(texts), (head.name,)))
    return found


def rule_items() -> list[Item]:
    """Return every clause of the rules catalogue."""
    from core.authoring import clauses

    found = []
    for clause in clauses.load().values():
        sets = ", ".join(_BOOKS.get(book, book) for book in clause.sets)
        kind = "A decision of ours where the books are silent." if clause.kind == "ruling" else ""
        groups = tuple(_BOOKS.get(book, book) for book in clause.sets if book != "all")
        texts = tuple(text for text in (clause.text, f"Holds in: {sets}.", kind) if text)
        found.append(Item(clause.id, sets, texts, groups))
    return found


_BOOKS = {
    "all": "all sets", "maze": "Munchkins & Mazes", "axe": "Axe Cop", "apo": "Apocalypse", "w40k": "Warhammer 40,000",
}  # fmt: skip
"""What clauses call the books, and their names."""


__all__ = ["PAGES", "BrowseScreen", "Item", "built_in", "card_items", "rule_items"]
