"""The whole log, and what happened since one's last turn, over the table."""

from collections.abc import Callable
from typing import ClassVar, Literal

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.config.places import HISTORY
from tui.scene.cells import Line, flow, wrap
from tui.scene.rulebook import topics
from tui.scene.scene import Scene
from tui.screens.opening import COLUMNS, ROWS, is_open
from tui.screens.rules import RulesScreen
from tui.widgets.bound import bound
from tui.widgets.pane import Pane
from tui.widgets.scroll import LineScroll
from tui.widgets.table.log import heading, in_order, since_last_turn

What = Literal["log", "recap"]
TITLES = {"log": "What happened, the newest last", "recap": "Since your last turn, the newest last"}
REFRESH_S = 0.5
"""How often (s) the open log looks for new events."""


class HistoryScreen(ModalScreen[None]):
    """Shows the log. It follows the game while it is open; its foot says all that the prompt had no room for."""

    CSS_PATH = "entry.tcss"

    HORIZONTAL_BREAKPOINTS, VERTICAL_BREAKPOINTS = COLUMNS, ROWS
    BINDINGS: ClassVar[list[BindingType]] = bound(
        HISTORY, ("table.log", "show('log')", "The whole log, the newest last"),
        ("table.recap", "show('recap')", "What happened since your last turn"),
        ("table.rules", "rules", "The rules of what has happened"),
    )  # fmt: skip

    def __init__(self, what: What, scene: Callable[[], Scene], question: Callable[[Scene], str]) -> None:
        """scene: gives the newest moment. question: what is asked of the player in it, empty if nothing is."""
        super().__init__()
        self.what: What = what
        self._scene, self._question = scene, question
        self._shown: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """The lines between a title and the keys."""
        with Vertical(id="history-page"):
            yield LineScroll("history-lines")
            yield Pane("history-keys")

    def on_mount(self) -> None:
        """Let the scrolling keys move the lines."""
        self.query_one(LineScroll).focus()
        self.set_interval(REFRESH_S, self._follow)
        self.call_after_refresh(self._follow)

    def on_resize(self) -> None:
        """Give the question the lines that it needs now."""
        self.call_after_refresh(self._follow)

    def on_click(self, event: events.Click) -> None:
        """Close with a click outside."""
        if event.widget is self:
            self.dismiss()

    def action_close(self) -> None:
        """Go back to the table."""
        self.dismiss()

    def action_show(self, what: What) -> None:
        """Show the log or the recap; close it if it is shown already."""
        if what == self.what:
            self.dismiss()
            return
        self.what = what
        self._shown = ()
        self._follow()

    def action_rules(self) -> None:
        """Open the rules of what has happened lately."""
        scene = self._scene()
        self.app.push_screen(RulesScreen(topics(scene, log=True), scene.catalog, scene.glyphs))

    def _follow(self) -> None:
        """Show what is new."""
        if not is_open(self):
            return
        scene = self._scene()
        question = self._question(scene)
        page = self.query_one("#history-page")
        width = page.content_size.width  # decides how many lines the question needs
        now = (self.what, len(scene.log), scene.log[-1:], question, width)
        if now == self._shown:
            return
        scroll, first = self.query_one(LineScroll), not self._shown
        at_end = scroll.scroll_offset.y >= scroll.max_scroll_y
        self._shown = now
        page.border_title = TITLES[self.what]
        page.set_class(scene.glyphs.ascii, "ascii")
        scroll.show(lambda width: lines(scene, self.what, width))
        if self.what == "recap" and first:  # it is read from what the player has not answered yet
            scroll.scroll_to(y=len(before(scene, scroll.scrollable_content_region.width)), animate=False)
        elif first or at_end:
            scroll.scroll_end(animate=False)
        pane = self.query_one("#history-keys", Pane)
        pane.styles.height = len(foot(scene, self.what, question, width))
        pane.show(lambda width, height: foot(scene, self.what, question, width))


def lines(scene: Scene, what: What, width: int) -> list[Line]:
    """Return the lines of the log or the recap."""
    if what == "log":
        found = in_order(scene, scene.log, width)
    else:
        earlier = before(scene, width)
        entries = since_last_turn(scene)
        mark = [heading(scene, "since your last move", width)] if earlier else []
        found = [*earlier, *mark, *in_order(scene, entries[-scene.unread :] if earlier else entries, width)]
    return found or [((" Nothing has happened yet.", "dim"),)]


def before(scene: Scene, width: int) -> list[Line]:
    """Return the lines of the recap before those that have come since the player acted last; none if all have, or
    nothing has come."""
    entries = since_last_turn(scene)
    return in_order(scene, entries[: -scene.unread], width) if 0 < scene.unread < len(entries) else []


def foot(scene: Scene, what: What, question: str, width: int) -> list[Line]:
    """Return what the player is asked, in as many lines as it needs, and below it the keys that work."""
    names = scene.key_names
    back, rules = names["history.close"], names["table.rules"]
    other = (names["table.recap"], "since your last turn") if what == "log" else (names["table.log"], "the whole log")
    keys = [(back, "back"), other, (rules, "the rules"), ("PgUp PgDn", "scroll")]
    parts: list[Line] = [((f" {key}", "gold"), (f" {words}", "dim")) for key, words in keys]
    spans = flow(parts, width, 1, scene.glyphs, " ")[0][0]
    return [*(((f" {line}", "bold gold"),) for line in wrap(question, width - 2, scene.glyphs) or [""]), spans]
