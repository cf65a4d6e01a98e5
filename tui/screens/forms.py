"""A form: rows to choose from or to fill in, for the menu, the settings and new tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input

from tui.scene.cells import Glyphs, Line, clip, fit, rule, wrap
from tui.widgets.pane import Pane

Values = dict[str, str]


@dataclass(frozen=True)
class Row:
    """One row: a command, or with `choices` or `text` a value to change or to type."""

    name: str
    label: str
    hint: str = ""
    value: str = ""
    choices: tuple[str, ...] = ()
    text: bool = False
    unique: str = ""
    """If set, no two such rows have the same value, except this one."""

    @property
    def does(self) -> bool:
        """Whether the row is a command, which closes the form."""
        return not self.choices and not self.text

    def turned(self, by: int) -> "Row":
        """The row with the next (or previous) of its choices."""
        if not self.choices:
            return self
        at = self.choices.index(self.value) if self.value in self.choices else -by
        return replace(self, value=self.choices[(at + by) % len(self.choices)])


class FormScreen(Screen[tuple[str, Values] | None]):
    """Rows under a title. Returns the name of the chosen row and all values, or None after ESC."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j,tab", "move(1)", "down", show=False),
        Binding("left,h", "turn(-1)", "previous value", show=False),
        Binding("right,l", "turn(1)", "next value", show=False),
        Binding("enter", "enter", "choose", show=False),
        Binding("escape", "leave", "back", show=False),
        *(Binding(str(n), f"digit({n})", f"row {n}", show=False) for n in range(1, 10)),
    ]
    AUTO_FOCUS = ""
    LEAVE = "ESC back"

    def __init__(
        self, title: str, rows: Sequence[Row], glyphs: Glyphs, intro: Sequence[str] = (), note: str = ""
    ) -> None:
        super().__init__()
        self.heading, self.rows, self.glyphs = title, list(rows), glyphs
        self.intro, self.note = tuple(intro), note
        self.cursor = 0

    def compose(self) -> ComposeResult:
        """The rows, the line to type in, the keys."""
        yield Pane("form")
        yield Input(id="line", compact=True)
        yield Pane("keys")

    def on_mount(self) -> None:
        """Draw after the first layout."""
        self.query_one("#line", Input).cursor_blink = False
        self.call_after_refresh(self.redraw)

    def on_resize(self) -> None:
        """Redraw in the new size."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Redraw what has changed."""
        self.query_one("#form", Pane).show(self._draw)
        row = self.rows[self.cursor]
        does = "ENTER choose" if row.does else ("ENTER type" if row.text else "left/right change")
        keys = f" up/down move   1-9 or {does}   {self.LEAVE}"
        self.query_one("#keys", Pane).show(lambda width, height: [clip(((keys, "dim"),), width, self.glyphs)])

    def _draw(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = [rule(self.heading, "", width, self.glyphs), ()]
        for text in self.intro:
            lines += [((f"   {line}", "dim"),) for line in wrap(text, width - 6, self.glyphs)]
        if self.intro:
            lines.append(())
        for at, row in enumerate(self.rows):
            lines.append(self._row(at, row, width))
        lines.append(())
        lines += [((f"   {line}", ""),) for line in wrap(self.rows[self.cursor].hint, width - 6, self.glyphs)]
        if self.note:
            lines.append(())
            lines += [((f"   {line}", "warn"),) for line in wrap(self.note, width - 6, self.glyphs)]
        lines = lines[:height] + [()] * (height - len(lines))
        return [clip(line, width, self.glyphs) for line in lines]

    def _row(self, at: int, row: Row, width: int) -> Line:
        here = at == self.cursor
        value = "" if row.does else (f"< {row.value} >" if row.choices else row.value or "-")
        digit = f"[{at + 1}]" if at < 9 else "   "
        label = row.label if row.does else fit(row.label, 26, self.glyphs)
        text = f" {'>' if here else ' '} {digit} {label} {value}"
        return ((fit(text, min(width, 76), self.glyphs), f"{'cursor' if here else ''}|{at + 1}"),)

    # ----------------------------------------------------------------------------------------------------------- keys
    @property
    def values(self) -> Values:
        """The value of each row."""
        return {row.name: row.value for row in self.rows if not row.does}

    def action_move(self, by: int) -> None:
        """Move up or down, around the ends."""
        self.cursor = (self.cursor + by) % len(self.rows)
        self.redraw()

    def action_turn(self, by: int) -> None:
        """Change to the next or previous value."""
        row = self.rows[self.cursor]
        turned = row.turned(by)
        taken = {other.value for other in self.rows if row.unique and other.unique and other is not row} - {row.unique}
        while turned.value in taken and turned.value != row.value:
            turned = turned.turned(by)
        self.rows[self.cursor] = turned
        self.redraw()

    def action_digit(self, number: int) -> None:
        """Select a row and do what ENTER does there."""
        if number <= len(self.rows):
            self.cursor = number - 1
            self.action_enter()

    def action_enter(self) -> None:
        """Choose, change or type."""
        row = self.rows[self.cursor]
        if row.text:
            line = self.query_one("#line", Input)
            line.value = row.value
            line.placeholder = row.label
            self.set_class(True, "typing")
            line.focus()
        elif row.choices:
            self.action_turn(1)
        else:
            self.dismiss((row.name, self.values))
        self.redraw()

    def action_leave(self) -> None:
        """Stop typing, else leave the form."""
        if self.has_class("typing"):
            self._stop_typing()
        else:
            self.dismiss(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the typed value."""
        self.rows[self.cursor] = replace(self.rows[self.cursor], value=event.value.strip())
        self._stop_typing()
        if self.cursor + 1 < len(self.rows):
            self.cursor += 1
        self.redraw()

    def _stop_typing(self) -> None:
        self.set_class(False, "typing")
        self.set_focus(None)

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Handle a click on a row."""
        if event.key.isdigit():
            self.action_digit(int(event.key))
