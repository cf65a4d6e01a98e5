"""The question of the first start: whether to learn the game now. It is asked once."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.config.places import FIRST_START
from tui.scene.cells import Glyphs
from tui.widgets.bound import bound, key_names

WORDS = (
    "New here? Five short scenes at a real table show you the game in ten minutes: kick open a door, fight, ask for "
    "help, and stab your friends in the back."
)

MENU, PLAY = "I know the game: to the menu", "I know the game: begin at once"
"""The words of the other answer: in the menu, and for a command that plays."""


class FirstStartScreen(ModalScreen[bool]):
    """Returns whether to learn now."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(FIRST_START)

    def __init__(self, glyphs: Glyphs, otherwise: str = MENU) -> None:
        """otherwise: the words of the other answer."""
        super().__init__()
        self.glyphs, self.otherwise = glyphs, otherwise

    def compose(self) -> ComposeResult:
        """The question and its two answers."""
        with Vertical(id="first-start", classes="ascii" if self.glyphs.ascii else ""):
            yield Static(WORDS, markup=False)
            names = key_names(self.app)
            yield OptionList(
                Option(f"{names['first.yes']}  Show me how it is played", "yes"),
                Option(f"{names['first.no']}  {self.otherwise}", "no"),
                id="first-answers", markup=False,
            )  # fmt: skip
            again = "You are not asked again; Learn in the menu, or kickdoor learn, is the same."
            yield Static(again, classes="quiet", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the answer."""
        self.dismiss(event.option_id == "yes")

    def action_choose(self, learn: bool) -> None:
        """Answer with a key."""
        self.dismiss(learn)
