"""A form on its own screen, and a list to choose one thing from."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static

from tui.config.places import CHOICE, FORM
from tui.scene.cells import Glyphs, clean
from tui.widgets.bound import bound
from tui.widgets.entry.choices import Choice, Choices
from tui.widgets.entry.fields import Row
from tui.widgets.entry.form import Form, Values, form_keys
from tui.widgets.entry.key_line import KeyLine

__all__ = ["ChoiceScreen", "FormScreen", "Values"]


class FormScreen(Screen[tuple[str, Values] | None]):
    """A form. Returns the name of the chosen command and all values, or None after ESC."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(FORM)

    def __init__(
        self, title: str, rows: Sequence[Row], glyphs: Glyphs, note: str = "", problem: str = "", at: str = ""
    ) -> None:
        """note, problem, at: as in `Form`."""
        super().__init__()
        self.glyphs, self._form = glyphs, Form(title, rows, glyphs, note, problem, at)

    def compose(self) -> ComposeResult:
        """The form, the keys."""
        yield self._form
        yield KeyLine(self.glyphs, form_keys(self._form))

    def on_form_chosen(self, event: Form.Chosen) -> None:
        """Return a command with all values."""
        self.dismiss((event.row.name, event.values))

    def action_go(self) -> None:
        """Choose the first command."""
        self._form.go()

    def action_leave(self) -> None:
        """Leave the form."""
        self.dismiss(None)


class ChoiceScreen(ModalScreen[str | None]):
    """A list to choose one thing from. Returns its name, None after ESC. Entries without a key have digits."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(CHOICE)

    def __init__(self, title: str, choices: Sequence[Choice], glyphs: Glyphs, begin: int = 0) -> None:
        """begin: the index of the entry under the cursor at first."""
        super().__init__()
        self.heading, self.glyphs, self._begin = title, glyphs, begin
        self.choices = tuple(
            Choice(one.name, one.label, one.hint, one.key or (str(at) if at < 10 else ""))
            for at, one in enumerate(choices, 1)
        )

    def compose(self) -> ComposeResult:
        """The title, the list, what the entry under the cursor means, the keys."""
        with Vertical(id="choice"):
            yield Static(clean(self.heading, self.glyphs), id="choice-title", markup=False)
            yield Choices(self.choices, self.glyphs)
            hint = Static("", id="choice-hint", markup=False)
            hint.display = any(choice.hint for choice in self.choices)
            yield hint
            yield KeyLine(self.glyphs, (("enter", "choose"), ("choice.back", "back")))

    def on_mount(self) -> None:
        """Put the cursor on its entry."""
        choices = self.query_one(Choices)
        choices.highlighted = self._begin
        choices.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what the entry under the cursor means."""
        hint = self.choices[event.option_index].hint
        self.query_one("#choice-hint", Static).update(clean(hint, self.glyphs), layout=False)  # its height is fixed

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the chosen entry."""
        self.dismiss(event.option_id)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)
