"""The fields of a form: the toolkit's Select, Switch, Input and Button, moved between with the arrows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Select, Static, Switch

from tui.config.places import FORM_LIST, FORM_SWITCH
from tui.scene.cells import Glyphs, clean
from tui.widgets.bound import bound

YES = ("no", "yes")
"""The values of a row that is a switch."""


@dataclass(frozen=True)
class Row:
    """One row of a form: a command, or with `choices` or `text` a value to change or to type."""

    name: str
    label: str
    hint: str = ""
    value: str = ""
    choices: tuple[str, ...] = ()
    text: bool = False
    unique: str = ""
    """If set, no two such rows have the same value, except this one."""
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What to show for a choice, where that is not the choice itself."""

    @property
    def does(self) -> bool:
        """Whether the row is a command, which closes the form."""
        return not self.choices and not self.text


class Fields(VerticalScroll, inherit_bindings=False, can_focus=False):
    """The rows of a form; the arrows move the focus, not the view."""


class Picker(Select[str], inherit_bindings=False):
    """A Select whose value left and right change; up and down leave it."""

    BINDINGS: ClassVar[list[BindingType]] = bound(FORM_LIST)

    class Turn(Message):
        """The player wants the next (1) or previous (-1) value."""

        def __init__(self, picker: "Picker", by: int) -> None:
            self.picker, self.by = picker, by
            super().__init__()

    class LookedAt(Message):
        """The cursor is on this value in the open list; None: the list has closed."""

        def __init__(self, picker: "Picker", value: str | None) -> None:
            self.picker, self.value = picker, value
            super().__init__()

    def __init__(self, row: Row, glyphs: Glyphs) -> None:
        known = row.choices if row.value in row.choices else (row.value, *row.choices)
        options = [(clean(row.names.get(choice, choice), glyphs), choice) for choice in known]
        super().__init__(options, allow_blank=False, value=row.value, id=f"field-{row.name}", compact=True)
        self.choices, self.glyphs = known, glyphs

    def on_mount(self) -> None:
        """Follow the cursor in the list; draw the arrows in ASCII if that is wanted."""
        self.watch(self.query_one(OptionList), "highlighted", self._look, init=False)
        self.watch(self, "expanded", self._look, init=False)
        if self.glyphs.ascii:
            for name, sign in ((".down-arrow", "v"), (".up-arrow", "^")):
                self.query_one(name, Static).update(sign)

    def _look(self) -> None:
        at = self.query_one(OptionList).highlighted
        self.post_message(self.LookedAt(self, self.choices[at] if self.expanded and at is not None else None))

    def action_turn(self, by: int) -> None:
        """Ask the form for the next or previous value."""
        self.post_message(self.Turn(self, by))


class Toggle(Switch):
    """A Switch that left and right change too."""

    BINDINGS: ClassVar[list[BindingType]] = bound(FORM_SWITCH)


class FieldRow(Horizontal):
    """A label with its field. A switch has a word beside it, so that it does not rely on colour."""

    class Changed(Message):
        """The player has changed the value of a row."""

        def __init__(self, row: Row, value: str) -> None:
            self.row, self.value = row, value
            super().__init__()

    class Chosen(Message):
        """The player has chosen a command."""

        def __init__(self, row: Row) -> None:
            self.row = row
            super().__init__()

    def __init__(self, row: Row, glyphs: Glyphs) -> None:
        super().__init__(classes="row")
        self.row, self.glyphs = row, glyphs
        self.value = row.value
        self._label: Static | None = None

    def compose(self) -> ComposeResult:
        """The label and the field, or the button of a command."""
        row = self.row
        if row.does:
            yield Button(clean(row.label, self.glyphs), id=f"field-{row.name}", compact=True, classes="command")
            return
        self._label = Static(clean(row.label, self.glyphs), classes="label", markup=False)
        yield self._label
        if row.choices == YES:
            yield Toggle(row.value == YES[1], animate=False, id=f"field-{row.name}")
            yield Static(row.value, classes="word", markup=False)
        elif row.choices:
            yield Picker(row, self.glyphs)
        else:
            line = Input(row.value, id=f"field-{row.name}", compact=True, max_length=600)
            line.cursor_blink = False
            yield line

    @property
    def field(self) -> Widget:
        """The widget that takes the focus."""
        return self.query_one(f"#field-{self.row.name}")

    def mark(self, here: bool) -> None:
        """Mark the label of the row under the cursor. (A class of the row would style all its widgets again.)"""
        if self._label is not None:
            self._label.set_class(here, "here")

    def set_value(self, value: str) -> None:
        """Show another value."""
        field = self.field
        if isinstance(field, Picker):
            field.value = value
        elif isinstance(field, Toggle):
            field.value = value == YES[1]
        elif isinstance(field, Input):
            field.value = value

    def _changed(self, value: str) -> None:
        if value != self.value:
            self.value = value
            self.post_message(self.Changed(self.row, value))

    def on_select_changed(self, event: Select.Changed) -> None:
        """Take the chosen value."""
        event.stop()
        self._changed(str(event.value))

    def on_switch_changed(self, event: Switch.Changed) -> None:
        """Take the value of the switch, in a word."""
        event.stop()
        self.query_one(".word", Static).update(YES[event.value])
        self._changed(YES[event.value])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Take what is typed."""
        event.stop()
        self._changed(event.value.strip())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Move to the next row."""
        event.stop()
        self.screen.focus_next()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Choose the command."""
        event.stop()
        self.post_message(self.Chosen(self.row))


def next_value(choices: Sequence[str], value: str, by: int, taken: set[str]) -> str:
    """Return the next (or previous) choice that is not taken; this one if there is none."""
    at = choices.index(value)
    for step in range(1, len(choices) + 1):
        found = choices[(at + by * step) % len(choices)]
        if found not in taken:
            return found
    return value
