"""The large card over the table: every card the player can see, one after the other."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from netcode.client.state_machine import Message
from tui.config.keymap import pressed
from tui.config.places import CARD
from tui.scene.rulebook import topics
from tui.scene.scene import FIRST_CARD, Scene
from tui.scene.table_session import TableSession
from tui.screens.opening import COLUMNS, ROWS, begin_fitted, begin_settled, close, is_open
from tui.screens.rules import RulesScreen
from tui.widgets.bound import bound
from tui.widgets.cards.page import Shown, card_page, cards_to_read, most_scroll
from tui.widgets.pane import Pane

SMALL, LARGE = (84, 22), (120, 28)
"""The most columns and rows of the page; the second in a window of BROAD columns."""
BROAD = 160
TOP = 2
"""Rows above the page."""


class CardScreen(ModalScreen[None]):
    """Shows one card large, and the others with the arrows. It follows the game; it never hides the question."""

    HORIZONTAL_BREAKPOINTS, VERTICAL_BREAKPOINTS = COLUMNS, ROWS
    BINDINGS: ClassVar[list[BindingType]] = bound(CARD, ("table.rules", "rules", "The rules of this card"))

    def __init__(self, session: TableSession, scene: Callable[[], Scene], card: int, first: Sequence[int] = ()) -> None:
        """scene: makes the scene of this moment. card: the one to show. first: cards that come before all others."""
        super().__init__()
        self.session, self.scene = session, scene
        self.card = card
        self._first = tuple(first)
        self._scroll = 0
        self._off: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        """The card, at its size from the first frame on."""
        begin_fitted(self)
        page = Pane("card-page")
        self._fit(page)
        yield page

    def on_mount(self) -> None:
        """Follow the game."""
        begin_settled(self)
        self._off = self.session.client.subscribe(self._heard)
        self.look()

    def _heard(self, message: Message) -> None:
        self.call_later(self.look)

    def on_unmount(self) -> None:
        """Stop following the game."""
        self._off()

    def on_resize(self) -> None:
        """Fit the page into the window."""
        self._fit(self.query_one("#card-page", Pane))

    def _fit(self, page: Pane) -> None:
        width, height = self.app.size
        most = LARGE if width >= BROAD else SMALL
        question = 7 if height >= 40 else 4  # the question and the keys stay in sight
        page.styles.width, page.styles.height = min(most[0], width), min(most[1], height - TOP - question)

    # -------------------------------------------------------------------------------------------------------- drawing
    def cards(self) -> list[Shown]:
        """Return the cards that can be shown now."""
        found = {shown.card: shown for shown in cards_to_read(self.scene())}
        order = [card for card in self._first if card in found]
        return [found[card] for card in dict.fromkeys((*order, *found))]

    def look(self) -> None:
        """Draw the card as it is now."""
        if not is_open(self) or not self.session.playing:
            return
        cards = self.cards()
        at = self._at(cards)
        if at < 0:
            close(self)
            return
        self.card = cards[at].card
        scene, place = self.scene(), f"{at + 1} of {len(cards)}" if len(cards) > 1 else ""
        self.query_one("#card-page", Pane).show(
            lambda width, height: card_page(scene, cards[at], place, width, height, self._scroll)
        )

    def _at(self, cards: Sequence[Shown]) -> int:
        """Return the place of the card that is shown, 0 if it has gone; -1 if there is none to show."""
        return next((at for at, shown in enumerate(cards) if shown.card == self.card), 0 if cards else -1)

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_go(self, by: int) -> None:
        """Show the next card, or the one before."""
        cards = self.cards()
        if cards:
            self.card, self._scroll = cards[(self._at(cards) + by) % len(cards)].card, 0
        self.look()

    def action_scroll(self, by: int) -> None:
        """Move the text, as far as there is more of it."""
        cards = self.cards()
        page = self.query_one("#card-page", Pane).size
        if cards:
            most = most_scroll(self.scene(), cards[self._at(cards)], page.width, page.height)
            self._scroll = max(0, min(most, self._scroll + by))
        self.look()

    def action_rules(self) -> None:
        """Open the rules of the card that is shown."""
        found = topics(self.scene(), card=self.card or FIRST_CARD)
        self.app.push_screen(RulesScreen(found, self.session.catalog, self.session.glyphs))

    def action_leave(self) -> None:
        """Close the card."""
        self.dismiss()

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Handle a click on a key of the page."""
        event.stop()
        self.app.simulate_key(pressed(event.key))

    def on_click(self) -> None:
        """Let clicks beside the page do nothing."""
