"""The settings: a form whose colours are shown at once, and the key map."""

from collections.abc import Sequence

from textual.app import App

from tui.config.settings import Settings
from tui.scene.cells import Glyphs
from tui.screens.forms import FormScreen
from tui.screens.key_map import KeyMapScreen
from tui.widgets.entry.fields import FieldRow, Picker, Row

THEME, KEYS = "theme", "keys"


class SettingsScreen(FormScreen):
    """The form of the settings. keys: the player's own keys, which another screen changes."""

    def __init__(self, title: str, rows: Sequence[Row], glyphs: Glyphs, settings: Settings) -> None:
        super().__init__(title, rows, glyphs)
        self.settings = settings
        self.keys = dict(settings.keys)

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

    def choose(self, row: Row) -> None:
        """Open the key map, or save."""
        if row.name != KEYS:
            super().choose(row)
            return

        def changed(keys: dict[str, str] | None) -> None:
            self.keys = self.keys if keys is None else keys

        self.app.push_screen(KeyMapScreen(self.values["preset"], self.keys, self.glyphs), changed)

    def action_leave(self) -> None:
        """Leave everything as it was."""
        self._show_theme(self.settings.theme)
        super().action_leave()
