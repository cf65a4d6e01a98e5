"""Forms of labelled fields, and lists to choose one thing from."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import DescendantFocus
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static

from tui.config.places import CHOICE, FORM
from tui.scene.cells import Glyphs, clean
from tui.widgets.bound import bound
from tui.widgets.entry.choices import Choice, Choices
from tui.widgets.entry.fields import FieldRow, Fields, Picker, Row, next_value
from tui.widgets.entry.key_line import KeyLine

Values = dict[str, str]
"""The values of a form by the names of its rows."""


class FormScreen(Screen[tuple[str, Values] | None]):
    """Rows under a title. Returns the name of the chosen command and all values, or None after ESC."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(FORM)

    def __init__(self, title: str, rows: Sequence[Row], glyphs: Glyphs, note: str = "") -> None:
        super().__init__()
        self.heading, self.rows, self.glyphs, self.note = title, tuple(rows), glyphs, note

    def compose(self) -> ComposeResult:
        """The title, the rows, what the row under the cursor means, the keys."""
        yield Static(self.heading, id="form-title", markup=False)
        with Fields(id="form"):
            for row in self.rows:
                yield FieldRow(row, self.glyphs)
        yield Static("", id="form-hint", markup=False)
        go = self._first_command.lower()
        yield KeyLine(self.glyphs, (("form.up form.down", "move"), ("form.previous form.next", "change"),
                                    ("enter", "choose"), ("form.go", go), ("form.back", "back")))  # fmt: skip

    @property
    def _first_command(self) -> str:
        return next((row.label for row in self.rows if row.does), "go")

    def on_mount(self) -> None:
        """Begin at the first row."""
        self.query(FieldRow).first().field.focus()

    # --------------------------------------------------------------------------------------------------------- values
    @property
    def values(self) -> Values:
        """The value of each row."""
        return {field.row.name: field.value for field in self.query(FieldRow) if not field.row.does}

    def _taken(self, asking: FieldRow) -> set[str]:
        """Return the values that a row may not have, since another row has them."""
        if not asking.row.unique:
            return set()
        others = (field for field in self.query(FieldRow) if field is not asking and field.row.unique)
        return {field.value for field in others} - {asking.row.unique}

    def on_picker_turn(self, event: Picker.Turn) -> None:
        """Change to the next value that no other row has."""
        field = next(field for field in self.query(FieldRow) if field.field is event.picker)
        field.set_value(next_value(event.picker.choices, field.value, event.by, self._taken(field)))

    def on_field_row_changed(self, event: FieldRow.Changed) -> None:
        """Take a value away from the row that had it."""
        unique = event.row.unique
        if not unique or event.value == unique:
            return
        for field in self.query(FieldRow):
            if field.row.unique and field.row.name != event.row.name and field.value == event.value:
                picker = field.field
                assert isinstance(picker, Picker)
                free = unique if unique in picker.choices else ""
                field.set_value(free or next_value(picker.choices, field.value, 1, self._taken(field)))

    # ----------------------------------------------------------------------------------------------------------- keys
    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Say what the row under the cursor means."""
        for field in self.query(FieldRow):
            here = field.has_focus_within
            field.set_class(here, "here")
            if here:
                words = [field.row.hint, self.note]
                text = clean("\n".join(word for word in words if word), self.glyphs)
                self.query_one("#form-hint", Static).update(text)

    def on_field_row_chosen(self, event: FieldRow.Chosen) -> None:
        """Do what a command says."""
        self.choose(event.row)

    def choose(self, row: Row) -> None:
        """Return a command with all values."""
        self.dismiss((row.name, self.values))

    def action_go(self) -> None:
        """Choose the first command."""
        self.choose(next(row for row in self.rows if row.does))

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
        """Say what the entry under the cursor means."""
        hint = self.choices[event.option_index].hint
        self.query_one("#choice-hint", Static).update(clean(hint, self.glyphs))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the chosen entry."""
        self.dismiss(event.option_id)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)
