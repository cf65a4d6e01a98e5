"""The widget of a form: a title, labelled fields, and below them the meaning of the field under the cursor."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import DescendantFocus
from textual.message import Message
from textual.widgets import Static

from tui.scene.cells import Glyphs, clean
from tui.widgets.entry.fields import FieldRow, Fields, Picker, Row, next_value

Values = dict[str, str]
"""The values of a form by the names of its rows."""


class Form(Vertical):
    """Rows under a title. Rows that must differ never have the same value."""

    class Chosen(Message):
        """The player has chosen a command."""

        def __init__(self, row: Row, values: Values) -> None:
            """values: of all rows."""
            self.row, self.values = row, values
            super().__init__()

    def __init__(
        self, title: str, rows: Sequence[Row], glyphs: Glyphs, note: str = "", problem: str = "", at: str = ""
    ) -> None:
        """note: what is shown below each hint. problem: what was wrong with these values. at: the name of the row to
        begin at; "": the first."""
        super().__init__()
        self.heading, self.rows, self.glyphs, self.note = title, tuple(rows), glyphs, note
        self.problem, self._at = problem, at
        self.commands = tuple(row for row in self.rows if row.does)

    def compose(self) -> ComposeResult:
        """The title, the rows, what the row under the cursor means."""
        yield Static(self.heading, id="form-title", markup=False)
        with Fields(id="form"):
            for row in self.rows:
                yield FieldRow(row, self.glyphs)
        problem = Static(clean(self.problem, self.glyphs), id="form-problem", markup=False)
        problem.display = bool(self.problem)
        yield problem
        yield Static("", id="form-hint", markup=False)

    def on_mount(self) -> None:
        """Begin at its row."""
        fields = list(self.query(FieldRow))
        next((field for field in fields if field.row.name == self._at), fields[0]).field.focus()

    def go(self) -> None:
        """Choose the first command."""
        self._choose(self.commands[0])

    def _choose(self, row: Row) -> None:
        self.post_message(self.Chosen(row, self.values))

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

    # --------------------------------------------------------------------------------------------------------- cursor
    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Show what the row under the cursor means."""
        for field in self.query(FieldRow):
            here = field.has_focus_within
            field.mark(here)
            if here:
                words = [field.row.hint, self.note]
                text = clean("\n".join(word for word in words if word), self.glyphs)
                self.query_one("#form-hint", Static).update(text, layout=False)  # its height is fixed

    def on_field_row_chosen(self, event: FieldRow.Chosen) -> None:
        """Choose the command of a button."""
        event.stop()
        self._choose(event.row)


def form_keys(form: Form) -> tuple[tuple[str, str], ...]:
    """Return the keys of a form's screen, by the ids of their bindings, with their words."""
    go = form.commands[0].label.lower() if form.commands else "go"
    return (("form.up form.down", "move"), ("form.previous form.next", "change"), ("enter", "choose"),
            ("form.go", go), ("form.back", "back"))  # fmt: skip
