"""The settings: a form whose colours are shown at once, and the key map."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from tui.config.places import FORM
from tui.config.settings import Settings
from tui.scene.cells import Glyphs
from tui.screens.key_map import KeyMapScreen
from tui.widgets.bound import bound
from tui.widgets.entry.fields import FieldRow, Picker, Row
from tui.widgets.entry.form import Form, Values, form_keys
from tui.widgets.entry.key_line import KeyLine

THEME, KEYS = "theme", "keys"


class SettingsScreen(Screen[tuple[str, Values] | None]):
    """Shows the form of the settings. Returns the name of the chosen command and all values, or None after ESC.

    keys: the player's own keys, which another screen changes.
    """

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(FORM)

    def __init__(self, title: str, rows: Sequence[Row], glyphs: Glyphs, settings: Settings) -> None:
        super().__init__()
        self.glyphs, self._form = glyphs, Form(title, rows, glyphs)
        self.settings = settings
        self.keys = dict(settings.keys)

    def compose(self) -> ComposeResult:
        """The form, the keys."""
        yield self._form
        yield KeyLine(self.glyphs, form_keys(self._form))

    def _show_theme(self, name: str) -> None:
        app: App[object] = self.app
        if name in app.available_themes:
            app.theme = name

    def on_field_row_changed(self, event: FieldRow.Changed) -> None:
        """Show the chosen colours at once."""
        if event.row.name == THEME:
            self._show_theme(event.value)

    def on_picker_looked_at(self, event: Picker.LookedAt) -> None:
        """Show the colours under the cursor in the open list; the chosen ones when it has closed."""
        if event.picker.id == f"field-{THEME}":
            self._show_theme(event.value or str(event.picker.value))

    def on_form_chosen(self, event: Form.Chosen) -> None:
        """Open the key map, or save."""
        if event.row.name != KEYS:
            self.dismiss((event.row.name, event.values))
            return

        def changed(keys: dict[str, str] | None) -> None:
            self.keys = self.keys if keys is None else keys

        self.app.push_screen(KeyMapScreen(event.values["preset"], self.keys, self.glyphs), changed)

    def action_go(self) -> None:
        """Save."""
        self._form.go()

    def action_leave(self) -> None:
        """Leave everything as it was."""
        self._show_theme(self.settings.theme)
        self.dismiss(None)
