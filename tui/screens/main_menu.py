"""The main menu: the name of the game, what there is to do, a face for each card set."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import OptionList, Static

from core.language.manifest import PackHead
from tui.config.places import MENU
from tui.scene.cells import Glyphs, Line, clip, wrap
from tui.screens.opening import is_open, look_of
from tui.widgets.bound import bound
from tui.widgets.entry.choices import Choice, Choices
from tui.widgets.entry.covers import COLUMNS, covers
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.entry.logo import LARGE, SMALL, gradient, logo
from tui.widgets.pane import Pane

TAGLINE = ("kick open the door", "grab the loot", "stab your friends")


class MainMenuScreen(Screen[str | None]):
    """Returns the name of the chosen row, None after ESC. note: what went wrong before; at: the row to begin at."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(MENU)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]

    def __init__(
        self, choices: Sequence[Choice], heads: Sequence[PackHead], glyphs: Glyphs, note: str = "", at: int = 0
    ) -> None:
        super().__init__()
        self.choices, self.heads, self.glyphs = tuple(choices), tuple(heads), glyphs
        self.note, self.at = note, at

    def compose(self) -> ComposeResult:
        """The logo, the list beside the faces, a note, the keys."""
        yield Pane("logo")
        with Horizontal(id="menu"):
            yield Choices(self.choices, self.glyphs, brackets=False, hints=True)
            yield Pane("covers")
        note = Static(self.note, id="menu-note", markup=False)
        note.display = bool(self.note)
        yield note
        yield KeyLine(self.glyphs, (("up down", "choose"), ("enter", "go"), ("menu.leave", "leave"),
                                    ("ctrl+p", "commands")))  # fmt: skip

    def on_mount(self) -> None:
        """Begin at the row chosen last; follow the theme."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.call_after_refresh(self._draw))
        choices = self.query_one(Choices)
        choices.highlighted = min(self.at, len(self.choices) - 1)
        choices.focus()

    def take_look(self) -> None:
        """Draw portraits as the app wants them now."""
        self._draw()

    def on_resize(self) -> None:
        """Give each part its room."""
        width, height = self.app.size
        rows = len(self.choices)
        note = len(wrap(self.note, width - 4, self.glyphs)) if self.note else 0
        spare = height - rows - note - 2
        large = width >= LARGE[0] and spare >= LARGE[1] + 3
        small = width >= SMALL[0] and spare >= SMALL[1] + 1
        logo_rows = LARGE[1] if large else SMALL[1] if small else 1
        more = height - note - 1 - logo_rows
        self.query_one("#logo", Pane).styles.height = logo_rows + (3 if large else 2 if more > rows + 2 else 0)
        roomy = more - 4 >= 2 * rows
        self.query_one(Choices).set_roomy(roomy)
        wide = width >= 100
        self.query_one("#covers", Pane).display = wide and bool(self.heads)
        self.query_one("#covers", Pane).styles.width = COLUMNS * 2
        self.query_one("#menu").styles.margin = (1 if roomy else 0, 0, 0, 0)
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        if not is_open(self):
            return
        self.query_one("#logo", Pane).show(self._logo)
        self.query_one("#covers", Pane).show(self._covers)

    def _logo(self, width: int, height: int) -> list[Line]:
        below = 2 if height > LARGE[1] else 1 if height > SMALL[1] else 0
        above = 1 if height > LARGE[1] + below else 0
        rows = height - below - above
        lines: list[Line] = [()] * above
        lines += logo(width, rows, self.glyphs, gradient(self.app.theme_variables))
        if below:
            words = f" {self.glyphs.dot} ".join(TAGLINE)
            lines += [()] * (below - 1)
            lines.append(((words.center(width).rstrip(), "dim"),))
        return [clip(line, width, self.glyphs) for line in lines]

    def _covers(self, width: int, height: int) -> list[Line]:
        return covers(self.heads, width, height, self.glyphs, look_of(self.app))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the chosen row."""
        self.at = event.option_index
        self.dismiss(event.option_id)

    def action_leave(self) -> None:
        """Leave."""
        self.dismiss(None)
