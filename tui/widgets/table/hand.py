"""The hand: a card each where there is room, otherwise a list."""

from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal

from tui.menus.choices import playable
from tui.render import hand as lists
from tui.render.board import block
from tui.scene.card_text import figure
from tui.scene.cells import Line, wrap
from tui.scene.scene import Scene
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane

MOST = 8
"""Cards side by side."""
CARD_ROWS = 5
"""The least rows of a card."""
NAME_ROWS = 2
KINDS = {
    "item": "gold", "curse": "curse", "monster": "foe", "wandering": "foe", "enhancer": "boost", "level": "hero",
    "identity": "info", "double": "info", "ally": "race", "hireling": "race", "upgrade": "gold", "seal": "foe",
}  # fmt: skip
"""The colour of each kind of card."""


class Hand(Horizontal):
    """Shows the hand, a page at a time."""

    def compose(self) -> ComposeResult:
        """The cards, and the list that takes their place in a low window."""
        for _ in range(MOST):
            yield Pane(classes="card")
        yield Pane("hand-list")

    @property
    def rows(self) -> int:
        """The rows of the list, 1 where cards stand side by side."""
        found = self.query_one("#hand-list", Pane)
        return max(1, found.size.height - 1) if found.display else 1

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        width, height = self.size
        cards = scene.hand()
        as_list = height < CARD_ROWS or width < 78 or not cards
        self.query_one("#hand-list", Pane).display = as_list
        at_once = columns(width, height, len(cards))
        first = min(scene.cursor, max(0, len(cards) - 1)) // at_once * at_once
        usable = playable(scene)
        for number, pane in enumerate(self.query(".card").results(Pane)):
            pane.display = not as_list and number < at_once
            pane.styles.width = (number + 1) * width // at_once - number * width // at_once
            pane.show(partial(_place, scene, first + number, usable))
        if as_list:
            self.query_one("#hand-list", Pane).show(lambda w, h: lists.hand(scene, w, h))


def _place(scene: Scene, at: int, usable: set[int], width: int, height: int) -> list[Line]:
    return card(scene, at, usable, width, height) if at < len(scene.hand()) else block([], width, height, scene)


def columns(width: int, height: int, cards: int) -> int:
    """Return how many cards stand side by side."""
    least = 13 if height < 9 else 25 if height >= 18 else 20 if cards <= 6 else 15
    return max(1, min(MOST, width // least))


def card(scene: Scene, at: int, usable: set[int], width: int, height: int) -> list[Line]:
    """Draw a card of the hand. at: its place in the hand."""
    ident = scene.hand()[at]
    canvas = Canvas(width, height, scene.glyphs)
    printed, chosen, now = scene.card(ident), at == scene.cursor, ident in usable
    colour = KINDS.get(printed.kind, "text") if now else "line"
    key = f"|hand:{at}"
    figures = figure(printed, scene.lexicon.of(scene.definition(ident)))
    canvas.box(0, 0, width - 1, height, colour + key, ((f"{figures} ", f"bold {colour if now else 'dim'}{key}"),))
    names = wrap(printed.name, width - 4, scene.glyphs)[:NAME_ROWS]
    for row, text in enumerate(names, 1):
        canvas.put(2, row, text, f"{'bold' if now else 'dim'}{key}", width - 5)
    if height >= 9:
        canvas.face(2, 3, scene.portrait(ident), "large" if height >= 14 and width >= 20 else "small", scene.pixels)
    word, style = lists.mark(scene, ident, usable)
    canvas.put(2, height - 2, {"ok": "playable", "later": "later", "no": "not now"}[word], style + key, width - 5)
    if chosen:
        canvas.fill(0, 0, width - 1, 1, f"on gold{key}")
        canvas.put(1, 0, figures, f"bold on-gold on gold{key}")
        canvas.put(2, 1, names[0], f"bold on-gold on gold{key}", width - 5)
    return canvas.lines()
